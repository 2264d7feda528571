"""Drafts as pages show them: the head with its tabs, what is still missing, the lines of the workbench."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.core.cache import cache
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from gpuschedlab.materials.documents.paths import dom_id, written
from gpuschedlab.materials.kinds import Figure, MaterialKind, Problem, Published, kind_of
from gpuschedlab.materials.selectors import edit_get

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from gpuschedlab.materials.models import Draft

DRAFT, CHANGED, PUBLISHED, RETIRED = "draft", "changed", "published", "retired"
STATES: Final[Mapping[str, StrOrPromise]] = {
    DRAFT: gettext_lazy("draft"),
    CHANGED: gettext_lazy("changed since it was published"),
    PUBLISHED: gettext_lazy("published"),
    RETIRED: gettext_lazy("retired"),
}
COUNTS_KEPT: Final = 86_400  # seconds


@dataclass(frozen=True, slots=True)
class Tab:
    name: str
    label: StrOrPromise
    url: str
    current: bool


@dataclass(frozen=True, slots=True)
class Step:
    """What to do next. `why` says what it is good for; `is_main` is false for what can wait."""

    label: str
    url: str
    why: str = ""
    is_main: bool = True


@dataclass(frozen=True, slots=True)
class ProblemView:
    """A line of the list of problems: it leads to the field, or to the line of the text."""

    weight: str
    text: str
    url: str
    field: str
    line: int
    column: int
    kube: str


@dataclass(frozen=True, slots=True)
class Checklist:
    """What stands between a draft and its publication, and the next step. `by_name`: input -> its errors."""

    lines: tuple[ProblemView, ...]
    errors: int
    missing: int
    advice: int
    next: Step
    by_name: Mapping[str, list[str]]

    @property
    def blocks(self) -> bool:
        return bool(self.errors or self.missing)

    @property
    def groups(self) -> tuple[tuple[str, StrOrPromise, tuple[ProblemView, ...]], ...]:
        titles = (
            ("error", gettext_lazy("To put right")),
            ("missing", gettext_lazy("Still missing")),
            ("advice", gettext_lazy("Worth a look")),
        )
        made = ((weight, title, tuple(one for one in self.lines if one.weight == weight)) for weight, title in titles)
        return tuple(group for group in made if group[2])


@dataclass(frozen=True, slots=True)
class DraftHead:
    """The head of every page of a draft."""

    draft: Draft
    kind: MaterialKind
    title: str
    state: str
    state_label: StrOrPromise
    number: int
    public_url: str
    tabs: tuple[Tab, ...]
    can_undo: bool
    can_redo: bool

    @property
    def is_published(self) -> bool:
        return self.state in {PUBLISHED, CHANGED}


def published_of(draft: Draft) -> Published | None:
    return kind_of(draft).published([draft.published]).get(draft.published) if draft.published else None


def state_of(draft: Draft, published: Published | None) -> str:
    if published is None:
        return DRAFT
    if not published.is_current:
        return RETIRED
    return PUBLISHED if published.text == draft.text else CHANGED


def address(draft: Draft, page: str) -> str:
    return reverse(f"materials:{page}", args=[draft.pk])


def view_address(draft: Draft, name: str, mode: str) -> str:
    if mode:
        return reverse("materials:begin", kwargs={"draft_id": draft.pk, "mode": mode})
    return address(draft, name)


def present_head(draft: Draft, *, view: str) -> DraftHead:
    kind, published = kind_of(draft), published_of(draft)
    state = state_of(draft, published)
    edit = edit_get(draft, draft.version)
    tabs = [Tab(one.name, one.label, view_address(draft, one.name, one.mode), one.name == view) for one in kind.views]
    tabs.append(Tab("publish", _("Publish"), address(draft, "publish"), view == "publish"))
    if published is not None:
        tabs.append(Tab("share", _("Share"), address(draft, "share"), view == "share"))
        tabs.append(Tab("figures", _("Usage"), address(draft, "figures"), view == "figures"))
    return DraftHead(
        draft,
        kind,
        draft.title,
        state,
        STATES[state],
        published.number if published is not None else 0,
        published.url if published is not None else "",
        tuple(tabs),
        edit is not None and edit.back is not None,
        edit is not None and edit.forth is not None,
    )


def present_checklist(draft: Draft, problems: Sequence[Problem]) -> Checklist:
    lines = tuple(_problem(draft, one) for one in problems)
    counts = {weight: sum(one.weight == weight for one in problems) for weight in ("error", "missing", "advice")}
    remember_counts(draft, counts)
    by_name: dict[str, list[str]] = {}
    for one in problems:
        if one.path is not None and one.weight == "error":
            by_name.setdefault(written(one.path), []).append(one.text)
    return Checklist(lines, counts["error"], counts["missing"], counts["advice"], _next(draft, lines, counts), by_name)


def _problem(draft: Draft, one: Problem) -> ProblemView:
    form, text = address(draft, "form"), address(draft, "text")
    if one.url:
        url = one.url
    elif one.path is not None:
        url = f"{form}#{dom_id(one.path)}"
    else:
        url = f"{text}?line={one.line}&column={one.column}" if one.line else form
    field = dom_id(one.path) if one.path is not None else ""
    return ProblemView(one.weight, one.text, url, field, one.line, one.column, one.kube)


def _next(draft: Draft, lines: Sequence[ProblemView], counts: Mapping[str, int]) -> Step:
    for weight in ("error", "missing"):
        found = next((one for one in lines if one.weight == weight), None)
        if found is None:
            continue
        n = counts[weight]
        if weight == "error":
            label = ngettext("Put %(n)d problem right", "Put %(n)d problems right", n) % {"n": n}
        else:
            label = ngettext("Fill in %(n)d missing thing", "Fill in %(n)d missing things", n) % {"n": n}
        return Step(label, found.url, found.text)
    published = published_of(draft)
    state = state_of(draft, published)
    if state == DRAFT:
        return Step(_("Publish it"), address(draft, "publish"), _("Nothing is missing any more."))
    if state == CHANGED:
        return Step(_("Publish the changes"), address(draft, "publish"), _("Learners still get the earlier revision."))
    if state == RETIRED:
        return Step(_("Put it back"), address(draft, "publish"), _("It is retired: nobody finds it."), is_main=False)
    return Step(_("Share the link"), address(draft, "share"), _("It is published as it stands here."), is_main=False)


# the workbench


@dataclass(frozen=True, slots=True)
class Line:
    """One material on the workbench."""

    draft: Draft
    kind: MaterialKind
    title: str
    state: str
    state_label: StrOrPromise
    number: int
    url: str
    public_url: str
    next: Step
    figures: tuple[Figure, ...]
    parent_title: str = ""


def remember_counts(draft: Draft, counts: Mapping[str, int]) -> None:
    cache.set(f"draft-counts:{draft.pk}:{draft.version}", dict(counts), COUNTS_KEPT)


def counts_of(draft: Draft) -> Mapping[str, int]:
    """How many problems a draft has, by their weight; kept for its version."""
    found: Mapping[str, int] | None = cache.get(f"draft-counts:{draft.pk}:{draft.version}")
    if found is None:
        kind = kind_of(draft)
        found = {"error": 0, "missing": 0, "advice": 0}
        for one in kind.check(draft, kind.read(draft.text)):
            found = {**found, one.weight: found[one.weight] + 1}
        remember_counts(draft, found)
    return found


def present_lines(drafts: Sequence[Draft]) -> list[Line]:
    """Lines for drafts of any kind; what is published is read once for each kind."""
    by_kind: dict[str, list[str]] = {}
    for draft in drafts:
        by_kind.setdefault(draft.kind, [])
        if draft.published:
            by_kind[draft.kind].append(draft.published)
    published: dict[tuple[str, str], Published] = {}
    figures: dict[tuple[str, str], Sequence[Figure]] = {}
    for draft in drafts:
        names = by_kind.pop(draft.kind, None)
        if names is None:
            continue
        kind = kind_of(draft)
        published |= {(kind.name, name): one for name, one in kind.published(names).items()}
        figures |= {(kind.name, name): found for name, found in kind.short_figures(names).items()}
    titles: dict[object, str] = {draft.pk: draft.title for draft in drafts}
    return [_line(draft, published.get((draft.kind, draft.published)), figures, titles) for draft in drafts]


def _line(
    draft: Draft,
    published: Published | None,
    figures: Mapping[tuple[str, str], Sequence[Figure]],
    titles: Mapping[object, str],
) -> Line:
    state, kind = state_of(draft, published), kind_of(draft)
    return Line(
        draft,
        kind,
        draft.title,
        state,
        STATES[state],
        published.number if published else 0,
        address(draft, "form"),
        published.url if published else "",
        _line_step(draft, state, published),
        tuple(figures.get((draft.kind, draft.published), ())),
        titles.get(draft.parent_id, "") if draft.parent_id else "",
    )


def _line_step(draft: Draft, state: str, published: Published | None) -> Step:
    if published is not None and state in {PUBLISHED, RETIRED}:
        if state == RETIRED:
            return Step(_("Put it back"), address(draft, "publish"), is_main=False)
        return Step(_("Share the link"), address(draft, "share"), is_main=False)
    counts = counts_of(draft)
    for weight in ("error", "missing"):
        if n := counts[weight]:
            if weight == "error":
                label = ngettext("Put %(n)d problem right", "Put %(n)d problems right", n) % {"n": n}
            else:
                label = ngettext("Fill in %(n)d missing thing", "Fill in %(n)d missing things", n) % {"n": n}
            return Step(label, address(draft, "form"))
    return Step(_("Publish the changes") if published else _("Publish it"), address(draft, "publish"))
