"""What rules know of GPUs: counts by any vendor's resource, model and memory by label, NVSwitch domains."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from simulator.engine.cluster.columns import Ints
from simulator.engine.cluster.rows import Rows
from simulator.engine.fabric.accelerators import AMD, ASCEND, NVIDIA
from simulator.engine.fabric.from_labels import DOMAIN_LABELS, PRODUCT, LabelledNode, shape_from_labels
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import PodShape

RESOURCES: Final = (NVIDIA, AMD, ASCEND)
PRODUCT_LABELS: Final = (PRODUCT, f"{AMD}.product-name", "accelerator")
MEMORY_LABEL: Final = f"{NVIDIA}.memory"


def requested_gpus(shape: PodShape) -> int:
    """Whole GPUs a Pod of this shape requests."""
    return sum(shape.requests.incoming.get(name, 0) for name in RESOURCES)


def gpu_count(node: Node) -> int:
    return sum(node.allocatable.get(name, 0) for name in RESOURCES)


def gpu_counts(rows: Rows) -> Ints:
    """(k,) GPUs each row offers."""
    total = np.zeros(len(rows), dtype=np.int64)
    for name in RESOURCES:
        total = total + rows.allocatable(name)
    return total


def used_gpus(rows: Rows) -> Ints:
    """(k,) GPUs in use on each row."""
    total = np.zeros(len(rows), dtype=np.int64)
    for name in RESOURCES:
        total = total + rows.requested(name)
    return total


def gpu_model(node: Node) -> str:
    return next((node.labels[key] for key in PRODUCT_LABELS if node.labels.get(key)), "")


def gpu_memory(node: Node) -> int:
    text = node.labels.get(MEMORY_LABEL, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def nvswitch_domain(node: Node) -> str:
    """The value of an NVLink domain label; else the node's own name where its GPUs hang on an NVSwitch; else ""."""
    for key in DOMAIN_LABELS:
        if node.labels.get(key):
            return node.labels[key]
    count = gpu_count(node)
    return node.name if count and has_nvswitch(gpu_model(node), count) else ""


@lru_cache(maxsize=256)
def has_nvswitch(product: str, count: int) -> bool:
    """Whether a machine with so many GPUs of this product has them on an NVSwitch."""
    shape = shape_from_labels(LabelledNode("", {PRODUCT: product}, count))
    return any(len(group.gpus) > 1 for group in shape.switched)
