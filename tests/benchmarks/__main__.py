"""Run all benchmarks, or those named on the command line.

A benchmark is a module here with `measure()`, which yields lines of text; its name is added to BENCHMARKS.
"""

from __future__ import annotations

import sys
from importlib import import_module

BENCHMARKS = ("engine", "fabric", "rules", "lab")


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        sys.stderr.write(f"no such benchmark: {', '.join(unknown)}; known are {', '.join(BENCHMARKS)}\n")
        return 1
    for name in names or BENCHMARKS:
        for line in import_module(f"tests.benchmarks.{name}").measure():
            sys.stdout.write(f"{name}: {line}\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
