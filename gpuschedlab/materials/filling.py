"""Filling in a draft's form: single values, and entries of lists. Two tabs that change different fields do not meet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _

from gpuschedlab.materials.documents.changes import Act, change_list, listing_at, read_changes
from gpuschedlab.materials.documents.paths import Path, get_at, written
from gpuschedlab.materials.kinds import Reading, kind_of
from gpuschedlab.materials.selectors import edit_get
from gpuschedlab.materials.services import CHANGED, draft_write
from gpuschedlab.web.errors import BadInput, Conflict

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import Participant
    from gpuschedlab.materials.models import Draft

TRIES: Final = 3

Typed = Mapping[str, Sequence[str]]


class Clash(Conflict):
    """Somebody else changed the very same field. `typed` is what was to be written, `paths` where."""

    def __init__(self, paths: Sequence[Path]) -> None:
        super().__init__(CHANGED)
        self.paths = tuple(paths)


@dataclass(frozen=True, slots=True)
class Filled:
    """A draft after its form came: what of it could not be read, by the input's name."""

    draft: Draft
    wrong: Mapping[str, str] = field(default_factory=dict)


def draft_fill(*, actor: Participant, draft: Draft, typed: Typed, base: int) -> Filled:
    """Write what was typed. `base`: the version the page was made from. Raises `Clash` where a field changed since."""
    wrong: dict[str, str] = {}

    def change(now: Draft, reading: Reading) -> tuple[Any, Sequence[Path]]:
        sections = kind_of(now).sections(now, reading, actor)
        changes = read_changes(sections, reading.value, typed)
        wrong.clear()
        wrong.update(changes.wrong)
        return changes.document, changes.changed

    return Filled(_write(draft, base, change), wrong)


def draft_list_change(
    *, actor: Participant, draft: Draft, path: Path, act: Act, base: int, index: int = 0, kind: str = ""
) -> Draft:
    """Add, remove or move an entry of a list. Raises `Clash` where the list changed since `base`."""

    def change(now: Draft, reading: Reading) -> tuple[Any, Sequence[Path]]:
        listing = listing_at(kind_of(now).sections(now, reading, actor), reading.value, path)
        if listing is None:
            raise BadInput(_("There is no such list any more. Reload the page."))
        return change_list(reading.value, listing, path, act, index=index, kind=kind), [path]

    return _write(draft, base, change)


def draft_set(*, draft: Draft, document: Any, origin: str, what: str) -> Draft:
    """Make the draft read as `document`, whatever it was before; for what is not typed into its form."""
    text = kind_of(draft).write(draft.text, document)
    return draft_write(draft=draft, text=text, expected=draft.version, origin=origin, what=what)


def _write(draft: Draft, base: int, change: Callable[[Draft, Reading], tuple[Any, Sequence[Path]]]) -> Draft:
    for left in reversed(range(TRIES)):
        reading = readable(draft)
        document, changed = change(draft, reading)
        if not changed:
            return draft
        if base != draft.version:
            _check_clash(draft, reading, base, changed)
        text = kind_of(draft).write(draft.text, document)
        what = written(changed[0])
        try:
            return draft_write(draft=draft, text=text, expected=draft.version, origin="form", what=what)
        except Conflict:
            if not left:
                raise
            draft.refresh_from_db()
    raise AssertionError


def readable(draft: Draft) -> Reading:
    """The draft's reading. Raises BadInput where it has none, so that a form cannot be filled in."""
    reading = kind_of(draft).read(draft.text)
    if not reading.is_readable:
        raise BadInput(_("The text cannot be read at the moment. Put it right in its own view first."))
    return reading


def _check_clash(draft: Draft, reading: Reading, base: int, changed: Sequence[Path]) -> None:
    edit = edit_get(draft, base)
    then = kind_of(draft).read(edit.text) if edit is not None else None
    if then is None or not then.is_readable:
        raise Clash(changed)
    clashing = [path for path in changed if get_at(then.value, path) != get_at(reading.value, path)]
    if clashing:
        raise Clash(clashing)
