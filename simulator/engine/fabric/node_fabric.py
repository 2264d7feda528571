"""What a NodeFabric object says about the hardware of the Node of its name, as values, and back.

    apiVersion: gpuschedlab.io/v1alpha1
    kind: NodeFabric
    metadata: {name: h100-1}
    spec:
      machine: hgx-h100-8        # a preset; or `shape`, a machine in full; or neither: what the Node's labels tell
      leaves: [leaf-0]           # one switch for all cards, or one per card
      faults: {gpus: [3]}

Raises FabricFormatError (with a path below `spec`) for what cannot be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from simulator.engine.fabric.allocation import BEST_EFFORT, POLICIES
from simulator.engine.fabric.device_plugin import SHARES, STRATEGIES, TIME_SLICING, MigConfig, Sharing
from simulator.engine.fabric.links import LINK_KINDS, NETWORK_FAMILIES
from simulator.engine.fabric.numa_zones import CONTAINER, NONE, SCOPES
from simulator.engine.fabric.numa_zones import POLICIES as NUMA_POLICIES
from simulator.engine.fabric.presets import PRESETS
from simulator.engine.fabric.serial import FabricFormatError, shape_from_mapping
from simulator.engine.fabric.shape import HostShape
from simulator.engine.fabric.sharing import BINPACK, CARD_POLICIES

API_VERSION: Final = "gpuschedlab.io/v1alpha1"
KIND: Final = "NodeFabric"
SWITCH_KIND: Final = "NetworkSwitch"
MIG_STRATEGIES: Final = ("single", "mixed")
MAX_REPLICAS: Final = 64

Manifest = Mapping[str, Any]


@dataclass(frozen=True)
class Faults:
    """What is broken: unhealthy GPUs; links left of GPUs into their NVSwitch and of linked pairs; cards that are down
    (no link kind) or came up as another kind.
    """

    gpus: tuple[int, ...] = ()
    nvlinks: Mapping[int, int] = field(default_factory=dict)
    pairs: Mapping[tuple[int, int], int] = field(default_factory=dict)
    nics: Mapping[int, str] = field(default_factory=dict)

    @property
    def any(self) -> bool:
        return bool(self.gpus or self.nvlinks or self.pairs or self.nics)


NO_FAULTS: Final = Faults()


@dataclass(frozen=True)
class NodeFabric:
    """A NodeFabric's spec. `shape` is None where the Node's labels say what machine it is."""

    shape: HostShape | None = None
    leaves: tuple[str, ...] = ()
    nvlink_domain: str | None = None
    faults: Faults = NO_FAULTS
    device_policy: str = BEST_EFFORT
    numa_policy: str = NONE
    numa_scope: str = CONTAINER
    sharing: Sharing | None = None
    mig: MigConfig | None = None


def read_node_fabric(manifest: Manifest) -> NodeFabric:
    """The values of a decoded NodeFabric. Whether the faults fit the machine is seen where the machine is known."""
    spec = manifest.get("spec") or {}
    topology = spec.get("topologyManager") or {}
    return NodeFabric(
        shape=_shape(spec),
        leaves=tuple(spec.get("leaves") or ()),
        nvlink_domain=spec.get("nvlinkDomain") or None,
        faults=_faults(spec.get("faults") or {}),
        device_policy=_one_of(spec, "devicePolicy", POLICIES, BEST_EFFORT, ""),
        numa_policy=_one_of(topology, "policy", NUMA_POLICIES, NONE, "topologyManager."),
        numa_scope=_one_of(topology, "scope", SCOPES, CONTAINER, "topologyManager."),
        sharing=_sharing(spec.get("sharing")),
        mig=_mig(spec.get("mig")),
    )


def node_fabric_manifest(name: str, spec: Manifest) -> dict[str, Any]:
    """The object with this spec."""
    return {"apiVersion": API_VERSION, "kind": KIND, "metadata": {"name": name}, "spec": dict(spec)}


def faults_to_mapping(faults: Faults) -> dict[str, Any]:
    """`spec.faults`, without what is whole."""
    found: dict[str, Any] = {}
    if faults.gpus:
        found["gpus"] = list(faults.gpus)
    if faults.nvlinks:
        found["nvlinks"] = [{"gpu": gpu, "links": links} for gpu, links in sorted(faults.nvlinks.items())]
    if faults.pairs:
        found["pairs"] = [
            {"first": first, "second": second, "links": links}
            for (first, second), links in sorted(faults.pairs.items())
        ]
    if faults.nics:
        found["nics"] = [
            {"nic": nic, "link": link} if link else {"nic": nic} for nic, link in sorted(faults.nics.items())
        ]
    return found


def _shape(spec: Manifest) -> HostShape | None:
    name, shape = spec.get("machine"), spec.get("shape")
    if name and shape is not None:
        raise FabricFormatError("shape", "conflict")
    if shape is not None:
        return shape_from_mapping(shape)
    if not name:
        return None
    if name not in PRESETS:
        raise FabricFormatError("machine", "unknown", tuple(PRESETS))
    return PRESETS[name].shape


def _faults(raw: Manifest) -> Faults:
    nics: dict[int, str] = {}
    for index, item in enumerate(raw.get("nics") or ()):
        link = item.get("link") or ""
        if link and (link not in LINK_KINDS or LINK_KINDS[link].family not in NETWORK_FAMILIES):
            raise FabricFormatError(f"faults.nics[{index}].link", "unknown")
        nics[_number(item, "nic", f"faults.nics[{index}]")] = link
    return Faults(
        gpus=_numbers(raw.get("gpus") or (), "faults.gpus"),
        nvlinks={
            _number(item, "gpu", f"faults.nvlinks[{index}]"): _number(item, "links", f"faults.nvlinks[{index}]")
            for index, item in enumerate(raw.get("nvlinks") or ())
        },
        pairs=dict(_pair(item, f"faults.pairs[{index}]") for index, item in enumerate(raw.get("pairs") or ())),
        nics=nics,
    )


def _pair(item: Manifest, path: str) -> tuple[tuple[int, int], int]:
    first, second = sorted((_number(item, "first", path), _number(item, "second", path)))
    return (first, second), _number(item, "links", path)


def _sharing(raw: Manifest | None) -> Sharing | None:
    if raw is None:
        return None
    strategy = _one_of(raw, "strategy", STRATEGIES, TIME_SLICING, "sharing.")
    replicas = raw.get("replicas", 1)
    if not 1 <= replicas <= MAX_REPLICAS or (strategy == SHARES and replicas != 1):
        raise FabricFormatError("sharing.replicas", "range")
    cards = _one_of(raw, "cards", CARD_POLICIES, BINPACK, "sharing.")
    return Sharing(strategy, replicas, bool(raw.get("renamed")), cards)


def _mig(raw: Manifest | None) -> MigConfig | None:
    if raw is None:
        return None
    strategy = _one_of(raw, "strategy", MIG_STRATEGIES, "mixed", "mig.")
    profiles = {
        _number(item, "gpu", f"mig.instances[{index}]"): tuple(item.get("profiles") or ())
        for index, item in enumerate(raw.get("instances") or ())
    }
    return MigConfig(strategy, profiles)


def _one_of(mapping: Manifest, key: str, known: Sequence[str], default: str, path: str) -> str:
    value = str(mapping.get(key) or default)
    if value not in known:
        raise FabricFormatError(f"{path}{key}", "unknown", known)
    return value


def _numbers(items: Sequence[int], path: str) -> tuple[int, ...]:
    if any(item < 0 for item in items):
        raise FabricFormatError(path, "range")
    return tuple(sorted(dict.fromkeys(items)))


def _number(item: Manifest, key: str, path: str) -> int:
    value = item.get(key, 0)
    if not isinstance(value, int) or value < 0:
        raise FabricFormatError(f"{path}.{key}", "range")
    return value
