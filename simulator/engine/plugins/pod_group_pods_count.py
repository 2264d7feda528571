"""PodGroupPodsCount: prefer the placement that takes more Pods of the group.

Decides: PlacementScore: Pods of the group that have or would get a node, relative to the best placement.
Kubernetes counterpart: kube-scheduler 1.36 PodGroupPodsCount, weight 1 (gate TopologyAwareWorkloadScheduling, alpha,
off). Simplified here: nothing. Reads: members of the group. Writes: nothing. Wakes on: nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from simulator.engine.framework.plugin import PlacementScorePlugin, ProposedPlacement


class PodGroupPodsCount(PlacementScorePlugin):
    name = "PodGroupPodsCount"

    def score_placements(self, group: str, proposals: Sequence[ProposedPlacement]) -> list[int]:
        scheduled = self.handle.groups.state(group).scheduled
        counts = [scheduled + len(proposal.pods) for proposal in proposals]
        largest = max(counts, default=0)
        return [count * 100 // largest if largest else 0 for count in counts]
