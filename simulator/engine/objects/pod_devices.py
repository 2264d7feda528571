"""What the kubelet wrote down on a Pod: the devices it gave it, and CPU and memory by NUMA node.

`gpuschedlab.io/gpus` has device ids; `gpuschedlab.io/numa` is there where a Topology Manager policy counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final

from simulator.engine.objects.pod import Pod
from simulator.engine.objects.requests import Amounts

DEVICES: Final = "gpuschedlab.io/gpus"
NUMA: Final = "gpuschedlab.io/numa"
_DEVICE: Final = re.compile(r"[0-9]{1,4}(?::|$)")


def devices_held(pod: Pod) -> tuple[str, ...]:
    """Ids of the devices a Pod was given; what is no id is left out."""
    ids = pod.annotations.get(DEVICES, "").split(",")
    return tuple(device for device in ids if _DEVICE.match(device))


def numa_held(pod: Pod) -> dict[int, Amounts]:
    """CPU and memory of a Pod by NUMA node; {} for what cannot be read."""
    try:
        raw = json.loads(pod.annotations.get(NUMA, "{}"))
        return {int(zone): {str(name): int(value) for name, value in amounts.items()} for zone, amounts in raw.items()}
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError):
        return {}


def numa_text(taken: Mapping[int, Amounts]) -> str:
    """The annotation's value."""
    return json.dumps({str(zone): dict(taken[zone]) for zone in sorted(taken)}, sort_keys=True)
