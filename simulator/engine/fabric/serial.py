"""A fabric as plain lists and mappings, and back: for the lab bundle. Shapes are written once, by name.

Raises FabricFormatError for a mapping that is none of ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from simulator.engine.fabric.fabric import Fabric, Host, NetworkSwitch
from simulator.engine.fabric.links import CPU_LINK, DEVICE_FAMILIES, LINK_KINDS, NETWORK_FAMILIES, PCIE
from simulator.engine.fabric.numa_zones import MAX_NUMA_NODES
from simulator.engine.fabric.presets import PRESETS
from simulator.engine.fabric.shape import Bridge, Gpu, HostShape, Nic, NumaNode, Pair, Switched

VERSION: Final = 1
MAX_HOSTS: Final = 20_000
MAX_GPUS: Final = 64
MAX_SHAPES: Final = 2_000
_MOST: Final = {
    "numa": MAX_NUMA_NODES,
    "bridges": 1_000,
    "gpus": MAX_GPUS,
    "nics": 256,
    "pairs": 2_016,
    "switched": MAX_GPUS,
}
"""Of the lists of one machine; others may be as long as there can be hosts."""


class FabricFormatError(ValueError):
    """`path` tells where in the mapping, `problem` what is wrong there: missing, type, unknown, range, version,
    conflict. `known` are the texts that could stand there, where they are few.
    """

    def __init__(self, path: str, problem: str, known: Sequence[str] = ()) -> None:
        super().__init__(f"{path}: {problem}")
        self.path = path
        self.problem = problem
        self.known = tuple(known)


def fabric_to_mapping(fabric: Fabric) -> dict[str, Any]:
    """Plain values; a preset's own shape is written by its name alone."""
    names = _shape_names(fabric)
    return {
        "version": VERSION,
        "shapes": {name: shape_to_mapping(shape) for shape, name in names.items() if not _is_preset(name, shape)},
        "hosts": [_host_to_mapping(host, names[host.shape]) for host in fabric.hosts],
        "switches": [
            {
                "name": switch.name,
                "tier": switch.tier,
                "parent": switch.parent,
                "oversubscription": switch.oversubscription,
            }
            for switch in fabric.switches
        ],
    }


def shape_to_mapping(shape: HostShape) -> dict[str, Any]:
    """One machine as plain values."""
    return {
        "name": shape.name,
        "pcie": shape.pcie,
        "cpuLink": shape.cpu_link,
        "numa": [{"id": node.id, "cpus": node.cpus, "socket": node.socket} for node in shape.numa],
        "bridges": [{"id": bridge.id, "numa": bridge.numa, "parent": bridge.parent} for bridge in shape.bridges],
        "gpus": [{"model": gpu.model, "bridge": gpu.bridge} for gpu in shape.gpus],
        "nics": [
            {
                "index": nic.index,
                "link": nic.link,
                "bridge": nic.bridge,
                "device": nic.device,
                "carries": nic.carries,
                "name": nic.name,
            }
            for nic in shape.nics
        ],
        "pairs": [[pair.first, pair.second, pair.links, pair.link] for pair in shape.pairs],
        "switched": [
            {"gpus": list(group.gpus), "links": list(group.links), "link": group.link} for group in shape.switched
        ],
        "printed": [[first, second, cell] for (first, second), cell in shape.printed.items()],
    }


def fabric_from_mapping(mapping: Mapping[str, Any]) -> Fabric:
    """The fabric a mapping describes, equal to the one it was made from."""
    if mapping.get("version") != VERSION:
        raise FabricFormatError("version", "version")
    raw_shapes = _mapping(mapping.get("shapes"), "shapes")
    if len(raw_shapes) > MAX_SHAPES:
        raise FabricFormatError("shapes", "range")
    shapes = {name: shape_from_mapping(raw, f"shapes.{name}") for name, raw in raw_shapes.items()}
    hosts = _list(mapping.get("hosts"), "hosts", MAX_HOSTS)
    switches = _list(mapping.get("switches"), "switches", MAX_HOSTS)
    return Fabric(
        tuple(_host_from_mapping(raw, f"hosts[{index}]", shapes) for index, raw in enumerate(hosts)),
        tuple(_switch_from_mapping(raw, f"switches[{index}]") for index, raw in enumerate(switches)),
    )


def shape_from_mapping(raw: Any, path: str = "shape") -> HostShape:
    """The machine a mapping describes; checks that every bridge, GPU and link kind that is named exists."""
    mapping = _mapping(raw, path)
    bridges = tuple(
        Bridge(_text(item, "id", place), _int(item, "numa", place), _optional(item, "parent", place))
        for place, item in _items(mapping, "bridges", path)
    )
    shape = HostShape(
        name=_text(mapping, "name", path),
        numa=tuple(
            NumaNode(_int(item, "id", place), _text(item, "cpus", place), _int(item, "socket", place))
            for place, item in _items(mapping, "numa", path)
        ),
        bridges=bridges,
        gpus=tuple(
            Gpu(index, _text(item, "model", place), _text(item, "bridge", place))
            for index, (place, item) in enumerate(_items(mapping, "gpus", path))
        ),
        nics=tuple(_nic(item, place) for place, item in _items(mapping, "nics", path)),
        pairs=tuple(_pair(item, f"{path}.pairs[{index}]") for index, item in enumerate(_plain(mapping, "pairs", path))),
        switched=tuple(_switched(item, place) for place, item in _items(mapping, "switched", path)),
        pcie=_kind(mapping, "pcie", path, PCIE),
        cpu_link=_kind(mapping, "cpuLink", path, CPU_LINK),
        printed=dict(
            _printed(item, f"{path}.printed[{index}]") for index, item in enumerate(_plain(mapping, "printed", path))
        ),
    )
    _check_references(shape, path)
    return shape


def _shape_names(fabric: Fabric) -> dict[HostShape, str]:
    names: dict[HostShape, str] = {}
    taken: dict[str, HostShape] = {}
    for host in fabric.hosts:
        if host.shape in names:
            continue
        name, number = host.shape.name, 2
        while name in taken or (name in PRESETS and not _is_preset(name, host.shape)):
            name, number = f"{host.shape.name}#{number}", number + 1
        names[host.shape] = name
        taken[name] = host.shape
    return names


def _is_preset(name: str, shape: HostShape) -> bool:
    return name in PRESETS and PRESETS[name].shape == shape


def _host_to_mapping(host: Host, shape: str) -> dict[str, Any]:
    return {
        "name": host.name,
        "shape": shape,
        "leaves": list(host.leaves),
        "nvlinkDomain": host.nvlink_domain,
        "failed": list(host.failed),
    }


def _host_from_mapping(raw: Any, path: str, shapes: Mapping[str, HostShape]) -> Host:
    mapping = _mapping(raw, path)
    name = _text(mapping, "shape", path)
    shape = shapes.get(name) or (PRESETS[name].shape if name in PRESETS else None)
    if shape is None:
        raise FabricFormatError(f"{path}.shape", "unknown")
    failed = tuple(_whole(item, f"{path}.failed") for item in _plain(mapping, "failed", path))
    if any(gpu >= len(shape.gpus) for gpu in failed):
        raise FabricFormatError(f"{path}.failed", "range")
    leaves = tuple(str(leaf) for leaf in _plain(mapping, "leaves", path))
    return Host(_text(mapping, "name", path), shape, leaves, _optional(mapping, "nvlinkDomain", path), failed)


def _switch_from_mapping(raw: Any, path: str) -> NetworkSwitch:
    mapping = _mapping(raw, path)
    ratio = mapping.get("oversubscription", 1.0)
    if isinstance(ratio, bool) or not isinstance(ratio, (int, float)) or not 1 <= ratio <= 1000:
        raise FabricFormatError(f"{path}.oversubscription", "range")
    tier = _int(mapping, "tier", path)
    return NetworkSwitch(_text(mapping, "name", path), tier, _optional(mapping, "parent", path), float(ratio))


def _nic(mapping: Mapping[str, Any], path: str) -> Nic:
    return Nic(
        _int(mapping, "index", path),
        _kind(mapping, "link", path, *NETWORK_FAMILIES),
        _text(mapping, "bridge", path),
        str(mapping.get("device", "")),
        bool(mapping.get("carries", True)),
        str(mapping.get("name", "")),
    )


def _printed(raw: Any, path: str) -> tuple[tuple[str, str], str]:
    first, second, cell = _row(raw, 3, path)
    if not (isinstance(first, str) and isinstance(second, str) and isinstance(cell, str)):
        raise FabricFormatError(path, "type")
    return (first, second), cell


def _pair(raw: Any, path: str) -> Pair:
    first, second, links, link = _row(raw, 4, path)
    if not isinstance(link, str) or link not in LINK_KINDS or LINK_KINDS[link].family not in DEVICE_FAMILIES:
        raise FabricFormatError(path, "unknown")
    return Pair(_whole(first, path), _whole(second, path), _whole(links, path), link)


def _switched(mapping: Mapping[str, Any], path: str) -> Switched:
    gpus = tuple(_whole(item, path) for item in _plain(mapping, "gpus", path))
    links = tuple(_whole(item, path) for item in _plain(mapping, "links", path))
    if len(gpus) != len(links):
        raise FabricFormatError(f"{path}.links", "range")
    return Switched(gpus, links, _kind(mapping, "link", path, *DEVICE_FAMILIES))


def _check_references(shape: HostShape, path: str) -> None:
    nodes = {node.id for node in shape.numa}
    known: set[str] = set()
    for index, bridge in enumerate(shape.bridges):
        if bridge.numa not in nodes or (bridge.parent is not None and bridge.parent not in known):
            raise FabricFormatError(f"{path}.bridges[{index}]", "unknown")
        known.add(bridge.id)
    for device, slot in shape.device_bridges.items():
        if slot not in known:
            raise FabricFormatError(f"{path}.{device}.bridge", "unknown")
    members = [gpu for group in shape.switched for gpu in group.gpus]
    members += [gpu for pair in shape.pairs for gpu in (pair.first, pair.second)]
    if len(shape.gpus) > MAX_GPUS or any(gpu >= len(shape.gpus) for gpu in members):
        raise FabricFormatError(f"{path}.gpus", "range")


def _mapping(raw: Any, path: str) -> Mapping[str, Any]:
    if not isinstance(raw, Mapping):
        raise FabricFormatError(path, "type")
    return raw


def _list(raw: Any, path: str, limit: int) -> Sequence[Any]:
    if not isinstance(raw, list):
        raise FabricFormatError(path, "type")
    if len(raw) > limit:
        raise FabricFormatError(path, "range")
    return raw


def _plain(mapping: Mapping[str, Any], key: str, path: str) -> Sequence[Any]:
    return _list(mapping.get(key, []), f"{path}.{key}", _MOST.get(key, MAX_HOSTS))


def _items(mapping: Mapping[str, Any], key: str, path: str) -> list[tuple[str, Mapping[str, Any]]]:
    raw = _plain(mapping, key, path)
    return [(f"{path}.{key}[{index}]", _mapping(item, f"{path}.{key}[{index}]")) for index, item in enumerate(raw)]


def _row(raw: Any, length: int, path: str) -> Sequence[Any]:
    if not isinstance(raw, list) or len(raw) != length:
        raise FabricFormatError(path, "type")
    return raw


def _text(mapping: Mapping[str, Any], key: str, path: str) -> str:
    value = mapping.get(key)
    if not isinstance(value, str):
        raise FabricFormatError(f"{path}.{key}", "missing" if value is None else "type")
    return value


def _optional(mapping: Mapping[str, Any], key: str, path: str) -> str | None:
    return None if mapping.get(key) is None else _text(mapping, key, path)


def _kind(mapping: Mapping[str, Any], key: str, path: str, *families: str) -> str:
    value = _text(mapping, key, path)
    if value not in LINK_KINDS or LINK_KINDS[value].family not in families:
        raise FabricFormatError(f"{path}.{key}", "unknown")
    return value


def _int(mapping: Mapping[str, Any], key: str, path: str) -> int:
    return _whole(mapping.get(key), f"{path}.{key}")


def _whole(value: Any, path: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise FabricFormatError(path, "missing" if value is None else "type")
    if not 0 <= value < 1_000_000:
        raise FabricFormatError(path, "range")
    return value
