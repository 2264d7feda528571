"""resource.k8s.io/v1: dynamic resource allocation."""

from typing import Final

from simulator.engine.objects.schema.core_volume import VOLUMES
from simulator.engine.objects.schema.meta import META
from simulator.engine.objects.schema.types import Tables

RESOURCE: Final = Tables(
    "v1",
    """
DeviceAllocationMode = string
DeviceTaintEffect = string
DeviceTolerationOperator = string
AllocationConfigSource = string
QualifiedName = string
FullyQualifiedName = string
CELDeviceSelector
  expression string
DeviceSelector
  cel CELDeviceSelector
DeviceToleration
  key string
  operator DeviceTolerationOperator
  value string
  effect DeviceTaintEffect
  tolerationSeconds int64
CapacityRequirements
  requests map[QualifiedName]Quantity
ExactDeviceRequest
  deviceClassName string
  selectors []DeviceSelector
  allocationMode DeviceAllocationMode
  count int64
  adminAccess bool
  tolerations []DeviceToleration
  capacity CapacityRequirements
DeviceSubRequest
  name string
  deviceClassName string
  selectors []DeviceSelector
  allocationMode DeviceAllocationMode
  count int64
  tolerations []DeviceToleration
  capacity CapacityRequirements
DeviceRequest
  name string
  exactly ExactDeviceRequest
  firstAvailable []DeviceSubRequest
DeviceConstraint
  requests []string
  matchAttribute FullyQualifiedName
  distinctAttribute FullyQualifiedName
OpaqueDeviceConfiguration
  driver string
  parameters Any
DeviceClaimConfiguration
  requests []string
  opaque OpaqueDeviceConfiguration
DeviceClaim
  requests []DeviceRequest
  constraints []DeviceConstraint
  config []DeviceClaimConfiguration
ResourceClaimSpec
  devices DeviceClaim
DeviceRequestAllocationResult
  request string
  driver string
  pool string
  device string
  adminAccess bool
  tolerations []DeviceToleration
  bindingConditions []string
  bindingFailureConditions []string
  shareID UID
  consumedCapacity map[QualifiedName]Quantity
  nodeAllocatableResources Any
DeviceAllocationConfiguration
  source AllocationConfigSource
  requests []string
  opaque OpaqueDeviceConfiguration
DeviceAllocationResult
  results []DeviceRequestAllocationResult
  config []DeviceAllocationConfiguration
AllocationResult
  devices DeviceAllocationResult
  nodeSelector NodeSelector
  allocationTimestamp Time
ResourceClaimConsumerReference
  apiGroup string
  resource string
  name string
  uid UID
AllocatedDeviceStatus
  driver string
  pool string
  device string
  shareID string
  conditions []Condition
  data Any
  networkData Any
ResourceClaimStatus
  allocation AllocationResult
  reservedFor []ResourceClaimConsumerReference
  devices []AllocatedDeviceStatus
ResourceClaim
  metadata ObjectMeta
  spec ResourceClaimSpec
  status ResourceClaimStatus
ResourceClaimTemplateSpec
  metadata ObjectMeta
  spec ResourceClaimSpec
ResourceClaimTemplate
  metadata ObjectMeta
  spec ResourceClaimTemplateSpec
DeviceClassConfiguration
  opaque OpaqueDeviceConfiguration
DeviceClassSpec
  selectors []DeviceSelector
  config []DeviceClassConfiguration
  extendedResourceName string
DeviceClass
  metadata ObjectMeta
  spec DeviceClassSpec
ResourcePool
  name string
  generation int64
  resourceSliceCount int64
DeviceAttribute
  int int64
  bool bool
  string string
  version string
CapacityRequestPolicyRange
  min Quantity
  max Quantity
  step Quantity
CapacityRequestPolicy
  default Quantity
  validValues []Quantity
  validRange CapacityRequestPolicyRange
DeviceCapacity
  value Quantity
  requestPolicy CapacityRequestPolicy
Counter
  value Quantity
DeviceCounterConsumption
  counterSet string
  counters map[string]Counter
DeviceTaint
  key string
  value string
  effect DeviceTaintEffect
  timeAdded Time
Device
  name string
  attributes map[QualifiedName]DeviceAttribute
  capacity map[QualifiedName]DeviceCapacity
  consumesCounters []DeviceCounterConsumption
  nodeName string
  nodeSelector NodeSelector
  allNodes bool
  taints []DeviceTaint
  bindsToNode bool
  bindingConditions []string
  bindingFailureConditions []string
  allowMultipleAllocations bool
  nodeAllocatableResourceMappings Any
CounterSet
  name string
  counters map[string]Counter
ResourceSliceSpec
  driver string
  pool ResourcePool
  nodeName string
  nodeSelector NodeSelector
  allNodes bool
  devices []Device
  perDeviceNodeSelection bool
  sharedCounters []CounterSet
ResourceSlice
  metadata ObjectMeta
  spec ResourceSliceSpec
""",
    VOLUMES,
    META,
)
