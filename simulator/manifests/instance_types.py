"""What the cloud machines that often stand in GPU clusters have, by `node.kubernetes.io/instance-type`.

Sizes are those the vendors publish: virtual CPUs, memory in GiB, GPUs and their model (as GFD names it).
"""

from __future__ import annotations

from typing import Final, NamedTuple

INSTANCE_TYPE_LABELS: Final = ("node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type")


class InstanceType(NamedTuple):
    """Size of a machine."""

    cpus: int
    memory_gib: int
    gpus: int
    model: str


_T4 = "Tesla-T4"
_A10G = "NVIDIA-A10G"
_L4 = "NVIDIA-L4"
_V100 = "Tesla-V100-SXM2-16GB"
_A100_40 = "NVIDIA-A100-SXM4-40GB"
_A100_80 = "NVIDIA-A100-SXM4-80GB"
_A100_PCIE_80 = "NVIDIA-A100-80GB-PCIe"
_H100 = "NVIDIA-H100-80GB-HBM3"
_H200 = "NVIDIA-H200"

INSTANCE_TYPES: Final = {
    "g4dn.xlarge": InstanceType(4, 16, 1, _T4),
    "g4dn.2xlarge": InstanceType(8, 32, 1, _T4),
    "g4dn.12xlarge": InstanceType(48, 192, 4, _T4),
    "g4dn.metal": InstanceType(96, 384, 8, _T4),
    "g5.xlarge": InstanceType(4, 16, 1, _A10G),
    "g5.2xlarge": InstanceType(8, 32, 1, _A10G),
    "g5.4xlarge": InstanceType(16, 64, 1, _A10G),
    "g5.12xlarge": InstanceType(48, 192, 4, _A10G),
    "g5.48xlarge": InstanceType(192, 768, 8, _A10G),
    "g6.xlarge": InstanceType(4, 16, 1, _L4),
    "g6.48xlarge": InstanceType(192, 768, 8, _L4),
    "p3.2xlarge": InstanceType(8, 61, 1, _V100),
    "p3.8xlarge": InstanceType(32, 244, 4, _V100),
    "p3.16xlarge": InstanceType(64, 488, 8, _V100),
    "p4d.24xlarge": InstanceType(96, 1152, 8, _A100_40),
    "p4de.24xlarge": InstanceType(96, 1152, 8, _A100_80),
    "p5.48xlarge": InstanceType(192, 2048, 8, _H100),
    "p5e.48xlarge": InstanceType(192, 2048, 8, _H200),
    "a2-highgpu-1g": InstanceType(12, 85, 1, _A100_40),
    "a2-highgpu-2g": InstanceType(24, 170, 2, _A100_40),
    "a2-highgpu-4g": InstanceType(48, 340, 4, _A100_40),
    "a2-highgpu-8g": InstanceType(96, 680, 8, _A100_40),
    "a2-ultragpu-8g": InstanceType(96, 1360, 8, _A100_80),
    "a3-highgpu-8g": InstanceType(208, 1872, 8, _H100),
    "a3-megagpu-8g": InstanceType(208, 1872, 8, _H100),
    "g2-standard-4": InstanceType(4, 16, 1, _L4),
    "g2-standard-8": InstanceType(8, 32, 1, _L4),
    "Standard_NC4as_T4_v3": InstanceType(4, 28, 1, _T4),
    "Standard_NC24ads_A100_v4": InstanceType(24, 220, 1, _A100_PCIE_80),
    "Standard_NC48ads_A100_v4": InstanceType(48, 440, 2, _A100_PCIE_80),
    "Standard_NC96ads_A100_v4": InstanceType(96, 880, 4, _A100_PCIE_80),
    "Standard_ND96asr_v4": InstanceType(96, 900, 8, _A100_40),
    "Standard_ND96amsr_A100_v4": InstanceType(96, 1900, 8, _A100_80),
    "Standard_ND96isr_H100_v5": InstanceType(96, 1900, 8, _H100),
}
