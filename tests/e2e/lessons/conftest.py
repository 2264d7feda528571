from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command

from lessons.presenters import lesson_text
from lessons.selectors import texts
from simulator.selectors.histories import histories

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def catalogue(site: str) -> Iterator[None]:
    """The site with the whole catalogue."""
    call_command("load_catalogue", verbosity=0)
    yield
    texts._question.cache_clear()
    texts._quiz.cache_clear()
    lesson_text._present.cache_clear()
    histories.clear()
