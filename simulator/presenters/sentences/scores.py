"""Formulas as sentences: how a node's score came about, term by term."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from simulator.engine.framework.facts import Formula
from simulator.engine.objects.requests import is_scalar_resource
from simulator.engine.trace.explain import Difference, ScorePart, ScoreSheet
from simulator.presenters.sentences import formats, units
from simulator.presenters.sentences.both import Both, unknown
from simulator.presenters.sentences.facts import amounts_text, inputs_text
from simulator.presenters.sentences.say import Sentence, say
from simulator.presenters.sentences.tables.formulas import AHEAD, FORMULAS, OUTSIDE, TERMS, TOTAL, WEIGHTED

Params = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FormulaView:
    """A number: the formula filled in, and a line for every term of it."""

    value: int
    result: Sentence
    terms: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoreView:
    """One plugin's score of one node, from the raw number to the weighted one."""

    plugin: str
    raw: FormulaView
    normalized: FormulaView
    weighted: Sentence


def present_part(part: ScorePart, *, pod: str) -> ScoreView:
    params = {"plugin": part.plugin, "weight": part.weight, "weighted": part.weighted}
    weighted = say(WEIGHTED, {**params, "normalized": part.normalized.value})
    raw, normalized = present_formula(part.raw, pod=pod), present_formula(part.normalized, pod=pod)
    return ScoreView(part.plugin, raw, normalized, weighted)


def present_total(sheet: ScoreSheet) -> Sentence:
    """`total of h100-1: 300 + 87 + 75 = 462`."""
    summands = [*(part.weighted for part in sheet.parts), *sheet.outside.values()]
    return say(TOTAL, {"node": sheet.node, "sum": _sum(summands), "total": sheet.total})


def present_outside(url: str, points: int) -> Sentence:
    return say(OUTSIDE, {"plugin": url, "points": points})


def present_difference(difference: Difference, *, chosen: str, node: str) -> Sentence:
    """How far one plugin put the chosen node ahead."""
    params = {"plugin": difference.plugin, "of_first": difference.of_first, "of_second": difference.of_second}
    return say(AHEAD, {**params, "points": difference.points, "chosen": chosen, "node": node})


def present_formula(formula: Formula, *, pod: str) -> FormulaView:
    """A number with its terms filled in."""
    lines = _LINES.get(formula.code)
    suffix, more, terms = ("", {}, []) if lines is None else lines(formula, pod)
    params = {**formula.params, "value": formula.value, "pod": pod, **more}
    both = FORMULAS.get(f"{formula.code}{suffix}") or _shared(suffix) or unknown(formula.code)
    return FormulaView(formula.value, say(both, params), tuple(say(both, params) for both, params in terms))


def _shared(suffix: str) -> Both | None:
    """Formulas that several codes share, named in full by the suffix."""
    return FORMULAS.get(suffix.removeprefix("="))


Lines = tuple[str, dict[str, Any], list[tuple[Both, dict[str, Any]]]]


def _sum(numbers: Iterable[float]) -> str:
    return " + ".join(units.decimal(number, 4) for number in numbers).replace("+ -", "\u2212 ") or "0"


def _taints(formula: Formula, _pod: str) -> Lines:
    return ("" if formula.value else ".none"), {}, []


def _preferences(formula: Formula, _pod: str) -> Lines:
    terms = formula.params["terms"]
    met = [term["weight"] for term in terms if term["matches"]]
    lines = []
    for term in terms:
        wants = [formats.requirement_text(item) for item in term["requirements"]]
        both = TERMS["preference" if term["matches"] else "preference.missed"]
        lines.append((both, {"weight": term["weight"], "wants": wants}))
    return ("" if met else ".none"), {"sum": _sum(met)}, lines


_STRATEGY = {
    "node_resources_fit.least_allocated": "least",
    "node_resources_fit.most_allocated": "most",
    "node_resources_fit.requested_to_capacity_ratio": "ratio",
}


def _allocation(formula: Formula, _pod: str) -> Lines:
    counted = [term for term in formula.params["resources"] if term["counted"]]
    total = " + ".join(f"{t['score']} × {t['weight']}" if t["weight"] != 1 else str(t["score"]) for t in counted)
    lines = [_resource_line(_STRATEGY[formula.code], term) for term in formula.params["resources"]]
    return ("" if counted else "=node_resources_fit.none"), {"sum": total}, lines


def _resource_line(strategy: str, term: Params) -> tuple[Both, dict[str, Any]]:
    params = dict(term)
    if not term["counted"]:
        if not term["capacity"]:
            return TERMS["ignored.capacity"], params
        unasked = not term["asked"] and is_scalar_resource(term["resource"])
        return TERMS["ignored.unasked" if unasked else "ignored.zero"], params
    over = term["requested"] > term["capacity"]
    if strategy == "ratio":
        params["percent"] = 100 if over else term["requested"] * 100 // term["capacity"]
    return TERMS["least.over" if strategy == "least" and over else strategy], params


def _balance(formula: Formula, _pod: str) -> Lines:
    if not formula.params["asks"]:
        return "=node_resources_balanced_allocation.none", {}, []
    lines: list[tuple[Both, dict[str, Any]]] = []
    for item in formula.params["resources"]:
        if not item["capacity"]:
            lines.append((TERMS["ignored.capacity"], dict(item)))
            continue
        after = item["used"] + item["asked"]
        percents = {
            name: min(100.0, 100 * amount / item["capacity"])
            for name, amount in (("before_percent", item["used"]), ("after_percent", after))
        }
        lines.append((TERMS["fraction"], {**item, "after": after, **percents}))
    return "", {}, [*lines, (TERMS["deviation"], dict(formula.params))]


def _images(formula: Formula, _pod: str) -> Lines:
    whole = formula.params["all_nodes"]
    lines = [
        (TERMS["image" if item["nodes"] else "image.absent"], {**item, "all_nodes": whole})
        for item in formula.params["images"]
    ]
    return "", {}, lines


def _spread_score(formula: Formula, _pod: str) -> Lines:
    if formula.params["ignored"]:
        return "=pod_topology_spread.ignored", {}, []
    items = formula.params["constraints"]
    lines = [(TERMS["spread.keyless" if item["domain"] is None else "spread"], dict(item)) for item in items]
    return "", {"sum": _sum(item["part"] for item in items)}, lines


def _near(formula: Formula, pod: str) -> Lines:
    parts = formula.params["parts"]
    lines = [(TERMS[f"affinity.{part['source']}"], {**part, "pod": pod}) for part in parts]
    return ("" if parts else ".none"), {"sum": _sum(part["part"] for part in parts)}, lines


def _storage(formula: Formula, _pod: str) -> Lines:
    classes = formula.params["classes"]
    return ("" if classes else ".none"), {}, [(TERMS["storage"], dict(item)) for item in classes]


def _numa_score(formula: Formula, _pod: str) -> Lines:
    lines = []
    for unit in formula.params["units"]:
        params = {"request": amounts_text(unit["request"]), "score": unit["score"]}
        if unit["needed"] is not None:
            lines.append((TERMS["numa.least"], {**params, "needed": len(unit["needed"])}))
        else:
            zones = [f"NUMA {zone['id']}: {zone['score']}" for zone in unit["zones"]]
            lines.append((TERMS["numa"], {**params, "zones": zones}))
    return ("" if lines else "=node_resource_topology_match.none"), {}, lines


def _fabric(formula: Formula, _pod: str) -> Lines:
    if formula.params["gpus"] is None or formula.params["bandwidth"] is None:
        return ".none", {}, []
    lines = [(TERMS["fabric.near"], dict(formula.params))] if formula.params["placed"] else []
    return "", {}, lines


def _rule_score(formula: Formula, _pod: str) -> Lines:
    return "", {"inputs": inputs_text(formula.params["inputs"])}, []


def _normalized(formula: Formula, _pod: str) -> Lines:
    if formula.params["largest"] == 0:
        return ".zero", {}, []
    return (".reverse" if formula.params["reverse"] else ""), {}, []


def _spread_normalized(formula: Formula, _pod: str) -> Lines:
    if formula.params["ignored"]:
        return ".ignored", {}, []
    return (".zero" if formula.params["largest"] == 0 else ""), {}, []


def _range_normalized(formula: Formula, _pod: str) -> Lines:
    return (".equal" if formula.params["largest"] == formula.params["smallest"] else ""), {}, []


_LINES: Mapping[str, Callable[[Formula, str], Lines]] = {
    "taint_toleration.score": _taints,
    "node_affinity.score": _preferences,
    "node_resources_fit.least_allocated": _allocation,
    "node_resources_fit.most_allocated": _allocation,
    "node_resources_fit.requested_to_capacity_ratio": _allocation,
    "node_resources_balanced_allocation.score": _balance,
    "image_locality.score": _images,
    "pod_topology_spread.score": _spread_score,
    "inter_pod_affinity.score": _near,
    "volume_binding.score": _storage,
    "node_resource_topology_match.score": _numa_score,
    "gpu_fabric_score.rank": _fabric,
    "user_rule.score": _rule_score,
    "normalize.default": _normalized,
    "normalize.spread": _spread_normalized,
    "normalize.affinity": _range_normalized,
    "normalize.range": _range_normalized,
}
"""Variant, further parameters and lines of every formula that has any."""
