"""What a web process keeps for good."""

from __future__ import annotations

import gc

from gpuschedlab.web.memory import settle


def test_code_of_every_page_is_loaded_and_no_longer_collected() -> None:
    gc.unfreeze()
    try:
        settle()
        assert gc.get_freeze_count() > 50_000
        assert len(gc.get_objects()) < gc.get_freeze_count() / 10
    finally:
        gc.unfreeze()
