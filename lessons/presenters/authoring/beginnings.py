"""What a new question, quiz or lesson begins with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gpuschedlab.materials.kinds import Start
from lessons.manifests.material_text import material_text
from lessons.presenters.authoring.question_fields import TYPES

QUESTION_STARTS: Final = tuple(Start(name, label, text) for name, (label, text) in TYPES.items())
QUIZ_STARTS: Final = (
    Start("practice", gettext_lazy("Practice"), gettext_lazy("What is right is shown after each question.")),
    Start(
        "test", gettext_lazy("Test"), gettext_lazy("What is right is shown at the end; attempts and time have limits.")
    ),
)
LESSON_STARTS: Final = (
    Start("sections", gettext_lazy("Three sections"), gettext_lazy("An opening, an example, and a summary.")),
    Start("empty", gettext_lazy("Nothing"), gettext_lazy("An empty text.")),
)

_CONTENTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "choice": {"options": [{"correct": True}, {}, {}]},
    "multiple": {"options": [{"correct": True}, {"correct": True}, {}, {}]},
    "numeric": {"answers": [{}]},
    "ordering": {"items": [{"id": "a"}, {"id": "b"}, {"id": "c"}], "order": [["a", "b", "c"]]},
    "matching": {"pairs": [{}, {}, {}]},
    "cloze": {"blanks": [{"id": "a"}]},
    "short-text": {"rubric": [{}]},
    "sort-into-categories": {"categories": [{"id": "a"}, {"id": "b"}], "items": [{}, {}, {}]},
    "label-the-graph": {
        "graph": {
            "nodes": [{"id": "a", "shape": "gpu"}, {"id": "b", "shape": "gpu"}],
            "edges": [{"id": "link-1", "ends": ["a", "b"]}],
        },
        "labels": [
            {"id": "a", "text": "NVLink"},
            {"id": "b", "text": "PCIe"},
        ],
        "places": [{"at": "link-1", "label": "a"}],
    },
    "click-the-nodes": {"scene": {"scenario": "gpu-taints", "point": "Filter"}},
    "predict-winner": {"scene": {"scenario": "scoring-basics", "point": "Select"}},
    "fill-in-score": {"scene": {"scenario": "scoring-basics", "point": "Score"}, "columns": ["total"]},
    "who-gets-evicted": {"scene": {"scenario": "preemption", "point": "PostFilter"}},
    "build-it": {"scene": {"scenario": "gang-deadlock", "point": "Start"}},
}
_STEMS: Final[Mapping[str, Mapping[str, str]]] = {
    "click-the-nodes": {"zh-hans": "哪些节点能通过 Filter？", "en": "Which nodes pass Filter?"},
    "predict-winner": {"zh-hans": "这个 Pod 会被调度到哪个节点？", "en": "Which node does the Pod get?"},
    "fill-in-score": {"zh-hans": "每个节点的得分是多少？", "en": "What is the score of each node?"},
    "who-gets-evicted": {"zh-hans": "哪些 Pod 会被驱逐？", "en": "Which Pods are evicted?"},
}


def new_question(start: str, *, name: str, title: str, language: str) -> str:
    """The text of a new question of a type."""
    document: dict[str, Any] = {"id": name, "type": start, "title": {language: title}}
    if start in _STEMS:
        document["stem"] = dict(_STEMS[start])
    return material_text({**document, **_CONTENTS[start]})


def new_quiz(start: str, *, name: str, title: str, language: str) -> str:
    """The text of a new quiz in a mode, without questions yet."""
    settings: dict[str, Any] = {"mode": start, "shuffle": True}
    if start == "test":
        settings |= {"pass_percent": 60, "attempts": {"allowed": 2, "time_limit_seconds": 1800}}
    return material_text({"id": name, "title": {language: title}, "settings": settings})


def new_lesson(start: str, *, name: str, title: str, language: str) -> str:
    """The text of a new lesson."""
    document: dict[str, Any] = {"id": name, "title": {language: title}, "minutes": 10}
    if start == "sections":
        headings = (("opening", _("What this is about")), ("example", _("An example")), ("summary", _("Summary")))
        body = "\n".join(f"## {heading} {{#{place}}}\n\n…\n" for place, heading in headings)
        document["text"] = {language: body}
    return material_text(document)
