"""One small valid question of every kind, for tests; and helpers that give them as a learner meets them."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from lessons.assessment.question import Question, Variant, read_question
from lessons.assessment.tokens import Tokens

SECRET = b"0123456789abcdef-test-secret"


def both(zh: str, en: str) -> dict[str, str]:
    return {"zh-hans": zh, "en": en}


SAMPLES: dict[str, dict[str, Any]] = {
    "choice": {
        "stem": both("哪一步淘汰节点？", "Which step drops nodes?"),
        "options": [
            {"text": "Filter", "correct": True, "feedback": both("对。", "Yes.")},
            {"text": "Score", "feedback": both("它只排序。", "It only ranks.")},
            {"text": "PreFilter", "weight": 0.5},
            {"text": both("都不是", "None of these"), "pinned": True},
        ],
    },
    "multiple": {
        "stem": both("哪些是扩展点？", "Which are extension points?"),
        "options": [
            {"text": "Filter", "correct": True},
            {"text": "Score", "correct": True},
            {"text": "Kubelet", "feedback": both("它在节点上。", "It runs on the node.")},
            {"text": "Service"},
        ],
    },
    "numeric": {
        "stem": both("单向多少？", "How much per direction?"),
        "answers": [
            {"value": 450, "tolerance": {"relative": 0.02}},
            {"value": 900, "credit": 0, "feedback": both("这是双向之和。", "That adds both directions.")},
            {"from": 400, "to": 440, "credit": 0.5},
        ],
        "units": [{"symbol": "GB/s"}, {"symbol": "TB/s", "factor": 1000}],
        "unit_required": True,
        "otherwise": both("再想想。", "Think again."),
    },
    "ordering": {
        "stem": both("排序。", "Put in order."),
        "items": [
            {"id": "queue", "text": "QueueSort"},
            {"id": "filter", "text": "Filter"},
            {"id": "score", "text": "Score"},
            {"id": "bind", "text": "Bind"},
            {"id": "kubelet", "text": "kubelet", "distractor": True, "feedback": both("不是。", "No.")},
        ],
        "order": [["queue", "filter", "score", "bind"]],
    },
    "matching": {
        "stem": both("连线。", "Match."),
        "pairs": [
            {"left": "Filter", "right": both("淘汰", "drops")},
            {"left": "Score", "right": both("排序", "ranks")},
            {"left": "NormalizeScore", "right": both("排序", "ranks")},
        ],
        "distractors": [both("计费", "bills")],
    },
    "cloze": {
        "stem": both("填空。", "Fill in."),
        "text": both("资源名是 [[name]]，共 [[count]] 张，由 [[who]] 上报。", "[[who]] reports [[count]] of [[name]]."),
        "blanks": [
            {"id": "name", "accept": ["nvidia.com/gpu", {"text": "gpu", "credit": 0.5}]},
            {"id": "count", "numbers": [{"value": 8}]},
            {"id": "who", "options": [{"text": "device plugin", "correct": True}, {"text": "kube-proxy"}]},
        ],
    },
    "short-text": {
        "stem": both("为什么？", "Why?"),
        "rubric": [
            {"text": both("说到死锁", "names the deadlock"), "points": 2},
            {"text": both("说到整组", "names the whole group")},
        ],
        "answer": both("因为……", "Because …"),
    },
    "click-the-nodes": {
        "stem": both("点出通过的。", "Click those that pass."),
        "scene": {"scenario": "node-affinity", "point": "Filter"},
        "nodes": [
            {"name": "n1", "right": True},
            {"name": "n2", "feedback": both("有污点。", "Tainted.")},
            {"name": "n3", "right": True},
        ],
    },
    "predict-winner": {
        "stem": both("谁胜出？", "Who wins?"),
        "scene": {"scenario": "scoring-basics", "point": "Select"},
        "nodes": [{"name": "n1"}, {"name": "n2", "right": True}, {"name": "n3", "right": True}],
    },
    "fill-in-score": {
        "stem": both("填分。", "Fill in."),
        "scene": {"scenario": "scoring-basics", "point": "Score"},
        "columns": ["NodeResourcesFit", "total"],
        "rows": ["n1", "n2"],
        "cells": [
            {"row": "n1", "column": "NodeResourcesFit", "value": 75, "given": True},
            {"row": "n1", "column": "total", "value": 450},
            {"row": "n2", "column": "NodeResourcesFit", "value": 81, "tolerance": {"absolute": 1}},
        ],
    },
    "who-gets-evicted": {
        "stem": both("谁被驱逐？", "Who is evicted?"),
        "scene": {"scenario": "preemption", "point": "PostFilter"},
        "pods": [{"name": "hog", "right": True}, {"name": "vip"}],
    },
    "build-it": {
        "stem": both("搭出死锁。", "Build the deadlock."),
        "scene": {"scenario": "gang-deadlock", "point": "Start"},
        "goals": [
            {"text": both("4 个在跑", "4 run"), "goal": {"kind": "pods-bound", "count": 4}, "weight": 3},
            {"text": both("4 个在等", "4 wait"), "goal": {"kind": "pods-pending", "count": 4}},
        ],
    },
    "label-the-graph": {
        "stem": both("标注。", "Label."),
        "graph": {
            "nodes": [{"id": "box", "shape": "node"}, {"id": "a", "shape": "gpu", "inside": "box"}, {"id": "b"}],
            "edges": [{"id": "nvlink", "ends": ["a", "b"]}],
        },
        "labels": [{"id": "fast", "text": "NVLink"}, {"id": "slow", "text": "Ethernet"}],
        "places": [{"at": "nvlink", "label": "fast"}, {"at": "box", "labels": ["slow", "fast"]}],
    },
    "sort-into-categories": {
        "stem": both("归类。", "Sort."),
        "categories": [{"id": "f", "text": "Filter"}, {"id": "s", "text": "Score"}],
        "items": [
            {"text": both("污点", "taints"), "category": "f"},
            {"text": both("打分", "ranking"), "category": "s"},
            {"text": both("显卡不够", "too few GPUs"), "category": "f"},
        ],
    },
}


def source(kind: str, **changes: Any) -> dict[str, Any]:
    return {"id": f"sample-{kind}", "type": kind, **deepcopy(SAMPLES[kind]), **changes}


def question(kind: str, **changes: Any) -> Question:
    return read_question(source(kind, **changes))


def variant(kind: str, *, seed: int = 1, **changes: Any) -> Variant:
    return question(kind, **changes).variant(seed)


def tokens(scope: str = "1") -> Tokens:
    return Tokens(SECRET, scope)
