"""What a reader concludes from a topology text, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

NVIDIA_TOPO: Final = "nvidia-topo"
NPU_TOPO: Final = "npu-topo"
ROCM_TOPO: Final = "rocm-topo"
NVLINK_STATUS: Final = "nvlink-status"

WARNING_CODES: Final = (
    "truncated_row",
    "missing_row",
    "asymmetric",
    "glued_header",
    "glued_cell",
    "glued_affinity",
    "missing_affinity",
    "uneven_nvlink",
    "unknown_cell",
    "legend_damaged",
)
"""In the order in which a reading lists its warnings."""

MAX_WARNINGS: Final = 10_000


@dataclass(frozen=True, slots=True)
class TopologyWarning:
    """Something in the text that is damaged or odd; row and column are names from the text."""

    code: str
    row: str | None = None
    column: str | None = None

    def to_mapping(self) -> dict[str, str | None]:
        return {"code": self.code, "row": self.row, "column": self.column}


@dataclass(frozen=True, slots=True)
class NumaGroup:
    """GPUs with the same affinity; texts as printed, None where there is none."""

    numa: str | None
    cpu: str | None
    gpus: tuple[int, ...]

    def to_mapping(self) -> dict[str, Any]:
        return {"numa": self.numa, "cpu": self.cpu, "gpus": list(self.gpus)}


@dataclass(frozen=True, slots=True)
class NearestNic:
    """The best cell of a GPU among the NICs, and every NIC that has it."""

    link: str
    nics: tuple[str, ...]

    def to_mapping(self) -> dict[str, Any]:
        return {"link": self.link, "nics": list(self.nics)}


@dataclass(frozen=True, slots=True)
class RocmTables:
    """The square tables of rocm-smi (None where the text has none); -1 in the NUMA lists is "unknown"."""

    weight: tuple[tuple[int | None, ...], ...] | None = None
    hops: tuple[tuple[int | None, ...], ...] | None = None
    type: tuple[tuple[str | None, ...], ...] | None = None
    numa: tuple[int | None, ...] | None = None
    numa_affinity: tuple[int | None, ...] | None = None

    def to_mapping(self) -> dict[str, Any]:
        return {
            "weight": _as_lists(self.weight),
            "hops": _as_lists(self.hops),
            "type": _as_lists(self.type),
            "numa": None if self.numa is None else list(self.numa),
            "numa_affinity": None if self.numa_affinity is None else list(self.numa_affinity),
        }


def _as_lists(table: Sequence[Sequence[Any]] | None) -> list[list[Any]] | None:
    return None if table is None else [list(row) for row in table]


@dataclass(frozen=True, slots=True)
class Reading:
    """One text, read. GPUs are numbered by their column; `links` holds every pair i < j, the cell None if unknown.

    `cells` and `names` keep the whole device matrix (NICs included) for what is built from it; both are empty for
    the kinds that have none. They are not part of the exported mapping.
    """

    kind: str
    gpus: int
    nics: int = 0
    links: tuple[tuple[int, int, str | None], ...] = ()
    nvlink_islands: tuple[tuple[int, ...], ...] = ()
    numa: tuple[NumaGroup, ...] = ()
    nearest_nic: dict[int, NearestNic] = field(default_factory=dict)
    gpu_numa_id: tuple[str | None, ...] | None = None
    nic_names: dict[str, str] = field(default_factory=dict)
    rocm: RocmTables | None = None
    nvlink_status: dict[int, tuple[float, ...]] | None = None
    warnings: tuple[TopologyWarning, ...] = ()
    names: tuple[str, ...] = ()
    cells: tuple[tuple[str | None, ...], ...] = ()

    def to_mapping(self, file: str | None = None) -> dict[str, Any]:
        """The exported form: plain lists, numbers and texts under fixed names."""
        return {
            "file": file,
            "kind": self.kind,
            "gpus": self.gpus,
            "nics": self.nics,
            "links": [list(link) for link in self.links],
            "nvlink_islands": [list(island) for island in self.nvlink_islands],
            "numa": [group.to_mapping() for group in self.numa],
            "nearest_nic": {str(gpu): nearest.to_mapping() for gpu, nearest in self.nearest_nic.items()},
            "gpu_numa_id": None if self.gpu_numa_id is None else list(self.gpu_numa_id),
            "nic_names": dict(self.nic_names),
            "rocm": None if self.rocm is None else self.rocm.to_mapping(),
            "nvlink_status": None
            if self.nvlink_status is None
            else {str(gpu): list(speeds) for gpu, speeds in self.nvlink_status.items()},
            "warnings": [warning.to_mapping() for warning in self.warnings],
        }


def in_order(warnings: Sequence[TopologyWarning]) -> tuple[TopologyWarning, ...]:
    """Warnings without repetition, by code in the order of WARNING_CODES, then as found; at most MAX_WARNINGS."""
    unique = dict.fromkeys(warnings)
    return tuple(sorted(unique, key=lambda warning: WARNING_CODES.index(warning.code)))[:MAX_WARNINGS]
