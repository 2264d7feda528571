"""Every code the engine, the readers and the goals can make has its sentence, in Chinese and in English."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Mapping

import pytest

from simulator.engine.cel.errors import TEXTS as CEL_TEXTS
from simulator.engine.framework.events import _ACTION_NAMES, ASSIGNED_POD, NODE, POD, UNSCHEDULED_POD, Action
from simulator.engine.framework.messages import TEXTS
from simulator.engine.goals.registry import GOALS
from simulator.engine.objects.texts import TEXTS as API_TEXTS
from simulator.engine.preemption.choice import CRITERIA as ASKED
from simulator.engine.trace.records import POINTS as STAGES
from simulator.engine.world.handlers import HANDLERS
from simulator.manifests.codes import ASSUMPTION_CODES, ERROR_CODES, WARNING_CODES
from simulator.presenters.sentences import problems
from simulator.presenters.sentences.both import LANGUAGES, Both
from simulator.presenters.sentences.formats import FORMATS
from simulator.presenters.sentences.say import parameters
from simulator.presenters.sentences.tables import (
    actions,
    events,
    facts,
    formulas,
    goals,
    queues,
    reasons,
    records,
    whys,
)
from tests.simulator.presenters.codes import ENGINE, first_arguments, starting_with

TABLES: Mapping[str, Mapping[str, Both]] = {
    "reasons": reasons.REASONS,
    "records": records.RECORDS,
    "criteria": records.CRITERIA,
    "decided": records.DECIDED,
    "points": records.POINTS,
    "holds": facts.HOLDS,
    "fails": facts.FAILS,
    "differs": facts.DIFFERS,
    "formulas": formulas.FORMULAS,
    "terms": formulas.TERMS,
    "events": {**events.EVENTS, **events.OTHER_KIND},
    "queues": {**queues.QUEUES, **queues.POD_STATES},
    "cycles": actions.CYCLES,
    "notes": actions.NOTES,
    "commands": actions.COMMANDS,
    "outcomes": actions.OUTCOMES,
    "whys": whys.WHYS,
    "now": whys.NOW,
    "statements": goals.STATEMENTS,
    "pieces": {**goals.PIECES, **goals.PODS, **goals.STATES, **goals.WANTED},
    "progress": goals.PROGRESS,
    "problems": problems.SENTENCES,
    "alone": {
        "users": facts.USERS,
        "out": facts.OUT,
        "moved": actions.MOVED,
        "moved without a hint": actions.MOVED_WITHOUT,
        "wakes": queues.WAKES,
        "weighted": formulas.WEIGHTED,
        "outside": formulas.OUTSIDE,
        "total": formulas.TOTAL,
        "ahead": formulas.AHEAD,
    },
}
EVERY = [(name, code, both) for name, table in TABLES.items() for code, both in table.items()]
SHARED = {"normalize.default", "normalize.none", "normalize.spread", "normalize.affinity", "normalize.range"}


def missing(codes: Iterable[str], table: Mapping[str, Both]) -> set[str]:
    """Codes that have neither a sentence nor a variant of one."""
    bases = set(table) | {code.rsplit(".", 1)[0] for code in table if code.count(".") > 1}
    return set(codes) - bases


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


# completeness


def test_every_reason_has_kubes_text_and_a_sentence_with_the_same_parameters() -> None:
    assert set(reasons.REASONS) == set(TEXTS)
    for code, both in reasons.REASONS.items():
        allowed = fields(TEXTS[code])
        for language in LANGUAGES:
            assert parameters(both.template(language)) <= allowed, code


def test_every_error_of_the_api_server_has_a_sentence_with_its_parameters() -> None:
    assert missing(API_TEXTS, problems.SENTENCES) == set()
    for code, text in API_TEXTS.items():
        for language in LANGUAGES:
            assert parameters(problems.SENTENCES[code].template(language)) <= fields(text), code


@pytest.mark.parametrize("codes", [ERROR_CODES, WARNING_CODES, ASSUMPTION_CODES], ids=["errors", "warnings", "assumed"])
def test_every_code_of_a_reader_has_a_sentence_with_its_parameters(codes: Mapping[str, tuple[str, ...]]) -> None:
    assert missing(codes, problems.SENTENCES) == set()
    for code, params in codes.items():
        for language in LANGUAGES:
            assert parameters(problems.SENTENCES[code].template(language)) <= set(params), code


def test_every_flaw_of_an_expression_has_a_sentence_with_its_parameters() -> None:
    for code, text in CEL_TEXTS.items():
        for language in LANGUAGES:
            assert parameters(problems.SENTENCES[code].template(language)) <= fields(text), code


def test_every_problem_of_settings_commands_patches_and_rules_has_a_sentence() -> None:
    found = starting_with("config", "setup", "command", "patch")
    found |= {code for code in starting_with("user_rule", folder=ENGINE / "user_rules") if code not in TEXTS}
    found -= {"user_rule.filter", "user_rule.score"}
    assert len(found) > 60
    assert missing(found, problems.SENTENCES) == set()


def test_every_record_of_a_trace_has_a_sentence() -> None:
    found = first_arguments("self.add", ENGINE / "trace", position=1)
    found |= {f"{point}.result" for point in ("reserve", "permit", "pre_bind", "bind", "post_bind")}
    assert len(found) > 40
    found |= {"preemption.reprieved", "preemption.victim"}
    assert missing(found, records.RECORDS) == set()


def test_every_stage_criterion_and_decision_has_a_name() -> None:
    assert set(records.POINTS) == set(STAGES)
    assert set(records.CRITERIA) == {name for name, _, _ in ASKED}
    assert set(records.DECIDED) == {*records.CRITERIA, "onlyCandidate", "tie"}


def test_every_note_of_an_actor_has_a_sentence() -> None:
    families = {code.split(".")[0] for code in [*actions.NOTES, *actions.CONTROLLERS]}
    found = starting_with(*families, folder=ENGINE / "actors") | first_arguments("Note", ENGINE / "actors")
    controllers = {code for code in found if code.endswith(".synced")} - {"disruption.synced"}
    assert controllers <= set(actions.CONTROLLERS)
    assert missing(found - controllers, actions.NOTES) == set()


def test_every_command_has_a_sentence() -> None:
    assert set(HANDLERS) - set(actions.COMMANDS) == set()


def test_every_fact_has_a_sentence_for_both_ways_it_can_turn_out() -> None:
    found = first_arguments("Fact.of") | first_arguments("Fact") | {"volume_binding.bound", "node_affinity.required"}
    always = {"volume_zone.unlabelled", "volume_binding.taken"}
    never = {"pod_topology_spread.key", "volume_binding.not_translated"}
    assert missing(found - never, facts.HOLDS) == set()
    assert missing(found - always, facts.FAILS) == set()


def test_every_formula_has_a_sentence() -> None:
    assert missing(first_arguments("Formula.of") | SHARED, formulas.FORMULAS) == set()


def test_every_answer_to_why_has_a_sentence() -> None:
    found = starting_with("why", folder=ENGINE / "trace") - {"why.here_"}
    found |= {f"why.here_{how}" for how in ("only", "best", "tie", "nominated")}
    assert missing(found, whys.WHYS) == set()
    assert {code.removeprefix("why.") for code in found} >= {"rejected", "less", "tie", "gated"}


def test_every_state_of_a_pod_has_a_sentence() -> None:
    found = starting_with("pod", folder=ENGINE / "trace")
    states = {"pod.errorBackoff"} | {code for code in found if code in queues.POD_STATES}
    assert len(states) == 10
    assert missing(found, queues.POD_STATES) == set()


def test_every_kind_of_goal_its_progress_and_its_problems_have_sentences() -> None:
    assert missing(GOALS, {code.split(".")[0]: both for code, both in goals.STATEMENTS.items()}) == set()
    found = starting_with("goal", folder=ENGINE / "goals")
    assert missing(found, {**goals.PROGRESS, **goals.PROBLEMS}) == set()


def test_every_event_that_wakes_pods_has_a_sentence() -> None:
    node_only = [action for action in _ACTION_NAMES if "NODE" in (action.name or "")]
    pod_only = [action for action in _ACTION_NAMES if "POD" in (action.name or "")]
    wanted = {f"{NODE}{_ACTION_NAMES[action]}" for action in (Action.ADD, Action.DELETE, *node_only)}
    for kind in (POD, ASSIGNED_POD, UNSCHEDULED_POD):
        wanted |= {
            f"{kind}{_ACTION_NAMES[action]}" for action in pod_only if action != Action.UPDATE_POD_GENERATED_CLAIM
        }
    wanted |= {"AssignedPodAdd", "AssignedPodDelete", "UnschedulablePodAdd", "AssignedPodUpdate", "*All"}
    assert wanted - set(events.EVENTS) == set()


# both languages


def test_nothing_is_left_empty() -> None:
    assert [(name, code) for name, code, both in EVERY if not both.zh.strip() or not both.en.strip()] == []


def test_only_formats_that_exist_are_used() -> None:
    for _name, code, both in EVERY:
        for language in LANGUAGES:
            for _, name, spec, conversion in string.Formatter().parse(both.template(language)):
                assert conversion is None or name is None, code
                if spec and spec[0] not in "|?":
                    assert spec in FORMATS, (code, spec)


CJK = r"[\u3400-\u9fff]"


def flaws(both: Both) -> list[str]:
    plain = re.sub(r"\{[^}]*\}", "", both.zh)
    found = []
    if re.search(rf"{CJK} ?[,;:?!]|[,;:?!] ?{CJK}", plain):
        found.append(f"half-width punctuation beside Chinese: {both.zh}")
    if re.search(rf"{CJK}[A-Za-z0-9]|[A-Za-z0-9]{CJK}", plain):
        found.append(f"no space between Chinese and Latin: {both.zh}")
    if re.search(rf"{CJK}|[，。；：？！（）、]", both.en):
        found.append(f"Chinese in English: {both.en}")
    return found


@pytest.mark.parametrize("name", TABLES)
def test_chinese_has_full_width_punctuation_and_spaces_beside_latin(name: str) -> None:
    assert [flaw for both in TABLES[name].values() for flaw in flaws(both)] == []


@pytest.mark.parametrize(
    ("both", "count"),
    [
        (Both("好,现在", "well, now"), 1),
        (Both("这个Pod在等", "it waits"), 1),
        (Both("好", "好"), 1),
        (Both("Pod 在等", "it"), 0),
    ],
)
def test_flaws_are_seen(both: Both, count: int) -> None:
    assert len(flaws(both)) == count
