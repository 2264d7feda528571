"""MIG profiles: which combinations fit a GPU."""

from __future__ import annotations

import pytest

from simulator.engine.fabric.mig import (
    MIG_TABLES,
    MigInstance,
    arrange,
    free_starts,
    maximal_combinations,
    mig_profile,
    mig_profiles,
    place_next,
)


def fits(model: str, *names: str) -> bool:
    return arrange([mig_profile(model, name) for name in names]) is not None


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["1g.5gb"] * 7, True),
        (["1g.5gb"] * 8, False),
        (["2g.10gb"] * 3 + ["1g.5gb"], True),
        (["2g.10gb"] * 4, False),
        (["3g.20gb", "3g.20gb"], True),
        (["3g.20gb", "3g.20gb", "1g.5gb"], False),
        (["4g.20gb", "3g.20gb"], True),
        (["4g.20gb", "4g.20gb"], False),
        (["4g.20gb", "2g.10gb", "1g.5gb"], True),
        (["3g.20gb", "2g.10gb", "1g.5gb", "1g.5gb"], True),
        (["7g.40gb"], True),
        (["7g.40gb", "1g.5gb"], False),
        (["1g.10gb"] * 4, True),
        (["1g.10gb"] * 3 + ["2g.10gb", "1g.5gb"], False),
    ],
)
def test_combinations_on_an_a100(names: list[str], expected: bool) -> None:
    assert fits("a100-40gb", *names) is expected


def test_three_of_seven_slices_take_half_of_the_memory() -> None:
    """3 + 3 compute slices leave one slice that no profile can use: the memory is gone."""
    left = arrange([mig_profile("h100-80gb", "3g.40gb")] * 2)

    assert left is not None
    assert free_starts(mig_profile("h100-80gb", "1g.10gb"), left) == ()


def test_arrangement_is_in_the_order_asked_for_and_does_not_overlap() -> None:
    profiles = [mig_profile("a100-40gb", name) for name in ("1g.5gb", "3g.20gb", "2g.10gb")]
    placed = arrange(profiles)

    assert placed is not None
    assert [instance.profile for instance in placed] == profiles
    for index, first in enumerate(placed):
        assert not any(first.overlaps(other) for other in placed[index + 1 :])


def test_next_instance_keeps_the_large_profiles_possible() -> None:
    table = MIG_TABLES["a100-40gb"]
    first = place_next(mig_profile("a100-40gb", "3g.20gb"), (), table)
    small = place_next(mig_profile("a100-40gb", "1g.5gb"), (), table)

    assert first == MigInstance(mig_profile("a100-40gb", "3g.20gb"), 4)
    assert small is not None
    assert small.start == 6
    whole = MigInstance(mig_profile("a100-40gb", "7g.40gb"), 0)
    assert place_next(mig_profile("a100-40gb", "1g.5gb"), (whole,), table) is None


def test_maximal_combinations_cannot_grow() -> None:
    table = MIG_TABLES["a30-24gb"]

    assert maximal_combinations(table) == [
        ("1g.6gb", "1g.6gb", "1g.6gb", "1g.6gb"),
        ("1g.6gb", "1g.6gb", "2g.12gb"),
        ("2g.12gb", "2g.12gb"),
        ("4g.24gb",),
    ]


def test_recorded_memory_and_processors_of_an_a100() -> None:
    small, medium = mig_profile("a100-40gb", "1g.5gb"), mig_profile("a100-40gb", "2g.10gb")

    assert (small.memory_mib, small.multiprocessors, small.resource) == (4864, 14, "nvidia.com/mig-1g.5gb")
    assert (medium.memory_mib, medium.multiprocessors) == (9856, 28)


def test_models_without_mig_have_no_profiles() -> None:
    assert mig_profiles("t4") == ()
    with pytest.raises(KeyError):
        mig_profile("t4", "1g.5gb")


@pytest.mark.parametrize("name", MIG_TABLES)
def test_every_table_is_consistent(name: str) -> None:
    slices = 4 if name.startswith("a30") else 8
    for profile in MIG_TABLES[name]:
        assert all(start + profile.memory <= slices for start in profile.starts)
        assert profile.name.startswith(f"{profile.compute}g.")
