"""The kinds of material there are. An app registers its own in its `materials` module, which is loaded at start.

A kind says how a text of it is read and written, what its form is, what is wrong with it, and how it is published.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from django.http import Http404
from django.utils.translation import gettext_lazy as _

from gpuschedlab.materials.documents.paths import Path, dom_id, written

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import Model
    from django_stubs_ext import StrOrPromise

    from gpuschedlab.accounts.models import Participant
    from gpuschedlab.materials.documents.fields import Section
    from gpuschedlab.materials.models import Draft

Weight = Literal["error", "missing", "advice"]
"""error and missing stand in the way of publishing; advice does not."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a draft, or is not there yet.

    text   a sentence that says what to do
    path   the field at fault, None where no field is
    line, column   its place in the text, from 1; 0 where it has none
    url    where it can be put right, where that is neither the form nor the text
    kube   the API server's own words, where it was its refusal
    """

    weight: Weight
    text: str
    path: Path | None = None
    line: int = 0
    column: int = 0
    url: str = ""
    kube: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """A draft's text as it was read. `value` is None where it cannot be; then `problems` says why."""

    value: Any
    problems: tuple[Problem, ...] = ()
    name: str = ""
    titles: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_readable(self) -> bool:
        return self.value is not None


@dataclass(frozen=True, slots=True)
class Published:
    """The published side of a draft: its newest revision, and whether learners find it now."""

    name: str
    number: int
    text: str
    at: datetime
    is_current: bool
    url: str


@dataclass(frozen=True, slots=True)
class Made:
    """What publishing made: the name and the revision's number."""

    name: str
    number: int


@dataclass(frozen=True, slots=True)
class Staged:
    """What a preview shows: the rows that make it up, and the address (below the site's root) where it begins."""

    rows: tuple[Model, ...]
    address: str


@dataclass(frozen=True, slots=True)
class Figure:
    """One number about how a published thing is used. `short` ones stand in the list too."""

    label: StrOrPromise
    value: str
    short: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """A way to more."""

    label: StrOrPromise
    url: str


@dataclass(frozen=True, slots=True)
class Figures:
    """How a published thing is used. `links` lead to more; `tables` are (title, column heads, rows)."""

    figures: tuple[Figure, ...] = ()
    tables: tuple[tuple[StrOrPromise, tuple[StrOrPromise, ...], tuple[tuple[str, ...], ...]], ...] = ()
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Missing:
    """A text that lacks a language; `other` is what it says in the other one."""

    path: Path
    language: str
    label: str
    other: str

    @property
    def name(self) -> str:
        """The name of its input."""
        return written(self.path)

    @property
    def id(self) -> str:
        """The DOM id of its input."""
        return dom_id(self.path)


@dataclass(frozen=True, slots=True)
class BarAction:
    """Something a preview offers to take over into the draft: a form with one button."""

    label: StrOrPromise
    url: str
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class View:
    """A way to work on a draft: its tab. `mode` is the preview it is, "" for an ordinary page."""

    name: str
    label: StrOrPromise
    mode: str = ""


@dataclass(frozen=True, slots=True)
class Start:
    """One way to begin: `name` goes into the form, `text` says what it is."""

    name: str
    label: StrOrPromise
    text: StrOrPromise = ""


FORM = View("form", _("Form"))
TEXT = View("text", "YAML")
TRANSLATIONS = View("translations", _("Translations"))
GRAPH = View("graph", _("Graph"), mode="graph")


class MaterialKind(ABC):
    """A kind of material."""

    name: ClassVar[str]
    label: ClassVar[StrOrPromise]
    plural: ClassVar[StrOrPromise]
    order: ClassVar[int] = 100
    suffix: ClassVar[str] = "yaml"
    max_text: ClassVar[int] = 512 * 1024

    views: ClassVar[Sequence[View]] = (FORM, TEXT, TRANSLATIONS)
    audiences: ClassVar[Sequence[tuple[StrOrPromise, StrOrPromise]]] = (
        (_("Everybody"), _("It stands in the list.")),
        (_("Who has the link"), _("It stands in no list.")),
    )
    """Who finds what is published: listed, and not listed."""
    styles: ClassVar[Sequence[str]] = ()
    """Style sheets of what stands beside the form."""

    # texts

    @abstractmethod
    def starts(self) -> Sequence[Start]:
        """The ways to begin a new one."""

    @abstractmethod
    def new_text(self, start: str, *, name: str, title: str, language: str) -> str:
        """The text a new draft begins with."""

    @abstractmethod
    def read(self, text: str) -> Reading:
        """Read a text; never an exception, whatever it is."""

    @abstractmethod
    def write(self, text: str, value: Any) -> str:
        """The text that reads as `value`, with all of `text` kept that need not change."""

    def recognizes(self, text: str) -> bool:
        """Whether a text that comes in says of itself that it is of this kind."""
        return False

    def renamed(self, text: str, name: str) -> str:
        """The text under another name; the text itself where it cannot be read."""
        reading = self.read(text)
        return self.write(text, self.with_name(reading.value, name)) if reading.is_readable else text

    @abstractmethod
    def with_name(self, value: Any, name: str) -> Any: ...

    # the form

    @abstractmethod
    def sections(self, draft: Draft, reading: Reading, viewer: Participant) -> Sequence[Section]:
        """The form of a draft that can be read."""

    def editor(self, draft: Draft, reading: Reading) -> Mapping[str, Any]:
        """What the text editor completes from: `front`, the address of a JSON Schema, and what `schema` may need."""
        return {}

    def place(self, path: Path) -> str:
        """What a place of a document is called."""
        return written(path)

    def beside(self, draft: Draft) -> str:
        """The address of what stands beside the form, fetched anew with every change; "" for nothing."""
        return ""

    def part_begun(self, *, draft: Draft, part: Draft) -> None:  # noqa: B027 (few kinds have parts)
        """Another draft was begun for this one."""

    @abstractmethod
    def check(self, draft: Draft, reading: Reading) -> Sequence[Problem]:
        """Everything that is wrong or missing, the reading's own problems included."""

    @abstractmethod
    def missing(self, reading: Reading) -> Sequence[Missing]:
        """The texts that lack a language."""

    def prove(self, draft: Draft, reading: Reading, keep_on: Callable[[], bool]) -> Sequence[Problem] | None:
        """What only trying out shows to be wrong; None where `keep_on` said that it takes too long."""
        return ()

    # its life

    @abstractmethod
    def published(self, names: Sequence[str]) -> Mapping[str, Published]:
        """Name -> the published side, for those that were published."""

    @abstractmethod
    def name_taken(self, draft: Draft, name: str) -> bool:
        """Whether something else is published under that name."""

    @abstractmethod
    def publish(self, *, actor: Participant, draft: Draft, reading: Reading) -> Made:
        """Make the draft's text the current revision. Called within a transaction, after the checks."""

    @abstractmethod
    def stage(self, *, actor: Participant, draft: Draft, reading: Reading, mode: str) -> Staged:
        """Publish for a preview alone, within a transaction that is rolled back. Raises BadInput where it cannot be."""

    def taken_over(self, *, draft: Draft, learner: Participant, reading: Reading) -> Any:
        """The document as the work in a graph preview leaves it; None where nothing of it has changed."""
        return None

    @abstractmethod
    def retire(self, *, draft: Draft, back: bool) -> None:
        """Take the published thing off everybody's lists, or put it back."""

    def allows(self, view_name: str, kwargs: Mapping[str, Any]) -> bool:
        """Whether a graph preview has the page of that name."""
        return True

    def bar_actions(self, draft: Draft, view_name: str, kwargs: Mapping[str, Any]) -> Sequence[BarAction]:
        """What the page of that name offers within a preview."""
        return ()

    def list_for(self, *, draft: Draft) -> None:  # noqa: B027 (a kind without lists has nothing to do)
        """Take over whether the published thing is listed."""

    @abstractmethod
    def source(self, name: str) -> tuple[str, Mapping[str, Any]]:
        """A published thing's text and what is credited when somebody goes on from it. Raises Http404."""

    @abstractmethod
    def differences(self, before: str, after: str) -> Sequence[tuple[str, str, str]]:
        """What differs between two texts, to be read by people: (what, before, after)."""

    def figures(self, published: Published) -> Figures:
        """How it is used."""
        return Figures()

    def short_figures(self, names: Sequence[str]) -> Mapping[str, Sequence[Figure]]:
        """The short figures of several at once, by name."""
        return {}


_kinds: dict[str, MaterialKind] = {}


def register_kind(kind: MaterialKind) -> None:
    _kinds[kind.name] = kind


def kinds() -> list[MaterialKind]:
    return sorted(_kinds.values(), key=lambda kind: kind.order)


def kind_named(name: str) -> MaterialKind:
    """Raises Http404."""
    found = _kinds.get(name)
    if found is None:
        raise Http404
    return found


def kind_of(draft: Draft) -> MaterialKind:
    return _kinds[draft.kind]
