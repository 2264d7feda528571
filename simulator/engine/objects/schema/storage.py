"""storage.k8s.io/v1."""

from typing import Final

from simulator.engine.objects.schema.core_volume import VOLUMES
from simulator.engine.objects.schema.meta import META
from simulator.engine.objects.schema.types import Tables

STORAGE: Final = Tables(
    "v1",
    """
VolumeBindingMode = string
FSGroupPolicy = string
VolumeLifecycleMode = string
StorageClass
  metadata ObjectMeta
  provisioner string
  parameters map[string]string
  reclaimPolicy PersistentVolumeReclaimPolicy
  mountOptions []string
  allowVolumeExpansion bool
  volumeBindingMode VolumeBindingMode
  allowedTopologies []TopologySelectorTerm
VolumeNodeResources
  count int32
CSINodeDriver
  name string
  nodeID string
  topologyKeys []string
  allocatable VolumeNodeResources
CSINodeSpec
  drivers []CSINodeDriver
CSINode
  metadata ObjectMeta
  spec CSINodeSpec
TokenRequest
  audience string
  expirationSeconds int64
CSIDriverSpec
  attachRequired bool
  podInfoOnMount bool
  volumeLifecycleModes []VolumeLifecycleMode
  storageCapacity bool
  fsGroupPolicy FSGroupPolicy
  tokenRequests []TokenRequest
  requiresRepublish bool
  seLinuxMount bool
  nodeAllocatableUpdatePeriodSeconds int64
  serviceAccountTokenInSecrets bool
  preventPodSchedulingIfMissing bool
CSIDriver
  metadata ObjectMeta
  spec CSIDriverSpec
CSIStorageCapacity
  metadata ObjectMeta
  nodeTopology LabelSelector
  storageClassName string
  capacity Quantity
  maximumVolumeSize Quantity
VolumeAttachmentSource
  persistentVolumeName string
  inlineVolumeSpec PersistentVolumeSpec
VolumeAttachmentSpec
  attacher string
  source VolumeAttachmentSource
  nodeName string
VolumeError
  time Time
  message string
  errorCode int32
VolumeAttachmentStatus
  attached bool
  attachmentMetadata map[string]string
  attachError VolumeError
  detachError VolumeError
VolumeAttachment
  metadata ObjectMeta
  spec VolumeAttachmentSpec
  status VolumeAttachmentStatus
""",
    VOLUMES,
    META,
)
