"""TopologyPlacementGenerator: the domains of a topology label as placements for a whole pod group.

Decides: PlacementGenerate: one placement per value of the group's topology label, or the whole cluster where it has
no such constraint. Members that already run keep the group in their domain. Kubernetes counterpart: kube-scheduler
1.36 TopologyPlacementGenerator (gate TopologyAwareWorkloadScheduling, alpha, off). Simplified here: placements are
tried in order of their names. Reads: PodGroup schedulingConstraints, node labels, members of the group. Writes:
nothing. Wakes on: nothing.
"""

from __future__ import annotations

from simulator.engine.cluster.pod_groups import topology_key
from simulator.engine.framework.plugin import Placement, PlacementGeneratePlugin
from simulator.engine.framework.status import Status, error


class TopologyPlacementGenerator(PlacementGeneratePlugin):
    name = "TopologyPlacementGenerator"

    def placements(self, group: str) -> list[Placement] | Status:
        nodes = self.handle.cluster.nodes.objects
        manifest = self.handle.groups.object(group)
        if manifest is None:
            return error("topology_placement.no_group", group=group.partition("/")[2])
        key = topology_key(manifest)
        if key is None:
            return [Placement("", frozenset(node.name for node in nodes))]
        domains: dict[str, list[str]] = {}
        for node in nodes:
            if key in node.labels:
                domains.setdefault(node.labels[key], []).append(node.name)
        taken = self._taken_domain(group, key)
        if isinstance(taken, Status):
            return taken
        return [Placement(name, frozenset(domains[name])) for name in sorted(domains) if taken is None or name == taken]

    def _taken_domain(self, group: str, key: str) -> str | Status | None:
        """The domain of the members that have a node, None where none has."""
        state = self.handle.groups.state(group)
        row_of, nodes = self.handle.cluster.nodes.row_of, self.handle.cluster.nodes.objects
        found: str | None = None
        for pod in (*state.assumed.values(), *state.assigned.values()):
            row = row_of.get(pod.node_name)
            if row is None:
                return error("topology_placement.no_node", pod=pod.key, node=pod.node_name)
            domain = nodes[row].labels.get(key)
            if domain is None:
                return error("topology_placement.no_domain", pod=pod.key, node=pod.node_name, key=key)
            if found and domain != found:
                return error("topology_placement.two_domains", key=key, first=found, second=domain)
            found = domain
        return found
