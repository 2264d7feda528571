"""Long tasks: running a large lab to idle, comparing the engine with recorded decisions."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from gpuschedlab.accounts.models import Participant
from gpuschedlab.web.errors import BadInput, Conflict
from gpuschedlab.web.jobs.context import JobContext, JobFailed
from gpuschedlab.web.jobs.registry import job
from simulator.extenders.experiment import run_experiment
from simulator.selectors.conformance import (
    FamilyResult,
    compare_each,
    count_scenarios,
    family_files,
    family_of,
    recorded_sets,
)
from simulator.selectors.labs import lab_find
from simulator.services.labs import MAX_TURNS, lab_run
from simulator.services.oversight import tired

if TYPE_CHECKING:
    from collections.abc import Mapping

    from simulator.engine.world.simulation import Action

MAX_WORK: Final = 120.0  # seconds of a processor; who wants more runs it on


@job(
    "simulator.run_to_idle",
    title=_("Run to idle"),
    messages={
        "turn": _("%(turns)s turns, virtual time %(seconds)s s"),
        "moved": _("The lab went on meanwhile, so the run was dropped. Start it again."),
        "gone": _("The lab is gone."),
        "idle": _("Nothing happens by itself any more."),
    },
)
def run_to_idle(context: JobContext, *, lab_id: str, seq: int) -> dict[str, Any]:
    """Let the lab run on from command `seq` until it is idle; one command comes of it, or nothing at all."""
    owner = Participant.objects.filter(labs__pk=lab_id).first()
    lab = lab_find(viewer=owner, lab_id=UUID(lab_id)) if owner else None
    if owner is None or lab is None:
        raise JobFailed("gone")
    turns = 0
    start = 0
    is_tired = tired(MAX_WORK)

    def watch(action: Action) -> bool:
        nonlocal turns, start
        start = start or action.time
        turns += 1
        context.progress(turns, None, "turn", turns=turns, seconds=(action.time - start) // 1_000_000)
        return is_tired()

    try:
        answer = lab_run(actor=owner, lab=lab, client_token=context.run_id, expected_seq=seq, stop=watch)
    except Conflict as error:
        raise JobFailed("moved") from error
    except BadInput as error:
        raise JobFailed("idle") from error
    return {"seq": answer.seq, "turns": answer.last - answer.first, "most": MAX_TURNS}


@job(
    "simulator.conform",
    title=_("Comparison with recorded decisions"),
    messages={
        "family": _("Family %(family)s, %(wrong)s differ so far"),
        "missing": _("There is no recorded set here."),
    },
    result_url=lambda run: reverse("simulator:conform_result", args=[run.pk]),
)
def conform(context: JobContext, *, system: str) -> dict[str, Any]:
    """Compare every recorded scenario of a system that is on this machine."""
    folder = recorded_sets().get(system)
    if folder is None:
        raise JobFailed("missing")
    files = family_files([folder])
    total = sum(map(count_scenarios, files))
    results: list[FamilyResult] = []
    done = 0
    for path in files:
        result = FamilyResult(family_of(path))
        results.append(result)
        for scenario, places in compare_each(path, system):
            result.add(scenario, places)
            done += 1
            wrong = sum(item.total - item.passed for item in results)
            context.progress(done, total, "family", family=result.family, wrong=wrong)
    return {"system": system, "families": [asdict(result) for result in results]}


@job(
    "simulator.extender_cost",
    title=_("Measure plugin and extender"),
    messages={
        "size": _("%(nodes)s nodes, %(way)s"),
        "schedulers": _("%(count)s schedulers at once"),
    },
    result_url=lambda run: f"{reverse('simulator:extender_cost')}?run={run.pk}",
)
def extender_cost(context: JobContext, *, most_nodes: int) -> dict[str, Any]:
    """The experiment “what it costs, measured”, on this worker's machine."""

    def tell(done: int, total: int, code: str, params: Mapping[str, Any]) -> None:
        context.progress(done, total, code, **params)

    return run_experiment(most_nodes, tell)
