"""Every address of the site against every role."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.urls import reverse

from simulator.selectors.histories import histories
from simulator.selectors.rule_exercises import exercise_list
from tests.access.addresses import Address, addresses
from tests.access.matrix import MATRIX
from tests.access.world import ADMINISTRATOR, ROLES, World

if TYPE_CHECKING:
    from collections.abc import Iterator

ALL = addresses()
OWN = [one for one in ALL if not one.is_admin]
ADMIN = [one for one in ALL if one.is_admin and one.is_named]
FOR_ALL = {"admin:login", "admin:jsi18n", "admin:logout"}
METHODS = ("get", "post")
SHUT_OUT = frozenset({404, 405})

pytestmark = pytest.mark.django_db


def test_every_address_has_its_row_and_every_row_its_address() -> None:
    assert sorted(MATRIX) == sorted({one.name for one in OWN})


def test_no_name_stands_for_two_addresses() -> None:
    assert [name for name, count in Counter(one.name for one in OWN).items() if count > 1] == []


@pytest.fixture
def world() -> Iterator[World]:
    cache.clear()
    yield World()
    histories.clear()


@pytest.mark.parametrize("group", sorted({one.group for one in OWN}))
def test_address_is_there_for_whom_the_matrix_says(world: World, group: str) -> None:
    wrong = {}
    for address in OWN:
        if address.group != group or address.name not in MATRIX:
            continue
        url = _url(world, address)
        answers = {role: _statuses(world, role, url) for role in ROLES}
        reached = tuple(role for role in ROLES if answers[role] - SHUT_OUT)
        broken = any(status == 403 or status >= 500 for statuses in answers.values() for status in statuses)
        if reached != MATRIX[address.name].who or broken:
            wrong[address.name] = answers
    assert wrong == {}


def test_admin_is_there_for_administrators_alone(world: World) -> None:
    values = {"app_label": "accounts", "content_type_id": 1, "id": 1, "object_id": 1}
    inside = {}
    for address in ADMIN:
        if address.name in FOR_ALL:
            continue
        name = address.name if ":" in address.name else f"admin:{address.name}"
        url = reverse(name, kwargs={part: values[part] for part in address.parts})
        for role in ROLES:
            answer = world.client(role).get(url)
            if "/admin/login/" not in answer.headers.get("Location", ""):
                inside.setdefault(role, []).append(address.name)
    assert list(inside) == [ADMINISTRATOR]
    assert len(inside[ADMINISTRATOR]) == len(ADMIN) - len(FOR_ALL)


def _url(world: World, address: Address) -> str:
    if not address.is_named:
        return f"/{address.name}"
    row = MATRIX[address.name]
    values = world.values(staff_run=address.name == "simulator:conform_result")
    special: dict[str, Any] = {
        "invitation": values["invitation"],
        "question": world.question.slug,
        "rule_exercise": exercise_list()[0].slug,
        "quiz_draft": world.drafts["quiz"].pk,
        "lesson_draft": world.drafts["lesson"].pk,
    }
    chosen: dict[str, Any] = {}
    for part in address.parts:
        wanted = row.values.get(part)
        chosen[part] = values[part] if wanted is None else special.get(wanted, wanted)
    return reverse(address.name, kwargs=chosen) + row.query


def _statuses(world: World, role: str, url: str) -> set[int]:
    """How the address answers, as if nothing else had been asked: each method until one reaches something."""
    found: set[int] = set()
    for method in METHODS:
        with transaction.atomic():
            found.add(getattr(world.client(role), method)(url).status_code)
            transaction.set_rollback(True)
        cache.clear()
        if found - SHUT_OUT:
            break
    return found
