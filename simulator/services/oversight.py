"""How much may come of one request: more is broken off, and nothing of it is stored."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from django.utils.translation import gettext as _

from gpuschedlab.web.errors import TooLarge
from simulator.engine.world.simulation import Action
from simulator.selectors.lab_history import LabHistory

MAX_COMMANDS: Final = 5_000
MAX_ACTIONS: Final = 50_000
MAX_OBJECTS: Final = 20_000  # ever created in one lab
MAX_WORK: Final = 5.0  # seconds of a processor


class TooMuchWork(TooLarge):
    """What was asked for takes too long to be computed while somebody waits. The history it was computed in is of no
    more use."""

    def __init__(self) -> None:
        super().__init__(_("So much would come of this that it was broken off, and nothing was changed. Ask for less."))


def is_full(history: LabHistory) -> bool:
    """Whether nothing more may happen in a lab."""
    return history.count >= MAX_ACTIONS or history.history.head.world.created >= MAX_OBJECTS


def tired(seconds: float) -> Callable[[], bool]:
    """Whether the thread has worked for so long since now. Its own time counts: on a busy machine nobody gets less."""
    until = time.thread_time() + seconds
    return lambda: time.thread_time() > until


@contextmanager
def overseen(history: LabHistory) -> Iterator[None]:
    """Break off what is computed at the history's end when it gets too much. Raises `TooMuchWork`."""
    head, is_tired = history.history.head, tired(MAX_WORK)
    most = head.world.created + MAX_OBJECTS

    def watch(_action: Action) -> None:
        if is_tired() or head.count > MAX_ACTIONS or head.world.created > most:
            raise TooMuchWork

    head.overseer = watch
    try:
        yield
    finally:
        head.overseer = None
