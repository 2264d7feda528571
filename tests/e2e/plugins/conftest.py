from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from simulator.selectors.histories import histories

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def _fresh_histories() -> Iterator[None]:
    histories.clear()
    yield
    histories.clear()
