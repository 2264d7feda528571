"""Scenarios as material of instructors."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext_lazy

from gpuschedlab.materials.kinds import (
    FORM,
    GRAPH,
    TEXT,
    TRANSLATIONS,
    BarAction,
    Figure,
    Figures,
    Made,
    MaterialKind,
    Missing,
    Problem,
    Published,
    Reading,
    Staged,
    Start,
    register_kind,
)
from gpuschedlab.materials.services import draft_note
from gpuschedlab.web.audit import register_audit_actions
from gpuschedlab.web.errors import BadInput
from simulator.engine.framework.shape_check import ConfigError
from simulator.engine.goals.fields import GoalError
from simulator.engine.world.commands import CommandError
from simulator.manifests.scenario_text import ScenarioText, read_scenario, write_scenario
from simulator.models import Scenario
from simulator.presenters.authoring.beginnings import STARTS, beginning
from simulator.presenters.authoring.completion import cluster_facts
from simulator.presenters.authoring.differences import scenario_differences
from simulator.presenters.authoring.fields import scenario_sections
from simulator.presenters.authoring.figures import present_usage, short_usage
from simulator.presenters.authoring.places import place_name
from simulator.presenters.authoring.problems import (
    digest_of,
    engine_problems,
    life_problems,
    missing_texts,
    proof_problems,
    reading_problems,
    translation_problems,
)
from simulator.presenters.authoring.takeovers import graph_taken
from simulator.presenters.editing.schema import completion_version
from simulator.selectors.figures import scenario_named, usages_of
from simulator.selectors.predictions import commonest_wrong
from simulator.selectors.proofs import Proof, TooLong, prove
from simulator.services.scenarios import (
    INSTRUCTORS_ORDER,
    scenario_publish,
    scenario_retire,
    scenario_set_listed,
)
from simulator.services.staging import scenario_stage

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import Participant
    from gpuschedlab.materials.documents.fields import Section
    from gpuschedlab.materials.documents.paths import Path
    from gpuschedlab.materials.models import Draft

RESERVED = "preview-"
SAYS_SCENARIO = re.compile(r"^kind:\s*[\"']?Scenario\b", re.MULTILINE)
NOT_WHILE_DRAWING = frozenset({"simulator:lab_step", "simulator:lab_run", "simulator:lab_solution"})


class ScenarioKind(MaterialKind):
    """Scenarios: bundles with an owner."""

    name = "scenario"
    label = gettext_lazy("Scenario")
    plural = gettext_lazy("Scenarios")
    order = 10
    views = (FORM, GRAPH, TEXT, TRANSLATIONS)

    # texts

    def starts(self) -> Sequence[Start]:
        return STARTS

    def new_text(self, start: str, *, name: str, title: str, language: str) -> str:
        return beginning(start, name=name, title=title, language=language)

    def read(self, text: str) -> Reading:
        return _reading(read_scenario(text))

    def write(self, text: str, value: Any) -> str:
        return write_scenario(text, value)

    def recognizes(self, text: str) -> bool:
        return bool(SAYS_SCENARIO.search(text.partition("\n---")[0]))

    def with_name(self, value: Any, name: str) -> Any:
        return {**value, "metadata": {**value["metadata"], "name": name}}

    # the form

    def sections(self, draft: Draft, reading: Reading, viewer: Participant) -> Sequence[Section]:
        play_url = reverse("materials:begin", kwargs={"draft_id": draft.pk, "mode": "preview"})
        return scenario_sections(reading.value, is_published=bool(draft.published), play_url=play_url)

    def editor(self, draft: Draft, reading: Reading) -> Mapping[str, Any]:
        document = reading.value or {}
        nodes = [one for one in document.get("objects") or () if one.get("kind") == "Node"]
        return {
            "front": reverse("simulator:draft_schema"),
            "schema": reverse("simulator:schema", args=[completion_version()]),
            **cluster_facts(document, nodes),
        }

    def place(self, path: Path) -> str:
        return place_name(path)

    def check(self, draft: Draft, reading: Reading) -> Sequence[Problem]:
        text = read_scenario(draft.text)
        if text.value is None:
            return reading_problems(text)
        found = [*reading_problems(text), *engine_problems(text)]
        if draft.checked and draft.checked.get("digest") == digest_of(draft.text):
            found += proof_problems(_proof_of(draft.checked))
        found += life_problems(draft, text.value, self.name_taken(draft, reading.name))
        found += translation_problems(draft, list(missing_texts(text.value)))
        return found

    def missing(self, reading: Reading) -> Sequence[Missing]:
        return list(missing_texts(reading.value)) if reading.is_readable else []

    def prove(self, draft: Draft, reading: Reading, keep_on: Callable[[], bool]) -> Sequence[Problem] | None:
        document = reading.value
        try:
            proof = prove(document["spec"], document["objects"], keep_on)
        except TooLong:
            return None
        except (ConfigError, CommandError, GoalError) as error:
            return [Problem("error", str(error))]
        checked = {
            "digest": digest_of(draft.text),
            "open_goals": list(proof.open_goals),
            "refused": proof.refused[0] if proof.refused else None,
            "idle_solves": proof.idle_solves,
        }
        draft_note(draft, checked=checked)
        return proof_problems(proof)

    # its life

    def published(self, names: Sequence[str]) -> Mapping[str, Published]:
        found = Scenario.objects.filter(slug__in=list(names)).prefetch_related("revisions")
        made: dict[str, Published] = {}
        for scenario in found:
            newest = max(scenario.revisions.all(), key=lambda one: one.number, default=None)
            if newest is not None:
                url = reverse("simulator:scenario", args=[scenario.slug])
                made[scenario.slug] = Published(
                    scenario.slug,
                    newest.number,
                    newest.content,
                    newest.created_at,
                    scenario.current_id is not None,
                    url,
                )
        return made

    def name_taken(self, draft: Draft, name: str) -> bool:
        if name == draft.published and name:
            return False
        return name.startswith(RESERVED) or Scenario.objects.filter(slug=name).exists()

    def publish(self, *, actor: Participant, draft: Draft, reading: Reading) -> Made:
        document = reading.value
        try:
            scenario_publish(
                slug=reading.name,
                content=draft.text,
                spec=document["spec"],
                objects=document["objects"],
                order=INSTRUCTORS_ORDER,
                owner=actor,
                listed=draft.listed,
                based_on=draft.based_on,
            )
        except ValueError as error:  # what the engine refuses, or somebody else's name
            raise BadInput(str(error)) from error
        published = self.published([reading.name])[reading.name]
        return Made(published.name, published.number)

    def stage(self, *, actor: Participant, draft: Draft, reading: Reading, mode: str) -> Staged:
        text = read_scenario(draft.text)
        problems = [*reading_problems(text), *engine_problems(text)]
        blocking = [one for one in problems if text.value is None or _blocks(one, mode)]
        if text.value is None or blocking:
            raise BadInput(blocking[0].text if blocking else "")
        slug = f"{RESERVED}{draft.pk.hex[:12]}"
        document = text.value
        rows, lab_id = scenario_stage(
            slug=slug, content=draft.text, spec=document["spec"], objects=document["objects"], mode=mode
        )
        return Staged(rows, f"labs/{slug}/{lab_id}/{'?tab=objects' if mode == GRAPH.mode else ''}")

    def taken_over(self, *, draft: Draft, learner: Participant, reading: Reading) -> Any:
        if not reading.is_readable:
            return None
        document = reading.value
        taken = graph_taken(learner=learner)
        if taken is None:
            return None
        spec = {name: value for name, value in document["spec"].items() if name != "positions"}
        if taken.positions:
            spec["positions"] = taken.positions
        return {**document, "spec": spec, "objects": taken.objects}

    def allows(self, view_name: str, kwargs: Mapping[str, Any]) -> bool:
        advance = view_name == "simulator:lab_command" and kwargs.get("name") == "advance"
        return view_name not in NOT_WHILE_DRAWING and not advance

    def bar_actions(self, draft: Draft, view_name: str, kwargs: Mapping[str, Any]) -> Sequence[BarAction]:
        if "lab_id" not in kwargs:
            return ()
        url = reverse("simulator:draft_solution", args=[draft.pk])
        return (BarAction(gettext_lazy("Use as the solution"), url, {"lab": str(kwargs["lab_id"])}),)

    def retire(self, *, draft: Draft, back: bool) -> None:
        scenario_retire(slug=draft.published, back=back)

    def list_for(self, *, draft: Draft) -> None:
        scenario_set_listed(slug=draft.published, listed=draft.listed)

    def source(self, name: str) -> tuple[str, Mapping[str, Any]]:
        found = scenario_named(name)
        if found is None or found.current is None:
            raise Http404
        revision = found.current
        author = str(found.owner) if found.owner is not None else ""
        credit = {"kind": self.name, "name": name, "number": revision.number, "author": author}
        return revision.content, {**credit, "title": revision.spec.get("title") or {}}

    def differences(self, before: str, after: str) -> Sequence[tuple[str, str, str]]:
        return scenario_differences(before, after)

    def figures(self, published: Published) -> Figures:
        scenario = scenario_named(published.name)
        wrong = commonest_wrong(scenario) if scenario is not None else ()
        return present_usage(usages_of([published.name])[published.name], wrong)

    def short_figures(self, names: Sequence[str]) -> Mapping[str, Sequence[Figure]]:
        return {name: short_usage(usage) for name, usage in usages_of(names).items()}


def _reading(text: ScenarioText) -> Reading:
    value = text.value
    problems = tuple(reading_problems(text))
    if value is None:
        return Reading(None, problems)
    title = value["spec"].get("title")
    titles = {key: str(one) for key, one in title.items() if one} if isinstance(title, Mapping) else {}
    return Reading(value, problems, str(value["metadata"].get("name") or ""), titles)


def _blocks(problem: Problem, mode: str) -> bool:
    """Whether a draft with this problem can be shown: a cluster can be drawn while goals are still unfinished."""
    of_graph = problem.path is None or problem.path[:2] in {("spec", "rules"), ("spec", "positions")}
    return of_graph if mode == GRAPH.mode else problem.path is None or problem.path[:1] == ("spec",)


def _proof_of(checked: Mapping[str, Any]) -> Proof:
    refused = checked.get("refused")
    return Proof(tuple(checked["open_goals"]), (refused, ()) if refused is not None else None, checked["idle_solves"])


register_kind(ScenarioKind())
register_audit_actions(
    {
        "scenario.published": gettext_lazy("published the scenario %(subject)s, revision %(number)s"),
        "scenario.retired": gettext_lazy("retired the scenario %(subject)s"),
        "scenario.put_back": gettext_lazy("put the scenario %(subject)s back"),
        "scenario.listed": gettext_lazy("put the scenario %(subject)s on everybody's list"),
        "scenario.unlisted": gettext_lazy("took the scenario %(subject)s off everybody's list"),
    }
)
