"""The form of a lesson."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from gpuschedlab.materials.documents import fields as form
from gpuschedlab.materials.documents.fields import Section
from lessons.manifests.lesson_material import MOST_BODY, MOST_LINE
from lessons.presenters.authoring.inputs import line

if TYPE_CHECKING:
    from collections.abc import Sequence


def lesson_sections(*, is_published: bool) -> list[Section]:
    """The form of a lesson's document."""
    told = (
        _("It stays as it is from the first publication on.")
        if is_published
        else _("Small letters, digits and dashes. It can be changed until it is published.")
    )
    markdown = form.Prose(rows=28, most=MOST_BODY, code=True)
    return [
        Section(id="about", title=_("What it is"), fields=_about()),
        Section(
            id="text",
            title=_("Text"),
            help=_(
                "Markdown. Begin every section with “## Heading {#name}”, with the same names in both languages. "
                "Scenes, questions and boxes are inserted beside."
            ),
            fields=(form.Localized(name="text", label=_("Text"), of=markdown, needed=True),),
        ),
        Section(id="more", title=_("Around it"), fields=_around()),
        Section(
            id="address",
            title=_("Address"),
            fields=(form.Line(name="id", label=_("Name in the address"), help=told, code=True, most=60),),
        ),
    ]


def _about() -> Sequence[form.Field]:
    return (
        line("title", _("Title"), needed=True),
        form.Localized(
            name="goal",
            label=_("Goal"),
            help=_("What the reader can do afterwards."),
            of=form.Line(most=MOST_LINE),
        ),
        form.Localized(
            name="summary",
            label=_("Summary"),
            help=_("One or two sentences for the list."),
            of=form.Line(most=MOST_LINE),
        ),
        form.Whole(name="minutes", label=_("Minutes"), least=1, most=240),
    )


def _around() -> Sequence[form.Field]:
    sources = form.Listing(
        name="sources",
        label=_("Sources"),
        item=form.Group(fields=(line("title", _("Title")), line("note", _("What is found there"), quiet=True))),
        fresh={},
        item_label=_("Source"),
        add_label=_("Add a source"),
        most=40,
    )
    return (
        form.Words(name="prerequisites", label=_("Lessons to read first"), help=_("Their names in the address.")),
        form.Words(name="facts", label=_("Facts of the chapter"), quiet=True),
        sources,
    )
