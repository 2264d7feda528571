"""The form of questions about a figure, or about a place in the lab."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from gpuschedlab.materials.documents import fields as form
from lessons.assessment.question_types.label_graph import SHAPES
from lessons.presenters.authoring.inputs import (
    FEEDBACK,
    HIDDEN_ID,
    WRONG_FEEDBACK,
    Around,
    Document,
    Goals,
    free_id,
    identifier,
    line,
    named_texts,
    names_in,
)
from simulator.presenters.authoring.fields import yaml_field
from simulator.presenters.authoring.goal_fields import goal_groups

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


# figures


def label_graph(document: Document, _around: Around) -> Sequence[form.Field]:
    graph = document.get("graph")
    vertices = names_in(graph, "nodes") if isinstance(graph, Mapping) else []
    edges = names_in(graph, "edges") if isinstance(graph, Mapping) else []
    inside = form.OneOf(
        name="inside", label=_("Drawn inside"), choices=[(name, name) for name in vertices], empty=_("nothing")
    )
    nodes = form.Listing(
        name="nodes",
        label=_("Boxes of the figure"),
        item=form.Group(
            fields=(
                identifier(),
                form.OneOf(name="shape", label=_("Shape"), choices=[(one, one) for one in SHAPES], default="node"),
                inside,
                line("text", _("Caption"), quiet=True),
            )
        ),
        fresh=free_id(graph, "nodes"),
        item_label=_("Box"),
        add_label=_("Add a box"),
        most=60,
    )
    lines = form.Listing(
        name="edges",
        label=_("Connections of the figure"),
        item=form.Group(
            fields=(
                identifier(),
                form.Words(name="ends", label=_("Between"), help=_("Two short names."), suggestions=vertices),
                line("text", _("Caption"), quiet=True),
            )
        ),
        fresh={"id": f"link-{len(edges) + 1}"},
        item_label=_("Connection"),
        add_label=_("Add a connection"),
        most=60,
    )
    return (form.Group(name="graph", label=_("Figure"), fields=(nodes, lines)), *_labels(document, [*vertices, *edges]))


def _labels(document: Document, parts: Sequence[str]) -> Sequence[form.Field]:
    labels = named_texts(document, "labels", _("Labels"), _("Label of the figure"), _("Add a label"), 20)
    known = [(name, name) for name in names_in(document, "labels")]
    places_known = [(name, name) for name in parts]
    places = form.Listing(
        name="places",
        label=_("Places to label"),
        item=form.Group(
            fields=(
                form.OneOf(name="at", label=_("Box or connection"), choices=places_known, empty=_("not decided")),
                form.OneOf(name="label", label=_("Right label"), choices=known, empty=_("not decided")),
                line("text", _("How the place is called"), help=_("For those who do not see the figure.")),
                WRONG_FEEDBACK,
            )
        ),
        fresh={},
        item_label=_("Place"),
        add_label=_("Add a place"),
        most=20,
    )
    return (labels, places)


# scenes

ASKED: Final[Mapping[str, StrOrPromise]] = {
    "passing": _("nodes that pass Filter"),
    "failing": _("nodes that fail Filter"),
    "best": _("nodes with the highest total"),
    "own": _("what the stem says; the right ones are marked below"),
}


def _names(name: str, label: StrOrPromise, suggestions: Sequence[str], *, quiet: bool) -> form.Listing:
    return form.Listing(
        name=name,
        label=label,
        help=_("Leave the list empty to let the engine give the key."),
        quiet=quiet,
        item=form.Group(
            fields=(
                form.Line(name="name", label=_("Name"), code=True, most=100, suggestions=suggestions),
                form.Truth(name="right", label=_("It is right")),
                line("detail", _("Shown beside it"), quiet=True),
                FEEDBACK,
            )
        ),
        fresh={},
        item_label=_("Name"),
        add_label=_("Add a name"),
        most=60,
    )


def click_nodes(document: Document, around: Around) -> Sequence[form.Field]:
    ask = form.OneOf(name="ask", label=_("What is asked for"), choices=list(ASKED.items()), default="passing")
    own = document.get("ask") == "own"
    return (ask, _names("nodes", _("Nodes, marked by hand"), around.nodes, quiet=not own))


def predict_winner(_document: Document, around: Around) -> Sequence[form.Field]:
    pending = line("pending_feedback", _("What is said about “stays Pending”"), quiet=True)
    return (_names("nodes", _("Nodes, marked by hand"), around.nodes, quiet=True), pending)


def fill_in_score(_document: Document, around: Around) -> Sequence[form.Field]:
    columns = form.Words(
        name="columns",
        label=_("Columns"),
        help=_("Names of plugins that score, and “total”. Rows and numbers come from the engine."),
        suggestions=(*around.plugins, "total"),
        needed=True,
    )
    rows = yaml_field("rows", _("Rows, written by hand"), quiet=True)
    return (columns, rows, yaml_field("cells", _("Cells, written by hand"), quiet=True))


def who_gets_evicted(_document: Document, around: Around) -> Sequence[form.Field]:
    return (_names("pods", _("Pods, marked by hand"), around.pods, quiet=True),)


def build_it(_document: Document, around: Around) -> Sequence[form.Field]:
    groups = goal_groups(around.pods, around.nodes)
    goals = Goals(
        name="goals",
        label=_("Goals"),
        help=_("The learner builds in a lab of the scenario and hands it in; the lab checks these."),
        kinds=groups,
        groups=groups,
        item=form.Group(
            fields=(
                line("text", _("What the learner reads")),
                form.Whole(name="weight", label=_("Weight"), least=1, most=100, quiet=True),
                WRONG_FEEDBACK,
                HIDDEN_ID,
            )
        ),
        item_label=_("Goal"),
        add_label=_("Add a goal"),
        most=12,
    )
    return (goals,)
