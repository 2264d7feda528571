"""Reads a topology text of any known kind into one Reading."""

from __future__ import annotations

from dataclasses import replace

from simulator.manifests.topology import errors
from simulator.manifests.topology.conclusions import conclude
from simulator.manifests.topology.errors import TopologyError
from simulator.manifests.topology.matrix import find_matrix
from simulator.manifests.topology.nvlink import NvlinkStatus, find_nvlink_status
from simulator.manifests.topology.reading import NVLINK_STATUS, Reading, in_order
from simulator.manifests.topology.rocm import find_rocm
from simulator.manifests.topology.text import clean_lines, decode, first_written_line


def read_topology(source: str | bytes) -> Reading:
    """Read `nvidia-smi topo -m`, `npu-smi info -t topo`, `rocm-smi --showtopo` or `nvidia-smi nvlink --status`.

    Damaged text gives what can be known, with warnings. A device matrix and a link status in one text give one
    reading of the matrix with the links' speeds. Raises TopologyError if no kind is recognised or a limit is passed.
    """
    lines = clean_lines(decode(source) if isinstance(source, bytes) else source)
    links = find_nvlink_status(lines)
    rocm = find_rocm(lines)
    if rocm is not None:
        return rocm
    matrix = find_matrix(lines)
    if matrix is not None:
        return _with_speeds(conclude(matrix, lines), links)
    if links is not None:
        return _with_speeds(Reading(NVLINK_STATUS, gpus=len(links.speeds)), links)
    number, text = first_written_line(lines)
    raise TopologyError(errors.UNRECOGNISED, line=number, text=text)


def _with_speeds(reading: Reading, links: NvlinkStatus | None) -> Reading:
    if links is None:
        return reading
    return replace(reading, nvlink_status=links.speeds, warnings=in_order([*reading.warnings, *links.warnings]))
