"""From documents to single objects: `kind: List`, `PodList` and the like, and bare arrays are taken apart."""

from __future__ import annotations

from collections import deque
from typing import Any, Final

from simulator.manifests.documents import Document
from simulator.manifests.remarks import ManifestError, Path, Refused, Remarks

_LIST: Final = "List"


def flatten(documents: list[Document], remarks: Remarks, most: int) -> list[Document]:
    """Return one document per object, in the order of the text; lists within lists are taken apart as well.

    An object of a typed list (`kind: PodList`) that does not say its kind gets it from the list, as with kubectl.
    What is no object (no mapping, no apiVersion or kind, metadata that is no mapping) is reported and left out.
    Raises `Refused` for more than `most` objects.
    """
    objects: list[Document] = []
    waiting = deque(documents)
    while waiting:
        document = waiting.popleft()
        items = _items(document)
        if items is not None:
            waiting.extendleft(reversed(items))
        elif _is_object(document, remarks):
            objects.append(document)
            if len(objects) > most:
                raise Refused(ManifestError("limits.documents", {"limit": most}, *document.marks.nearest(())))
    return objects


def _items(document: Document) -> list[Document] | None:
    """Return what a list holds, None if the document is no list."""
    value = document.value
    if isinstance(value, list):
        return [Document(item, document.marks.below((index,))) for index, item in enumerate(value)]
    kind = value.get("kind") if isinstance(value, dict) else None
    if not isinstance(kind, str) or not kind.endswith(_LIST) or not isinstance(value.get("items"), list | None):
        return None
    if kind != _LIST and "items" not in value:
        return None
    return [
        Document(_typed(item, value, kind.removesuffix(_LIST)), document.marks.below(("items", index)))
        for index, item in enumerate(value.get("items") or ())
    ]


def _typed(item: Any, parent: dict[str, Any], kind: str) -> Any:
    if not kind or not isinstance(item, dict) or "kind" in item:
        return item
    return {"apiVersion": parent.get("apiVersion"), "kind": kind, **item}


def _is_object(document: Document, remarks: Remarks) -> bool:
    value = document.value
    if not isinstance(value, dict):
        _report(document, remarks, "object.not_mapping", (), found=type_name(value))
        return False
    complete = True
    for field, code in (("apiVersion", "object.no_api_version"), ("kind", "object.no_kind")):
        text = value.get(field)
        if not isinstance(text, str) or not text.strip():
            _report(document, remarks, code, (field,))
            complete = False
    if not isinstance(value.get("metadata"), dict | None):
        _report(document, remarks, "object.metadata_not_mapping", ("metadata",))
        complete = False
    return complete


def type_name(value: Any) -> str:
    """Return JSON's name of a value's type."""
    names = {dict: "object", list: "array", str: "string", bool: "boolean", int: "integer", float: "number"}
    return names.get(type(value), "null")


def _report(document: Document, remarks: Remarks, code: str, path: Path, **params: str) -> None:
    remarks.error(ManifestError(code, params, *document.marks.nearest(path), path))
