"""`nvidia-smi nvlink --status`: the speed of each link of each GPU."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from simulator.manifests.topology import errors
from simulator.manifests.topology.errors import TopologyError
from simulator.manifests.topology.reading import TopologyWarning
from simulator.manifests.topology.text import MAX_DEVICES

_GPU: Final = re.compile(r"\s*GPU\s*(\d{1,4})\s*:")
_SPEED: Final = re.compile(r"\bLink\s*(\d{1,3})\s*:\s*(\d{1,5}(?:\.\d{1,6})?)\s*GB/s")
_LINK: Final = re.compile(r"\bLink\s*(\d{1,3})\s*:\s*(\S*)")
_NO_LINKS: Final = re.compile(r"all links are in-?active|does not have or support nvlink", re.IGNORECASE)
_INACTIVE: Final = re.compile(r"<?\s*in-?active", re.IGNORECASE)


@dataclass(slots=True)
class NvlinkStatus:
    """GB/s per direction of the active links by GPU number, in link order."""

    speeds: dict[int, tuple[float, ...]]
    warnings: list[TopologyWarning] = field(default_factory=list)


def find_nvlink_status(lines: Sequence[str]) -> NvlinkStatus | None:
    """The link table of a text, None if there is none. A link whose speed cannot be read is left out with a warning."""
    links: dict[int, dict[int, float]] = {}
    warnings: list[TopologyWarning] = []
    gpu: int | None = None
    is_status = False
    for line in lines:
        heading = _GPU.match(line)
        if heading:
            gpu = int(heading[1])
            links.setdefault(gpu, {})
        is_status = is_status or _NO_LINKS.search(line) is not None
        link = _LINK.search(line)
        if gpu is None or link is None:
            continue
        is_status = True
        speed = _SPEED.search(line)
        if speed:
            links[gpu][int(speed[1])] = float(speed[2])
        elif not _INACTIVE.match(link[2]):
            code = "unknown_cell" if link[2] and not link[2][0].isdigit() else "truncated_row"
            warnings.append(TopologyWarning(code, f"GPU {gpu}", f"Link {link[1]}"))
    if not is_status or not links:
        return None
    if len(links) > MAX_DEVICES:
        raise TopologyError(errors.TOO_MANY_DEVICES, limit=MAX_DEVICES, found=len(links))
    return NvlinkStatus(
        {gpu: tuple(by_link[key] for key in sorted(by_link)) for gpu, by_link in links.items()}, warnings
    )
