"""Controllers: ReplicationController, ReplicaSet, Deployment, DaemonSet, StatefulSet, Job.

Source: Kubernetes 1.36 `pkg/apis/{core,apps,batch}/validation`; the rules a learner is likely to meet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from simulator.engine.objects.errors import Errors
from simulator.engine.objects.golang import sorted_map
from simulator.engine.objects.names import dns_label_problems, dns_subdomain_problems, percent_problems
from simulator.engine.objects.paths import SPEC, FieldPath
from simulator.engine.objects.validation.claims import validate_claim_spec
from simulator.engine.objects.validation.cluster import validate_count_or_percent, validate_not_over_100
from simulator.engine.objects.validation.metadata import validate_metadata
from simulator.engine.objects.validation.pod import validate_selector_and_template, validate_template
from simulator.engine.objects.validation.pod_spec import PodOptions
from simulator.engine.objects.validation.selectors import validate_label_selector

Object = Mapping[str, Any]

_TEMPLATE: Final = SPEC.child("template")
_INDEXED_MAX: Final = 100_000
_PARALLEL_INDEXED_MAX: Final = 100_000


def validate_replication_controller(errors: Errors, controller: Object, options: PodOptions) -> None:
    validate_metadata(errors, controller["metadata"], dns_subdomain_problems, namespaced=True)
    spec = controller["spec"]
    _not_negative(errors, spec, "minReadySeconds", "replicas")
    selector = spec.get("selector") or {}
    if not selector:
        errors.required(SPEC.child("selector"))
    template = spec.get("template")
    if template is None:
        errors.required(_TEMPLATE)
        return
    labels = (template.get("metadata") or {}).get("labels") or {}
    if any(labels.get(key) != value for key, value in selector.items()):
        place = _TEMPLATE.child("metadata").child("labels")
        errors.invalid(place, sorted_map(dict(labels)) or None, "selector.no_match")
    validate_template(errors, template, _TEMPLATE, options)
    _always_running(errors, template, "ReplicationController")


def validate_replica_set(errors: Errors, replica_set: Object, options: PodOptions) -> None:
    validate_metadata(errors, replica_set["metadata"], dns_subdomain_problems, namespaced=True)
    spec = replica_set["spec"]
    _not_negative(errors, spec, "replicas", "minReadySeconds")
    validate_selector_and_template(errors, spec, SPEC, options, "deployment")
    _always_running(errors, spec.get("template") or {}, "ReplicaSet")


def validate_deployment(errors: Errors, deployment: Object, options: PodOptions) -> None:
    validate_metadata(errors, deployment["metadata"], dns_subdomain_problems, namespaced=True)
    spec = deployment["spec"]
    _not_negative(errors, spec, "replicas", "minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds")
    validate_selector_and_template(errors, spec, SPEC, options, "deployment")
    _always_running(errors, spec.get("template") or {}, "ReplicaSet")
    _deployment_strategy(errors, spec.get("strategy") or {}, SPEC.child("strategy"))
    deadline, ready = spec.get("progressDeadlineSeconds"), spec.get("minReadySeconds") or 0
    if deadline is not None and 0 <= deadline <= ready:
        errors.invalid(SPEC.child("progressDeadlineSeconds"), deadline, "workload.deadline_and_ready")


def _deployment_strategy(errors: Errors, strategy: Object, path: FieldPath) -> None:
    kind, rolling = strategy.get("type") or "", strategy.get("rollingUpdate")
    if kind == "Recreate":
        if rolling is not None:
            errors.forbidden(path.child("rollingUpdate"), "workload.recreate")
    elif kind == "RollingUpdate":
        place = path.child("rollingUpdate")
        if rolling is None:
            errors.required(place)
            return
        for field in ("maxUnavailable", "maxSurge"):
            validate_count_or_percent(errors, rolling.get(field, 0), place.child(field))
        if _is_zero(rolling.get("maxUnavailable", 0)) and _is_zero(rolling.get("maxSurge", 0)):
            errors.invalid(place.child("maxUnavailable"), rolling.get("maxUnavailable", 0), "workload.both_zero")
        validate_not_over_100(errors, rolling.get("maxUnavailable", 0), place.child("maxUnavailable"))
    else:
        errors.not_supported(path.child("type"), kind, ("Recreate", "RollingUpdate"))


def _is_zero(value: int | str) -> bool:
    return value == 0 or (isinstance(value, str) and not percent_problems(value) and not value.strip("0%"))


def validate_daemon_set(errors: Errors, daemon_set: Object, options: PodOptions) -> None:
    validate_metadata(errors, daemon_set["metadata"], dns_subdomain_problems, namespaced=True)
    spec = daemon_set["spec"]
    _not_negative(errors, spec, "minReadySeconds", "revisionHistoryLimit")
    validate_selector_and_template(errors, spec, SPEC, options, "daemonset")
    _always_running(errors, spec.get("template") or {}, "DaemonSet")
    kind = (spec.get("updateStrategy") or {}).get("type") or ""
    if kind not in ("OnDelete", "RollingUpdate"):
        errors.not_supported(SPEC.child("updateStrategy").child("type"), kind, ("RollingUpdate", "OnDelete"))


def validate_stateful_set(errors: Errors, stateful_set: Object, options: PodOptions) -> None:
    validate_metadata(errors, stateful_set["metadata"], dns_label_problems, namespaced=True)
    spec = stateful_set["spec"]
    _not_negative(errors, spec, "replicas", "minReadySeconds", "revisionHistoryLimit")
    for field, value, choices in (
        ("podManagementPolicy", spec.get("podManagementPolicy"), ("OrderedReady", "Parallel")),
        ("updateStrategy", (spec.get("updateStrategy") or {}).get("type"), ("RollingUpdate", "OnDelete")),
    ):
        if value not in choices:
            errors.invalid(
                SPEC.child(field), value or "", "workload.choice", choices=f"'{choices[0]}' or '{choices[1]}'"
            )
    ordinals = spec.get("ordinals")
    if ordinals is not None and (ordinals.get("start") or 0) < 0:
        errors.invalid(SPEC.child("ordinals").child("start"), ordinals["start"], "api.not_negative")
    validate_selector_and_template(errors, spec, SPEC, options, "statefulset")
    _always_running(errors, spec.get("template") or {}, "StatefulSet")
    for index, claim in enumerate(spec.get("volumeClaimTemplates") or ()):
        place = SPEC.child("volumeClaimTemplates").index(index)
        name = (claim.get("metadata") or {}).get("name") or ""
        if not name:
            errors.required(place.child("metadata").child("name"))
        validate_claim_spec(errors, claim.get("spec") or {}, place.child("spec"))


def validate_job(errors: Errors, job: Object, options: PodOptions) -> None:
    validate_metadata(errors, job["metadata"], dns_subdomain_problems, namespaced=True)
    spec = job["spec"]
    _not_negative(
        errors,
        spec,
        "parallelism",
        "completions",
        "activeDeadlineSeconds",
        "backoffLimit",
        "ttlSecondsAfterFinished",
        "backoffLimitPerIndex",
        "maxFailedIndexes",
    )
    if spec.get("selector") is not None:
        validate_label_selector(errors, spec["selector"], SPEC.child("selector"))
    _completion_mode(errors, spec)
    validate_template(errors, spec.get("template") or {}, _TEMPLATE, options)
    policy = ((spec.get("template") or {}).get("spec") or {}).get("restartPolicy") or ""
    place = _TEMPLATE.child("spec").child("restartPolicy")
    if policy == "Always":
        errors.required(place, "workload.valid_restart")
    elif policy not in ("OnFailure", "Never"):
        errors.not_supported(place, policy, ("OnFailure", "Never"))
    replacement = spec.get("podReplacementPolicy")
    if replacement not in (None, "Failed", "TerminatingOrFailed"):
        errors.not_supported(SPEC.child("podReplacementPolicy"), replacement, ("Failed", "TerminatingOrFailed"))


def _completion_mode(errors: Errors, spec: Object) -> None:
    mode, completions = spec.get("completionMode") or "", spec.get("completions")
    if mode not in ("NonIndexed", "Indexed"):
        errors.not_supported(SPEC.child("completionMode"), mode, ("Indexed", "NonIndexed"))
    if mode != "Indexed":
        if spec.get("backoffLimitPerIndex") is not None:
            path = SPEC.child("backoffLimitPerIndex")
            errors.invalid(path, spec["backoffLimitPerIndex"], "workload.indexed_only")
        return
    if completions is None:
        errors.required(SPEC.child("completions"), "workload.indexed_completions")
    elif completions > _INDEXED_MAX and (spec.get("parallelism") or 0) > _PARALLEL_INDEXED_MAX:
        path = SPEC.child("parallelism")
        errors.invalid(path, spec["parallelism"], "workload.completions_indexed", max=_PARALLEL_INDEXED_MAX)


def _not_negative(errors: Errors, spec: Object, *fields: str) -> None:
    for field in fields:
        if (spec.get(field) or 0) < 0:
            errors.invalid(SPEC.child(field), spec[field], "api.not_negative")


def _always_running(errors: Errors, template: Object, kind: str) -> None:
    spec = template.get("spec") or {}
    policy = spec.get("restartPolicy")
    if policy != "Always":
        errors.not_supported(_TEMPLATE.child("spec").child("restartPolicy"), policy or "", ("Always",))
    if spec.get("activeDeadlineSeconds") is not None:
        place = _TEMPLATE.child("spec").child("activeDeadlineSeconds")
        errors.forbidden(place, "workload.active_deadline", kind=kind)
