"""The form of a question: what all types share, and what its type has of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy as _

from gpuschedlab.materials.documents import fields as form
from gpuschedlab.materials.documents.fields import Section
from lessons.assessment.question import LEVELS
from lessons.assessment.scenes import MAX_CYCLE, POINTS
from lessons.presenters.authoring.inputs import Around, line, prose
from lessons.presenters.authoring.type_fields import rubric, type_fields
from simulator.enums import Level
from simulator.presenters.authoring.fields import yaml_field

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

TYPES: Final[Mapping[str, tuple[StrOrPromise, StrOrPromise]]] = {
    "choice": (_("Single choice"), _("One of several options is right.")),
    "multiple": (_("Multiple choice"), _("Any number of options are right.")),
    "numeric": (_("Number"), _("A number with tolerance, units and recognised mistakes.")),
    "ordering": (_("Put in order"), _("Put items in order; also the queue of a scenario, with the engine's order.")),
    "matching": (_("Matching"), _("Find the partner of each left side.")),
    "cloze": (_("Text with blanks"), _("Words, numbers or options to fill in.")),
    "short-text": (_("Open answer"), _("Marked by the learner against your rubric.")),
    "sort-into-categories": (_("Sort into categories"), _("Put each item where it belongs.")),
    "label-the-graph": (_("Label the graph"), _("Labels for the parts of a figure.")),
    "click-the-nodes": (_("Click the nodes"), _("Which nodes pass Filter? The engine gives the key.")),
    "predict-winner": (_("Predict the winner"), _("Which node gets the Pod? The engine gives the key.")),
    "fill-in-score": (_("Fill in the score"), _("Scores of nodes by plugin. The engine gives the numbers.")),
    "who-gets-evicted": (_("Who gets evicted"), _("The victims of a preemption. The engine gives the key.")),
    "build-it": (_("Build it"), _("Build something in a lab; goals check it.")),
}
"""Type -> its name, and what it asks."""

SCENES: Final = frozenset(
    {"click-the-nodes", "predict-winner", "fill-in-score", "who-gets-evicted", "build-it", "ordering"}
)
"""The types that may point at a place in the lab."""

POINTS_TOLD: Final[Mapping[str, StrOrPromise]] = {
    "Start": _("before anything happened"),
    "PreFilter": _("before PreFilter"),
    "Filter": _("before Filter's outcome"),
    "PostFilter": _("before PostFilter's outcome (no node fits)"),
    "Score": _("before Score's outcome (several nodes fit)"),
    "Select": _("before a node is selected"),
    "Permit": _("before Permit"),
    "End": _("when nothing moves any more"),
}


def question_sections(
    document: Mapping[str, Any], *, is_published: bool, scenarios: Sequence[form.Choice], around: Around
) -> list[Section]:
    """The form of a question's document. `scenarios`: those a scene may name."""
    own = type_fields(document, around)
    sections = [Section(id="ask", title=_("What is asked"), fields=_asked())]
    if document.get("type") in SCENES:
        sections.append(_scene(scenarios, around))
    named, told = TYPES.get(str(document.get("type")), (_("Answers"), ""))
    sections.append(Section(id="answers", title=named, help=told, fields=own))
    sections.append(Section(id="help", title=_("Explanation and hints"), fields=_helped()))
    sections.append(Section(id="open", title=_("Open form"), help=OPEN_HELP, fields=(_open(),)))
    sections.append(Section(id="place", title=_("Where it belongs"), fields=_placed(is_published)))
    return sections


OPEN_HELP: Final = _("The same question for an answer in one's own words; learners choose which they take.")


def _asked() -> Sequence[form.Field]:
    variables = yaml_field("variables", _("Numbers drawn anew for every learner (variables)"), quiet=True)
    title = line("title", _("Title"), help=_("For lists. Without one the question's first words stand there."))
    return (title, prose("stem", _("Question"), rows=4, needed=True), variables)


def _scene(scenarios: Sequence[form.Choice], around: Around) -> Section:
    scene = form.Group(
        name="scene",
        label=_("Step of a scenario"),
        fields=(
            form.OneOf(name="scenario", label=_("Scenario"), choices=scenarios, empty=_("choose one"), needed=True),
            form.OneOf(
                name="point", label=_("It is asked"), choices=[(p, POINTS_TOLD[p]) for p in POINTS], default="Filter"
            ),
            form.Line(
                name="pod",
                label=_("Turn of which Pod"),
                help=_("Empty: the turns of all Pods are counted."),
                code=True,
                suggestions=around.pods,
            ),
            form.Whole(name="cycle", label=_("Its turn number"), least=1, most=MAX_CYCLE),
        ),
    )
    help_text = _("The learner sees the cluster as it stands there. The steps there are, and the key, stand beside.")
    return Section(id="scene", title=_("In the lab"), help=help_text, fields=(scene,))


def _helped() -> Sequence[form.Field]:
    hints = form.Listing(
        name="hints",
        label=_("Hints"),
        help=_("Shown one by one, to those who ask."),
        item=form.Localized(label=_("Hint"), of=form.Line()),
        fresh={},
        item_label=_("Hint"),
        add_label=_("Add a hint"),
        most=5,
    )
    return (prose("explanation", _("Explanation"), rows=3, help=_("Shown with the key, after the answer.")), hints)


def _open() -> form.Group:
    return form.Group(
        name="open",
        label=_("Open form"),
        quiet=True,
        fields=(prose("prompt", _("What is asked")), rubric(), prose("answer", _("A model answer"))),
    )


def _placed(is_published: bool) -> Sequence[form.Field]:
    labels = dict(Level.choices)
    name_help = (
        _("It stays as it is from the first publication on.")
        if is_published
        else _("Small letters, digits and dashes. It can be changed until it is published.")
    )
    return (
        form.OneOf(
            name="level",
            label=_("Level"),
            choices=[(level, labels.get(level, level)) for level in LEVELS],
            default=LEVELS[1],
        ),
        form.Words(name="topics", label=_("Topics"), help=_("Small letters; pools of quizzes draw by them.")),
        form.Words(name="facts", label=_("Facts of the chapter"), quiet=True),
        form.Line(name="id", label=_("Name in the address"), help=name_help, code=True, most=100),
    )
