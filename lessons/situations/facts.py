"""The engine's facts about a scene: what the key of a scene question is made of (lessons.assessment.scenes)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lessons.assessment.localized import Text
from lessons.assessment.scenes import NodeFacts, PodFacts, Scene, SceneFacts
from lessons.situations.runs import ScenarioRun, Turn, shown_name
from simulator.engine.framework.messages import status_text
from simulator.engine.objects.pod import Pod
from simulator.engine.trace.explain import NodeExplanation
from simulator.engine.trace.records import AttemptDetail

Say = Callable[[NodeExplanation], Text]
"""Why a node is out, or what its score is made of."""

GPU_SUFFIXES: Final = ("/gpu",)


def in_kubes_words(explanation: NodeExplanation) -> Text:
    """The rejecting plugin with kube-scheduler's own message, or the total."""
    node, decisive = explanation.node, explanation.decisive
    if not explanation.status.is_success:
        words = status_text(explanation.status)
        plugin = decisive.plugin if decisive else explanation.status.plugin
        return Text(f"`{node}` 被 {plugin} 淘汰：`{words}`", f"{plugin} drops `{node}`: `{words}`")
    if explanation.scores is None:
        return Text(f"`{node}` 通过全部 Filter。", f"`{node}` passes every Filter plugin.")
    told = " + ".join(f"{part.plugin} {part.weighted}" for part in explanation.scores.parts if part.weighted)
    total = explanation.scores.total
    return Text(f"`{node}` 总分 {total}：{told or 0}。", f"`{node}` has a total of {total}: {told or 0}.")


def scene_facts(run: ScenarioRun, scene: Scene, say: Say = in_kubes_words) -> SceneFacts:
    """The facts at the scene's place. Raises NoSuchPlace."""
    simulation = run.before(scene)
    queue = tuple(shown_name(key) for key in _queue(run, scene))
    if scene.point in {"Start", "End"}:
        return SceneFacts(pods=_pods(simulation.world.list("Pod"), None), queue=queue)
    turn = run.turn_of(scene)
    detail = run.detail(turn, scene.pod)
    told = {name: say(explanation) for name, explanation in run.explanations(turn, scene.pod).items()}
    return SceneFacts(
        nodes=tuple(_node(name, detail, told.get(name)) for name in detail.nodes) if detail else (),
        best=tuple(detail.best) if detail else (),
        pods=_pods(simulation.world.list("Pod"), turn),
        victims=tuple(shown_name(key) for key in turn.cycle.victims),
        queue=queue,
    )


def _node(name: str, detail: AttemptDetail, told: Text | None) -> NodeFacts:
    scores = {
        column.plugin: column.normalized[name] * column.weight for column in detail.scores if name in column.normalized
    }
    return NodeFacts(name, name in detail.feasible, told, scores, detail.totals.get(name))


def _pods(pods: list[Pod], turn: Turn | None) -> tuple[PodFacts, ...]:
    """The Pods that hold a place on a node."""
    bound = [pod for pod in pods if pod.node_name and not pod.terminal]
    victims = turn.cycle.victims if turn else ()
    return tuple(PodFacts(shown_name(pod.key), _told(pod), _fate(pod, victims, turn)) for pod in bound)


def _told(pod: Pod) -> Text:
    asks = ", ".join(f"{name.rpartition('/')[2]} {amount}" for name, amount in _cards(pod).items())
    zh = f"在 {pod.node_name}，优先级 {pod.priority}" + (f"，{asks}" if asks else "")
    en = f"on {pod.node_name}, priority {pod.priority}" + (f", {asks}" if asks else "")
    return Text(zh, en)


def _cards(pod: Pod) -> dict[str, int]:
    return {
        name: amount for name, amount in pod.shape.requests.on_node.items() if name.endswith(GPU_SUFFIXES) and amount
    }


def _fate(pod: Pod, victims: list[str] | tuple[()], turn: Turn | None) -> Text | None:
    if turn is None:
        return None
    name = shown_name(pod.key)
    if pod.key in victims:
        return Text(f"`{name}` 被驱逐。", f"`{name}` is evicted.")
    return Text(f"`{name}` 留下。", f"`{name}` stays.")


def _queue(run: ScenarioRun, scene: Scene) -> list[str]:
    """The Pods that wait at the scene's place, in the order of their next cycles."""
    first = run.start if scene.point == "Start" else run.turn_of(scene).action if scene.point != "End" else None
    if first is None:
        return []
    tried = [key for turn in run.turns() if turn.action >= first for key in turn.pods]
    waiting = {pod.key for pod in run.history.at(first).world.list("Pod") if not pod.node_name and not pod.terminal}
    return [key for key in dict.fromkeys(tried) if key in waiting]
