"""A scenario's draft as a preview shows it. Only ever called within a transaction that is rolled back."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Model

from simulator.models import Scenario, ScenarioRevision

GRAPH = "graph"
GRAPH_KEEPS = ("title", "level", "rules", "positions")
"""What the drawing board needs. The rest concerns learners, or a run; it may be unfinished while one draws."""


def scenario_stage(
    *, slug: str, content: str, spec: Mapping[str, Any], objects: Sequence[Mapping[str, Any]], mode: str
) -> tuple[tuple[Model, ...], uuid.UUID]:
    """Rows of a published scenario of that text, under a name nobody else has; and the id of a lab to begin with."""
    shown = {name: value for name, value in spec.items() if mode != GRAPH or name in GRAPH_KEEPS}
    scenario = Scenario.objects.create(slug=slug, listed=False)
    revision = ScenarioRevision.objects.create(
        scenario=scenario,
        number=1,
        digest=hashlib.sha256(f"{mode}:{content}".encode()).hexdigest(),
        content=content,
        spec=shown,
        objects_json=[dict(manifest) for manifest in objects],
    )
    scenario.current = revision
    scenario.save(update_fields=["current"])
    return (scenario, revision), uuid.uuid4()
