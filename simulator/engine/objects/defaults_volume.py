"""Defaults of volumes, claims and persistent volumes. Changes the decoded mapping in place.

Source: Kubernetes 1.36 `pkg/apis/core/v1/defaults.go`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

Mutable = dict[str, Any]

_FILE_MODE: Final = 0o644
_TOKEN_SECONDS: Final = 3600


def default_volume(volume: Mutable) -> None:
    """Fill in a Pod's volume; one without any source is an emptyDir."""
    sources = [name for name in volume if name != "name"]
    if not sources:
        volume["emptyDir"] = {}
    for name in sources:
        if name in _SOURCES:
            _SOURCES[name](volume[name])


def default_claim_spec(spec: Mutable) -> None:
    spec.setdefault("volumeMode", "Filesystem")


def default_persistent_volume_spec(spec: Mutable) -> None:
    if not spec.get("persistentVolumeReclaimPolicy"):
        spec["persistentVolumeReclaimPolicy"] = "Retain"
    spec.setdefault("volumeMode", "Filesystem")
    for name in ("hostPath", "iscsi", "rbd", "azureDisk", "scaleIO"):
        if spec.get(name) is not None:
            _SOURCES[name](spec[name])


def _fill(source: Mutable, **values: object) -> None:
    for name, value in values.items():
        if source.get(name) in (None, ""):
            source[name] = value


def _files(source: Mutable) -> None:
    source.setdefault("defaultMode", _FILE_MODE)


def _downward(source: Mutable) -> None:
    _files(source)
    _downward_items(source)


def _downward_items(source: Mutable) -> None:
    for item in source.get("items") or ():
        if item.get("fieldRef") is not None:
            _fill(item["fieldRef"], apiVersion="v1")


def _projected(source: Mutable) -> None:
    _files(source)
    for projection in source.get("sources") or ():
        if projection.get("serviceAccountToken") is not None:
            projection["serviceAccountToken"].setdefault("expirationSeconds", _TOKEN_SECONDS)
        if projection.get("downwardAPI") is not None:
            _downward_items(projection["downwardAPI"])


def _ephemeral(source: Mutable) -> None:
    template = source.get("volumeClaimTemplate")
    if template is not None:
        default_claim_spec(template.setdefault("spec", {}))


def pull_policy(image: str) -> str:
    """Always for `latest` or no tag, IfNotPresent for a tag or a digest."""
    named, _, digest = image.partition("@")
    tag = named.rpartition("/")[2].partition(":")[2]
    return "Always" if tag == "latest" or (not tag and not digest) else "IfNotPresent"


def _image(source: Mutable) -> None:
    _fill(source, pullPolicy=pull_policy(source.get("reference") or ""))


def _host_path(source: Mutable) -> None:
    source.setdefault("type", "")


def _iscsi(source: Mutable) -> None:
    _fill(source, iscsiInterface="default")


def _rbd(source: Mutable) -> None:
    _fill(source, pool="rbd", user="admin", keyring="/etc/ceph/keyring")


def _azure_disk(source: Mutable) -> None:
    _fill(source, cachingMode="ReadWrite", kind="Shared", fsType="ext4")
    source.setdefault("readOnly", False)


def _scale_io(source: Mutable) -> None:
    _fill(source, storageMode="ThinProvisioned", fsType="xfs")


_SOURCES: Final[dict[str, Callable[[Mutable], None]]] = {
    "secret": _files,
    "configMap": _files,
    "downwardAPI": _downward,
    "projected": _projected,
    "ephemeral": _ephemeral,
    "image": _image,
    "hostPath": _host_path,
    "iscsi": _iscsi,
    "rbd": _rbd,
    "azureDisk": _azure_disk,
    "scaleIO": _scale_io,
}
