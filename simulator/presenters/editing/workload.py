"""The form for workloads: templates to start from, and what this cluster has to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from simulator.engine.actors.kubelet import RUN_SECONDS
from simulator.engine.fabric.accelerators import AMD, ASCEND, NVIDIA
from simulator.engine.goals.run import is_gpu
from simulator.engine.objects.taints import Taint
from simulator.forms.edits import GANG_GATES
from simulator.presenters.editing.schema import completion_version
from simulator.rules import allows_command
from simulator.selectors.frames import Frame
from simulator.selectors.moments import Moment
from simulator.selectors.refs import ref_of

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

_NAMED: Final = ("Pod", "Job", "ReplicaSet", "PodGroup")
_MODEL_LABELS: Final = ("nvidia.com/gpu.product", "amd.com/gpu.product-name", "gpu.intel.com/product", "accelerator")
MOST_LABELS: Final = 200
MOST_VALUES: Final = 40
MOST_NAMES: Final = 2_000
_KNOWN_RESOURCES: Final = (NVIDIA, AMD, ASCEND)

_TITLES: Final[Mapping[str, tuple[StrOrPromise, StrOrPromise]]] = {
    "inference": (_("Inference · 1 GPU"), _("a Pod that runs on")),
    "training": (_("Training · 8 GPUs"), _("a Pod on a whole machine")),
    "gang": (_("Gang · 2 × 8"), _("all start, or none")),
    "batch": (_("Batch · 20 Pods"), _("a Job, a minute each")),
    "replicas": (_("ReplicaSet · 3"), _("evicted ones come back")),
}


@dataclass(frozen=True, slots=True)
class TemplateView:
    id: str
    title: StrOrPromise
    about: StrOrPromise
    text: str


@dataclass(frozen=True, slots=True)
class WorkloadView:
    """`facts` is what the script needs to know of the cluster; `models` are (label, value) that name GPU models."""

    templates: tuple[TemplateView, ...]
    models: tuple[tuple[str, str], ...]
    resources: tuple[str, ...]
    taints: tuple[Taint, ...]
    priority_classes: tuple[str, ...]
    facts: Mapping[str, Any]
    gangs: bool
    can_switch: bool
    is_allowed: bool
    later_step: int | None
    run_seconds: str


def present_workload(moment: Moment) -> WorkloadView:
    frame = moment.newest
    found = templates()
    taints = tuple(dict.fromkeys(taint for node in frame.nodes for taint in node.taints if _is_own(taint)))
    classes = tuple(ref_of(item).name for item in frame.objects.get("PriorityClass", ()))
    gates = frame.setup.read_gates()
    return WorkloadView(
        templates=found,
        models=_models(frame),
        resources=_resources(frame),
        taints=taints,
        priority_classes=classes,
        facts={
            "names": {kind: _names(frame, kind) for kind in _NAMED},
            "resources": _resources(frame),
            "labels": _labels(frame),
            "taints": [{"key": t.key, "value": t.value, "effect": t.effect} for t in taints],
            "priorityClasses": classes,
            "nodes": [node.name for node in frame.nodes[:MOST_NAMES]],
            "namespaces": [ref_of(item).name for item in frame.objects.get("Namespace", ())],
            "schema": reverse("simulator:schema", args=[completion_version()]),
            "templates": {template.id: template.text for template in found},
        },
        gangs=all(gates[name] for name in GANG_GATES),
        can_switch=allows_command(moment.lab, "configure"),
        is_allowed=allows_command(moment.lab, "apply"),
        later_step=None if moment.is_head else moment.head.action,
        run_seconds=RUN_SECONDS,
    )


@cache
def templates() -> tuple[TemplateView, ...]:
    folder = Path(settings.BASE_DIR) / "fixtures" / "workloads"
    return tuple(
        TemplateView(name, title, about, (folder / f"{name}.yaml").read_text(encoding="utf-8"))
        for name, (title, about) in _TITLES.items()
    )


def _is_own(taint: Taint) -> bool:
    """Taints that the cluster's own controllers put on are not what one tolerates by hand."""
    return not taint.key.startswith("node.kubernetes.io/")


def _names(frame: Frame, kind: str) -> list[str]:
    return [ref_of(item).name for item in frame.objects.get(kind, ())[:MOST_NAMES]]


def _models(frame: Frame) -> tuple[tuple[str, str], ...]:
    pairs = ((key, node.labels[key]) for node in frame.nodes for key in _MODEL_LABELS if node.labels.get(key))
    return tuple(dict.fromkeys(pairs))


def _resources(frame: Frame) -> tuple[str, ...]:
    """GPU resources: those of this cluster first."""
    here = dict.fromkeys(name for node in frame.nodes for name in node.allocatable if is_gpu(name))
    return tuple(dict.fromkeys((*here, *_KNOWN_RESOURCES)))


def _labels(frame: Frame) -> dict[str, list[str]]:
    found: dict[str, dict[str, None]] = {}
    for node in frame.nodes:
        for key, value in node.labels.items():
            if key in found or len(found) < MOST_LABELS:
                values = found.setdefault(key, {})
                if len(values) < MOST_VALUES:
                    values[value] = None
    return {key: list(values) for key, values in found.items()}
