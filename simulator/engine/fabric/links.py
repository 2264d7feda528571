"""Kinds of links with their figures: nominal and achievable bandwidth per direction, latency, sources.

Nominal and achievable figures: NVIDIA/nccl src/graph/topo.h and tuning.cc, ml-engineering network/README,
vendors' data sheets. "effective" is what one link carries of a large collective.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from simulator.engine.fabric.bandwidth import Bandwidth

ML_ENGINEERING: Final = "ml-engineering network/README"
NCCL_TOPO: Final = "NCCL src/graph/topo.h"
NCCL_TUNING: Final = "NCCL src/graph/tuning.cc"
DATA_SHEET: Final = "vendor data sheet"
ASSUMED: Final = "general knowledge, no source"

NVLINK: Final = "nvlink"
XGMI: Final = "xgmi"
HCCS: Final = "hccs"
UB: Final = "ub"
PCIE: Final = "pcie"
INFINIBAND: Final = "infiniband"
ROCE: Final = "roce"
ETHERNET: Final = "ethernet"
CPU_LINK: Final = "cpu-link"
ON_CHIP: Final = "on-chip"

DEVICE_FAMILIES: Final = (NVLINK, XGMI, HCCS, UB)
NETWORK_FAMILIES: Final = (INFINIBAND, ROCE, ETHERNET)
ALL_FAMILIES: Final = (*DEVICE_FAMILIES, PCIE, *NETWORK_FAMILIES, CPU_LINK, ON_CHIP)


@dataclass(frozen=True, slots=True)
class LinkKind:
    """One kind of link. Bandwidths are GB/s per direction of one link (a x16 slot, one NVLink, one port).

    `latency` is microseconds for one step of a collective over it.
    """

    id: str
    family: str
    nominal: Bandwidth
    effective: Bandwidth
    latency: float
    source: str


def _kinds(*rows: tuple[str, str, float, float, float, str]) -> dict[str, LinkKind]:
    return {
        name: LinkKind(name, family, Bandwidth(nominal), Bandwidth(effective), latency, source)
        for name, family, nominal, effective, latency, source in rows
    }


LINK_KINDS: Final = _kinds(
    ("nvlink-1", NVLINK, 20.0, 18.0, 0.6, f"{ML_ENGINEERING}; {NCCL_TOPO} (sm60)"),
    ("nvlink-2", NVLINK, 25.0, 20.0, 0.6, f"{ML_ENGINEERING}; {NCCL_TOPO} (sm70)"),
    ("nvlink-3", NVLINK, 25.0, 20.0, 0.6, f"{ML_ENGINEERING}; {NCCL_TOPO} (sm80)"),
    ("nvlink-3-ga102", NVLINK, 14.0625, 12.0, 0.6, f"nvidia-smi nvlink -s; {NCCL_TOPO} (sm86)"),
    ("nvlink-4", NVLINK, 25.0, 20.6, 0.6, f"{ML_ENGINEERING}; {NCCL_TOPO} (sm90)"),
    ("nvlink-5", NVLINK, 50.0, 40.1, 0.6, f"{ML_ENGINEERING}; {NCCL_TOPO} (sm100)"),
    ("xgmi-mi100", XGMI, 46.0, 32.0, 0.6, ASSUMED),
    ("xgmi-mi250", XGMI, 50.0, 35.0, 0.6, f"{ML_ENGINEERING}; effective {ASSUMED}"),
    ("xgmi-mi300", XGMI, 64.0, 313 / 7, 0.6, f"{ML_ENGINEERING}; effective from 313 GB/s measured over 7 links"),
    ("hccs", HCCS, 56.0, 40.0, 0.6, f"arthurchiao GPU data sheet (392 = 7 x 56); effective {ASSUMED}"),
    ("ub", UB, 392.0, 350.0, 1.0, f"CloudMatrix384 paper; effective {ASSUMED}"),
    ("pcie-3", PCIE, 15.75, 12.0, 1.0, f"open-mpi/hwloc PR 406; {NCCL_TOPO}"),
    ("pcie-4", PCIE, 31.0, 24.0, 1.0, f"{ML_ENGINEERING}; nccl-tests issue 307"),
    ("pcie-5", PCIE, 63.0, 48.0, 1.0, f"{ML_ENGINEERING}; effective = twice PCIe 4, {ASSUMED}"),
    ("ib-edr", INFINIBAND, 12.5, 12.5, 2.7, f"{ML_ENGINEERING}; {NCCL_TUNING}"),
    ("ib-hdr", INFINIBAND, 25.0, 25.0, 2.7, f"{ML_ENGINEERING}; {NCCL_TUNING}"),
    ("ib-ndr", INFINIBAND, 50.0, 50.0, 2.7, f"{ML_ENGINEERING}; {NCCL_TUNING}"),
    ("ib-xdr", INFINIBAND, 100.0, 100.0, 2.7, f"{ML_ENGINEERING}; {NCCL_TUNING}"),
    ("roce-100", ROCE, 12.5, 12.5, 2.7, "same rate as InfiniBand"),
    ("roce-200", ROCE, 25.0, 25.0, 2.7, "same rate as InfiniBand"),
    ("roce-400", ROCE, 50.0, 50.0, 2.7, "same rate as InfiniBand"),
    ("ethernet-10", ETHERNET, 1.25, 1.25, 14.0, f"unit conversion; {NCCL_TUNING} (Simple)"),
    ("ethernet-25", ETHERNET, 3.125, 3.125, 14.0, f"unit conversion; {NCCL_TUNING} (Simple)"),
    ("ethernet-100", ETHERNET, 12.5, 12.5, 14.0, f"unit conversion; {NCCL_TUNING} (Simple)"),
    ("efa-100", ETHERNET, 12.5, 12.5, 14.0, "AWS EFA v1, 100 Gb/s"),
    ("cpu-skylake", CPU_LINK, 10.0, 10.0, 1.0, NCCL_TOPO),
    ("cpu-sapphire-rapids", CPU_LINK, 22.0, 22.0, 1.0, NCCL_TOPO),
    ("cpu-emerald-rapids", CPU_LINK, 40.0, 40.0, 1.0, NCCL_TOPO),
    ("cpu-amd", CPU_LINK, 16.0, 16.0, 1.0, NCCL_TOPO),
    ("cpu-power9", CPU_LINK, 32.0, 32.0, 1.0, NCCL_TOPO),
    ("cpu-arm", CPU_LINK, 6.0, 6.0, 1.0, NCCL_TOPO),
    ("cpu-grace", CPU_LINK, 100.0, 100.0, 1.0, ASSUMED),
    ("cpu-internal", ON_CHIP, 100.0, 100.0, 0.2, ASSUMED),
)
"""Every kind of link by its id."""

HOST_BRIDGE_EFFECTIVE: Final = {"pcie-3": 6.0, "pcie-4": 24.0, "pcie-5": 48.0}
"""GB/s per direction between two devices through a CPU's host bridge (nccl issue 766, nccl-tests issue 307)."""

RDMA_SHARE: Final = 0.95
TCP_SHARE: Final = 0.6
"""Share of the cards' line rate that a collective gets (fits seven published RDMA figures; EFA v1 and TCP get less)."""


def link_kind(name: str) -> LinkKind:
    """The kind with this id; raises KeyError."""
    return LINK_KINDS[name]


def network_share(kind: LinkKind) -> float:
    """Share of a card's line rate that a collective gets: 0.95 with RDMA, 0.6 over TCP and EFA v1."""
    return TCP_SHARE if kind.family == ETHERNET else RDMA_SHARE
