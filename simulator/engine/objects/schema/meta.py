"""metav1: what all kinds share."""

from typing import Final

from simulator.engine.objects.schema.types import Tables

META: Final = Tables(
    "v1",
    """
ManagedFieldsOperationType = string
LabelSelectorOperator = string
ConditionStatus = string
ObjectMeta
  name string
  generateName string
  namespace string
  selfLink string
  uid UID
  resourceVersion string
  generation int64
  creationTimestamp Time
  deletionTimestamp Time
  deletionGracePeriodSeconds int64
  labels map[string]string
  annotations map[string]string
  ownerReferences []OwnerReference
  finalizers []string
  managedFields []ManagedFieldsEntry
OwnerReference
  apiVersion string
  kind string
  name string
  uid UID
  controller bool
  blockOwnerDeletion bool
ManagedFieldsEntry
  manager string
  operation ManagedFieldsOperationType
  apiVersion string
  time Time
  fieldsType string
  fieldsV1 Any
  subresource string
LabelSelector
  matchLabels map[string]string
  matchExpressions []LabelSelectorRequirement
LabelSelectorRequirement
  key string
  operator LabelSelectorOperator
  values []string
Condition
  type string
  status ConditionStatus
  observedGeneration int64
  lastTransitionTime Time
  reason string
  message string
""",
)
