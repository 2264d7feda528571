"""scheduling.k8s.io: PriorityClass (v1), PodGroup and Workload (v1alpha2)."""

from typing import Final

from simulator.engine.objects.schema.meta import META
from simulator.engine.objects.schema.types import Tables

PRIORITY: Final = Tables(
    "v1",
    """
PreemptionPolicy = string
PriorityClass
  metadata ObjectMeta
  value int32
  globalDefault bool
  description string
  preemptionPolicy PreemptionPolicy
""",
    META,
)

POD_GROUPS: Final = Tables(
    "v1alpha2",
    """
DisruptionMode = string
BasicSchedulingPolicy
GangSchedulingPolicy
  minCount int32
PodGroupSchedulingPolicy
  basic BasicSchedulingPolicy
  gang GangSchedulingPolicy
TopologyConstraint
  key string
PodGroupSchedulingConstraints
  topology []TopologyConstraint
PodGroupResourceClaim
  name string
  resourceClaimName string
  resourceClaimTemplateName string
WorkloadPodGroupTemplateReference
  workloadName string
  podGroupTemplateName string
PodGroupTemplateReference
  workload WorkloadPodGroupTemplateReference
PodGroupSpec
  podGroupTemplateRef PodGroupTemplateReference
  schedulingPolicy PodGroupSchedulingPolicy
  schedulingConstraints PodGroupSchedulingConstraints
  resourceClaims []PodGroupResourceClaim
  disruptionMode DisruptionMode
  priorityClassName string
  priority int32
PodGroupResourceClaimStatus
  name string
  resourceClaimName string
PodGroupStatus
  conditions []Condition
  resourceClaimStatuses []PodGroupResourceClaimStatus
PodGroup
  metadata ObjectMeta
  spec PodGroupSpec
  status PodGroupStatus
TypedLocalObjectReference
  apiGroup string
  kind string
  name string
PodGroupTemplate
  name string
  schedulingPolicy PodGroupSchedulingPolicy
  schedulingConstraints PodGroupSchedulingConstraints
  resourceClaims []PodGroupResourceClaim
  disruptionMode DisruptionMode
  priorityClassName string
  priority int32
WorkloadSpec
  controllerRef TypedLocalObjectReference
  podGroupTemplates []PodGroupTemplate
Workload
  metadata ObjectMeta
  spec WorkloadSpec
""",
    META,
)
