"""All kinds of question, by name. A new kind is one module and one line here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from lessons.assessment.question_types.base import QuestionType
from lessons.assessment.question_types.build_it import BuildIt
from lessons.assessment.question_types.choice import Choice
from lessons.assessment.question_types.click_nodes import ClickNodes
from lessons.assessment.question_types.cloze import Cloze
from lessons.assessment.question_types.fill_in_score import FillInScore
from lessons.assessment.question_types.label_graph import LabelGraph
from lessons.assessment.question_types.matching import Matching
from lessons.assessment.question_types.multiple import Multiple
from lessons.assessment.question_types.numeric import Numeric
from lessons.assessment.question_types.ordering import Ordering
from lessons.assessment.question_types.predict_winner import PredictWinner
from lessons.assessment.question_types.short_text import ShortText
from lessons.assessment.question_types.sort_into_categories import SortIntoCategories
from lessons.assessment.question_types.who_gets_evicted import WhoGetsEvicted

QUESTION_TYPES: Final[Mapping[str, QuestionType[Any]]] = MappingProxyType(
    {
        kind.name: kind
        for kind in (
            Choice(),
            Multiple(),
            Numeric(),
            Ordering(),
            Matching(),
            Cloze(),
            ShortText(),
            ClickNodes(),
            PredictWinner(),
            FillInScore(),
            WhoGetsEvicted(),
            BuildIt(),
            LabelGraph(),
            SortIntoCategories(),
        )
    }
)
