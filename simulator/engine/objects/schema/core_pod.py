"""core/v1: Pods and Pod templates."""

from typing import Final

from simulator.engine.objects.schema.core_volume import VOLUMES
from simulator.engine.objects.schema.meta import META
from simulator.engine.objects.schema.types import Tables

PODS: Final = Tables(
    "v1",
    """
RestartPolicy = string
ContainerRestartPolicy = string
ContainerRestartRuleAction = string
ContainerRestartRuleOnExitCodesOperator = string
DNSPolicy = string
Protocol = string
URIScheme = string
Signal = string
Capability = string
ProcMountType = string
SeccompProfileType = string
AppArmorProfileType = string
TerminationMessagePolicy = string
ResourceResizeRestartPolicy = string
RecursiveReadOnlyMode = string
MountPropagationMode = string
PodFSGroupChangePolicy = string
SupplementalGroupsPolicy = string
PodSELinuxChangePolicy = string
PreemptionPolicy = string
TolerationOperator = string
TaintEffect = string
PodConditionType = string
OSName = string
UnsatisfiableConstraintAction = string
NodeInclusionPolicy = string
PodPhase = string
PodQOSClass = string
PodResizeStatus = string
ResourceHealthStatus = string
ResourceID = string
ResourceClaim
  name string
  request string
ResourceRequirements
  limits ResourceList
  requests ResourceList
  claims []ResourceClaim
ContainerPort
  name string
  hostPort int32
  containerPort int32
  protocol Protocol
  hostIP string
ConfigMapEnvSource
  name string
  optional bool
SecretEnvSource
  name string
  optional bool
EnvFromSource
  prefix string
  configMapRef ConfigMapEnvSource
  secretRef SecretEnvSource
ConfigMapKeySelector
  name string
  key string
  optional bool
SecretKeySelector
  name string
  key string
  optional bool
FileKeySelector
  volumeName string
  path string
  key string
  optional bool
EnvVarSource
  fieldRef ObjectFieldSelector
  resourceFieldRef ResourceFieldSelector
  configMapKeyRef ConfigMapKeySelector
  secretKeyRef SecretKeySelector
  fileKeyRef FileKeySelector
EnvVar
  name string
  value string
  valueFrom EnvVarSource
ContainerResizePolicy
  resourceName ResourceName
  restartPolicy ResourceResizeRestartPolicy
ContainerRestartRuleOnExitCodes
  operator ContainerRestartRuleOnExitCodesOperator
  values []int32
ContainerRestartRule
  action ContainerRestartRuleAction
  exitCodes ContainerRestartRuleOnExitCodes
VolumeMount
  name string
  readOnly bool
  recursiveReadOnly RecursiveReadOnlyMode
  mountPath string
  subPath string
  mountPropagation MountPropagationMode
  subPathExpr string
VolumeDevice
  name string
  devicePath string
ExecAction
  command []string
HTTPHeader
  name string
  value string
HTTPGetAction
  path string
  port IntOrString
  host string
  scheme URIScheme
  httpHeaders []HTTPHeader
TCPSocketAction
  port IntOrString
  host string
GRPCAction
  port int32
  service string
SleepAction
  seconds int64
Probe
  exec ExecAction
  httpGet HTTPGetAction
  tcpSocket TCPSocketAction
  grpc GRPCAction
  initialDelaySeconds int32
  timeoutSeconds int32
  periodSeconds int32
  successThreshold int32
  failureThreshold int32
  terminationGracePeriodSeconds int64
LifecycleHandler
  exec ExecAction
  httpGet HTTPGetAction
  tcpSocket TCPSocketAction
  sleep SleepAction
Lifecycle
  postStart LifecycleHandler
  preStop LifecycleHandler
  stopSignal Signal
Capabilities
  add []Capability
  drop []Capability
SELinuxOptions
  user string
  role string
  type string
  level string
WindowsSecurityContextOptions
  gmsaCredentialSpecName string
  gmsaCredentialSpec string
  runAsUserName string
  hostProcess bool
SeccompProfile
  type SeccompProfileType
  localhostProfile string
AppArmorProfile
  type AppArmorProfileType
  localhostProfile string
SecurityContext
  capabilities Capabilities
  privileged bool
  seLinuxOptions SELinuxOptions
  windowsOptions WindowsSecurityContextOptions
  runAsUser int64
  runAsGroup int64
  runAsNonRoot bool
  readOnlyRootFilesystem bool
  allowPrivilegeEscalation bool
  procMount ProcMountType
  seccompProfile SeccompProfile
  appArmorProfile AppArmorProfile
Container
  name string
  image string
  command []string
  args []string
  workingDir string
  ports []ContainerPort
  envFrom []EnvFromSource
  env []EnvVar
  resources ResourceRequirements
  resizePolicy []ContainerResizePolicy
  restartPolicy ContainerRestartPolicy
  restartPolicyRules []ContainerRestartRule
  volumeMounts []VolumeMount
  volumeDevices []VolumeDevice
  livenessProbe Probe
  readinessProbe Probe
  startupProbe Probe
  lifecycle Lifecycle
  terminationMessagePath string
  terminationMessagePolicy TerminationMessagePolicy
  imagePullPolicy PullPolicy
  securityContext SecurityContext
  stdin bool
  stdinOnce bool
  tty bool
EphemeralContainer
  ...Container
  targetContainerName string
Sysctl
  name string
  value string
PodSecurityContext
  seLinuxOptions SELinuxOptions
  windowsOptions WindowsSecurityContextOptions
  runAsUser int64
  runAsGroup int64
  runAsNonRoot bool
  supplementalGroups []int64
  supplementalGroupsPolicy SupplementalGroupsPolicy
  fsGroup int64
  sysctls []Sysctl
  fsGroupChangePolicy PodFSGroupChangePolicy
  seccompProfile SeccompProfile
  appArmorProfile AppArmorProfile
  seLinuxChangePolicy PodSELinuxChangePolicy
PreferredSchedulingTerm
  weight int32
  preference NodeSelectorTerm
NodeAffinity
  requiredDuringSchedulingIgnoredDuringExecution NodeSelector
  preferredDuringSchedulingIgnoredDuringExecution []PreferredSchedulingTerm
PodAffinityTerm
  labelSelector LabelSelector
  namespaces []string
  topologyKey string
  namespaceSelector LabelSelector
  matchLabelKeys []string
  mismatchLabelKeys []string
WeightedPodAffinityTerm
  weight int32
  podAffinityTerm PodAffinityTerm
PodAffinity
  requiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm
  preferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm
PodAntiAffinity
  requiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm
  preferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm
Affinity
  nodeAffinity NodeAffinity
  podAffinity PodAffinity
  podAntiAffinity PodAntiAffinity
Toleration
  key string
  operator TolerationOperator
  value string
  effect TaintEffect
  tolerationSeconds int64
HostAlias
  ip string
  hostnames []string
PodDNSConfigOption
  name string
  value string
PodDNSConfig
  nameservers []string
  searches []string
  options []PodDNSConfigOption
PodReadinessGate
  conditionType PodConditionType
PodOS
  name OSName
PodSchedulingGate
  name string
PodResourceClaim
  name string
  resourceClaimName string
  resourceClaimTemplateName string
PodSchedulingGroup
  podGroupName string
TopologySpreadConstraint
  maxSkew int32
  topologyKey string
  whenUnsatisfiable UnsatisfiableConstraintAction
  labelSelector LabelSelector
  minDomains int32
  nodeAffinityPolicy NodeInclusionPolicy
  nodeTaintsPolicy NodeInclusionPolicy
  matchLabelKeys []string
PodSpec
  volumes []Volume
  initContainers []Container
  containers []Container
  ephemeralContainers []EphemeralContainer
  restartPolicy RestartPolicy
  terminationGracePeriodSeconds int64
  activeDeadlineSeconds int64
  dnsPolicy DNSPolicy
  nodeSelector map[string]string
  serviceAccountName string
  serviceAccount string
  automountServiceAccountToken bool
  nodeName string
  hostNetwork bool
  hostPID bool
  hostIPC bool
  shareProcessNamespace bool
  securityContext PodSecurityContext
  imagePullSecrets []LocalObjectReference
  hostname string
  subdomain string
  affinity Affinity
  schedulerName string
  tolerations []Toleration
  hostAliases []HostAlias
  priorityClassName string
  priority int32
  dnsConfig PodDNSConfig
  readinessGates []PodReadinessGate
  runtimeClassName string
  enableServiceLinks bool
  preemptionPolicy PreemptionPolicy
  overhead ResourceList
  topologySpreadConstraints []TopologySpreadConstraint
  setHostnameAsFQDN bool
  os PodOS
  hostUsers bool
  schedulingGates []PodSchedulingGate
  resourceClaims []PodResourceClaim
  resources ResourceRequirements
  hostnameOverride string
  schedulingGroup PodSchedulingGroup
PodCondition
  type PodConditionType
  observedGeneration int64
  status ConditionStatus
  lastProbeTime Time
  lastTransitionTime Time
  reason string
  message string
HostIP
  ip string
PodIP
  ip string
ContainerStateWaiting
  reason string
  message string
ContainerStateRunning
  startedAt Time
ContainerStateTerminated
  exitCode int32
  signal int32
  reason string
  message string
  startedAt Time
  finishedAt Time
  containerID string
ContainerState
  waiting ContainerStateWaiting
  running ContainerStateRunning
  terminated ContainerStateTerminated
VolumeMountStatus
  name string
  mountPath string
  readOnly bool
  recursiveReadOnly RecursiveReadOnlyMode
  volumeStatus Any
LinuxContainerUser
  uid int64
  gid int64
  supplementalGroups []int64
ContainerUser
  linux LinuxContainerUser
ResourceHealth
  resourceID ResourceID
  health ResourceHealthStatus
  message string
ResourceStatus
  name ResourceName
  resources []ResourceHealth
ContainerStatus
  name string
  state ContainerState
  lastState ContainerState
  ready bool
  restartCount int32
  image string
  imageID string
  containerID string
  started bool
  allocatedResources ResourceList
  resources ResourceRequirements
  volumeMounts []VolumeMountStatus
  user ContainerUser
  allocatedResourcesStatus []ResourceStatus
  stopSignal Signal
PodResourceClaimStatus
  name string
  resourceClaimName string
ContainerExtendedResourceRequest
  containerName string
  resourceName string
  requestName string
PodExtendedResourceClaimStatus
  requestMappings []ContainerExtendedResourceRequest
  resourceClaimName string
PodStatus
  observedGeneration int64
  phase PodPhase
  conditions []PodCondition
  message string
  reason string
  nominatedNodeName string
  hostIP string
  hostIPs []HostIP
  podIP string
  podIPs []PodIP
  startTime Time
  initContainerStatuses []ContainerStatus
  containerStatuses []ContainerStatus
  qosClass PodQOSClass
  ephemeralContainerStatuses []ContainerStatus
  resize PodResizeStatus
  resourceClaimStatuses []PodResourceClaimStatus
  extendedResourceClaimStatus PodExtendedResourceClaimStatus
  allocatedResources ResourceList
  resources ResourceRequirements
  nodeAllocatableResourceClaimStatuses Any
Pod
  metadata ObjectMeta
  spec PodSpec
  status PodStatus
PodTemplateSpec
  metadata ObjectMeta
  spec PodSpec
""",
    VOLUMES,
    META,
)
