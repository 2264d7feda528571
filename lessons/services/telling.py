"""The simulator's sentences about a node, in both languages, as feedback of questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import override

from lessons.assessment.localized import LANGUAGES, Text
from simulator.presenters.sentences.facts import present_check
from simulator.presenters.sentences.scores import present_total

if TYPE_CHECKING:
    from simulator.engine.trace.explain import NodeExplanation


def tell_node(explanation: NodeExplanation) -> Text:
    """Why a node is out, with the numbers; or what its total is made of."""
    told: dict[str, str] = {}
    for language in LANGUAGES:
        with override(language):
            told[language] = _sentence(explanation, language)
    return Text(told[LANGUAGES[0]], told[LANGUAGES[1]])


def _sentence(explanation: NodeExplanation, language: str) -> str:
    decisive = explanation.decisive
    if decisive is not None:
        return present_check(decisive, pod=explanation.pod, node=explanation.node).text
    if explanation.scores is not None:
        return present_total(explanation.scores).text
    node = explanation.node
    return f"{node} 通过全部 Filter。" if language == LANGUAGES[0] else f"{node} passes every Filter plugin."
