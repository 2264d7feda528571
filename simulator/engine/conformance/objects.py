"""The objects of a recorded scenario, admitted as the recording did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from simulator.engine.objects.api import Admitted, ApiServer, Refusal, Rules

Manifest = Mapping[str, Any]

RECORDED = Rules(
    unvalidated=frozenset(
        {"Service", "ReplicaSet", "PersistentVolume", "PersistentVolumeClaim", "StorageClass", "CSINode"}
    ),
    one_default_class=False,
)
"""What the recording left out: it took these kinds as they came, and allowed several global default classes."""


class PlainStore:
    """Objects by kind, in order of addition."""

    def __init__(self) -> None:
        self._objects: dict[str, dict[tuple[str, str], Manifest]] = {}

    def put(self, manifest: Manifest, namespace: str = "") -> None:
        key = (namespace, manifest["metadata"]["name"])
        self._objects.setdefault(manifest["kind"], {})[key] = manifest

    def get(self, kind: str, namespace: str, name: str) -> Manifest | None:
        return self._objects.get(kind, {}).get((namespace, name))

    def list(self, kind: str, namespace: str | None = None) -> Iterable[Manifest]:
        for (own, _), manifest in self._objects.get(kind, {}).items():
            if namespace is None or own == namespace:
                yield manifest

    def all(self, kind: str) -> Iterable[Manifest]:
        return self.list(kind)


def admit_all(
    objects: Sequence[Manifest], server: ApiServer | None = None
) -> tuple[PlainStore, list[Manifest], list[dict[str, Any]]]:
    """(store, admitted manifests in scenario order, refusals in the words of the recording). PriorityClasses come
    first."""
    server, store = server or ApiServer(rules=RECORDED), PlainStore()
    admitted: dict[int, Manifest] = {}
    refused: dict[int, dict[str, Any]] = {}
    for index in sorted(range(len(objects)), key=lambda each: (objects[each].get("kind") != "PriorityClass", each)):
        answer = server.admit(objects[index], store)
        if isinstance(answer, Admitted):
            store.put(answer.manifest, answer.namespace)
            admitted[index] = answer.manifest
        else:
            refused[index] = describe_refusal(index, answer)
    _add_namespaces(server, store, [admitted[index] for index in sorted(admitted)])
    return store, [admitted[index] for index in sorted(admitted)], [refused[index] for index in sorted(refused)]


def _add_namespaces(server: ApiServer, store: PlainStore, manifests: Sequence[Manifest]) -> None:
    names = dict.fromkeys(m["metadata"].get("namespace") for m in manifests if m["metadata"].get("namespace"))
    for name in names:
        if store.get("Namespace", "", name) is None:
            answer = server.admit({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}, store)
            assert isinstance(answer, Admitted)
            store.put(answer.manifest)


def describe_refusal(index: int, refusal: Refusal) -> dict[str, Any]:
    entry: dict[str, Any] = {"index": index, "kind": refusal.kind}
    if refusal.namespace:
        entry["namespace"] = refusal.namespace
    entry |= {"name": refusal.name, "stage": refusal.stage}
    entry["errors"] = [
        {"type": error.type, "field": error.field, "detail": error.detail, "text": error.text}
        for error in refusal.errors
    ]
    return entry
