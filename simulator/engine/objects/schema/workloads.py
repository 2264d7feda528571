"""apps/v1 and batch/v1: the controllers' kinds."""

from typing import Final

from simulator.engine.objects.schema.core_pod import PODS
from simulator.engine.objects.schema.core_volume import VOLUMES
from simulator.engine.objects.schema.meta import META
from simulator.engine.objects.schema.types import Tables

APPS: Final = Tables(
    "v1",
    """
DeploymentStrategyType = string
DeploymentConditionType = string
DaemonSetUpdateStrategyType = string
DaemonSetConditionType = string
ReplicaSetConditionType = string
PodManagementPolicyType = string
StatefulSetUpdateStrategyType = string
StatefulSetConditionType = string
PersistentVolumeClaimRetentionPolicyType = string
RollingUpdateDeployment
  maxUnavailable IntOrString
  maxSurge IntOrString
DeploymentStrategy
  type DeploymentStrategyType
  rollingUpdate RollingUpdateDeployment
DeploymentSpec
  replicas int32
  selector LabelSelector
  template PodTemplateSpec
  strategy DeploymentStrategy
  minReadySeconds int32
  revisionHistoryLimit int32
  paused bool
  progressDeadlineSeconds int32
DeploymentCondition
  type DeploymentConditionType
  status ConditionStatus
  lastUpdateTime Time
  lastTransitionTime Time
  reason string
  message string
DeploymentStatus
  observedGeneration int64
  replicas int32
  updatedReplicas int32
  readyReplicas int32
  availableReplicas int32
  unavailableReplicas int32
  terminatingReplicas int32
  conditions []DeploymentCondition
  collisionCount int32
Deployment
  metadata ObjectMeta
  spec DeploymentSpec
  status DeploymentStatus
ReplicaSetSpec
  replicas int32
  minReadySeconds int32
  selector LabelSelector
  template PodTemplateSpec
ReplicaSetCondition
  type ReplicaSetConditionType
  status ConditionStatus
  lastTransitionTime Time
  reason string
  message string
ReplicaSetStatus
  replicas int32
  fullyLabeledReplicas int32
  readyReplicas int32
  availableReplicas int32
  terminatingReplicas int32
  observedGeneration int64
  conditions []ReplicaSetCondition
ReplicaSet
  metadata ObjectMeta
  spec ReplicaSetSpec
  status ReplicaSetStatus
RollingUpdateDaemonSet
  maxUnavailable IntOrString
  maxSurge IntOrString
DaemonSetUpdateStrategy
  type DaemonSetUpdateStrategyType
  rollingUpdate RollingUpdateDaemonSet
DaemonSetSpec
  selector LabelSelector
  template PodTemplateSpec
  updateStrategy DaemonSetUpdateStrategy
  minReadySeconds int32
  revisionHistoryLimit int32
DaemonSetCondition
  type DaemonSetConditionType
  status ConditionStatus
  lastTransitionTime Time
  reason string
  message string
DaemonSetStatus
  currentNumberScheduled int32
  numberMisscheduled int32
  desiredNumberScheduled int32
  numberReady int32
  observedGeneration int64
  updatedNumberScheduled int32
  numberAvailable int32
  numberUnavailable int32
  collisionCount int32
  conditions []DaemonSetCondition
DaemonSet
  metadata ObjectMeta
  spec DaemonSetSpec
  status DaemonSetStatus
RollingUpdateStatefulSetStrategy
  partition int32
  maxUnavailable IntOrString
StatefulSetUpdateStrategy
  type StatefulSetUpdateStrategyType
  rollingUpdate RollingUpdateStatefulSetStrategy
StatefulSetPersistentVolumeClaimRetentionPolicy
  whenDeleted PersistentVolumeClaimRetentionPolicyType
  whenScaled PersistentVolumeClaimRetentionPolicyType
StatefulSetOrdinals
  start int32
StatefulSetVolumeClaim
  apiVersion string
  kind string
  metadata ObjectMeta
  spec PersistentVolumeClaimSpec
  status PersistentVolumeClaimStatus
StatefulSetSpec
  replicas int32
  selector LabelSelector
  template PodTemplateSpec
  volumeClaimTemplates []StatefulSetVolumeClaim
  serviceName string
  podManagementPolicy PodManagementPolicyType
  updateStrategy StatefulSetUpdateStrategy
  revisionHistoryLimit int32
  minReadySeconds int32
  persistentVolumeClaimRetentionPolicy StatefulSetPersistentVolumeClaimRetentionPolicy
  ordinals StatefulSetOrdinals
StatefulSetCondition
  type StatefulSetConditionType
  status ConditionStatus
  lastTransitionTime Time
  reason string
  message string
StatefulSetStatus
  observedGeneration int64
  replicas int32
  readyReplicas int32
  currentReplicas int32
  updatedReplicas int32
  currentRevision string
  updateRevision string
  collisionCount int32
  conditions []StatefulSetCondition
  availableReplicas int32
StatefulSet
  metadata ObjectMeta
  spec StatefulSetSpec
  status StatefulSetStatus
""",
    PODS,
    VOLUMES,
    META,
)

BATCH: Final = Tables(
    "v1",
    """
CompletionMode = string
PodReplacementPolicy = string
PodFailurePolicyAction = string
PodFailurePolicyOnExitCodesOperator = string
JobConditionType = string
PodFailurePolicyOnExitCodesRequirement
  containerName string
  operator PodFailurePolicyOnExitCodesOperator
  values []int32
PodFailurePolicyOnPodConditionsPattern
  type PodConditionType
  status ConditionStatus
PodFailurePolicyRule
  action PodFailurePolicyAction
  onExitCodes PodFailurePolicyOnExitCodesRequirement
  onPodConditions []PodFailurePolicyOnPodConditionsPattern
PodFailurePolicy
  rules []PodFailurePolicyRule
SuccessPolicyRule
  succeededIndexes string
  succeededCount int32
SuccessPolicy
  rules []SuccessPolicyRule
JobSpec
  parallelism int32
  completions int32
  activeDeadlineSeconds int64
  podFailurePolicy PodFailurePolicy
  successPolicy SuccessPolicy
  backoffLimit int32
  backoffLimitPerIndex int32
  maxFailedIndexes int32
  selector LabelSelector
  manualSelector bool
  template PodTemplateSpec
  ttlSecondsAfterFinished int32
  completionMode CompletionMode
  suspend bool
  podReplacementPolicy PodReplacementPolicy
  managedBy string
JobCondition
  type JobConditionType
  status ConditionStatus
  lastProbeTime Time
  lastTransitionTime Time
  reason string
  message string
UncountedTerminatedPods
  succeeded []UID
  failed []UID
JobStatus
  conditions []JobCondition
  startTime Time
  completionTime Time
  active int32
  succeeded int32
  failed int32
  terminating int32
  completedIndexes string
  failedIndexes string
  uncountedTerminatedPods UncountedTerminatedPods
  ready int32
Job
  metadata ObjectMeta
  spec JobSpec
  status JobStatus
""",
    PODS,
    VOLUMES,
    META,
)
