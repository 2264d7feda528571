from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.factories.catalogue import catalogue_load, forget

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def catalogue(site: str) -> Iterator[None]:
    """The site with the whole catalogue."""
    catalogue_load()
    yield
    forget()
