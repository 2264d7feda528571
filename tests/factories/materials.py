"""Drafts for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpuschedlab.accounts.models import Role
from gpuschedlab.accounts.selectors import participant_of_user
from gpuschedlab.accounts.services import participant_ensure
from gpuschedlab.materials.publishing import draft_publish
from gpuschedlab.materials.services import draft_create
from simulator.manifests.bundle import write_bundle
from simulator.manifests.bundle_schema import API_VERSION, SCENARIO
from tests.factories.accounts import make_user
from tests.factories.labs import make_node, make_pod

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gpuschedlab.accounts.models import Participant
    from gpuschedlab.materials.models import Draft

GIVE_BACK = {"command": "cordon", "name": "n1", "on": False}
"""What solves the scenario below."""


def make_instructor(username: str = "ada") -> Participant:
    return participant_ensure(participant_of_user(make_user(username=username, role=Role.INSTRUCTOR)))


def closed_node() -> dict[str, Any]:
    return {**make_node("n1"), "spec": {"unschedulable": True}}


def scenario_text(name: str = "give-it-back", objects: Sequence[Mapping[str, Any]] | None = None, **spec: Any) -> str:
    """A scenario that can be published: a Pod waits for a node that is cordoned."""
    whole: dict[str, Any] = {
        "title": {"en": "Give it back", "zh-hans": "还回来"},
        "text": {"en": "Give the node back.", "zh-hans": "把节点还回来。"},
        "level": "beginner",
        "goals": [{"kind": "allBound"}],
        "solution": [GIVE_BACK],
        **spec,
    }
    front = {
        "apiVersion": API_VERSION,
        "kind": SCENARIO,
        "metadata": {"name": name},
        "spec": {key: value for key, value in whole.items() if value is not None},
    }
    return write_bundle(front, [closed_node(), make_pod("p1")] if objects is None else list(objects))


def make_draft(owner: Participant, text: str = "") -> Draft:
    return draft_create(actor=owner, kind="scenario", text=text or scenario_text())


def publish(draft: Draft) -> Draft:
    """Publish it as it stands."""
    draft.refresh_from_db()
    draft_publish(actor=draft.owner, draft=draft, expected=draft.version, keep_on=lambda: True)
    draft.refresh_from_db()
    return draft
