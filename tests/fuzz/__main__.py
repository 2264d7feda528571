"""`python -m tests.fuzz N [FIRST]`: run N cases, in one process per core, and print what came of them."""

from __future__ import annotations

import os
import sys
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from tests.fuzz.cases import run

BLOCK = 200
TOLD_EVERY = 25


def run_block(numbers: range) -> tuple[Counter[str], list[str]]:
    """(how often each outcome came, the failures)."""
    counts: Counter[str] = Counter()
    failures: list[str] = []
    for number in numbers:
        try:
            result = run(number)
        except Exception:  # noqa: BLE001 - whatever it is, it is what we look for
            counts["FAILED"] += 1
            failures.append(f"case {number}:\n{traceback.format_exc(limit=-6)}")
            continue
        counts[f"{result.kind} {result.outcome}"] += 1
    return counts, failures


def main(arguments: list[str]) -> int:
    total = int(arguments[0]) if arguments else 2000
    first = int(arguments[1]) if len(arguments) > 1 else 0
    blocks = [range(start, min(start + BLOCK, first + total)) for start in range(first, first + total, BLOCK)]
    counts: Counter[str] = Counter()
    start = time.monotonic()
    with ProcessPoolExecutor(max_workers=int(os.environ.get("FUZZ_PROCESSES") or os.cpu_count() or 1)) as pool:
        for done, (block_counts, failures) in enumerate(pool.map(run_block, blocks), start=1):
            counts.update(block_counts)
            if done % TOLD_EVERY == 0:
                sys.stderr.write(f"{done * BLOCK} cases, {counts['FAILED']} failed\n")
            for failure in failures:
                sys.stdout.write(f"{failure}\n")
                sys.stdout.flush()
    seconds = time.monotonic() - start
    told = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    sys.stdout.write(f"{total} cases from {first} in {seconds:.0f} s: {told}\n")
    return 1 if counts["FAILED"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
