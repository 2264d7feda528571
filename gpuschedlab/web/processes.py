"""Parents and children among the site's own processes."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import sys
import threading
import time

PR_SET_PDEATHSIG = 1
LOOK_EVERY = 1.0  # seconds


class PortInUse(Exception):
    """Another process listens there."""


def die_with_parent(parent: int) -> None:
    """Make this process end when process `parent` does, however that ends.

    Linux's kernel does it by itself; elsewhere a thread looks once a second.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    else:
        threading.Thread(target=_watch, args=(parent,), name="parent watch", daemon=True).start()
    if os.getppid() != parent:  # it ended before we asked
        os._exit(1)


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK_EVERY)
    os._exit(1)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; PortInUse when another process does."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise PortInUse(str(error)) from error
    listener.set_inheritable(False)
    return listener
