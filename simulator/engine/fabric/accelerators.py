"""GPU and NPU models: dense bf16/fp16 rate, memory, links, labels.

Rates are dense (data sheets often print the figure with sparsity, twice as high); memory in MiB is what NVML and
gpu-feature-discovery report, which is less than the marketing GB.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

NVIDIA: Final = "nvidia.com/gpu"
AMD: Final = "amd.com/gpu"
ASCEND: Final = "huawei.com/Ascend910"

_KNOWN: Final = "general knowledge, no source"


class Chip(NamedTuple):
    """What models with the same chip share: link kind, PCIe generation, family and compute capability labels."""

    resource: str
    link: str
    pcie: str
    family: str
    compute: str


@dataclass(frozen=True, slots=True)
class Accelerator:
    """One model. `product` is the label value of its vendor's labeller; `links` of kind `chip.link` is its NVLink
    (XGMI, HCCS) budget, 0 without; `mig` names its table in `mig.MIG_TABLES`, "" without MIG; `tflops` is dense.
    """

    id: str
    product: str
    chip: Chip
    tflops: float
    memory_mib: int
    links: int
    mig: str
    source: str

    @property
    def peak_flops(self) -> float:
        """Dense bf16 or fp16 operations per second."""
        return self.tflops * 1e12

    @property
    def resource(self) -> str:
        """The extended resource its device plugin advertises."""
        return self.chip.resource


_GP100: Final = Chip(NVIDIA, "nvlink-1", "pcie-3", "pascal", "6.0")
_GV100: Final = Chip(NVIDIA, "nvlink-2", "pcie-3", "volta", "7.0")
_TU104: Final = Chip(NVIDIA, "", "pcie-3", "turing", "7.5")
_GA100: Final = Chip(NVIDIA, "nvlink-3", "pcie-4", "ampere", "8.0")
_GA102: Final = Chip(NVIDIA, "nvlink-3-ga102", "pcie-4", "ampere", "8.6")
_AD102: Final = Chip(NVIDIA, "", "pcie-4", "ada-lovelace", "8.9")
_GH100: Final = Chip(NVIDIA, "nvlink-4", "pcie-5", "hopper", "9.0")
_GB100: Final = Chip(NVIDIA, "nvlink-5", "pcie-5", "blackwell", "10.0")
_MI250: Final = Chip(AMD, "xgmi-mi250", "pcie-4", "AI", "gfx90a")
_MI300: Final = Chip(AMD, "xgmi-mi300", "pcie-5", "AI", "gfx942")
_ASCEND: Final = Chip(ASCEND, "hccs", "pcie-4", "Ascend910", "")

_SHEETS: Final = "torchtitan; Lightning throughput.py"
_NOTES: Final = "arthurchiao GPU notes"


def _models(*rows: tuple[str, str, Chip, float, int, int, str, str]) -> dict[str, Accelerator]:
    return {row[0]: Accelerator(*row) for row in rows}


ACCELERATORS: Final = _models(
    ("p100-sxm2", "Tesla-P100-SXM2-16GB", _GP100, 21.2, 16384, 4, "", _KNOWN),
    ("v100-sxm2-16gb", "Tesla-V100-SXM2-16GB", _GV100, 125, 16384, 6, "", "Lightning throughput.py"),
    ("v100-sxm2-32gb", "Tesla-V100-SXM2-32GB", _GV100, 125, 32768, 6, "", "Lightning throughput.py"),
    ("v100-pcie-32gb", "Tesla-V100-PCIE-32GB", _GV100, 112, 32768, 0, "", "Lightning throughput.py"),
    ("t4", "Tesla-T4", _TU104, 65, 15360, 0, "", "Lightning throughput.py"),
    ("a10", "NVIDIA-A10", _GA102, 125, 23028, 0, "", _NOTES),
    ("a30", "NVIDIA-A30", _GA100, 165, 24576, 4, "a30-24gb", _NOTES),
    ("a40", "NVIDIA-A40", _GA102, 150, 46068, 4, "", _KNOWN),
    ("rtx-a6000", "NVIDIA-RTX-A6000", _GA102, 155, 46068, 4, "", _KNOWN),
    ("a100-40gb", "NVIDIA-A100-SXM4-40GB", _GA100, 312, 40960, 12, "a100-40gb", _SHEETS),
    ("a100-80gb", "NVIDIA-A100-SXM4-80GB", _GA100, 312, 81920, 12, "a100-80gb", _SHEETS),
    ("a100-pcie-40gb", "NVIDIA-A100-PCIE-40GB", _GA100, 312, 40960, 12, "a100-40gb", _SHEETS),
    ("a100-pcie-80gb", "NVIDIA-A100-80GB-PCIe", _GA100, 312, 81920, 12, "a100-80gb", _SHEETS),
    ("a800-80gb", "NVIDIA-A800-SXM4-80GB", _GA100, 312, 81920, 8, "a100-80gb", f"{_NOTES}; same chip as A100"),
    ("h100-80gb", "NVIDIA-H100-80GB-HBM3", _GH100, 989, 81559, 18, "h100-80gb", "torchtitan"),
    ("h100-pcie", "NVIDIA-H100-PCIe", _GH100, 756, 81559, 12, "h100-80gb", "torchtitan"),
    ("h100-nvl", "NVIDIA-H100-NVL", _GH100, 835, 95830, 12, "h100-94gb", "torchtitan"),
    ("h800-80gb", "NVIDIA-H800", _GH100, 989, 81559, 8, "h100-80gb", f"{_NOTES}; same chip as H100"),
    ("h20-96gb", "NVIDIA-H20", _GH100, 148, 97871, 18, "h20-96gb", _NOTES),
    ("h200-141gb", "NVIDIA-H200", _GH100, 989, 143771, 18, "h200-141gb", "torchtitan; ml-engineering"),
    ("b200-180gb", "NVIDIA-B200", _GB100, 2250, 183359, 18, "b200-180gb", "torchtitan; ml-engineering"),
    ("gb200-186gb", "NVIDIA-GB200", _GB100, 2500, 189471, 18, "gb200-186gb", "torchtitan; ml-engineering"),
    ("l4", "NVIDIA-L4", _AD102, 121, 23034, 0, "", f"{_NOTES} (the sheet's 242 is with sparsity)"),
    ("l20", "NVIDIA-L20", _AD102, 119, 49140, 0, "", _NOTES),
    ("l40", "NVIDIA-L40", _AD102, 181, 46068, 0, "", _KNOWN),
    ("l40s", "NVIDIA-L40S", _AD102, 362, 46068, 0, "", "torchtitan"),
    ("rtx-4090", "NVIDIA-GeForce-RTX-4090", _AD102, 165, 24564, 0, "", "Ada white paper (fp32 accumulate)"),
    ("mi250x", "AMD_Instinct_MI250X_OAM", _MI250, 191.5, 65536, 7, "", "ml-engineering (one of two dies)"),
    ("mi300x", "AMD_Instinct_MI300X_OAM", _MI300, 1307, 196608, 7, "", "ml-engineering; ROCm"),
    ("ascend-910b", "Ascend910B", _ASCEND, 320, 65536, 7, "", f"{_NOTES} (variants differ)"),
)
"""Every model by its id."""

UNKNOWN: Final = Accelerator("unknown", "NVIDIA-Graphics-Device", _GA100, 100, 16384, 0, "", _KNOWN)
"""Stands in for a product that is not listed (masked and new names occur); its rate is a placeholder."""

_OTHER_PRODUCTS: Final = {
    "A100-SXM4-40GB": "a100-40gb",
    "A100-SXM4-80GB": "a100-80gb",
    "A100-PCIE-40GB": "a100-pcie-40gb",
    "NVIDIA-A800-80GB-PCIe": "a800-80gb",
    "NVIDIA-A10G": "a10",
    "NVIDIA-H20-3e": "h20-96gb",
    "Tesla-V100-SXM2-16GB-N": "v100-sxm2-16gb",
}
"""Label values of old drivers and close variants, with the model that stands for them."""


def accelerator(name: str) -> Accelerator:
    """The model with this id, UNKNOWN for any other text."""
    return ACCELERATORS.get(name, UNKNOWN)


def accelerator_of_product(product: str) -> Accelerator:
    """The model of a product label, also of a shared (`-SHARED`) or MIG (`-MIG-1g.10gb`) one; UNKNOWN otherwise."""
    plain = product.partition("-MIG-")[0].removesuffix("-SHARED")
    if plain in _OTHER_PRODUCTS:
        return ACCELERATORS[_OTHER_PRODUCTS[plain]]
    return next((model for model in ACCELERATORS.values() if model.product == plain), UNKNOWN)


_GKE_NAMES: Final = {
    "nvidia-tesla-t4": "t4",
    "nvidia-tesla-v100": "v100-sxm2-16gb",
    "nvidia-tesla-a100": "a100-40gb",
    "nvidia-a100-80gb": "a100-80gb",
    "nvidia-h100-80gb": "h100-80gb",
    "nvidia-h100-mega-80gb": "h100-80gb",
    "nvidia-h200-141gb": "h200-141gb",
    "nvidia-b200": "b200-180gb",
    "nvidia-l4": "l4",
}
"""Values of the label `cloud.google.com/gke-accelerator`."""


def accelerator_of_name(name: str) -> Accelerator:
    """The model of any name that is in use: our id, a product label, GKE's accelerator name; UNKNOWN otherwise."""
    if name in ACCELERATORS:
        return ACCELERATORS[name]
    return ACCELERATORS[_GKE_NAMES[name]] if name in _GKE_NAMES else accelerator_of_product(name)
