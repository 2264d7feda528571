"""Volumes of the old in-tree drivers as their CSI drivers see them: driver, volume handle, topology.

Source: csi-translation-lib 0.32 and the scheduler's `isCSIMigrationOn` in Kubernetes 1.36. RBD is no longer translated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from simulator.engine.objects.node import BETA_REGION, BETA_ZONE, REGION, ZONE
from simulator.engine.plugins.volumes import Manifest, annotations_of, labels_of, spec_of

MIGRATED_PLUGINS = "storage.alpha.kubernetes.io/migrated-plugins"
ZONE_SEPARATOR = "__"

_EBS_ID = re.compile(r"vol-[^/]*\Z")
_UNSPECIFIED = "UNSPECIFIED"


@dataclass(frozen=True, slots=True)
class InTreeDriver:
    """An in-tree driver.

    source        its field in a Pod's volume and in a PersistentVolume's spec
    handle        the source's field with the volume's id
    migrates      the scheduler treats its volumes as those of the CSI driver `driver`
    topology_key  what the CSI driver calls the zone, "" where zones keep their name
    """

    plugin: str
    driver: str
    source: str
    handle: str
    topology_key: str = ""
    migrates: bool = True


IN_TREE = (
    InTreeDriver(
        "kubernetes.io/aws-ebs", "ebs.csi.aws.com", "awsElasticBlockStore", "volumeID", "topology.ebs.csi.aws.com/zone"
    ),
    InTreeDriver(
        "kubernetes.io/gce-pd", "pd.csi.storage.gke.io", "gcePersistentDisk", "pdName", "topology.gke.io/zone"
    ),
    InTreeDriver("kubernetes.io/azure-disk", "disk.csi.azure.com", "azureDisk", "diskURI"),
    InTreeDriver(
        "kubernetes.io/cinder",
        "cinder.csi.openstack.org",
        "cinder",
        "volumeID",
        "topology.cinder.csi.openstack.org/zone",
    ),
    InTreeDriver("kubernetes.io/portworx-volume", "pxd.portworx.com", "portworxVolume", "volumeID"),
    InTreeDriver("kubernetes.io/azure-file", "file.csi.azure.com", "azureFile", "shareName", migrates=False),
    InTreeDriver(
        "kubernetes.io/vsphere-volume", "csi.vsphere.vmware.com", "vsphereVolume", "volumePath", migrates=False
    ),
)
_BY_PLUGIN = {driver.plugin: driver for driver in IN_TREE}


class TranslationError(Exception):
    """An in-tree volume that has no CSI form; the message is the library's."""


def in_tree_driver(source: Manifest) -> InTreeDriver | None:
    """The in-tree driver of a Pod's volume or of a PersistentVolume's spec, None for all others."""
    return next((driver for driver in IN_TREE if source.get(driver.source) is not None), None)


def in_tree_plugin(name: str) -> InTreeDriver | None:
    """The in-tree driver that is the provisioner `name`."""
    return _BY_PLUGIN.get(name)


def counts_as_csi(driver: InTreeDriver, csi_node: Manifest | None) -> bool:
    """Whether volumes of `driver` count against the limits that `csi_node` gives for the CSI driver."""
    return csi_node is not None and driver.migrates


def is_migrated_on(driver: InTreeDriver, csi_node: Manifest | None) -> bool:
    """Whether the node's kubelet says that it left `driver` to CSI."""
    if csi_node is None or not driver.migrates:
        return False
    return driver.plugin in annotations_of(csi_node).get(MIGRATED_PLUGINS, "").split(",")


def inline_handle(driver: InTreeDriver, volume: Manifest) -> str:
    """The CSI volume handle of a Pod's inline volume. Raises `TranslationError`."""
    return _handle(driver, volume[driver.source], {})


def volume_handle(driver: InTreeDriver, volume: Manifest) -> str:
    """The CSI volume handle of a PersistentVolume. Raises `TranslationError`."""
    return _handle(driver, spec_of(volume)[driver.source], labels_of(volume))


def _handle(driver: InTreeDriver, source: Manifest, labels: Mapping[str, str]) -> str:
    identity = source.get(driver.handle) or ""
    match driver.source:
        case "awsElasticBlockStore":
            return _ebs_handle(identity)
        case "gcePersistentDisk":
            return f"projects/{_UNSPECIFIED}/{_gce_place(labels)}/disks/{identity}"
        case _:
            return identity


def _ebs_handle(identity: str) -> str:
    """`vol-1` of `vol-1` or `aws://zone/vol-1`."""
    if not identity.startswith("aws://"):
        return identity
    path = identity.removeprefix("aws://").partition("/")[2].strip("/")
    if not _EBS_ID.match(path):
        wrong = f"invalid format for AWS volume ({identity})"
        raise TranslationError(f"failed to translate Kubernetes ID to EBS Volume ID {wrong}")
    return path


def _gce_place(labels: Mapping[str, str]) -> str:
    zones = (labels.get(BETA_ZONE) or labels.get(ZONE) or "").split(ZONE_SEPARATOR)
    if len(zones) > 1:
        return f"regions/{_gce_region(zones)}"
    return f"zones/{zones[0] or _UNSPECIFIED}"


def _gce_region(zones: list[str]) -> str:
    regions = []
    for zone in zones:
        parts = zone.split("-")
        if len(parts) != 3:
            wrong = f"zone in unexpected format, expected: {{locale}}-{{region}}-{{zone}}, got: {zone}"
            raise TranslationError(f"failed to get region from zones: {wrong}")
        regions.append("-".join(parts[:2]))
    if len(set(regions)) != 1:
        found = " ".join(f"{region}:{{}}" for region in sorted(set(regions)))
        wrong = f"multiple or no regions gotten from zones, got: map[{found}]"
        raise TranslationError(f"failed to get region from zones: {wrong}")
    return regions[0]


def migrated_affinity(driver: InTreeDriver, volume: Manifest) -> Manifest | None:
    """The node affinity of a PersistentVolume once its zone bears the CSI driver's name. Raises `TranslationError`."""
    volume_handle(driver, volume)
    affinity = spec_of(volume).get("nodeAffinity")
    if not driver.topology_key:
        return affinity
    terms = list(((affinity or {}).get("required") or {}).get("nodeSelectorTerms") or ())
    zone, region = _topology_labels(terms, labels_of(volume))
    names = {BETA_REGION: REGION} if region == BETA_REGION else {}
    if _gives_values(terms, zone):
        names[zone] = driver.topology_key
    else:
        zones = {part.strip() for part in labels_of(volume).get(zone, "").split(ZONE_SEPARATOR)} - {""}
        if zones:
            wish = {"key": driver.topology_key, "operator": "In", "values": sorted(zones)}
            terms = [{**term, "matchExpressions": [*_wishes(term), wish]} for term in terms or [{}]]
    if not terms:
        return affinity
    return {"required": {"nodeSelectorTerms": [_renamed(term, names) for term in terms]}}


def _wishes(term: Manifest) -> Sequence[Manifest]:
    return term.get("matchExpressions") or ()


def _topology_labels(terms: Iterable[Manifest], labels: Mapping[str, str]) -> tuple[str, str]:
    """The zone and region labels in use: the GA or the beta ones, the affinity asked before the labels."""
    keys = {wish.get("key") for term in terms for wish in _wishes(term)}
    for known in (keys, labels):
        if ZONE in known:
            return ZONE, REGION
        if BETA_ZONE in known:
            return BETA_ZONE, BETA_REGION
    return ZONE, REGION


def _gives_values(terms: Iterable[Manifest], key: str) -> bool:
    return any(wish.get("key") == key and wish.get("values") for term in terms for wish in _wishes(term))


def _renamed(term: Manifest, names: Mapping[str, str]) -> Manifest:
    wishes = [{**wish, "key": names.get(wish.get("key", ""), wish.get("key"))} for wish in _wishes(term)]
    return {**term, "matchExpressions": wishes}
