"""The same answers whatever the order of sets and dictionaries of strings: PYTHONHASHSEED must not matter."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from itertools import islice

import pytest

from tests.golden.recorded import TIMELINES, TRIES, answer, scenarios

EVERY = 17


def fingerprint() -> str:
    """Of the answers to some scenarios of every family."""
    told = hashlib.sha256()
    for family in (*TRIES, *TIMELINES):
        for scenario, _ in islice(scenarios(family), 0, None, EVERY):
            told.update(json.dumps(answer(scenario)).encode())
    return told.hexdigest()


@pytest.mark.slow
def test_answers_do_not_depend_on_the_hash_seed() -> None:
    seen = set()
    for seed in ("1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", "from tests.engine.test_golden_hashseed import fingerprint as f; print(f())"]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True, timeout=120)
        seen.add(done.stdout.strip())
    assert len(seen) == 1
    assert len(seen.pop()) == 64
