"""All generators, by subject. A new one is one module and one line here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from lessons.generators.base import EngineGenerator
from lessons.generators.filter_set import FilterSet
from lessons.generators.gang_outcome import GangOutcome
from lessons.generators.matrix_reading import MatrixReading
from lessons.generators.queue_order import QueueOrder
from lessons.generators.scoring import Score, Winner
from lessons.generators.victims import Victims

GENERATORS: Final[Mapping[str, EngineGenerator]] = MappingProxyType(
    {
        str(generator.subject): generator
        for generator in (
            FilterSet(),
            Winner(),
            Score(),
            Victims(),
            QueueOrder(),
            GangOutcome(),
            MatrixReading(),
        )
    }
)
