"""core/v1: volume sources of Pods and PersistentVolumes, claims."""

from typing import Final

from simulator.engine.objects.schema.meta import META
from simulator.engine.objects.schema.types import Tables

VOLUMES: Final = Tables(
    "v1",
    """
ResourceName = string
StorageMedium = string
HostPathType = string
AzureDataDiskCachingMode = string
AzureDataDiskKind = string
PullPolicy = string
PersistentVolumeAccessMode = string
PersistentVolumeMode = string
PersistentVolumeReclaimPolicy = string
PersistentVolumePhase = string
PersistentVolumeClaimPhase = string
PersistentVolumeClaimConditionType = string
PersistentVolumeClaimModifyVolumeStatus = string
ClaimResourceStatus = string
ConditionStatus = string
NodeSelectorOperator = string
ResourceList = map[ResourceName]Quantity
LocalObjectReference
  name string
SecretReference
  name string
  namespace string
ObjectReference
  kind string
  namespace string
  name string
  uid UID
  apiVersion string
  resourceVersion string
  fieldPath string
TypedLocalObjectReference
  apiGroup string
  kind string
  name string
TypedObjectReference
  apiGroup string
  kind string
  name string
  namespace string
ObjectFieldSelector
  apiVersion string
  fieldPath string
ResourceFieldSelector
  containerName string
  resource string
  divisor Quantity
KeyToPath
  key string
  path string
  mode int32
NodeSelectorRequirement
  key string
  operator NodeSelectorOperator
  values []string
NodeSelectorTerm
  matchExpressions []NodeSelectorRequirement
  matchFields []NodeSelectorRequirement
NodeSelector
  nodeSelectorTerms []NodeSelectorTerm
VolumeNodeAffinity
  required NodeSelector
TopologySelectorLabelRequirement
  key string
  values []string
TopologySelectorTerm
  matchLabelExpressions []TopologySelectorLabelRequirement
HostPathVolumeSource
  path string
  type HostPathType
EmptyDirVolumeSource
  medium StorageMedium
  sizeLimit Quantity
GCEPersistentDiskVolumeSource
  pdName string
  fsType string
  partition int32
  readOnly bool
AWSElasticBlockStoreVolumeSource
  volumeID string
  fsType string
  partition int32
  readOnly bool
GitRepoVolumeSource
  repository string
  revision string
  directory string
SecretVolumeSource
  secretName string
  items []KeyToPath
  defaultMode int32
  optional bool
NFSVolumeSource
  server string
  path string
  readOnly bool
ISCSIVolumeSource
  targetPortal string
  iqn string
  lun int32
  iscsiInterface string
  fsType string
  readOnly bool
  portals []string
  chapAuthDiscovery bool
  chapAuthSession bool
  secretRef LocalObjectReference
  initiatorName string
ISCSIPersistentVolumeSource
  ...ISCSIVolumeSource
  secretRef SecretReference
GlusterfsVolumeSource
  endpoints string
  path string
  readOnly bool
GlusterfsPersistentVolumeSource
  ...GlusterfsVolumeSource
  endpointsNamespace string
PersistentVolumeClaimVolumeSource
  claimName string
  readOnly bool
RBDVolumeSource
  monitors []string
  image string
  fsType string
  pool string
  user string
  keyring string
  secretRef LocalObjectReference
  readOnly bool
RBDPersistentVolumeSource
  ...RBDVolumeSource
  secretRef SecretReference
FlexVolumeSource
  driver string
  fsType string
  secretRef LocalObjectReference
  readOnly bool
  options map[string]string
FlexPersistentVolumeSource
  ...FlexVolumeSource
  secretRef SecretReference
CinderVolumeSource
  volumeID string
  fsType string
  readOnly bool
  secretRef LocalObjectReference
CinderPersistentVolumeSource
  ...CinderVolumeSource
  secretRef SecretReference
CephFSVolumeSource
  monitors []string
  path string
  user string
  secretFile string
  secretRef LocalObjectReference
  readOnly bool
CephFSPersistentVolumeSource
  ...CephFSVolumeSource
  secretRef SecretReference
FlockerVolumeSource
  datasetName string
  datasetUUID string
DownwardAPIVolumeFile
  path string
  fieldRef ObjectFieldSelector
  resourceFieldRef ResourceFieldSelector
  mode int32
DownwardAPIVolumeSource
  items []DownwardAPIVolumeFile
  defaultMode int32
FCVolumeSource
  targetWWNs []string
  lun int32
  fsType string
  readOnly bool
  wwids []string
AzureFileVolumeSource
  secretName string
  shareName string
  readOnly bool
AzureFilePersistentVolumeSource
  ...AzureFileVolumeSource
  secretNamespace string
ConfigMapVolumeSource
  name string
  items []KeyToPath
  defaultMode int32
  optional bool
VsphereVirtualDiskVolumeSource
  volumePath string
  fsType string
  storagePolicyName string
  storagePolicyID string
QuobyteVolumeSource
  registry string
  volume string
  readOnly bool
  user string
  group string
  tenant string
AzureDiskVolumeSource
  diskName string
  diskURI string
  cachingMode AzureDataDiskCachingMode
  fsType string
  readOnly bool
  kind AzureDataDiskKind
PhotonPersistentDiskVolumeSource
  pdID string
  fsType string
SecretProjection
  name string
  items []KeyToPath
  optional bool
DownwardAPIProjection
  items []DownwardAPIVolumeFile
ConfigMapProjection
  name string
  items []KeyToPath
  optional bool
ServiceAccountTokenProjection
  audience string
  expirationSeconds int64
  path string
ClusterTrustBundleProjection
  name string
  signerName string
  labelSelector LabelSelector
  optional bool
  path string
PodCertificateProjection
  signerName string
  keyType string
  maxExpirationSeconds int32
  credentialBundlePath string
  keyPath string
  certificateChainPath string
  userAnnotations map[string]string
VolumeProjection
  secret SecretProjection
  downwardAPI DownwardAPIProjection
  configMap ConfigMapProjection
  serviceAccountToken ServiceAccountTokenProjection
  clusterTrustBundle ClusterTrustBundleProjection
  podCertificate PodCertificateProjection
ProjectedVolumeSource
  sources []VolumeProjection
  defaultMode int32
PortworxVolumeSource
  volumeID string
  fsType string
  readOnly bool
ScaleIOVolumeSource
  gateway string
  system string
  secretRef LocalObjectReference
  sslEnabled bool
  protectionDomain string
  storagePool string
  storageMode string
  volumeName string
  fsType string
  readOnly bool
ScaleIOPersistentVolumeSource
  ...ScaleIOVolumeSource
  secretRef SecretReference
StorageOSVolumeSource
  volumeName string
  volumeNamespace string
  fsType string
  readOnly bool
  secretRef LocalObjectReference
StorageOSPersistentVolumeSource
  ...StorageOSVolumeSource
  secretRef ObjectReference
CSIVolumeSource
  driver string
  readOnly bool
  fsType string
  volumeAttributes map[string]string
  nodePublishSecretRef LocalObjectReference
CSIPersistentVolumeSource
  driver string
  volumeHandle string
  readOnly bool
  fsType string
  volumeAttributes map[string]string
  controllerPublishSecretRef SecretReference
  nodeStageSecretRef SecretReference
  nodePublishSecretRef SecretReference
  controllerExpandSecretRef SecretReference
  nodeExpandSecretRef SecretReference
LocalVolumeSource
  path string
  fsType string
ImageVolumeSource
  reference string
  pullPolicy PullPolicy
VolumeResourceRequirements
  limits ResourceList
  requests ResourceList
PersistentVolumeClaimSpec
  accessModes []PersistentVolumeAccessMode
  selector LabelSelector
  resources VolumeResourceRequirements
  volumeName string
  storageClassName string
  volumeMode PersistentVolumeMode
  dataSource TypedLocalObjectReference
  dataSourceRef TypedObjectReference
  volumeAttributesClassName string
PersistentVolumeClaimCondition
  type PersistentVolumeClaimConditionType
  status ConditionStatus
  lastProbeTime Time
  lastTransitionTime Time
  reason string
  message string
ModifyVolumeStatus
  targetVolumeAttributesClassName string
  status PersistentVolumeClaimModifyVolumeStatus
PersistentVolumeClaimStatus
  phase PersistentVolumeClaimPhase
  accessModes []PersistentVolumeAccessMode
  capacity ResourceList
  conditions []PersistentVolumeClaimCondition
  allocatedResources ResourceList
  allocatedResourceStatuses map[ResourceName]ClaimResourceStatus
  currentVolumeAttributesClassName string
  modifyVolumeStatus ModifyVolumeStatus
PersistentVolumeClaim
  metadata ObjectMeta
  spec PersistentVolumeClaimSpec
  status PersistentVolumeClaimStatus
PersistentVolumeClaimTemplate
  metadata ObjectMeta
  spec PersistentVolumeClaimSpec
EphemeralVolumeSource
  volumeClaimTemplate PersistentVolumeClaimTemplate
PersistentVolumeSpec
  capacity ResourceList
  gcePersistentDisk GCEPersistentDiskVolumeSource
  awsElasticBlockStore AWSElasticBlockStoreVolumeSource
  hostPath HostPathVolumeSource
  glusterfs GlusterfsPersistentVolumeSource
  nfs NFSVolumeSource
  rbd RBDPersistentVolumeSource
  iscsi ISCSIPersistentVolumeSource
  cinder CinderPersistentVolumeSource
  cephfs CephFSPersistentVolumeSource
  fc FCVolumeSource
  flocker FlockerVolumeSource
  flexVolume FlexPersistentVolumeSource
  azureFile AzureFilePersistentVolumeSource
  vsphereVolume VsphereVirtualDiskVolumeSource
  quobyte QuobyteVolumeSource
  azureDisk AzureDiskVolumeSource
  photonPersistentDisk PhotonPersistentDiskVolumeSource
  portworxVolume PortworxVolumeSource
  scaleIO ScaleIOPersistentVolumeSource
  local LocalVolumeSource
  storageos StorageOSPersistentVolumeSource
  csi CSIPersistentVolumeSource
  accessModes []PersistentVolumeAccessMode
  claimRef ObjectReference
  persistentVolumeReclaimPolicy PersistentVolumeReclaimPolicy
  storageClassName string
  mountOptions []string
  volumeMode PersistentVolumeMode
  nodeAffinity VolumeNodeAffinity
  volumeAttributesClassName string
PersistentVolumeStatus
  phase PersistentVolumePhase
  message string
  reason string
  lastPhaseTransitionTime Time
PersistentVolume
  metadata ObjectMeta
  spec PersistentVolumeSpec
  status PersistentVolumeStatus
Volume
  name string
  hostPath HostPathVolumeSource
  emptyDir EmptyDirVolumeSource
  gcePersistentDisk GCEPersistentDiskVolumeSource
  awsElasticBlockStore AWSElasticBlockStoreVolumeSource
  gitRepo GitRepoVolumeSource
  secret SecretVolumeSource
  nfs NFSVolumeSource
  iscsi ISCSIVolumeSource
  glusterfs GlusterfsVolumeSource
  persistentVolumeClaim PersistentVolumeClaimVolumeSource
  rbd RBDVolumeSource
  flexVolume FlexVolumeSource
  cinder CinderVolumeSource
  cephfs CephFSVolumeSource
  flocker FlockerVolumeSource
  downwardAPI DownwardAPIVolumeSource
  fc FCVolumeSource
  azureFile AzureFileVolumeSource
  configMap ConfigMapVolumeSource
  vsphereVolume VsphereVirtualDiskVolumeSource
  quobyte QuobyteVolumeSource
  azureDisk AzureDiskVolumeSource
  photonPersistentDisk PhotonPersistentDiskVolumeSource
  projected ProjectedVolumeSource
  portworxVolume PortworxVolumeSource
  scaleIO ScaleIOVolumeSource
  storageos StorageOSVolumeSource
  csi CSIVolumeSource
  ephemeral EphemeralVolumeSource
  image ImageVolumeSource
""",
    META,
)
