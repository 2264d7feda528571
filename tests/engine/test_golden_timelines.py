"""Families F19-F22: queue, sampling, extenders and pod groups on a virtual clock are the real kube-scheduler's."""

from __future__ import annotations

import json

import pytest

from tests.golden.recorded import TIMELINES, report, scenarios, wrong_in


@pytest.mark.parametrize("family", TIMELINES)
def test_family_runs_as_recorded(family: str) -> None:
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
