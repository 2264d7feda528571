"""What is inside nodes and between them: our own NodeFabric and NetworkSwitch, and NodeResourceTopology (v1alpha2)."""

from typing import Final

from simulator.engine.objects.schema.meta import META
from simulator.engine.objects.schema.types import Tables

FABRIC: Final = Tables(
    "v1alpha1",
    """
NVLinkFault
  gpu int32
  links int32
PairFault
  first int32
  second int32
  links int32
NICFault
  nic int32
  link string
Faults
  gpus []int32
  nvlinks []NVLinkFault
  pairs []PairFault
  nics []NICFault
TopologyManager
  policy string
  scope string
Sharing
  strategy string
  replicas int32
  renamed bool
  cards string
MIGInstances
  gpu int32
  profiles []string
MIG
  strategy string
  instances []MIGInstances
NodeFabricSpec
  machine string
  shape Any
  leaves []string
  nvlinkDomain string
  faults Faults
  devicePolicy string
  topologyManager TopologyManager
  sharing Sharing
  mig MIG
NodeFabric
  metadata ObjectMeta
  spec NodeFabricSpec
NetworkSwitchSpec
  tier int32
  parent string
  oversubscription Any
NetworkSwitch
  metadata ObjectMeta
  spec NetworkSwitchSpec
""",
    META,
)

NODE_RESOURCE_TOPOLOGY: Final = Tables(
    "v1alpha2",
    """
ResourceInfo
  name string
  capacity Quantity
  allocatable Quantity
  available Quantity
CostInfo
  name string
  value int64
AttributeInfo
  name string
  value string
Zone
  name string
  type string
  parent string
  costs []CostInfo
  attributes []AttributeInfo
  resources []ResourceInfo
NodeResourceTopology
  metadata ObjectMeta
  topologyPolicies []string
  zones []Zone
  attributes []AttributeInfo
""",
    META,
)
