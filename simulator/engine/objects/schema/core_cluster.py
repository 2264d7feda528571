"""core/v1: Nodes, Namespaces, Services, ReplicationControllers; policy/v1: disruption budgets."""

from typing import Final

from simulator.engine.objects.schema.core_pod import PODS
from simulator.engine.objects.schema.core_volume import VOLUMES
from simulator.engine.objects.schema.meta import META
from simulator.engine.objects.schema.types import Tables

CLUSTER: Final = Tables(
    "v1",
    """
NodePhase = string
NodeConditionType = string
NodeAddressType = string
UniqueVolumeName = string
FinalizerName = string
NamespacePhase = string
NamespaceConditionType = string
ServiceType = string
ServiceAffinity = string
IPFamily = string
IPFamilyPolicy = string
ServiceExternalTrafficPolicy = string
ServiceInternalTrafficPolicy = string
LoadBalancerIPMode = string
ReplicationControllerConditionType = string
Taint
  key string
  value string
  effect TaintEffect
  timeAdded Time
NodeSpec
  podCIDR string
  podCIDRs []string
  providerID string
  unschedulable bool
  taints []Taint
  configSource Any
  externalID string
NodeCondition
  type NodeConditionType
  status ConditionStatus
  lastHeartbeatTime Time
  lastTransitionTime Time
  reason string
  message string
NodeAddress
  type NodeAddressType
  address string
DaemonEndpoint
  Port int32
NodeDaemonEndpoints
  kubeletEndpoint DaemonEndpoint
NodeSwapStatus
  capacity int64
NodeSystemInfo
  machineID string
  systemUUID string
  bootID string
  kernelVersion string
  osImage string
  containerRuntimeVersion string
  kubeletVersion string
  kubeProxyVersion string
  operatingSystem string
  architecture string
  swap NodeSwapStatus
ContainerImage
  names []string
  sizeBytes int64
AttachedVolume
  name UniqueVolumeName
  devicePath string
NodeRuntimeHandlerFeatures
  recursiveReadOnlyMounts bool
  userNamespaces bool
NodeRuntimeHandler
  name string
  features NodeRuntimeHandlerFeatures
NodeFeatures
  supplementalGroupsPolicy bool
NodeStatus
  capacity ResourceList
  allocatable ResourceList
  phase NodePhase
  conditions []NodeCondition
  addresses []NodeAddress
  daemonEndpoints NodeDaemonEndpoints
  nodeInfo NodeSystemInfo
  images []ContainerImage
  volumesInUse []UniqueVolumeName
  volumesAttached []AttachedVolume
  config Any
  runtimeHandlers []NodeRuntimeHandler
  features NodeFeatures
  declaredFeatures []string
Node
  metadata ObjectMeta
  spec NodeSpec
  status NodeStatus
NamespaceSpec
  finalizers []FinalizerName
NamespaceCondition
  type NamespaceConditionType
  status ConditionStatus
  lastTransitionTime Time
  reason string
  message string
NamespaceStatus
  phase NamespacePhase
  conditions []NamespaceCondition
Namespace
  metadata ObjectMeta
  spec NamespaceSpec
  status NamespaceStatus
ServicePort
  name string
  protocol Protocol
  appProtocol string
  port int32
  targetPort IntOrString
  nodePort int32
ClientIPConfig
  timeoutSeconds int32
SessionAffinityConfig
  clientIP ClientIPConfig
ServiceSpec
  ports []ServicePort
  selector map[string]string
  clusterIP string
  clusterIPs []string
  type ServiceType
  externalIPs []string
  sessionAffinity ServiceAffinity
  loadBalancerIP string
  loadBalancerSourceRanges []string
  externalName string
  externalTrafficPolicy ServiceExternalTrafficPolicy
  healthCheckNodePort int32
  publishNotReadyAddresses bool
  sessionAffinityConfig SessionAffinityConfig
  ipFamilies []IPFamily
  ipFamilyPolicy IPFamilyPolicy
  allocateLoadBalancerNodePorts bool
  loadBalancerClass string
  internalTrafficPolicy ServiceInternalTrafficPolicy
  trafficDistribution string
PortStatus
  port int32
  protocol Protocol
  error string
LoadBalancerIngress
  ip string
  hostname string
  ipMode LoadBalancerIPMode
  ports []PortStatus
LoadBalancerStatus
  ingress []LoadBalancerIngress
ServiceStatus
  loadBalancer LoadBalancerStatus
  conditions []Condition
Service
  metadata ObjectMeta
  spec ServiceSpec
  status ServiceStatus
ReplicationControllerSpec
  replicas int32
  minReadySeconds int32
  selector map[string]string
  template PodTemplateSpec
ReplicationControllerCondition
  type ReplicationControllerConditionType
  status ConditionStatus
  lastTransitionTime Time
  reason string
  message string
ReplicationControllerStatus
  replicas int32
  fullyLabeledReplicas int32
  readyReplicas int32
  availableReplicas int32
  observedGeneration int64
  conditions []ReplicationControllerCondition
ReplicationController
  metadata ObjectMeta
  spec ReplicationControllerSpec
  status ReplicationControllerStatus
""",
    PODS,
    VOLUMES,
    META,
)

POLICY: Final = Tables(
    "v1",
    """
UnhealthyPodEvictionPolicyType = string
PodDisruptionBudgetSpec
  minAvailable IntOrString
  selector LabelSelector
  maxUnavailable IntOrString
  unhealthyPodEvictionPolicy UnhealthyPodEvictionPolicyType
PodDisruptionBudgetStatus
  observedGeneration int64
  disruptedPods map[string]Time
  disruptionsAllowed int32
  currentHealthy int32
  desiredHealthy int32
  expectedPods int32
  conditions []Condition
PodDisruptionBudget
  metadata ObjectMeta
  spec PodDisruptionBudgetSpec
  status PodDisruptionBudgetStatus
""",
    META,
)
