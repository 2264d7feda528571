"""Families C00 and F01-F18: every verdict, score, victim and message is the real kube-scheduler's."""

from __future__ import annotations

import json

import pytest

from tests.golden.recorded import TRIES, differences, report, scenarios, wrong_in


@pytest.mark.parametrize("family", TRIES)
def test_family_is_decided_as_recorded(family: str) -> None:
    wrong: dict[str, list[str]] = {}
    count = 0
    for scenario, expect in scenarios(family):
        before = json.dumps(scenario)
        found = wrong_in(scenario, expect)
        if found:
            wrong[scenario["id"]] = found
        assert json.dumps(scenario) == before, f"{scenario['id']}: the input was changed"
        count += 1
    assert count > 0
    assert not wrong, report(wrong, count)


def test_differences_name_the_place_and_both_values() -> None:
    got = {"bound": {"default/a": "n1"}, "results": [{"message": "x"}], "extra": 1}
    wanted = {"bound": {"default/a": "n2"}, "results": [{"message": "x", "attempt": 1}]}
    assert list(differences(got, wanted)) == [
        'bound.default/a: got "n1", recorded "n2"',
        "extra: got 1, nothing recorded",
        "results[0].attempt: got nothing, recorded 1",
    ]
    assert list(differences([1, 2], [1])) == [": got [1, 2], recorded [1]"]
