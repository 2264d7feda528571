"""kube-scheduler's own words for every reason code, and the texts put together from them.

The texts are behaviour: they are counted, sorted and stored in events and conditions. Source: kube-scheduler 1.36.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from simulator.engine.framework.status import Reason, Status

TEXTS: Mapping[str, str] = {
    "scheduling_gates.gated": "waiting for scheduling gates: [{gates}]",
    "node_unschedulable.cordoned": "node(s) were unschedulable",
    "node_name.other": "node(s) didn't match the requested node name",
    "taint_toleration.no_state": 'failed to read "PreScoreTaintToleration" from cycleState: not found',
    "taint_toleration.untolerated": "node(s) had untolerated taint(s)",
    "node_affinity.pod": "node(s) didn't match Pod's node affinity/selector",
    "node_affinity.enforced": "node(s) didn't match scheduler-enforced node affinity",
    "node_affinity.conflict": "pod affinity terms conflict",
    "node_affinity.invalid": "{error}",
    "node_ports.no_state": 'reading "PreFilterNodePorts" from cycleState: not found',
    "node_ports.conflict": "node(s) didn't have free ports for the requested pod ports",
    "node_resources_fit.no_state": 'error reading "PreFilterNodeResourcesFit" from cycleState: not found',
    "node_resources_fit.too_many_pods": "Too many pods",
    "node_resources_fit.insufficient": "Insufficient {resource}",
    "volume_restrictions.claim_not_found": 'persistentvolumeclaim "{claim}" not found',
    "volume_restrictions.disk": "node(s) had no available disk",
    "volume_restrictions.in_use": "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode "
    "already in-use by another pod",
    "volume_restrictions.no_state": 'cannot read "PreFilterVolumeRestrictions" from cycleState',
    "node_volume_limits.exceeded": "node(s) exceed max volume count",
    "node_volume_limits.claim_not_found": "looking up PVC {namespace}/{claim}: "
    'persistentvolumeclaim "{claim}" not found',
    "node_volume_limits.claim_without_name": "PersistentVolumeClaim had no name",
    "node_volume_limits.not_owner": "PVC {namespace}/{claim} was not created for pod {namespace}/{pod} "
    "(pod is not owner)",
    "node_volume_limits.not_translated": "converting volume({volume}) from inline to csi: {error}",
    "node_volume_limits.no_driver": "{driver} CSI driver is not installed on the node",
    "volume_binding.claim_not_found": 'persistentvolumeclaim "{claim}" not found',
    "volume_binding.ephemeral": 'waiting for ephemeral volume controller to create the persistentvolumeclaim "{claim}"',
    "volume_binding.lost": 'persistentvolumeclaim "{claim}" bound to non-existent persistentvolume "{volume}"',
    "volume_binding.deleting": 'persistentvolumeclaim "{claim}" is being deleted',
    "volume_binding.not_owner": "PVC {namespace}/{claim} was not created for pod {namespace}/{pod} (pod is not owner)",
    "volume_binding.no_binding_mode": 'VolumeBindingMode not set for StorageClass "{storage_class}"',
    "volume_binding.not_translated": "could not translate pv: {error}",
    "volume_binding.no_state": "not found",
    "volume_binding.unbound_immediate": "pod has unbound immediate PersistentVolumeClaims",
    "volume_binding.node_conflict": "node(s) didn't match PersistentVolume's node affinity",
    "volume_binding.no_volume": "node(s) didn't find available persistent volumes to bind",
    "volume_binding.no_space": "node(s) did not have enough free storage",
    "volume_binding.volume_not_found": "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)",
    "volume_zone.conflict": "node(s) had no available volume zone",
    "volume_zone.claim_without_name": "PersistentVolumeClaim had no name",
    "volume_zone.claim_without_volume": "PersistentVolumeClaim had no pv name and storageClass name",
    "volume_zone.no_binding_mode": 'VolumeBindingMode not set for StorageClass "{storage_class}"',
    "volume_zone.volume_without_name": "PersistentVolume had no name",
    "volume_zone.not_found": '{kind} "{name}" not found',
    "pod_topology_spread.no_state": 'reading "PreFilterPodTopologySpread" from cycleState: not found',
    "pod_topology_spread.no_score_state": 'error reading "PreScorePodTopologySpread" from cycleState: not found',
    "pod_topology_spread.skew": "node(s) didn't match pod topology spread constraints",
    "pod_topology_spread.missing_label": "node(s) didn't match pod topology spread constraints "
    "(missing required label)",
    "inter_pod_affinity.no_state": 'error reading "PreFilterInterPodAffinity" from cycleState: not found',
    "inter_pod_affinity.no_score_state": 'failed to read "PreScoreInterPodAffinity" from cycleState: not found',
    "inter_pod_affinity.affinity": "node(s) didn't match pod affinity rules",
    "inter_pod_affinity.anti_affinity": "node(s) didn't match pod anti-affinity rules",
    "inter_pod_affinity.existing_anti_affinity": "node(s) didn't satisfy existing pods anti-affinity rules",
    "node_declared_features.no_state": 'error reading "PreFilterNodeDeclaredFeatures" from cycle-state: not found',
    "node_declared_features.missing": "node(s) didn't match Pod's required features",
    "dynamic_resources.no_claim": 'pod "{pod}": ResourceClaim not created yet',
    "dynamic_resources.no_claims": "no new claims to deallocate",
    "dynamic_resources.no_state": "not found",
    "default_preemption.never": "not eligible due to preemptionPolicy=Never.",
    "default_preemption.terminating": "not eligible due to a terminating pod on the nominated node.",
    "default_preemption.no_victims": "No preemption victims found for incoming pod",
    "default_preemption.not_helpful": "Preemption is not helpful for scheduling",
    "default_preemption.running": "waiting for the preemption for this pod to be finished",
    "default_preemption.prefixed": "preemption: {message}",
    "default_preemption.group_missing": "pod group for pod not found",
    "default_preemption.group_placement": "not eligible due to placement-based pod group scheduling limitation",
    "default_preemption.group_aware": "not eligible due to workload aware preemption enabled",
    "default_preemption.group_running": "waiting for the preemption for this pod group to be finished",
    "gang_scheduling.no_group": 'waiting for pods\'s pod group "{group}" to appear in scheduling queue',
    "gang_scheduling.too_few": "waiting for minCount pods from a gang to appear in scheduling queue",
    "gang_scheduling.waiting": "waiting for minCount pods from a gang to be scheduled",
    "node_resource_topology_match.init_container": "cannot align init container",
    "node_resource_topology_match.container": "cannot align container",
    "node_resource_topology_match.pod": "cannot align pod",
    "topology_placement.no_group": 'podgroup.scheduling.k8s.io "{group}" not found',
    "topology_placement.no_node": "cannot determine domain for already scheduled pods: getting node for pod {pod}: "
    'nodeinfo not found for node name "{node}"',
    "topology_placement.two_domains": "cannot determine domain for already scheduled pods: more than 1 domain found "
    "for pod group: {first}, {second}",
    "topology_placement.no_domain": "cannot determine domain for already scheduled pods: no topology domain found "
    "for pod {pod}",
    "pod_group.unschedulable": "pod group is unschedulable",
    "pod_group.waiting_on_preemption": "pod group is waiting for preemption to complete",
    "pod_group.no_placements": "no feasible placements found",
    "pod_group.placements": "0/{count} placements are available, first placement status: {status}",
    "pod_group.scheduler_names": "all pods in a single pod group should have the same .spec.schedulerName set, "
    'got: "{first}" and "{second}"',
    "pod_group.other_failed": "failed to schedule other pod from a pod group: {error}",
    "pod_group.no_preemption_plugin": "default preemption plugin is not registered, "
    "workload aware preemption is disabled",
    "pod_group.no_preemption_constraints": "workload aware preemption is not supported for pod groups with scheduling "
    "constraints",
    "pod_group.never": "not eligible due to preemptionPolicy=Never.",
    "pod_group.no_victims": "No preemption victims found for incoming preemptor",
    "default_preemption.no_victim_left": 'expected at least one victim pod on node "{node}"',
    "default_preemption.no_candidate": "no candidate node for preemption",
    "extender.failed": "{message}",
    "extender.rejected": "{message}",
    "user_rule.rejected": "{message}",
    "user_rule.failed": "{message}",
    "framework.permit_wait": "one or more plugins asked to wait and no plugin rejected pod",
    "framework.unsatisfied": "node(s) didn't satisfy plugin(s) [{plugins}]",
    "framework.disjoint": "node(s) didn't satisfy plugin(s) [{plugins}] simultaneously",
    "framework.disjoint_one": "node(s) didn't satisfy plugin {plugin}",
    "framework.no_nodes": "no nodes available to schedule pods",
    "framework.pre_filter": 'running PreFilter plugin "{plugin}": {error}',
    "framework.filter": 'running "{plugin}" filter plugin: {error}',
    "framework.pre_score": 'running PreScore plugin "{plugin}": {error}',
    "framework.score": 'running Score plugins: plugin "{plugin}" failed with: {error}',
    "framework.invalid_score": 'applying score defaultWeights on Score plugins: plugin "{plugin}" returns an invalid '
    "score {score}, it should in the range of [0, 100] after normalizing",
    "framework.reserve": 'running Reserve plugin "{plugin}": {error}',
    "framework.permit": 'running Permit plugin "{plugin}": {error}',
    "framework.pre_bind": 'running PreBind plugin "{plugin}": {error}',
    "framework.bind": 'running Bind plugin "{plugin}": {error}',
    "framework.permit_timeout": "rejected due to timeout after waiting {duration} at plugin {plugin}",
    "framework.preempted_while_waiting": "waiting on permit for pod: preempted",
    "framework.removed_while_waiting": "removed",
}

MAX_EVENT_BYTES = 1024


def text(reason: Reason) -> str:
    """The words kube uses for `reason`."""
    template = TEXTS[reason.code]
    return template.format_map(dict(reason.params)) if reason.params else template


def status_text(status: Status) -> str:
    """`Status.Message()`: the reasons joined."""
    return ", ".join(text(reason) for reason in status.reasons)


def histogram(counts: Mapping[str, int]) -> str:
    """` 3 Insufficient cpu, 1 node(s) ...` entries sorted as strings in byte order; empty where nothing was counted."""
    entries = sorted((f"{count} {words}" for words, count in counts.items()), key=str.encode)
    return f" {', '.join(entries)}." if entries else ""


def fit_error(nodes: int, counts: Mapping[str, int], *, pre_filter: str = "", post_filter: str = "") -> str:
    """The FailedScheduling text: `0/N nodes are available:` with the histogram, or the PreFilter message instead of
    it."""
    message = f"0/{nodes} nodes are available:"
    message += f" {pre_filter}." if pre_filter else histogram(counts)
    return f"{message} {post_filter}" if post_filter else message


def count_reasons(statuses: Iterable[Status]) -> Counter[str]:
    return Counter(text(reason) for status in statuses for reason in status.reasons)


def event_text(message: str) -> str:
    """`message` as an Event stores it: at most 1,024 bytes."""
    data = message.encode()
    if len(data) <= MAX_EVENT_BYTES:
        return message
    return data[: MAX_EVENT_BYTES - 4].decode(errors="ignore") + " ..."
