"""How a rule's scores are brought to 0..100."""

from __future__ import annotations

import numpy as np

from simulator.engine.framework.status import Scores, normalize
from simulator.engine.user_rules.rule import RANGE, REVERSED


def normalized_scores(scores: Scores, how: str) -> Scores:
    """`how` is LARGEST, REVERSED or RANGE."""
    return normalize_range(scores) if how == RANGE else normalize(scores, reverse=how == REVERSED)


def normalize_range(scores: Scores) -> Scores:
    """The smallest becomes 0, the largest 100; all equal: 0."""
    if not len(scores) or scores.min() == scores.max():
        return np.zeros(len(scores), dtype=np.int64)
    scaled: Scores = (scores - scores.min()) * 100 // (scores.max() - scores.min())
    return scaled
