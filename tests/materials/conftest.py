from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache
from django.test import Client

from simulator.selectors.histories import histories
from tests.factories.materials import make_instructor

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
def ada(db: None) -> Participant:
    return make_instructor()


@pytest.fixture
def author(ada: Participant) -> Client:
    """Ada's browser, in English."""
    client = Client()
    assert ada.user is not None
    client.force_login(ada.user)
    client.cookies["language"] = "en"
    return client
