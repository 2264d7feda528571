"""Machines written for the tests, as matrices in the layouts that the tools print."""

from __future__ import annotations

from simulator.manifests.topology.writer import write_topology

Affinity = dict[str, tuple[str | None, str | None, str | None]]


def nvswitch_box(gpus: int = 8, links: int = 18) -> tuple[list[str], list[list[str]], Affinity]:
    """GPUs on one NVSwitch, one NIC next to each, two NUMA nodes."""
    names = [f"GPU{index}" for index in range(gpus)] + [f"NIC{index}" for index in range(gpus)]
    cells = [[_nvswitch_cell(row, column, gpus, links) for column in range(2 * gpus)] for row in range(2 * gpus)]
    affinity: Affinity = {
        f"GPU{index}": ("0-31,64-95", "0", None) if index < gpus // 2 else ("32-63,96-127", "1", None)
        for index in range(gpus)
    }
    return names, cells, affinity


def _nvswitch_cell(row: int, column: int, gpus: int, links: int) -> str:
    if row == column:
        return "X"
    if row < gpus and column < gpus:
        return f"NV{links}"
    left, right = row % gpus, column % gpus
    if left == right:
        return "PIX"
    return "NODE" if (left < gpus // 2) == (right < gpus // 2) else "SYS"


def nvswitch_text(gpus: int = 8, links: int = 18) -> str:
    names, cells, affinity = nvswitch_box(gpus, links)
    return write_topology(names, cells, affinity, {f"NIC{index}": f"mlx5_{index}" for index in range(gpus)})


BRIDGED = """\
        GPU0    GPU1    GPU2    GPU3    NIC0    CPU Affinity    NUMA Affinity   GPU NUMA ID
GPU0     X      NV4     NODE    NODE    NODE    0-15,32-47      0               N/A
GPU1    NV4      X      NODE    NODE    NODE    0-15,32-47      0               N/A
GPU2    NODE    NODE     X      NV4     SYS     16-31,48-63     1               N/A
GPU3    NODE    NODE    NV4      X      SYS     16-31,48-63     1               N/A
NIC0    NODE    NODE    SYS     SYS      X

NIC Legend:

  NIC0: mlx5_0
"""

CUBE = """\
GPU0  GPU1  GPU2  GPU3  CPU Affinity
GPU0   X    NV1   NV2   SOC   0-9
GPU1  NV1    X    SOC   NV2   0-9
GPU2  NV2   SOC    X    NV1   10-19
GPU3  SOC   NV2   NV1    X    10-19
"""

NPUS = """\
           NPU0       NPU1       NPU2       NPU3       CPU Affinity
NPU0       X          HCCS       PIX        SYS        24-47
NPU1       HCCS       X          SYS        PXB        0-23
NPU2       PIX        SYS        X          HCCS       24-47
NPU3       SYS        PXB        HCCS       X          0-23

Legend:

  X    = Self
"""

ROCM = """\
=================== ROCm System Management Interface ===================
======================== Weight between two GPUs =======================
       GPU0         GPU1         GPU2
GPU0   0            15           52
GPU1   15           0            52
GPU2   52           52           0

========================= Hops between two GPUs ========================
       GPU0         GPU1         GPU2
GPU0   0            1            3
GPU1   1            0            3
GPU2   3            3            0

====================== Link Type between two GPUs ======================
       GPU0         GPU1         GPU2
GPU0   0            XGMI         PCIE
GPU1   XGMI         0            PCIE
GPU2   PCIE         PCIE         0

============================== Numa Nodes ==============================
GPU[0]\t\t: (Topology) Numa Node: 0
GPU[0]\t\t: (Topology) Numa Affinity: 0
GPU[1]\t\t: (Topology) Numa Node: 0
GPU[1]\t\t: (Topology) Numa Affinity: 0
GPU[2]\t\t: (Topology) Numa Node: -1
GPU[2]\t\t: (Topology) Numa Affinity: -1
========================= End of ROCm SMI Log ==========================
"""

NVLINK_STATUS = """\
GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-0)
\t Link 0: 26.562 GB/s
\t Link 1: <inactive>
\t Link 2: 26.562 GB/s
GPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-1)
NVML: Unable to retrieve NVLink information as all links are inActive
"""

ALL_TEXTS = {
    "nvswitch": nvswitch_text(),
    "bridged": BRIDGED,
    "cube": CUBE,
    "npus": NPUS,
    "rocm": ROCM,
    "nvlink-status": NVLINK_STATUS,
}
