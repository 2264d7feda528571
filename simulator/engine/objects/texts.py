"""The API server's texts, by code. Pages translate the code with its parameters; kubectl shows the text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

_NAME: Final = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
    "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
)
_SUBDOMAIN: Final = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start "
    "and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    r"'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)
_SIZES: Final = "1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei"

TEXTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        # decoding
        "decode.no_object": (
            "couldn't get version/kind; json parse error: json: cannot unmarshal {value} into Go value of type struct "
            '{{ APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }}'
        ),
        "decode.bad_type_meta": (
            "couldn't get version/kind; json parse error: json: cannot unmarshal {value} into Go struct field "
            ".{name} of type string"
        ),
        "decode.kind_missing": "Object 'Kind' is missing in '{body}'",
        "decode.version_missing": "Object 'apiVersion' is missing in '{body}'",
        "decode.unknown_kind": 'no matches for kind "{kind}" in version "{version}"',
        "decode.type": "json: cannot unmarshal {value} into Go struct field {struct}.{field} of type {type}",
        "decode.unknown_field": "strict decoding error: {fields}",
        "decode.quantity_format": "{text}",
        "decode.quantity_number": "{text}",
        "decode.quantity_suffix": "{text}",
        "decode.time": "{text}",
        "decode.not_finite": "json: unsupported value: {value}",
        "decode.unsupported": "json: unsupported type: {type}",
        "decode.too_deep": "json: exceeded max depth",
        "decode.too_large": "Request entity too large: limit is {limit}",
        # admission
        "admission.no_priority_class": "no PriorityClass with name {name} was found",
        "admission.priority_given": (
            "the integer value of priority ({given}) must not be provided in pod spec; priority admission controller "
            "computed {computed} from the given PriorityClass name"
        ),
        "admission.policy_given": (
            "the string value of PreemptionPolicy ({given}) must not be provided in pod spec; priority admission "
            "controller computed {computed} from the given PriorityClass name"
        ),
        "admission.second_default": "PriorityClass {name} is already marked as default. Only one default can exist",
        # create, update
        "create.exists": '"{name}" already exists',
        "create.namespace_not_found": 'namespaces "{name}" not found',
        "update.not_found": '{resource} "{name}" not found',
        # any field
        "api.required": "",
        "api.duplicate": "",
        "api.not_supported": "supported values: {supported}",
        "api.not_found": "",
        "api.forbidden": "",
        "api.too_long": "may not be more than {max} bytes",
        "api.too_many": "must have at most {max} {items}",
        "api.immutable": "field is immutable",
        "api.not_negative": "must be greater than or equal to 0",
        "api.positive": "must be greater than zero",
        "api.above_zero": "must be greater than 0",
        "api.minimum": "must be greater than or equal to {min}",
        "api.maximum": "must be less than or equal to {max}",
        "api.range": "must be between {min} and {max}, inclusive",
        "api.integer": "must be an integer",
        "api.several": "{text}",
        "api.not_empty": "must not be empty",
        "api.one_of": "must specify one of: {fields}",
        "api.exactly_one_of": "must specify exactly one of: {fields}",
        # names
        "name.chars": "must be no more than {max} characters",
        "name.bytes": "must be no more than {max} bytes",
        "name.subdomain": _SUBDOMAIN,
        "name.subdomain_underscore": (
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-', '_' or '.', and "
            "must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
            r"'[a-z0-9_]([-a-z0-9_]*[a-z0-9_])?(\.[a-z0-9_]([-a-z0-9_]*[a-z0-9_])?)*')"
        ),
        "name.label": (
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start "
            "and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
            "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
        ),
        "name.part": f"name part {_NAME}",
        "name.part_bytes": "name part must be no more than {max} bytes",
        "name.part_empty": "name part must be non-empty",
        "name.prefix": f"prefix part {_SUBDOMAIN}",
        "name.prefix_chars": "prefix part must be no more than {max} characters",
        "name.prefix_empty": "prefix part must be non-empty",
        "name.label_key": (
            f"a valid label key {_NAME} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
        ),
        "name.label_value": (
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must "
            "start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for "
            "validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
        ),
        "name.port_chars": "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
        "name.port_letter": "must contain at least one letter (a-z)",
        "name.port_hyphens": "must not contain consecutive hyphens",
        "name.port_ends": "must not begin or end with a hyphen",
        "name.percent": (
            "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex "
            "used for validation is '[0-9]+%')"
        ),
        "name.config_key": (
            "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or "
            "'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
        ),
        "name.dot": "must not be '{value}'",
        "name.dots": "must not start with '..'",
        "name.env": "a valid environment variable name must consist only of printable ASCII characters other than '='",
        "name.header": (
            "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for "
            "validation is '[-A-Za-z0-9]+')"
        ),
        "name.ip": "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)",
        "name.ip_zeros": "must not have leading 0s",
        "name.ip_mapped": "must not be an IPv4-mapped IPv6 address",
        "name.cidr": "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)",
        # metadata
        "metadata.name_required": "name or generateName is required",
        "metadata.no_namespace": "not allowed on this type",
        "metadata.version_empty": "version must not be empty",
        "metadata.banned_owner": "{owner} is disallowed from being an owner",
        "metadata.two_controllers": (
            'Only one reference can have Controller set to true. Found "true" in references for {first} and {second}'
        ),
        "metadata.finalizer": "name is neither a standard finalizer name nor is it fully qualified",
        "metadata.both_finalizers": "finalizer orphan and foregroundDeletion cannot be both set",
        "metadata.generation": "must not be decremented",
        "metadata.no_new_finalizers": (
            "no new finalizers can be added if the object is being deleted, found new finalizers {found}"
        ),
        # selectors
        "selector.operator": "not a valid selector operator",
        "selector.values_required": "must be specified when `operator` is 'In' or 'NotIn'",
        "selector.values_forbidden": "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        "selector.single_value": "must be specified single value when `operator` is 'Lt' or 'Gt'",
        "selector.field_value": "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
        "selector.field_key": "not a valid field selector key",
        "selector.no_terms": "must have at least one node selector term",
        "selector.empty": "empty selector is invalid for {kind}",
        "selector.no_match": "`selector` does not match template `labels`",
        # affinity, topology spread
        "affinity.weight": "must be in the range 1-100",
        "affinity.topology_key": "can not be empty",
        "affinity.keys_without_selector": "must not be specified when labelSelector is not set",
        "affinity.key_in_selector": "exists in both matchLabelKeys and labelSelector",
        "affinity.key_in_both": "exists in both matchLabelKeys and mismatchLabelKeys",
        "spread.min_domains": "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not {action}",
        # tolerations and taints
        "toleration.no_key": 'operator must be Exists when `key` is empty, which means "match all values and all keys"',
        "toleration.seconds": "effect must be 'NoExecute' when `tolerationSeconds` is set",
        "toleration.exists_value": "value must be empty when `operator` is 'Exists'",
        "toleration.numeric": "a valid integer is required when `operator` is 'Lt' or 'Gt'",
        "taint.duplicate": "taints must be unique by key and effect pair",
        "node.one_network_each": "may specify no more than one CIDR for each IP family",
        # resources
        "resource.not_standard": "must be a standard resource type or fully qualified",
        "resource.not_container": "must be a standard resource for containers",
        "resource.not_extended": "doesn't follow extended resource name standard",
        "resource.equal_limit": "must be equal to {resource} limit of {limit}",
        "resource.over_limit": "must be less than or equal to {resource} limit of {limit}",
        "resource.limit_required": "Limit must be set for non overcommitable resources",
        "resource.huge_pages_alone": "HugePages require cpu or memory",
        "resource.huge_pages_multiple": "{quantity} is not positive integer multiple of {resource}",
        "resource.pod_claims": "claims may not be set for Resources at pod-level",
        "resource.below_aggregate": "must be greater than or equal to aggregate container requests of {aggregate}",
        "resource.limit_below_aggregate": "must be greater than or equal to aggregate container limits of {aggregate}",
        "resource.over_pod_limit": "must be less than or equal to pod limits of {limit}",
        "resource.claim_unknown": "must be one of the names in pod.spec.resourceClaims{names}",
        "resource.claim_both": "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified",
        "resource.claim_neither": "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`",
        "resource.valid_quantity": "must be a valid resource quantity",
        "resource.exactly_or_first": "exactly one of `exactly` or `firstAvailable` is required",
        "resource.count_with_all": "must not be specified when allocationMode is 'All'",
        # containers
        "container.host_port": "must match `containerPort` when `hostNetwork` is true",
        "container.whitespace": "must not have leading or trailing whitespace",
        "container.rules_need_policy": "must specify restartPolicy when restart rules are used",
        "container.exit_codes": "must be specified",
        "container.rules_with_always": "restartPolicyRules are not allowed when restartPolicy is Always",
        "container.init_only": "may not be set for init containers without restartPolicy=Always",
        "container.resize_never": "must be 'NotRequired' when `restartPolicy` is 'Never'",
        "container.one_handler": "may not specify more than 1 handler type",
        "container.no_handler": "must specify a handler type",
        "container.sleep": "must be non-negative and less than terminationGracePeriodSeconds ({grace})",
        "container.success_threshold": "must be 1",
        "container.readiness_grace": "must not be set for readinessProbes",
        "container.env_source": (
            "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"
        ),
        "container.env_value": "may not be specified when `value` is not empty",
        "container.one_source": "may not have more than one field specified at a time",
        "container.env_from": "must specify one of: `configMapRef` or `secretRef`",
        "container.subscript": "does not support subscript",
        "container.divisor_cpu": "only divisor's values 1m and 1 are supported with the cpu resource",
        "container.divisor_memory": f"only divisor's values {_SIZES} are supported with the memory resource",
        "container.divisor_storage": (
            f"only divisor's values {_SIZES} are supported with the local ephemeral storage resource"
        ),
        "container.divisor_huge_pages": f"only divisor's values {_SIZES} are supported with the hugepages resource",
        "container.unique": "must be unique",
        "container.in_devices": "must not already exist in volumeDevices",
        "container.path_in_devices": "must not already exist as a path in volumeDevices",
        "container.in_mounts": "must not already exist in volumeMounts",
        "container.path_in_mounts": "must not already exist as a path in volumeMounts",
        "container.image_sub_path": "not allowed in image volume sources",
        "container.sub_path_both": "subPathExpr and subPath are mutually exclusive",
        "container.device_source": (
            "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode"
        ),
        "container.backsteps": "can not contain backsteps ('..')",
        "container.ephemeral_field": "cannot be set for an Ephemeral Container",
        "container.privileged_escalation": "cannot set `allowPrivilegeEscalation` to false and `privileged` to true",
        "container.admin_escalation": (
            "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN"
        ),
        "container.unmasked": "`hostUsers` must be false to use `Unmasked`",
        "container.propagation": "Bidirectional mount propagation is available only to privileged containers",
        "container.recursive_read_only": "may only be specified when readOnly is true",
        # pod
        "pod.host_users": "when `hostUsers` is false",
        "pod.gates_and_node": "cannot be set until all schedulingGates have been cleared",
        "pod.ephemeral_on_create": "cannot be set on create",
        "pod.ephemeral_in_template": "ephemeral containers not allowed in pod template",
        "pod.cannot_be_empty": "cannot be empty",
        "pod.share_and_host_pid": "ShareProcessNamespace and HostPID cannot both be enabled",
        "pod.sysctl": (
            "must have at most 253 characters and match regex "
            r"^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$"
        ),
        "pod.deletion_cost": "must be a 32bit integer",
        "pod.mirror": "must set spec.nodeName if mirror pod annotation is set",
        "pod.profile_type": "type is required when {profile} is set",
        "pod.localhost_required": "must be set when {profile} type is Localhost",
        "pod.localhost_only": "can only be set when {profile} type is Localhost",
        "pod.dns_required": "must provide `dnsConfig` when `dnsPolicy` is None",
        "pod.nameserver_required": "must provide at least one DNS nameserver when `dnsPolicy` is None",
        "pod.nameservers": "must not have more than {max} nameservers",
        "pod.search_paths": "must not have more than {max} search paths",
        "pod.search_chars": "must not have more than {max} characters (including spaces) in the search list",
        "pod.token_needs_account": "must not be specified when serviceAccountName is not set",
        "pod.hostname_override": "cannot be set when {other} is set",
        # volumes
        "volume.none": "must specify a volume type",
        "volume.second": "may not specify more than 1 volume type",
        "volume.size_limit": "SizeLimit field must be a valid resource quantity",
        "volume.created_claim": "must not reference a PVC that gets created for an ephemeral volume",
        "volume.claim_name": "PVC name {name}: {text}",
        "volume.relative": "must be a relative path",
        "volume.no_backsteps": "must not contain '..'",
        "volume.no_backstep_start": "must not start with '..'",
        "volume.absolute": "must be an absolute path",
        "volume.both_references": "fieldRef and resourceFieldRef can not be specified simultaneously",
        "volume.no_reference": "one of fieldRef and resourceFieldRef is required",
        "volume.mode": "must be a number between 0 and 0777 (octal), both inclusive",
        "volume.one_projection": "may not specify more than 1 volume type per source",
        "volume.token_seconds": "may not specify a duration less than 10 minutes",
        "volume.token_seconds_max": "may not specify a duration larger than 2^32 seconds",
        "volume.fc_one": "must specify either targetWWNs or wwids, but not both",
        "volume.fc_both": "targetWWNs and wwids can not be specified simultaneously",
        "volume.fc_lun": "lun is required if targetWWNs is specified",
        "volume.iqn": "must be valid format starting with iqn, eui, or naa",
        "volume.template_field": "cannot be set",
        # claims and volumes as objects
        "claim.access_modes": "at least 1 access mode is required",
        "claim.once_pod": "may not use ReadWriteOncePod with other access modes",
        "claim.data_source_kind": "must be 'PersistentVolumeClaim' when referencing the default apiGroup",
        "claim.spec_immutable": (
            "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims"
        ),
        "claim.shrink": "field can not be less than status.capacity",
        "persistent_volume.local_affinity": "Local volume requires node affinity",
        "persistent_volume.affinity_required": "must specify required node constraints",
        "persistent_volume.recycle_root": "may not be 'recycle' for a hostPath mount of '/'",
        "persistent_volume.source_immutable": "spec.persistentvolumesource is immutable after creation",
        "persistent_volume.affinity_immutable": "field is immutable, except for updating from beta label to GA",
        # disruption budgets, priority classes
        "budget.both": "minAvailable and maxUnavailable cannot be both set",
        "budget.over_100": "must not be greater than 100%",
        "priority_class.system": (
            "priority class names with 'system-' prefix are reserved for system use only. error: {error}"
        ),
        "priority_class.maximum": "maximum allowed value of a user defined priority is {max}",
        "priority_class.value": "may not be changed in an update.",
        # workloads
        "workload.active_deadline": "activeDeadlineSeconds in {kind} is not Supported",
        "workload.deadline_and_ready": "must be greater than minReadySeconds",
        "workload.recreate": "may not be specified when strategy `type` is 'Recreate'",
        "workload.both_zero": "may not be 0 when `maxSurge` is 0",
        "workload.completions_indexed": "should be less than or equal to {max} when completion mode is Indexed",
        "workload.indexed_completions": "when completion mode is Indexed",
        "workload.valid_restart": 'valid values: "OnFailure", "Never"',
        "workload.choice": "must be {choices}",
        "workload.indexed_only": "requires indexed completion mode",
        "workload.stateful_update": (
            "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', "
            "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"
        ),
        # services
        "service.headless": "may not be set to 'None' for {type} services",
        "service.external_name": "may not be set for ExternalName services",
        "service.cluster_ip_port": "may not be used when `type` is 'ClusterIP'",
        "service.ips_first": "first value must match `clusterIP`",
        "service.ips_empty": "must be empty when `clusterIP` is not specified",
        "service.affinity_config": "must not be set when session affinity is None",
        "service.load_balancer_only": "may only be used when `type` is 'LoadBalancer'",
        "service.external_policy": "may only be set for externally-accessible services",
        "service.ip_immutable": "may not change once set",
        # updates
        # gpuschedlab.io: the fabric
        "fabric.missing": "must be given",
        "fabric.type": "is of another type",
        "fabric.unknown": "is not known",
        "fabric.range": "is out of range",
        "fabric.conflict": "may not stand beside `machine`",
        "fabric.no_gpu": "the machine has GPUs 0 to {last}",
        "fabric.no_card": "the machine has cards {cards}",
        "fabric.no_pair": "GPUs {first} and {second} have no links of their own",
        "fabric.mig": "GPU {gpu} cannot be divided into {profiles}",
        "update.containers": "pod updates may not add or remove containers",
        "update.deadline": "must be less than or equal to previous value",
        "update.deadline_unset": "must not update from a positive integer to nil value",
        "update.toleration": "existing toleration can not be modified except its tolerationSeconds",
        "update.gate": "only deletion is allowed, but found new scheduling gate '{gate}'",
        "update.node_selector": "only additions to spec.nodeSelector are allowed (no mutations or deletions)",
        "update.affinity_terms": "no additions/deletions to non-empty NodeSelectorTerms list are allowed",
        "update.affinity_term": "only additions are allowed (no mutations or deletions)",
        "update.pod_spec": (
            "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,"
            "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),"
            "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"
        ),
        "update.pod_cidr": 'node updates may not change podCIDR except from "" to valid',
        "update.provider_id": 'node updates may not change providerID except from "" to valid',
        "update.external_id": "may not be updated",
        "update.storage_class": "updates to {field} are forbidden.",
    }
)


@dataclass(frozen=True, slots=True)
class Message:
    """A reason: its code, the numbers and names in it, and kube's text made of both."""

    code: str
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return TEXTS[self.code].format(**self.params)

    def __str__(self) -> str:
        return self.text
