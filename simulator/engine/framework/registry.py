"""All plugins by name. A list, so that what exists can be read in one place."""

from __future__ import annotations

from collections.abc import Mapping

from simulator.engine.framework.plugin import Plugin
from simulator.engine.plugins.default_binder import DefaultBinder
from simulator.engine.plugins.default_preemption import DefaultPreemption
from simulator.engine.plugins.dynamic_resources import DynamicResources
from simulator.engine.plugins.gang_scheduling import GangScheduling
from simulator.engine.plugins.gpu_fabric_score import GPUFabricScore
from simulator.engine.plugins.image_locality import ImageLocality
from simulator.engine.plugins.inter_pod_affinity import InterPodAffinity
from simulator.engine.plugins.node_affinity import NodeAffinity
from simulator.engine.plugins.node_declared_features import NodeDeclaredFeatures
from simulator.engine.plugins.node_name import NodeName
from simulator.engine.plugins.node_ports import NodePorts
from simulator.engine.plugins.node_resource_topology_match import NodeResourceTopologyMatch
from simulator.engine.plugins.node_resources_balanced_allocation import NodeResourcesBalancedAllocation
from simulator.engine.plugins.node_resources_fit import NodeResourcesFit
from simulator.engine.plugins.node_unschedulable import NodeUnschedulable
from simulator.engine.plugins.node_volume_limits import NodeVolumeLimits
from simulator.engine.plugins.pod_group_pods_count import PodGroupPodsCount
from simulator.engine.plugins.pod_topology_spread import PodTopologySpread
from simulator.engine.plugins.priority_sort import PrioritySort
from simulator.engine.plugins.scheduling_gates import SchedulingGates
from simulator.engine.plugins.taint_toleration import TaintToleration
from simulator.engine.plugins.topology_placement_generator import TopologyPlacementGenerator
from simulator.engine.plugins.volume_binding import VolumeBinding
from simulator.engine.plugins.volume_restrictions import VolumeRestrictions
from simulator.engine.plugins.volume_zone import VolumeZone

PLUGINS: tuple[type[Plugin], ...] = (
    SchedulingGates,
    PrioritySort,
    NodeUnschedulable,
    NodeName,
    TaintToleration,
    NodeAffinity,
    NodePorts,
    NodeResourcesFit,
    VolumeRestrictions,
    NodeVolumeLimits,
    VolumeBinding,
    VolumeZone,
    PodTopologySpread,
    InterPodAffinity,
    DynamicResources,
    DefaultPreemption,
    NodeResourcesBalancedAllocation,
    ImageLocality,
    DefaultBinder,
    NodeDeclaredFeatures,
    GangScheduling,
    TopologyPlacementGenerator,
    PodGroupPodsCount,
    NodeResourceTopologyMatch,
    GPUFabricScore,
)

NOT_UPSTREAM = frozenset({"GPUFabricScore"})
"""Plugins that are this course's own: no release of kube-scheduler or scheduler-plugins has them."""


REGISTRY: Mapping[str, type[Plugin]] = {plugin.name: plugin for plugin in PLUGINS}
