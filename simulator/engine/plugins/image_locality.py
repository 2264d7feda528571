"""ImageLocality: prefer nodes that already have the Pod's images.

Decides: Score by the bytes of the images present, each scaled down by the share of nodes that have it.
Kubernetes counterpart: kube-scheduler 1.36 ImageLocality, weight 1.
Simplified here: nothing.
Reads: node images, number of nodes, pod images. Writes: nothing. Wakes on: nothing.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from simulator.engine.cluster.rows import Rows
from simulator.engine.framework.facts import Formula
from simulator.engine.framework.plugin import CycleState, Reads, ScorePlugin
from simulator.engine.framework.status import Scores
from simulator.engine.objects.pod import Pod, PodShape

_MB = 1024 * 1024
MIN_THRESHOLD = 23 * _MB
MAX_CONTAINER_THRESHOLD = 1000 * _MB


class ImageLocality(ScorePlugin):
    name = "ImageLocality"
    score_reads = Reads.NODE

    def score_key(self, shape: PodShape) -> Hashable:
        return images_of(shape)

    def score(self, state: CycleState, pod: Pod, rows: Rows) -> Scores:
        images, containers = images_of(pod.shape)
        states, total = rows.cluster.images, len(rows.cluster)
        scores = np.zeros(len(rows), dtype=np.int64)
        if states.is_empty or rows.bare:
            return scores
        for position, node in enumerate(rows.nodes):
            present = states.of(node.name)
            found = (present[image] for image in images if image in present)
            sizes = sum(int(size * (nodes / total)) for size, nodes in found)
            scores[position] = locality(sizes, containers)
        return scores

    def score_facts(self, state: CycleState, pod: Pod, rows: Rows, position: int) -> Formula:
        images, containers = images_of(pod.shape)
        total = len(rows.cluster)
        node = rows.cluster.nodes.objects[int(rows.ids[position])]
        present = {} if rows.bare else rows.cluster.images.of(node.name)
        parts: list[dict[str, Any]] = []
        for image in images:
            size, nodes = present.get(image, (0, 0))
            parts.append({"image": image, "size": size, "nodes": nodes, "counted": int(size * (nodes / total))})
        largest = MAX_CONTAINER_THRESHOLD * containers
        counted = sum(part["counted"] for part in parts)
        return Formula.of(
            "image_locality.score",
            locality(counted, containers),
            images=parts,
            all_nodes=total,
            containers=containers,
            counted=counted,
            smallest=MIN_THRESHOLD,
            largest=largest,
            used=min(max(counted, MIN_THRESHOLD), largest),
        )


def locality(size: int, containers: int) -> int:
    """The score for `size` weighted bytes present."""
    largest = MAX_CONTAINER_THRESHOLD * containers
    size = min(max(size, MIN_THRESHOLD), largest)
    return 100 * (size - MIN_THRESHOLD) // (largest - MIN_THRESHOLD)


def images_of(shape: PodShape) -> tuple[tuple[str, ...], int]:
    """Normalized image names of init containers, containers and image volumes; and the number of containers of both
    kinds."""
    spec = shape.spec
    containers = [*(spec.get("initContainers") or ()), *(spec.get("containers") or ())]
    names = [container.get("image") or "" for container in containers]
    names += [volume["image"].get("reference") or "" for volume in shape.volumes if volume.get("image")]
    return tuple(normalized(name) for name in names), len(containers)


def normalized(name: str) -> str:
    """`name` with the tag `:latest` where it has none."""
    return f"{name}:latest" if name.rfind(":") <= name.rfind("/") else name
