"""Everything that is wrong with a scenario's draft, or missing, each with its place."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from gpuschedlab.materials.documents.paths import get_at
from gpuschedlab.materials.kinds import Missing, Problem
from simulator.engine.framework.config import read_config
from simulator.engine.framework.shape_check import ConfigError
from simulator.engine.framework.shape_check import Problem as Located
from simulator.engine.goals.fields import GoalError
from simulator.engine.goals.registry import GOALS, read_goals
from simulator.engine.world.commands import CommandError, CommandProblem
from simulator.engine.world.history import History
from simulator.engine.world.setup import Setup
from simulator.presenters.authoring.fields import known_commands, names_of
from simulator.presenters.authoring.places import place_name
from simulator.presenters.sentences.both import unknown
from simulator.presenters.sentences.problems import SENTENCES, present_problem
from simulator.presenters.sentences.say import say
from simulator.rules import ALWAYS_ALLOWED
from simulator.selectors.setups import setup_of

if TYPE_CHECKING:
    from gpuschedlab.materials.models import Draft
    from simulator.manifests.remarks import ManifestError, Path
    from simulator.manifests.scenario_text import ScenarioText
    from simulator.selectors.proofs import Proof

LANGUAGES: Final = ("zh-hans", "en")
MOST: Final = 60


def reading_problems(text: ScenarioText) -> list[Problem]:
    """What reading the text has to say."""
    return [remark_problem(error, text.value) for error in text.errors]


def remark_problem(error: ManifestError, document: Any = None) -> Problem:
    """What a reader of manifests has to say about a text; in the document it read, what is empty is only missing."""
    path = tuple(error.path)
    known = path if path[:1] in {("spec",), ("metadata",)} else None
    is_empty = error.code == "schema.too_short" and known is not None and not get_at(document, path)
    if is_empty:
        clause = _("nothing is written here yet")
    else:
        clause = say(SENTENCES.get(error.code) or unknown(error.code), error.params).text
    place = place_name(path)
    sentence = _("%(place)s: %(problem)s") % {"place": place, "problem": clause} if place else clause
    missing = is_empty or error.code == "schema.missing_field"
    return Problem("missing" if missing else "error", sentence, known, error.line, error.column)


def engine_problems(text: ScenarioText) -> Iterator[Problem]:
    """What the engine has against the scheduler configurations, the rules, the goals and the objects."""
    document = text.value
    if document is None:
        return
    spec = document["spec"]
    for part in (_configurations, _goals, _objects, _solution):
        # a part may have another shape than its schema says, which is told already
        with suppress(TypeError, AttributeError, KeyError):
            yield from part(text, spec)


def _configurations(text: ScenarioText, spec: Mapping[str, Any]) -> Iterator[Problem]:
    for index, profile in enumerate(spec.get("profiles") or ()):
        if "configuration" not in profile:
            continue
        try:
            read_config(profile["configuration"])
        except ConfigError as error:
            root: Path = ("spec", "profiles", index, "configuration")
            yield from (_located(text, one, (*root, *one.path), root) for one in error.problems)
    rules = spec.get("rules") or {}
    known = {name: rules[name] for name in ("gates", "start", "tieRule") if name in rules}
    try:
        Setup.from_mapping(known)
    except ConfigError as error:
        root = ("spec", "rules")
        yield from (_located(text, one, (*root, *one.path), root) for one in error.problems)


def _goals(text: ScenarioText, spec: Mapping[str, Any]) -> Iterator[Problem]:
    goals = spec.get("goals") or ()
    for index, goal in enumerate(goals):
        if not isinstance(goal, Mapping) or goal.get("kind") not in GOALS:
            continue  # the schema has told it
        try:
            read_goals([goal], ("spec", "goals"))
        except GoalError as error:
            for one in error.problems:
                path = ("spec", "goals", index, *one.path[3:])
                if one.code in {"goal.missing_field", "goal.unknown_field"}:
                    continue  # the schema too
                yield _located(text, one, path, path)


def _objects(text: ScenarioText, spec: Mapping[str, Any]) -> Iterator[Problem]:
    try:
        history = History.begin(setup_of({"rules": spec.get("rules")}))
        history.apply({"type": "apply", "objects": [document.value for document in text.documents]})
    except ConfigError:
        return  # told above
    except CommandError as error:
        for one in error.problems[:MOST]:
            sentence = present_problem(one)
            place = text.place_of(tuple(one.path))
            yield Problem("error", sentence.text, None, place.line, place.column, kube=sentence.kube)


def _solution(text: ScenarioText, spec: Mapping[str, Any]) -> Iterator[Problem]:
    """Commands of the solution that there are not, or that learners may not give."""
    allowed = spec.get("allowedCommands")
    for index, step in enumerate(spec.get("solution") or ()):
        name = step.get("command")
        path = ("spec", "solution", index, "command")
        place = text.place_of(path)
        if name not in {*known_commands(), *ALWAYS_ALLOWED, "batch"}:
            words = _("The solution's command %(number)s, “%(name)s”, is none of the lab's.")
        elif allowed is not None and name not in {*allowed, *ALWAYS_ALLOWED, "batch"}:
            words = _("The solution's command %(number)s, “%(name)s”, is not among those learners may give.")
        else:
            continue
        yield Problem("error", words % {"number": index + 1, "name": name}, ("spec", "solution"), *place)


def _located(text: ScenarioText, one: Located, path: Path, field: Path) -> Problem:
    place = text.place_of(path)
    return Problem("error", present_problem(one).text, tuple(field), place.line, place.column)


# what an author still has to do


def life_problems(draft: Draft, document: Mapping[str, Any], name_taken: bool) -> Iterator[Problem]:
    """What is missing for learners, and what is worth a look."""
    spec, objects = document["spec"], document.get("objects") or []
    name = str(get_at(document, ("metadata", "name")))
    if draft.published and draft.published != name:
        words = _("It was published as “%(name)s”. Its name cannot change any more.") % {"name": draft.published}
        yield Problem("error", words, ("metadata", "name"))
    elif name_taken:
        words = _("Another scenario is named “%(name)s”. Choose another name.") % {"name": name}
        yield Problem("error", words, ("metadata", "name"))
    if not spec.get("text"):
        yield Problem("missing", _("Tell the learner what there is to see and to do."), ("spec", "text"))
    if not names_of(document, "Node"):
        words = _("The cluster has no node yet. Add one in the graph.")
        yield Problem("missing", words, url=_mode(draft, "graph"))
    goals = spec.get("goals") or []
    if goals and not spec.get("solution"):
        words = _("Show that the goals can be reached: play the draft, and use your commands as the solution.")
        yield Problem("missing", words, ("spec", "solution"), url=_mode(draft, "preview"))
    if not goals:
        words = _("Without a goal nothing tells the learner that it is done. Add one, or let it be a place to look at.")
        yield Problem("advice", words, ("spec", "goals"))
    if not spec.get("summary"):
        yield Problem("advice", _("A sentence in the list tells what it is about."), ("spec", "summary"))
    if goals and not spec.get("hints"):
        yield Problem("advice", _("A hint helps those who are stuck."), ("spec", "hints"))
    yield from _strangers(spec, objects, document)


def _strangers(spec: Mapping[str, Any], objects: Sequence[Any], document: Mapping[str, Any]) -> Iterator[Problem]:
    """Goals and gates that speak of what is not there at the start."""
    pods, nodes = set(names_of(document, "Pod")), set(names_of(document, "Node"))
    made = {kind for manifest in objects if (kind := manifest.get("kind")) in _MAKERS}
    for index, goal in enumerate(spec.get("goals") or ()):
        if not isinstance(goal, Mapping):
            continue
        wanted = goal.get("pods")
        pod = goal.get("pod") or (wanted.get("name") if isinstance(wanted, Mapping) else None)
        if isinstance(pod, str) and pod.rpartition("/")[2] not in pods and not made:
            words = _("No Pod is named “%(name)s” at the start.") % {"name": pod}
            yield Problem("advice", words, ("spec", "goals", index))
        node = goal.get("node")
        if isinstance(node, str) and node not in nodes:
            words = _("No node is named “%(name)s” at the start.") % {"name": node}
            yield Problem("advice", words, ("spec", "goals", index, "node"))
    gates = get_at(spec, ("predictions", "gates"))
    for index, gate in enumerate(gates if isinstance(gates, list) else ()):
        pod = gate.get("pod") if isinstance(gate, Mapping) else None
        if isinstance(pod, str) and pod.rpartition("/")[2] not in pods and not made:
            words = _("No Pod is named “%(name)s” at the start.") % {"name": pod}
            yield Problem("advice", words, ("spec", "predictions", "gates", index, "pod"))


_MAKERS: Final = frozenset({"Deployment", "ReplicaSet", "StatefulSet", "Job", "DaemonSet"})


def _mode(draft: Draft, mode: str) -> str:
    return reverse("materials:begin", kwargs={"draft_id": draft.pk, "mode": mode})


# languages

_LOCALIZED: Final = (("title",), ("summary",), ("text",))


def missing_texts(document: Mapping[str, Any]) -> Iterator[Missing]:
    """Every text that lacks a language."""
    for path in _texts(document["spec"]):
        value = get_at(document["spec"], path)
        if not isinstance(value, Mapping) or not value:
            continue
        for language in LANGUAGES:
            if not value.get(language):
                other = next((str(text) for text in value.values() if text), "")
                yield Missing(("spec", *path, language), language, place_name(("spec", *path)), other)


def _texts(spec: Mapping[str, Any]) -> Iterator[Path]:
    yield from _LOCALIZED
    for name in ("hints", "goals", "profiles"):
        entries = spec.get(name)
        for index in range(len(entries) if isinstance(entries, list) else 0):
            yield (name, index) if name == "hints" else (name, index, "title")


def translation_problems(draft: Draft, missing: Sequence[Missing]) -> Iterator[Problem]:
    if missing:
        count = len(missing)
        words = ngettext("%(n)d text lacks a language.", "%(n)d texts lack a language.", count) % {"n": count}
        yield Problem("advice", words, url=reverse("materials:translations", args=[draft.pk]))


# the proof


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def proof_problems(proof: Proof) -> list[Problem]:
    """What trying the scenario out has shown."""
    found: list[Problem] = []
    if proof.refused is not None:
        number, problems = proof.refused
        words = _("The solution's command %(number)s is refused: %(why)s")
        why = " ".join(_sentence(one) for one in problems[:3])
        found.append(Problem("error", words % {"number": number + 1, "why": why}, ("spec", "solution")))
    for index in proof.open_goals:
        words = _("The solution does not reach goal %(number)s.") % {"number": index + 1}
        found.append(Problem("error", words, ("spec", "goals", index)))
    if proof.idle_solves:
        words = _("All goals are met by doing nothing but letting it run. Add a goal that needs the learner.")
        found.append(Problem("error", words, ("spec", "goals")))
    return found


def _sentence(one: CommandProblem) -> str:
    return present_problem(one).text
