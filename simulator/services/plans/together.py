"""One command out of several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from gpuschedlab.web.errors import BadInput
from simulator.engine.world.commands import Command
from simulator.engine.world.handlers import BATCH
from simulator.selectors.frames import Frame
from simulator.selectors.refs import Ref, items_of

Plan = Callable[[Frame], Command]
MOST_NAMED = 5


def together(commands: Iterable[Command]) -> Command:
    """These commands as one step."""
    several = list(commands)
    return several[0] if len(several) == 1 else {"type": BATCH, "commands": several}


def for_each(refs: Sequence[Ref], make: Callable[[Ref, Any], Command]) -> Plan:
    """The same for every one of these objects: `make(ref, object)` is the command about one."""

    def plan(frame: Frame) -> Command:
        return together(make(ref, item) for ref, item in there(frame, refs).items())

    return plan


def there(frame: Frame, refs: Sequence[Ref]) -> dict[Ref, Any]:
    """The objects of these names. Raises `BadInput` where one of them is gone, or none was named."""
    if not refs:
        raise BadInput(_("Nothing is selected."))
    found = items_of(frame, refs)
    gone = [ref.name for ref in refs if ref not in found]
    if gone:
        text = ngettext("%(names)s is no longer there.", "%(names)s are no longer there.", len(gone))
        raise BadInput(text % {"names": ", ".join(gone[:MOST_NAMED])})
    return found
