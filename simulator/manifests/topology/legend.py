"""The "NIC Legend" below a matrix: best effort, a terminal redraw often damages it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from simulator.manifests.topology.reading import TopologyWarning

_TITLE: Final = re.compile(r"NIC\s+Legend", re.IGNORECASE)
_ENTRY: Final = re.compile(r"\s*(NIC\d+)\s*:\s*(.*)")
_DEVICE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.\-]*\d[A-Za-z0-9_.\-]*")
_FENCE: Final = "`'\" \t,;"


def read_legend(lines: Sequence[str], nics: Sequence[str]) -> tuple[dict[str, str], list[TopologyWarning]]:
    """Device names by NIC column, and a warning for each NIC whose entry is absent or no device name.

    Both are empty without a legend. An entry printed twice counts if exactly one device name is left.
    """
    starts = [index for index, line in enumerate(lines) if _TITLE.search(line)]
    if not starts:
        return {}, []
    found: dict[str, list[str]] = {}
    for line in lines[starts[0] + 1 :]:
        match = _ENTRY.match(line)
        if match is None:
            continue
        device = match[2].strip(_FENCE)
        names = found.setdefault(match[1], [])
        if _DEVICE.fullmatch(device) and device not in names:
            names.append(device)
    legend = {nic: found[nic][0] for nic in nics if len(found.get(nic, ())) == 1}
    damaged = [TopologyWarning("legend_damaged", nic) for nic in nics if nic.startswith("NIC") and nic not in legend]
    return legend, damaged
