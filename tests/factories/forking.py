"""A program that has loaded the site's code and makes of itself `manage.py serve`, once for each line of arguments.

A server that was killed is back in a moment this way. Servers share nothing but the code: no connection was opened.
"""

import os
import signal
import sys

from django.core.management import execute_from_command_line

import gpuschedlab.asgi  # noqa: F401 (this loads it)


def main() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # who has ended is gone
    for line in sys.stdin:
        server = os.fork()
        if not server:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            nothing = os.open(os.devnull, os.O_RDWR)
            os.dup2(nothing, sys.stdin.fileno())
            os.dup2(nothing, sys.stdout.fileno())
            execute_from_command_line(["manage.py", "serve", *line.split()])
            return
        print(server, flush=True)  # noqa: T201 (the answer)


if __name__ == "__main__":
    main()
