"""Sentences with their real parameters: over small labs, over recorded runs, for errors as they really come."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from django.utils.translation import override

from simulator.engine.framework.attempt import Attempt
from simulator.engine.framework.config import ConfigError, read_config
from simulator.engine.framework.runtime import Framework
from simulator.engine.goals.fields import GoalError
from simulator.engine.goals.registry import read_goal, read_goals
from simulator.engine.goals.run import Run
from simulator.engine.objects.api import ApiServer, Refusal
from simulator.engine.trace.explain import explain_node
from simulator.engine.trace.explain_record import explain_record
from simulator.engine.trace.pod_states import pod_states
from simulator.engine.trace.why import why
from simulator.engine.world.commands import CommandError
from simulator.engine.world.history import History
from simulator.manifests.reading import read
from simulator.presenters.sentences.both import LANGUAGES
from simulator.presenters.sentences.facts import present_check
from simulator.presenters.sentences.formats import MISSING
from simulator.presenters.sentences.goals import present_goal, present_statement
from simulator.presenters.sentences.happenings import present_action
from simulator.presenters.sentences.problems import (
    SENTENCES,
    present_field_error,
    present_problem,
    present_remark,
)
from simulator.presenters.sentences.say import Sentence
from simulator.presenters.sentences.scores import present_part, present_total
from simulator.presenters.sentences.states import present_state, present_wakers
from simulator.presenters.sentences.story import present_record
from simulator.presenters.sentences.whys import present_look, present_why
from tests.engine.goals.test_goals import MET
from tests.engine.trace import labs
from tests.engine.trace.golden import look_at_tries, scenarios
from tests.engine.trace.labs import GPU, apply, lab, node, pod, run
from tests.simulator.presenters.test_completeness import CJK

CODE = re.compile(r"^[a-z_]+(\.[a-zA-Z_]+)+$")


def check(sentence: Sentence, language: str) -> None:
    """A sentence as it should be: whole, in its language, with the spaces it needs and no others."""
    text = sentence.text
    assert text, sentence
    assert MISSING not in text, sentence
    assert not CODE.match(text), sentence
    assert "None" not in text, sentence
    assert "{" not in text.replace(sentence.kube, ""), sentence
    assert "  " not in text, sentence
    assert "".join(part.text for part in sentence.parts) in ("", text), sentence
    if language == "en":
        assert not re.search(CJK, text), sentence
    else:
        assert not re.search(rf"{CJK} {CJK}", text), sentence
        assert not re.search(rf"{CJK}[A-Za-z0-9]|[A-Za-z0-9]{CJK}", text), sentence


def check_all(sentences: Iterable[Sentence | None], language: str) -> None:
    for sentence in sentences:
        if sentence is not None:
            check(sentence, language)


def spoken(make: Any) -> tuple[str, str]:
    """What `make` says in Chinese and in English."""
    texts = []
    for language in LANGUAGES:
        with override(language):
            texts.append(str(make()))
    return texts[0], texts[1]


# whole labs


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", labs.ALL)
def test_everything_that_happens_in_a_lab_is_told(name: str, language: str) -> None:
    history = labs.ALL[name]()
    with override(language):
        for action in history.actions:
            told = present_action(action)
            check_all([told.headline, *told.details, *told.moves], language)
            check_all(told_records(history, action.index), language)
        for state in pod_states(history.head):
            check_all([present_state(state), *present_wakers(state)], language)


def told_records(history: History, index: int) -> Iterator[Sentence]:
    trace = history.trace(index)
    for record in trace.records:
        found = explain_record(history, index, record, trace)
        detail = trace.attempts[record.attempt] if trace.attempts else None
        yield present_record(record, check=found.check, detail=detail)
        yield present_record(record)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", labs.ALL)
def test_every_question_why_is_answered(name: str, language: str) -> None:
    history = labs.ALL[name]()
    moments = sorted({history.count, history.count // 2, 2})
    with override(language):
        for at in moments:
            simulation = history.at(at)
            for item in [*simulation.world.list("Pod")][:4]:
                for name_ in [n.name for n in simulation.world.list("Node")][:3]:
                    view = present_why(why(history, item.key, name_, at=at))
                    check_all([view.answer, view.state, *view.evidence, view.now, *view.evidence_now], language)


def test_nominated_node_is_told_with_who_it_is_kept_for() -> None:
    history = labs.preempted()
    index = next(a.index for a in history.actions if getattr(a.record, "result", "") == "nominated")
    fork = history.fork(index + 1)
    fork.apply(apply(pod("late", cpu="62")))
    fork.apply(run(1))
    texts = spoken(lambda: present_why(why(fork, "default/late", "h100-1")).answer)
    assert texts[0] == "h100-1 要给提名到这里的 train 留位置，再加上 late 就放不下：剩余的 CPU 不够（NodeResourcesFit）"
    assert texts[1].startswith("h100-1 keeps room for train, nominated to it; with them late does not fit: ")
    assert texts[1].endswith("there is not enough CPU left (NodeResourcesFit)")


# what single sentences say


def first_failure(history: History, key: str, name: str) -> Any:
    def say() -> Sentence:
        answer = why(history, key, name)
        assert answer.last is not None
        return present_look(answer.last)[0]

    return say


@pytest.mark.parametrize(
    ("make", "key", "name", "zh", "en"),
    [
        (
            labs.placed,
            "default/a",
            "t4-1",
            "t4-1 出局：a 要 4 张卡，它总共只有 2 张卡",
            "t4-1 drops out: it has 2 GPUs, a asks for 4",
        ),
        (
            labs.unschedulable,
            "default/train",
            "tainted",
            "tainted 出局：它有污点 nvidia.com/gpu=present:NoSchedule，train 不容忍",
            "tainted drops out: it has the taint nvidia.com/gpu=present:NoSchedule, which train does not tolerate",
        ),
        (
            labs.unschedulable,
            "default/train",
            "other-zone",
            "other-zone 出局：nodeSelector 要 zone=a，other-zone 的 zone 是 b",
            "other-zone drops out: the node selector wants zone=a, its zone is b",
        ),
        (
            lambda: labs.preempted().fork(8),
            "default/train",
            "h100-2",
            "h100-2 出局：train 要 8 张卡，它的 8 张卡里只剩 0；用得最多的是 low-1（4）、low-3（4）",
            "h100-2 drops out: train asks for 8 GPUs, 0 of 8 are free; most of it is used by low-1 (4) and low-3 (4)",
        ),
    ],
)
def test_rejected_nodes_are_told_with_subject_number_and_reason(
    make: Any, key: str, name: str, zh: str, en: str
) -> None:
    assert spoken(first_failure(make(), key, name)) == (zh, en)


def test_victim_is_told_with_what_would_be_short() -> None:
    history = labs.preempted()
    index = next(a.index for a in history.actions if getattr(a.record, "result", "") == "nominated")
    trace = history.trace(index)
    record = next(r for r in trace.records if r.code == "preemption.victim")
    found = explain_record(history, index, record, trace)
    zh, en = spoken(lambda: present_record(record, check=found.check))
    assert zh.startswith("把 low-0（优先级 10）放回 h100-1：train 就放不下了，它要被驱逐；")
    assert zh.endswith("train 要 8 张卡，它的 8 张卡里只剩 4；用得最多的是 low-0（4）")
    assert en.startswith("low-0 (priority 10) is put back on h100-1: train no longer fits, so it has to go; ")
    assert en.endswith("train asks for 8 GPUs, 4 of 8 are free; most of it is used by low-0 (4)")


def test_memory_and_cpu_are_told_in_gib_and_cores() -> None:
    history = lab(apply(node("a", cpu=1)), apply(pod("p", cpu="1500m")), run())
    assert spoken(first_failure(history, "default/p", "a")) == (
        "a 出局：p 要 1.5 核 CPU，它总共只有 1 核 CPU",
        "a drops out: it has 1 core, p asks for 1.5",
    )


def test_score_is_told_with_its_formula_filled_in() -> None:
    history = lab(apply(node("a", cpu=4), node("b", cpu=8)), apply(pod("p", cpu="1")), run())
    answer = why(history, "default/p", "a")
    assert answer.last is not None
    sheet = answer.last.explanation.scores
    assert sheet is not None
    part = next(part for part in sheet.parts if part.plugin == "NodeResourcesFit")
    assert spoken(lambda: present_part(part, pod="default/p").raw.terms[0]) == (
        "CPU：(4 − 1) × 100 ÷ 4 = 75，权重 1",
        "CPU: (4 − 1) × 100 ÷ 4 = 75, weight 1",
    )
    assert spoken(lambda: present_part(part, pod="default/p").raw.result) == (
        "(75 + 99) ÷ 2 = 87，越空闲分越高",
        "(75 + 99) ÷ 2 = 87; the more is free the better",
    )
    assert str(sheet.total) in spoken(lambda: present_total(sheet))[1]


def test_kubes_own_text_stands_beside() -> None:
    sentence = first_failure(labs.placed(), "default/a", "t4-1")()
    assert sentence.kube == "Insufficient nvidia.com/gpu"


def test_parts_say_what_they_are() -> None:
    with override("en"):
        sentence = first_failure(labs.placed(), "default/a", "t4-1")()
    kinds = {part.text: part.kind for part in sentence.parts}
    assert (kinds["t4-1"], kinds["a"], kinds["2 GPUs"]) == ("node", "pod", "number")
    assert next(part.ref for part in sentence.parts if part.text == "a") == "default/a"


# recorded runs: facts and formulas of every plugin


@pytest.mark.parametrize("family", ["F04", "F06", "F07", "F09", "F15"])
def test_every_fact_and_formula_of_recorded_runs_is_told(family: str) -> None:
    seen: set[str] = set()

    def look(framework: Framework, tried: Attempt) -> None:
        for item in framework.handle.cluster.nodes.objects[:3]:
            found = explain_node(framework, tried, item.name)
            for language in LANGUAGES:
                with override(language):
                    for checked in (*found.checks, *found.with_them):
                        if checked.facts or not checked.status.is_success:
                            check(present_check(checked, pod=found.pod, node=item.name), language)
                            seen.update(fact.code for fact in checked.facts)
                    if found.scores is not None:
                        check_scores(found.scores.parts, found.pod, language)

    look_at_tries(family, look)
    assert seen


def check_scores(parts: Iterable[Any], pod_key: str, language: str) -> None:
    for part in parts:
        view = present_part(part, pod=pod_key)
        check_all([view.raw.result, view.normalized.result, view.weighted], language)
        check_all([*view.raw.terms, *view.normalized.terms], language)


# goals


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_goal_and_its_progress_is_told(language: str) -> None:
    with override(language):
        for make, mapping, _ in MET:
            goal = read_goal(mapping)
            view = present_goal(goal, goal.check(Run.of(make())))
            check_all([view.statement, view.detail], language)
            assert view.state_text


@pytest.mark.parametrize(
    ("goal", "zh", "en"),
    [
        ({"kind": "allBound"}, "所有 Pod 都有了节点", "all Pods have a node"),
        (
            {"kind": "boundToNodeWith", "pods": {"name": "p"}, "nodeLabels": {"gpu": "a100"}},
            "Pod p 在带标签 gpu=a100 的节点上",
            "Pod p is on a node with gpu=a100",
        ),
        (
            {"kind": "podCount", "node": "n1", "pods": {"labels": {"app": "web"}}, "atLeast": 2, "atMost": 3},
            "n1 上有带 app=web 的 Pod：2 到 3 个",
            "on n1: 2 to 3 of Pods with app=web",
        ),
        ({"kind": "wholeGpusFree", "atLeast": 8}, "至少空出 8 张卡", "at least 8 GPUs are free"),
        ({"kind": "withinTime", "seconds": 90}, "在 1 分钟 30 秒内完成", "done within 1 min 30 s"),
    ],
)
def test_statements_of_goals_are_made_from_their_parameters(goal: dict[str, Any], zh: str, en: str) -> None:
    assert spoken(lambda: present_statement(read_goal(goal))) == (zh, en)


# problems as they really come


def problems_of(raise_them: Any) -> list[Any]:
    try:
        raise_them()
    except (ConfigError, GoalError, CommandError) as error:
        return list(error.problems)
    return []


WRONG_CONFIG = {
    "apiVersion": "kubescheduler.config.k8s.io/v1",
    "kind": "KubeSchedulerConfiguration",
    "percentageOfNodesToScore": 200,
    "parallelism": 0,
    "profiles": [{"schedulerName": "a", "plugin": 1, "pluginConfig": [{"name": "X"}, {"name": "X"}]}, {}],
}


def test_problems_of_settings_goals_and_commands_are_told_with_their_place() -> None:
    history = History.begin(labs.Setup())
    wrong_pod = pod("Wrong_Name", gpus=1)
    wrong_pod["spec"]["priorityClassName"] = "no-such"
    found = problems_of(lambda: read_config(WRONG_CONFIG))
    found += problems_of(lambda: read_goals([{"kind": "x"}, {"kind": "notBound", "pods": {"name": 3}}]))
    for command in (apply(wrong_pod), {"type": "delete", "kind": "Pod", "name": "x"}, {"type": "fly"}, run("x")):  # type: ignore[arg-type]
        found += problems_of(lambda command=command: history.apply(command))
    assert len(found) >= 10
    for language in LANGUAGES:
        with override(language):
            for problem in found:
                sentence = present_problem(problem)
                check(sentence, language)
                assert sentence.kube == problem.text


def test_refused_object_is_told_by_name_place_and_reason() -> None:
    history = History.begin(labs.Setup())
    manifest = pod("train", gpus=1)
    manifest["spec"]["containers"][0]["resources"] = {"requests": {GPU: "1"}}
    manifest["spec"]["priorityClassName"] = "no-such"
    problem = problems_of(lambda: history.apply(apply(manifest)))[0]
    assert spoken(lambda: present_problem(problem)) == (
        "Pod train 的 spec.priorityClassName：没有名为 no-such 的 PriorityClass，请先创建它",
        "spec.priorityClassName of Pod train: there is no PriorityClass no-such; create it first",
    )


def test_every_recorded_refusal_of_the_api_server_is_told() -> None:
    seen = set()
    for scenario in scenarios("F14"):
        for manifest in scenario["objects"]:
            answer = ApiServer().admit(manifest, NoObjects())
            if not isinstance(answer, Refusal):
                continue
            for error in answer.errors:
                seen.add(error.code)
                for language in LANGUAGES:
                    with override(language):
                        sentence = present_field_error(error)
                        assert MISSING not in sentence.text
                        assert sentence.kube == error.text
    assert len(seen) > 15


class NoObjects:
    def get(self, kind: str, namespace: str, name: str) -> None:
        return None

    def all(self, kind: str) -> list[Any]:
        return []


@pytest.mark.parametrize(
    ("text", "zh", "en"),
    [
        (
            "a: 1\na: 2\n",
            "第 2 行，第 1 列：键 a 重复了，第一次在第 1 行",
            "Line 2, column 1: the key a is there twice, first in line 1",
        ),
        ("", "没有内容，请粘贴清单", "there is no text; paste a manifest"),
    ],
)
def test_text_that_cannot_be_read_is_told_with_its_line(text: str, zh: str, en: str) -> None:
    error = read(text).errors[0]
    assert spoken(lambda: present_remark(error)) == (zh, en)


def test_codes_that_nobody_knows_are_shown_rather_than_an_error() -> None:
    from simulator.engine.framework.shape_check import Problem

    assert "future.code" not in SENTENCES
    assert present_problem(Problem((), "text", "future.code")).text == "future.code"
