"""2,000 seeded hostile cases: clear errors or orderly simulations, never anything else. `make fuzz N=…` runs more."""

from __future__ import annotations

import pytest

from tests.fuzz.cases import OK, REFUSED, run

CASES, BLOCKS = 2000, 8


@pytest.mark.slow
@pytest.mark.parametrize("block", range(BLOCKS))
def test_hostile_input_gets_a_clear_answer(block: int) -> None:
    seen = set()
    for number in range(block, CASES, BLOCKS):
        try:
            result = run(number)
        except Exception as error:
            raise AssertionError(f"case {number}; see python -m tests.fuzz 1 {number}") from error
        seen.add((result.kind, result.outcome))
    assert {(kind, outcome) for kind in ("manifests", "commands") for outcome in (OK, REFUSED)} <= seen


def test_a_case_gives_the_same_answer_twice() -> None:
    assert [run(number) for number in range(60)] == [run(number) for number in range(60)]
