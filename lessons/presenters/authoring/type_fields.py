"""The form of what each type of question has of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from gpuschedlab.materials.documents import fields as form
from lessons.presenters.authoring.graph_fields import (
    build_it,
    click_nodes,
    fill_in_score,
    label_graph,
    predict_winner,
    who_gets_evicted,
)
from lessons.presenters.authoring.inputs import (
    FEEDBACK,
    HIDDEN_ID,
    WRONG_FEEDBACK,
    Around,
    Document,
    Mixed,
    free_id,
    identifier,
    line,
    named_texts,
    names_in,
)

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


def type_fields(document: Document, around: Around) -> Sequence[form.Field]:
    """The fields of the document's type; none for a type there is not."""
    made = _FIELDS.get(str(document.get("type")))
    return made(document, around) if made is not None else ()


# choosing


def _options(*, several: bool) -> form.Listing:
    weight = form.Number(
        name="weight", label=_("Part of the mark"), help=_("From -1 to 1; empty: all or nothing."), quiet=True
    )
    told = line("feedback", _("What is said to those who chose it"))
    pinned = form.Truth(name="pinned", label=_("Keep it at the end"), quiet=True)
    shared = (line("text", _("Text")), form.Truth(name="correct", label=_("It is right")), told, weight, pinned)
    return form.Listing(
        name="options",
        label=_("Options"),
        help=_("Tick every right one.") if several else _("Tick the right one. Learners see them in another order."),
        item=form.Group(fields=(*shared, HIDDEN_ID)),
        fresh={},
        item_label=_("Option"),
        add_label=_("Add an option"),
        most=26,
    )


def _choice(_document: Document, _around: Around) -> Sequence[form.Field]:
    return (_options(several=False),)


CREDITS: Final[Mapping[str, StrOrPromise]] = {
    "right_minus_wrong": _("right ones minus wrong ones"),
    "per_option": _("each option by itself"),
    "all_or_nothing": _("all or nothing"),
    "weights": _("by the options' own parts"),
}


def _multiple(_document: Document, _around: Around) -> Sequence[form.Field]:
    credit = form.OneOf(
        name="credit", label=_("How it is marked"), choices=list(CREDITS.items()), default="right_minus_wrong"
    )
    return (_options(several=True), credit)


# numbers and words


def _accepted() -> tuple[form.Field, ...]:
    tolerance = form.Group(
        name="tolerance",
        label=_("Tolerance"),
        fields=(
            form.Number(name="relative", label=_("As a share"), help=_("0.02 is 2 %.")),
            form.Number(name="absolute", label=_("As a number")),
        ),
    )
    return (
        form.Number(name="value", label=_("Number")),
        tolerance,
        form.Number(name="from", label=_("or from"), quiet=True),
        form.Number(name="to", label=_("to this number"), quiet=True),
        form.Number(name="credit", label=_("Part of the mark"), help=_("0 recognises a typical mistake."), quiet=True),
        FEEDBACK,
    )


def _numbers(name: str) -> form.Listing:
    return form.Listing(
        name=name,
        label=_("Accepted numbers"),
        help=_("With those that earn a part, and typical mistakes that earn nothing but an explanation."),
        item=form.Group(fields=_accepted()),
        fresh={},
        item_label=_("Number"),
        add_label=_("Add a number"),
        most=30,
    )


def _numeric(_document: Document, _around: Around) -> Sequence[form.Field]:
    units = form.Listing(
        name="units",
        label=_("Units"),
        help=_("The first is the one the numbers above are in."),
        item=form.Group(
            fields=(
                form.Line(name="symbol", label=_("Symbol"), most=20),
                form.Number(name="factor", label=_("One of it, in the first unit")),
            )
        ),
        fresh={},
        item_label=_("Unit"),
        add_label=_("Add a unit"),
        most=12,
    )
    required = form.Truth(name="unit_required", label=_("The unit has to be written"))
    return (_numbers("answers"), units, required, line("otherwise", _("What is said to any other number"), quiet=True))


def _cloze(document: Document, _around: Around) -> Sequence[form.Field]:
    words = Mixed(
        name="accept",
        label=_("Accepted words"),
        help=_("* stands for anything. Case, width and spaces do not matter."),
        bare=form.Line(label=_("Word"), most=200),
        item=form.Group(
            fields=(
                form.Line(name="text", label=_("Word"), most=200),
                form.Number(name="credit", label=_("Part of the mark"), quiet=True),
                FEEDBACK,
            )
        ),
        fresh="",
        item_label=_("Word"),
        add_label=_("Add a word"),
        most=30,
    )
    blanks = form.Listing(
        name="blanks",
        label=_("Blanks"),
        help=_("Each takes words, numbers or options: one of the three."),
        item=form.Group(fields=(identifier(), words, _numbers("numbers"), _options(several=False), WRONG_FEEDBACK)),
        fresh=free_id(document, "blanks"),
        item_label=_("Blank"),
        add_label=_("Add a blank"),
        most=20,
    )
    text = form.Localized(
        name="text",
        label=_("Text with blanks"),
        help=_("Write a blank as [[name]], in both languages."),
        of=form.Prose(rows=4, most=8000),
        needed=True,
    )
    return (text, blanks)


def _short_text(_document: Document, _around: Around) -> Sequence[form.Field]:
    limit = form.Whole(name="limit", label=_("Characters at most"), least=20, most=6000, quiet=True)
    return (rubric(), _model_answer(), limit)


def rubric() -> form.Listing:
    """What a good open answer says."""
    return form.Listing(
        name="rubric",
        label=_("What a good answer says"),
        item=form.Group(
            fields=(
                line("text", _("Criterion")),
                form.Whole(name="points", label=_("Points"), least=1, most=10),
                HIDDEN_ID,
            )
        ),
        fresh={},
        item_label=_("Criterion"),
        add_label=_("Add a criterion"),
        most=20,
    )


def _model_answer() -> form.Localized:
    return form.Localized(name="answer", label=_("A model answer"), of=form.Prose(rows=3, most=8000))


# order and assignment


def _ordering(document: Document, _around: Around) -> Sequence[form.Field]:
    items = form.Listing(
        name="items",
        label=_("Items"),
        help=_("Leave them out to ask for the queue of the scene: the engine gives items and order."),
        item=form.Group(
            fields=(
                identifier(),
                line("text", _("Text")),
                form.Truth(name="distractor", label=_("It belongs nowhere")),
                FEEDBACK,
            )
        ),
        fresh=free_id(document, "items"),
        item_label=_("Item"),
        add_label=_("Add an item"),
        most=24,
    )
    order = form.Listing(
        name="order",
        label=_("Right order"),
        help=_("Chains of short names from first to last. Several chains make a partial order."),
        item=form.Words(label=_("Chain"), suggestions=names_in(document, "items")),
        fresh=[],
        item_label=_("Chain"),
        add_label=_("Add a chain"),
        most=24,
    )
    return (items, order)


def _matching(_document: Document, _around: Around) -> Sequence[form.Field]:
    pairs = form.Listing(
        name="pairs",
        label=_("Pairs"),
        help=_("Equal right sides are one."),
        item=form.Group(fields=(line("left", _("Left")), line("right", _("Right")), WRONG_FEEDBACK, HIDDEN_ID)),
        fresh={},
        item_label=_("Pair"),
        add_label=_("Add a pair"),
        most=20,
    )
    distractors = form.Listing(
        name="distractors",
        label=_("Right sides that fit nothing"),
        item=form.Localized(label=_("Text"), of=form.Line()),
        fresh={},
        item_label=_("Distractor"),
        add_label=_("Add a distractor"),
        most=20,
    )
    return (pairs, distractors)


def _sorting(document: Document, _around: Around) -> Sequence[form.Field]:
    categories = named_texts(document, "categories", _("Categories"), _("Category"), _("Add a category"), 8)
    known = [(name, name) for name in names_in(document, "categories")]
    belongs = form.OneOf(name="category", label=_("Belongs to"), choices=known, empty=_("not decided"))
    items = form.Listing(
        name="items",
        label=_("Items"),
        item=form.Group(fields=(line("text", _("Text")), belongs, WRONG_FEEDBACK, HIDDEN_ID)),
        fresh={},
        item_label=_("Item"),
        add_label=_("Add an item"),
        most=24,
    )
    return (categories, items)


_FIELDS: Final[Mapping[str, Callable[[Document, Around], Sequence[form.Field]]]] = {
    "choice": _choice,
    "multiple": _multiple,
    "numeric": _numeric,
    "ordering": _ordering,
    "matching": _matching,
    "cloze": _cloze,
    "short-text": _short_text,
    "sort-into-categories": _sorting,
    "label-the-graph": label_graph,
    "click-the-nodes": click_nodes,
    "predict-winner": predict_winner,
    "fill-in-score": fill_in_score,
    "who-gets-evicted": who_gets_evicted,
    "build-it": build_it,
}
