"""What a rule may name: the variables `pod` and `node`, their fields, and functions that suit the field.

Amounts are integers as kube-scheduler counts them: `cpu` in thousandths, everything else as it is (bytes, GPUs).
"""

from __future__ import annotations

from typing import Final

from simulator.engine.cel.compiler import Declarations, OutsideFunction
from simulator.engine.cel.values import BOOL, INT, STRING, ObjectType, Type, list_of, map_of

POD: Final = Type("Pod")
NODE: Final = Type("Node")
TAINT: Final = Type("Taint")
PLACED_POD: Final = Type("PlacedPod")
DOMAIN: Final = Type("Domain")

_TEXTS: Final = map_of(STRING, STRING)
_AMOUNTS: Final = map_of(STRING, INT)

POD_FIELDS: Final = {
    "name": STRING,
    "namespace": STRING,
    "labels": _TEXTS,
    "annotations": _TEXTS,
    "priority": INT,
    "priorityClassName": STRING,
    "requests": _AMOUNTS,
    "nodeSelector": _TEXTS,
    "podGroup": STRING,
}
NODE_FIELDS: Final = {
    "name": STRING,
    "labels": _TEXTS,
    "annotations": _TEXTS,
    "allocatable": _AMOUNTS,
    "requested": _AMOUNTS,
    "free": _AMOUNTS,
    "taints": list_of(TAINT),
    "unschedulable": BOOL,
    "podCount": INT,
}

OBJECTS: Final = {
    "Pod": ObjectType(POD, POD_FIELDS),
    "Node": ObjectType(NODE, NODE_FIELDS),
    "Taint": ObjectType(TAINT, {"key": STRING, "value": STRING, "effect": STRING}),
    "PlacedPod": ObjectType(
        PLACED_POD,
        {
            "name": STRING,
            "namespace": STRING,
            "labels": _TEXTS,
            "priority": INT,
            "podGroup": STRING,
            "gpus": INT,
        },
    ),
    "Domain": ObjectType(DOMAIN, {"name": STRING, "nodes": INT, "gpus": INT, "freeGpus": INT}),
}

FUNCTIONS: Final = {
    "gpus": (OutsideFunction(POD, 0, INT),),
    "gpuModel": (OutsideFunction(NODE, 0, STRING),),
    "gpuCount": (OutsideFunction(NODE, 0, INT),),
    "freeGpus": (OutsideFunction(NODE, 0, INT),),
    "usedGpus": (OutsideFunction(NODE, 0, INT),),
    "gpuMemoryMiB": (OutsideFunction(NODE, 0, INT),),
    "nvswitchDomain": (OutsideFunction(NODE, 0, DOMAIN),),
    "domain": (OutsideFunction(NODE, 1, DOMAIN),),
    "podsOn": (OutsideFunction(NODE, 0, list_of(PLACED_POD)),),
    "label": (OutsideFunction(NODE, 1, STRING), OutsideFunction(POD, 1, STRING)),
}
"""gpus        whole GPUs the Pod requests, of any vendor
gpuModel       the product label of the node's GPUs, "" where it has none
gpuCount       GPUs the node offers; freeGpus and usedGpus of them
gpuMemoryMiB   memory of one GPU as its label tells, 0 where unknown
nvswitchDomain the GPUs that reach each other through NVSwitch: the node's own, or those of all nodes with the same
               NVLink domain label; its name is "" where there is none
domain         all nodes with the same value of a label, such as domain(node, "topology.kubernetes.io/zone")
podsOn         the Pods on the node
label          the value of a label of the node or Pod, "" where it has none
"""

DECLARATIONS: Final = Declarations({"pod": POD, "node": NODE}, OBJECTS, FUNCTIONS)
