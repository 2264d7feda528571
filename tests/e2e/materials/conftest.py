from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache

from gpuschedlab.accounts.models import Role
from gpuschedlab.accounts.selectors import participant_of_user
from gpuschedlab.accounts.services import participant_ensure
from simulator.selectors.histories import histories
from tests.factories.accounts import make_user

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gpuschedlab.accounts.models import Participant


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    cache.clear()
    histories.clear()
    yield
    cache.clear()
    histories.clear()


@pytest.fixture
def instructor(site: str) -> Participant:
    return participant_ensure(participant_of_user(make_user(username="ada", role=Role.INSTRUCTOR)))
