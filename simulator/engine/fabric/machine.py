"""The machine behind a Node: from its NodeFabric object, from its labels, or assumed from its GPU count alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from simulator.engine.fabric.accelerators import (
    AMD,
    ASCEND,
    NVIDIA,
    UNKNOWN,
    accelerator_of_name,
    accelerator_of_product,
)
from simulator.engine.fabric.allocation import BEST_EFFORT
from simulator.engine.fabric.changes import with_nic_link, with_nvlinks, with_pair_links, without_nic
from simulator.engine.fabric.device_plugin import TIME_SLICING, DeviceCount, MigConfig, Sharing, device_resources
from simulator.engine.fabric.fabric import Host
from simulator.engine.fabric.from_labels import COUNT, DOMAIN_LABELS, PRODUCT, LabelledNode, shape_from_labels
from simulator.engine.fabric.mig import arrange, mig_profiles
from simulator.engine.fabric.node_fabric import NO_FAULTS, Faults, NodeFabric
from simulator.engine.fabric.numa_zones import CONTAINER, NONE
from simulator.engine.fabric.shape import HostShape

MODEL_ANNOTATION: Final = "gpuschedlab.io/gpu-model"
"""Names the GPU model of a Node whose labels do not (a label of our own would change what Pods select)."""

FABRIC, LABELS, ASSUMED = "fabric", "labels", "assumed"
_REPLICAS: Final = f"{NVIDIA}.replicas"
_RESOURCES: Final = (NVIDIA, AMD, ASCEND)


@dataclass(frozen=True)
class Machine:
    """A machine and how its kubelet hands out devices. `host.shape` has its faults; `whole` is without them.

    `source`: the NodeFabric object, the Node's labels, or only its GPU count.
    """

    host: Host
    whole: HostShape
    source: str
    faults: Faults = NO_FAULTS
    device_policy: str = BEST_EFFORT
    numa_policy: str = NONE
    numa_scope: str = CONTAINER
    sharing: Sharing | None = None
    mig: MigConfig | None = None

    @property
    def name(self) -> str:
        return self.host.name

    @property
    def is_known(self) -> bool:
        """Whether somebody said what is inside. Of other machines nothing but the number of GPUs is sure."""
        return self.source != ASSUMED

    @cached_property
    def resources(self) -> dict[str, DeviceCount]:
        """What its device plugin advertises."""
        return device_resources(self.host, self.sharing, self.mig)


def machine_of(node: Mapping[str, Any], fabric: NodeFabric | None) -> Machine:
    """The machine of a Node manifest, with what its NodeFabric object says."""
    labels = node["metadata"].get("labels") or {}
    said = fabric or NodeFabric()
    whole, source = said.shape, FABRIC
    if whole is None:
        whole, source = _labelled_shape(node, labels)
    if fabric is not None:
        source = FABRIC
    faults = _fitting(said.faults, whole)
    domain = said.nvlink_domain or next((labels[key] for key in DOMAIN_LABELS if labels.get(key)), None)
    host = Host(
        str(node["metadata"]["name"]), _broken(whole, faults), _leaves(said.leaves, whole, faults), domain, faults.gpus
    )
    return Machine(
        host,
        whole,
        source,
        faults,
        said.device_policy,
        said.numa_policy,
        said.numa_scope,
        said.sharing or _labelled_sharing(labels),
        _possible_mig(said.mig, whole),
    )


def _labelled_shape(node: Mapping[str, Any], labels: Mapping[str, str]) -> tuple[HostShape, str]:
    annotated = (node["metadata"].get("annotations") or {}).get(MODEL_ANNOTATION, "")
    product = labels.get(PRODUCT) or labels.get(f"{AMD}.product-name", "")
    status = node.get("status") or {}
    amounts = status.get("capacity") or status.get("allocatable") or {}
    counted = next((_count(amounts[name]) for name in _RESOURCES if amounts.get(name)), 0)
    model = accelerator_of_product(product)
    if model == UNKNOWN and annotated:
        model = accelerator_of_name(annotated)
    named = {**labels, PRODUCT: model.product} if model != UNKNOWN else labels
    gpus = None if labels.get(COUNT, "").isdigit() or not counted else counted
    is_said = bool(product or annotated or labels.get("accelerator") == "huawei-Ascend910")
    return shape_from_labels(LabelledNode("", named, gpus)), LABELS if is_said else ASSUMED


def _count(amount: object) -> int:
    """A device count as a Node states it; devices come in whole numbers without suffix."""
    text = str(amount)
    return int(text) if text.isdigit() and len(text) < 6 else 0


def _labelled_sharing(labels: Mapping[str, str]) -> Sharing | None:
    """GFD tells of replicas; a product without `-SHARED` is advertised under another name."""
    text = labels.get(_REPLICAS, "")
    replicas = int(text) if text.isdigit() and len(text) < 4 else 1
    if replicas < 2:
        return None
    strategy = labels.get(f"{NVIDIA}.sharing-strategy") or TIME_SLICING
    return Sharing(strategy, replicas, renamed=not labels.get(PRODUCT, "").endswith("-SHARED"))


def _fitting(faults: Faults, shape: HostShape) -> Faults:
    """Without faults of what the machine does not have."""
    gpus = len(shape.gpus)
    cards = {nic.index for nic in shape.nics}
    linked = {(min(pair.first, pair.second), max(pair.first, pair.second)) for pair in shape.pairs}
    return Faults(
        tuple(gpu for gpu in faults.gpus if gpu < gpus),
        {gpu: links for gpu, links in faults.nvlinks.items() if gpu in shape.switch_group_of},
        {pair: links for pair, links in faults.pairs.items() if pair in linked},
        {nic: link for nic, link in faults.nics.items() if nic in cards},
    )


def _broken(shape: HostShape, faults: Faults) -> HostShape:
    for gpu, links in sorted(faults.nvlinks.items()):
        shape = with_nvlinks(shape, gpu, links)
    for (first, second), links in sorted(faults.pairs.items()):
        shape = with_pair_links(shape, first, second, links)
    for nic, link in sorted(faults.nics.items()):
        shape = with_nic_link(shape, nic, link) if link else without_nic(shape, nic)
    return shape


def _leaves(leaves: tuple[str, ...], shape: HostShape, faults: Faults) -> tuple[str, ...]:
    """Rails (one leaf per card) lose those of cards that are down."""
    if len(leaves) != len(shape.nics) or len(leaves) < 2:
        return leaves
    pairs = zip(leaves, shape.nics, strict=True)
    return tuple(leaf for leaf, nic in pairs if faults.nics.get(nic.index) != "")


def _possible_mig(mig: MigConfig | None, shape: HostShape) -> MigConfig | None:
    """Without instances that the GPUs do not have or that do not fit together."""
    if mig is None or not shape.gpus:
        return None
    profiles = {
        gpu: names
        for gpu, names in mig.profiles.items()
        if gpu < len(shape.gpus) and names and is_arrangeable(shape, gpu, names)
    }
    return replace(mig, profiles=profiles) if profiles else None


def is_arrangeable(shape: HostShape, gpu: int, names: Sequence[str]) -> bool:
    """Whether these MIG instances exist for the GPU's model and fit on it together."""
    table = {profile.name: profile for profile in mig_profiles(shape.gpus[gpu].model)}
    return all(name in table for name in names) and arrange([table[name] for name in names]) is not None
