"""The API server as the laboratory needs it: a manifest goes in, an object or a refusal comes out.

    server = ApiServer()
    answer = server.admit(manifest, registry)

The way is that of the real one: strict decoding, defaults, admission, registry strategy, validation, storage. An
admitted object shares parts with others of the same content: treat it as frozen. Nothing here raises on bad input.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from simulator.engine.objects.admission import (
    Priority,
    apply_priority,
    default_tolerations,
    extended_resource_tolerations,
    group_priority,
    resolve_priority,
    second_default,
)
from simulator.engine.objects.decode import DECODE_ERROR
from simulator.engine.objects.errors import Errors, FieldError, plain_error
from simulator.engine.objects.names import generated_name
from simulator.engine.objects.paths import METADATA
from simulator.engine.objects.reading import Memory, Read, Reader, Unreadable, content_key
from simulator.engine.objects.scheme import KINDS, Kind
from simulator.engine.objects.strategy import (
    drop_group_fields,
    drop_pod_fields,
    has_label_keys,
    merge_label_keys,
    pod_status,
    qos_class,
)
from simulator.engine.objects.validation.kinds import validate_object
from simulator.engine.objects.validation.pod import SPECIAL_ANNOTATIONS, validate_pod_body, validate_pod_metadata
from simulator.engine.objects.validation.pod_spec import PodOptions
from simulator.engine.objects.validation.update_kinds import validate_update
from simulator.engine.objects.validation.updates import validate_node_update, validate_pod_update

Object = Mapping[str, Any]
_MERGED_BEFORE: Final = "affinity.key_in_selector"
"""A label key that was merged into its selector when the Pod was created stands in both."""

DEFAULT_GATES: Final = frozenset(
    {"MatchLabelKeysInPodTopologySpreadSelectorMerge", "PodLevelResources", "NodeDeclaredFeatures"}
)
"""The gates looked at here that are on in Kubernetes 1.36."""

_GENERATED_TRIES: Final = 8
_KEPT_METADATA: Final = (
    "uid",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "generation",
    "resourceVersion",
)


class Registry(Protocol):
    """The objects that exist."""

    def get(self, kind: str, namespace: str, name: str) -> Object | None:
        """Return an object; `namespace` is empty for cluster-wide kinds."""

    def all(self, kind: str) -> Iterable[Object]:
        """Return all objects of a kind."""


@dataclass(frozen=True)
class Rules:
    """What of a real API server is done. The defaults are the laboratory's."""

    unvalidated: frozenset[str] = frozenset()
    """Kinds that are taken as they are once they can be decoded."""
    one_default_class: bool = True
    """Refuse a second global default PriorityClass."""
    require_namespace: bool = False
    """Refuse objects in a namespace that does not exist."""
    default_tolerations: bool = False
    """Admission plugin DefaultTolerationSeconds."""
    extended_resource_tolerations: bool = False
    """Admission plugin ExtendedResourceToleration."""


@dataclass(frozen=True)
class Admitted:
    """An object as it would be stored. Do not change `manifest`: parts of it are shared."""

    kind: Kind
    namespace: str
    name: str
    manifest: Object


@dataclass(frozen=True)
class Refusal:
    """Why an object was refused: the stage, and all that is wrong."""

    stage: str
    """`decode`, `admission`, `validate`, `create` or (nothing to replace) `update`."""
    kind: str
    api_version: str
    namespace: str
    name: str
    errors: tuple[FieldError, ...]

    @property
    def message(self) -> str:
        """The message of the API server's answer, as kubectl shows it after "Error from server (...)"."""
        texts = list(dict.fromkeys(error.text for error in self.errors))
        joined = texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"
        kind = KINDS.get((self.api_version, self.kind))
        if kind is None:
            return joined
        if self.stage == "decode":
            return f'{kind.kind} in version "{kind.version}" cannot be handled as a {kind.kind}: {joined}'
        if self.stage == "validate":
            group_kind = f"{kind.kind}.{kind.group}" if kind.group else kind.kind
            return f'{group_kind} "{self.name}" is invalid: {joined}'
        if self.errors[0].type == "AlreadyExists":
            return f"{kind.resource} {joined}"
        if self.errors[0].type == "NotFound":
            return joined
        return f'{kind.resource} "{self.name}" is forbidden: {joined}'


@dataclass(frozen=True)
class _PodPart:
    """What Pods of equal content share: the final spec, its errors, its QoS class."""

    spec: dict[str, Any]
    errors: tuple[FieldError, ...]
    status: dict[str, Any]


@dataclass
class ApiServer:
    """Admits objects. One instance may serve any number of registries; it only remembers equal content."""

    gates: Mapping[str, bool] = field(default_factory=dict)
    """Feature gates that differ from 1.36's defaults."""
    rules: Rules = field(default_factory=Rules)

    def __post_init__(self) -> None:
        closed = {name for name, is_open in self.gates.items() if not is_open}
        self._open = frozenset(name for name, is_open in self.gates.items() if is_open) | (DEFAULT_GATES - closed)
        self._reader = Reader(self._open, self._dropped)
        self._pods: Memory[_PodPart] = Memory(4096)
        self._options = PodOptions(
            comparisons="TaintTolerationComparisonOperators" in self._open,
            spread_merged="MatchLabelKeysInPodTopologySpreadSelectorMerge" in self._open,
        )

    def admit(self, manifest: object, existing: Registry, *, number: int = 0) -> Admitted | Refusal:
        """Create an object. `number` chooses the letters where the manifest has a generateName only."""
        read = self._reader.read(manifest)
        if isinstance(read, Unreadable):
            return _unreadable(read)
        _generate_name(read, existing, number)
        problem = self._admission(read, existing)
        if problem is not None:
            return _refuse("admission", read, (problem,))
        errors = self._pod(read, existing) if read.kind.kind == "Pod" else self._other(read, existing)
        if isinstance(errors, FieldError):
            return _refuse("admission", read, (errors,))
        if errors:
            return _refuse("validate", read, errors)
        namespace, name = _identity(read)
        if existing.get(read.kind.kind, namespace, name) is not None:
            problem = plain_error("AlreadyExists", "create.exists", METADATA.child("name"), name=name)
            return _refuse("create", read, (problem,))
        return Admitted(read.kind, namespace, name, read.manifest)

    def admit_update(self, manifest: object, existing: Registry) -> Admitted | Refusal:
        """Replace an object that exists. A status that is not given stays as it was."""
        read = self._reader.read(manifest)
        if isinstance(read, Unreadable):
            return _unreadable(read)
        namespace, name = _identity(read)
        old = existing.get(read.kind.kind, namespace, name)
        if old is None:
            params = {"resource": read.kind.resource, "name": name}
            problem = plain_error("NotFound", "update.not_found", METADATA.child("name"), **params)
            return _refuse("update", read, (problem,))
        _carry_over(read, old)
        errors = Errors()
        if read.kind.kind == "Pod":
            validate_pod_update(errors, read.manifest, old, self._options)
        elif read.kind.kind == "Node":
            validate_node_update(errors, read.manifest, old)
        elif read.kind.kind not in self.rules.unvalidated:
            validate_update(errors, read.kind.kind, read.manifest, old, self._options)
        if errors:
            return _refuse("validate", read, errors.in_order())
        return Admitted(read.kind, namespace, name, read.manifest)

    def check_stored(self, manifest: object) -> Refusal | None:
        """What is wrong with an object said to have been stored before, so that admission would find its own traces."""
        read = self._reader.read(manifest)
        if isinstance(read, Unreadable):
            return _unreadable(read)
        errors = Errors()
        if read.kind.kind == "Pod":
            validate_pod_metadata(errors, read.manifest)
            validate_pod_body(errors, read.manifest, self._options)
        else:
            validate_object(errors, read.kind.kind, read.manifest, self._options)
        found = tuple(error for error in errors.in_order() if error.code != _MERGED_BEFORE)
        return _refuse("validate", read, found) if found else None

    def _admission(self, read: Read, existing: Registry) -> FieldError | None:
        namespace = read.manifest["metadata"].get("namespace") or ""
        if self.rules.require_namespace and read.kind.namespaced and existing.get("Namespace", "", namespace) is None:
            return plain_error("NotFound", "create.namespace_not_found", METADATA.child("namespace"), name=namespace)
        if read.kind.kind == "PriorityClass" and self.rules.one_default_class:
            return second_default(read.manifest, existing.all("PriorityClass"))
        return None

    def _other(self, read: Read, existing: Registry) -> tuple[FieldError, ...] | FieldError:
        manifest, kind = read.manifest, read.kind.kind
        if kind == "PodGroup":
            manifest["spec"] = drop_group_fields(manifest["spec"], self._open)
            if "WorkloadAwarePreemption" in self._open:
                resolved = group_priority(manifest["spec"], _classes(existing))
                if isinstance(resolved, FieldError):
                    return resolved
                manifest["spec"] = resolved
        elif kind == "Workload":
            templates = manifest["spec"].get("podGroupTemplates") or ()
            manifest["spec"]["podGroupTemplates"] = [drop_group_fields(each, self._open) for each in templates]
        if kind in self.rules.unvalidated:
            return ()
        errors = Errors()
        validate_object(errors, kind, manifest, self._options)
        return errors.in_order()

    def _pod(self, read: Read, existing: Registry) -> tuple[FieldError, ...] | FieldError:
        manifest, metadata = read.manifest, read.manifest["metadata"]
        spec = manifest["spec"]
        priority = resolve_priority(spec, _classes(existing))
        if isinstance(priority, FieldError):
            return priority
        key = _pod_key(read.keys.get("spec"), spec, metadata, priority)
        part = (
            self._pod_part(spec, metadata, priority)
            if key is None
            else self._pods.get(key, lambda: self._pod_part(spec, metadata, priority))
        )
        manifest["spec"] = part.spec
        given = manifest.get("status")
        manifest["status"] = pod_status(part.spec, {**part.status, **given}) if given else part.status
        errors = Errors()
        validate_pod_metadata(errors, manifest)
        if not part.errors:
            return errors.in_order()
        for error in part.errors:
            errors.add(error)
        return errors.in_order()

    def _pod_part(self, spec: dict[str, Any], metadata: Mapping[str, Any], priority: Priority) -> _PodPart:
        final = apply_priority(spec, priority)
        if self.rules.extended_resource_tolerations:
            final = extended_resource_tolerations(final)
        if self.rules.default_tolerations:
            final = default_tolerations(final)
        if has_label_keys(final):
            final = merge_label_keys(final, metadata.get("labels") or {}, spread=self._options.spread_merged)
        errors = Errors()
        options = PodOptions(
            pod_name=metadata.get("name") or "",
            comparisons=self._options.comparisons,
            spread_merged=self._options.spread_merged,
        )
        validate_pod_body(errors, {"metadata": metadata, "spec": final}, options)
        return _PodPart(final, errors.in_order(), pod_status(final, {"qosClass": qos_class(final)}))

    def _dropped(self, kind: str, section: str, value: dict[str, Any]) -> dict[str, Any]:
        return drop_pod_fields(value, self._open) if (kind, section) == ("Pod", "spec") else value


def _classes(existing: Registry) -> dict[str, Object]:
    return {each["metadata"].get("name") or "": each for each in existing.all("PriorityClass")}


def _pod_key(
    spec_key: bytes | None, spec: Mapping[str, Any], metadata: Mapping[str, Any], priority: Priority
) -> tuple[object, ...] | None:
    """Return what decides the final spec and its errors."""
    if spec_key is None:
        return None
    labels = content_key(metadata.get("labels")) if has_label_keys(spec) else b""
    annotations = metadata.get("annotations") or {}
    special = tuple(annotations.get(name) for name in SPECIAL_ANNOTATIONS)
    created = any("ephemeral" in volume for volume in spec.get("volumes") or ())
    return spec_key, priority, labels, special, (metadata.get("name") or "") if created else ""


def _generate_name(read: Read, existing: Registry, number: int) -> None:
    metadata = read.manifest["metadata"]
    prefix = metadata.get("generateName")
    if metadata.get("name") or not prefix:
        return
    namespace = (metadata.get("namespace") or "") if read.kind.namespaced else ""
    for attempt in range(_GENERATED_TRIES):
        metadata["name"] = generated_name(prefix, number + attempt)
        if existing.get(read.kind.kind, namespace, metadata["name"]) is None:
            return


def _carry_over(read: Read, old: Object) -> None:
    """Take over from the old object what a client need not send."""
    manifest = read.manifest
    for name in _KEPT_METADATA:
        if name not in manifest["metadata"] and name in old["metadata"]:
            manifest["metadata"][name] = old["metadata"][name]
    if "status" not in manifest and "status" in old:
        manifest["status"] = old["status"]
    if read.kind.kind == "Pod":
        kept = {name: old["spec"][name] for name in ("priority", "preemptionPolicy") if name in old["spec"]}
        manifest["spec"] = {**kept, **(manifest.get("spec") or {})}


def _identity(read: Read) -> tuple[str, str]:
    metadata = read.manifest["metadata"]
    return (metadata.get("namespace") or "") if read.kind.namespaced else "", metadata.get("name") or ""


def _unreadable(read: Unreadable) -> Refusal:
    return Refusal("decode", read.kind, read.api_version, read.namespace, read.name, (read.error,))


def _refuse(stage: str, read: Read, errors: tuple[FieldError, ...]) -> Refusal:
    metadata = read.manifest["metadata"]
    namespace, name = metadata.get("namespace") or "", metadata.get("name") or ""
    return Refusal(stage, read.kind.kind, read.kind.api_version, namespace, name, errors)


__all__ = ["DECODE_ERROR", "Admitted", "ApiServer", "Refusal", "Registry", "Rules"]
