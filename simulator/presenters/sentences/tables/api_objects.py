"""What the API server objects to, part 1: reading, admission, any field, names, metadata, selectors, nodes, updates.

Clauses about one field: they come after its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from simulator.presenters.sentences.both import Both

OBJECTS: Final[Mapping[str, Both]] = {
    # decoding
    "decode.no_object": Both("这不是一个对象：顶层要写成键值映射", "this is no object: write a mapping at the top"),
    "decode.bad_type_meta": Both("{name} 应该是文本", "{name} must be a text"),
    "decode.kind_missing": Both("缺少 kind，例如 kind: Pod", "kind is missing, such as kind: Pod"),
    "decode.version_missing": Both(
        "缺少 apiVersion，例如 apiVersion: v1", "apiVersion is missing, such as apiVersion: v1"
    ),
    "decode.unknown_kind": Both(
        "{version} 里没有 {kind} 这种对象，请检查 apiVersion 和 kind",
        "{version} has no kind {kind}; check apiVersion and kind",
    ),
    "decode.type": Both(
        "字段 {field} 的类型不对：写的是 {value}，应为 {type}",
        "{field} is of the wrong type: {value} was given, {type} is wanted",
    ),
    "decode.unknown_field": Both(
        "有不认识的字段：{fields}，请检查拼写和缩进",
        "there are unknown fields: {fields}; check spelling and indentation",
    ),
    "decode.quantity_format": Both(
        "数量写法不对，例如 500m、2、16Gi", "not a quantity; write for example 500m, 2 or 16Gi"
    ),
    "decode.quantity_number": Both("数量里的数字不对", "the number of this quantity cannot be read"),
    "decode.quantity_suffix": Both(
        "数量的单位不对，可用 m、k、M、G、Ki、Mi、Gi 等",
        "the unit of this quantity is unknown; use m, k, M, G, Ki, Mi, Gi and the like",
    ),
    "decode.time": Both(
        "时间写法不对，例如 2026-01-01T00:00:00Z", "not a time; write for example 2026-01-01T00:00:00Z"
    ),
    "decode.not_finite": Both("不能是 {value}，要写有限的数", "{value} is not allowed, write a finite number"),
    "decode.unsupported": Both("不支持这种类型的值（{type}）", "values of type {type} are not supported"),
    "decode.too_deep": Both("嵌套太深", "nested too deeply"),
    "decode.too_large": Both("对象太大，最多 {limit} 字节", "the object is too large, {limit} bytes at most"),
    # admission
    "admission.no_priority_class": Both(
        "没有名为 {name} 的 PriorityClass，请先创建它", "there is no PriorityClass {name}; create it first"
    ),
    "admission.priority_given": Both(
        "不要直接写 priority（{given}），它由 PriorityClass 决定（{computed}）",
        "do not write priority ({given}) yourself, the PriorityClass decides it ({computed})",
    ),
    "admission.policy_given": Both(
        "不要直接写 preemptionPolicy（{given}），它由 PriorityClass 决定（{computed}）",
        "do not write preemptionPolicy ({given}) yourself, the PriorityClass decides it ({computed})",
    ),
    "admission.second_default": Both(
        "已有默认的 PriorityClass {name}，只能有一个",
        "PriorityClass {name} is the default already, there can be only one",
    ),
    # creating and updating
    "create.exists": Both(
        "{name} 已经存在，换个名字或者更新它", "{name} exists already; choose another name or update it"
    ),
    "create.namespace_not_found": Both(
        "没有命名空间 {name}，请先创建它", "there is no namespace {name}; create it first"
    ),
    "update.not_found": Both("没有名为 {name} 的 {resource}", "there is no {name} among the {resource}"),
    # any field
    "api.required": Both("必须填写", "must be given"),
    "api.duplicate": Both("重复了", "is there twice"),
    "api.not_supported": Both(
        "不支持这个值，可用的有 {supported}", "this value is not supported; known are {supported}"
    ),
    "api.not_found": Both("找不到它所指的东西", "what it refers to is not there"),
    "api.forbidden": Both("这里不能写", "is not allowed here"),
    "api.too_long": Both("太长了，最多 {max} 字节", "is too long, {max} bytes at most"),
    "api.too_many": Both("太多了，最多 {max} 项", "are too many, {max} at most"),
    "api.immutable": Both("创建之后不能修改", "cannot be changed after creation"),
    "api.not_negative": Both("不能是负数", "must not be negative"),
    "api.positive": Both("必须大于 0", "must be greater than 0"),
    "api.above_zero": Both("必须大于 0", "must be greater than 0"),
    "api.minimum": Both("不能小于 {min}", "must be {min} at least"),
    "api.maximum": Both("不能大于 {max}", "must be {max} at most"),
    "api.range": Both("必须在 {min} 到 {max} 之间", "must be from {min} to {max}"),
    "api.integer": Both("必须是整数", "must be a whole number"),
    "api.several": Both("有几处不对：{text}", "several things are wrong: {text}"),
    "api.not_empty": Both("不能为空", "must not be empty"),
    "api.one_of": Both("要写 {fields} 之一", "needs one of {fields}"),
    "api.exactly_one_of": Both("{fields} 里要写且只写一个", "needs exactly one of {fields}"),
    # names
    "name.chars": Both("太长了，最多 {max} 个字符", "is too long, {max} characters at most"),
    "name.bytes": Both("太长了，最多 {max} 字节", "is too long, {max} bytes at most"),
    "name.subdomain": Both(
        "只能用小写字母、数字、- 和 .，并以字母或数字开头和结尾，例如 gpu-1.example.com",
        "only lower-case letters, digits, - and ., with a letter or digit at both ends, such as gpu-1.example.com",
    ),
    "name.subdomain_underscore": Both(
        "只能用小写字母、数字、-、_ 和 .，并以字母或数字开头和结尾",
        "only lower-case letters, digits, -, _ and ., with a letter or digit at both ends",
    ),
    "name.label": Both(
        "只能用小写字母、数字和 -，并以字母或数字开头和结尾，例如 train-1",
        "only lower-case letters, digits and -, with a letter or digit at both ends, such as train-1",
    ),
    "name.part": Both(
        "名字部分只能用字母、数字、-、_ 和 .，并以字母或数字开头和结尾",
        "the name part takes letters, digits, -, _ and ., with a letter or digit at both ends",
    ),
    "name.part_bytes": Both("名字部分太长，最多 {max} 字节", "the name part is too long, {max} bytes at most"),
    "name.part_empty": Both("斜杠后面的名字不能为空", "the name after the slash must not be empty"),
    "name.prefix": Both(
        "前缀只能用小写字母、数字、- 和 .，例如 example.com",
        "the prefix takes lower-case letters, digits, - and ., such as example.com",
    ),
    "name.prefix_chars": Both("前缀太长，最多 {max} 个字符", "the prefix is too long, {max} characters at most"),
    "name.prefix_empty": Both("斜杠前面的前缀不能为空", "the prefix before the slash must not be empty"),
    "name.label_key": Both(
        "标签键的写法是 名字 或 前缀/名字，例如 example.com/team",
        "write a label key as name or prefix/name, such as example.com/team",
    ),
    "name.label_value": Both(
        "标签值可以为空，或用字母、数字、-、_ 和 .，并以字母或数字开头和结尾",
        "a label value is empty, or letters, digits, -, _ and . with a letter or digit at both ends",
    ),
    "name.port_chars": Both("端口名只能用字母、数字和 -", "a port name takes letters, digits and -"),
    "name.port_letter": Both("端口名至少要有一个字母", "a port name needs a letter"),
    "name.port_hyphens": Both("端口名里不能有连续的 -", "a port name must not have -- in it"),
    "name.port_ends": Both("端口名不能以 - 开头或结尾", "a port name must not begin or end with -"),
    "name.percent": Both("要写成百分比，例如 50%", "write a percentage, such as 50%"),
    "name.config_key": Both("键只能用字母、数字、-、_ 和 .", "a key takes letters, digits, -, _ and ."),
    "name.dot": Both("不能是 {value}", "must not be {value}"),
    "name.dots": Both("不能以 .. 开头", "must not begin with .."),
    "name.env": Both(
        "环境变量名只能用可打印的 ASCII 字符，不能有 =",
        "an environment variable's name takes printable ASCII characters but =",
    ),
    "name.header": Both("HTTP 头的名字只能用字母、数字和 -", "the name of an HTTP header takes letters, digits and -"),
    "name.ip": Both("要写 IP 地址，例如 10.9.8.7", "write an IP address, such as 10.9.8.7"),
    "name.ip_zeros": Both("IP 地址的各段不能以 0 开头", "the parts of an IP address must not begin with 0"),
    "name.ip_mapped": Both("不能用 IPv4 映射的 IPv6 地址", "must not be an IPv6 address that stands for an IPv4 one"),
    "name.cidr": Both("要写网段，例如 10.9.8.0/24", "write a range of addresses, such as 10.9.8.0/24"),
    # metadata
    "metadata.name_required": Both("要写 name 或 generateName", "needs name or generateName"),
    "metadata.no_namespace": Both(
        "这种对象不属于命名空间，请去掉 namespace", "this kind of object has no namespace; leave it out"
    ),
    "metadata.version_empty": Both("apiVersion 不能为空", "apiVersion must not be empty"),
    "metadata.banned_owner": Both("{owner} 不能作为属主", "{owner} cannot be an owner"),
    "metadata.two_controllers": Both(
        "只能有一个控制器属主，这里有 {first} 和 {second}",
        "only one owner can be the controller, here are {first} and {second}",
    ),
    "metadata.finalizer": Both("finalizer 要写成 前缀/名字", "write a finalizer as prefix/name"),
    "metadata.both_finalizers": Both(
        "orphan 和 foregroundDeletion 不能同时写", "orphan and foregroundDeletion exclude each other"
    ),
    "metadata.generation": Both("不能变小", "must not go down"),
    "metadata.no_new_finalizers": Both(
        "对象正在被删除，不能再加 finalizer：{found}",
        "the object is being deleted, no finalizers can be added: {found}",
    ),
    # selectors
    "selector.operator": Both(
        "没有这种运算符，可用 In、NotIn、Exists、DoesNotExist（节点亲和性还有 Gt、Lt）",
        "unknown operator; use In, NotIn, Exists or DoesNotExist (for nodes also Gt and Lt)",
    ),
    "selector.values_required": Both("operator 是 In 或 NotIn 时要写 values", "In and NotIn need values"),
    "selector.values_forbidden": Both(
        "operator 是 Exists 或 DoesNotExist 时不能写 values", "Exists and DoesNotExist take no values"
    ),
    "selector.single_value": Both("operator 是 Lt 或 Gt 时只能写一个值", "Lt and Gt take exactly one value"),
    "selector.field_value": Both("按字段选择节点时只能写一个值", "a field selector takes exactly one value"),
    "selector.field_key": Both("只能按 metadata.name 选择", "only metadata.name can be selected by"),
    "selector.no_terms": Both("至少要有一个 nodeSelectorTerm", "needs at least one nodeSelectorTerm"),
    "selector.empty": Both("{kind} 的选择器不能为空", "the selector of a {kind} must not be empty"),
    "selector.no_match": Both("选择器与模板里的标签对不上", "the selector does not match the template's labels"),
    # affinity, spread
    "affinity.weight": Both("权重必须在 1 到 100 之间", "the weight must be from 1 to 100"),
    "affinity.topology_key": Both("topologyKey 不能为空", "topologyKey must not be empty"),
    "affinity.keys_without_selector": Both("没有 labelSelector 时不能写", "needs a labelSelector beside it"),
    "affinity.key_in_selector": Both(
        "同一个键在 matchLabelKeys 和 labelSelector 里都有", "the same key is in matchLabelKeys and in labelSelector"
    ),
    "affinity.key_in_both": Both(
        "同一个键在 matchLabelKeys 和 mismatchLabelKeys 里都有",
        "the same key is in matchLabelKeys and in mismatchLabelKeys",
    ),
    "spread.min_domains": Both(
        "minDomains 只能与 whenUnsatisfiable: DoNotSchedule 一起用，这里是 {action}",
        "minDomains goes only with whenUnsatisfiable: DoNotSchedule, here it is {action}",
    ),
    # taints and tolerations
    "toleration.no_key": Both(
        "key 为空表示容忍所有污点，这时 operator 必须是 Exists",
        "an empty key means every taint; then the operator must be Exists",
    ),
    "toleration.seconds": Both(
        "写 tolerationSeconds 时 effect 必须是 NoExecute", "tolerationSeconds goes only with effect: NoExecute"
    ),
    "toleration.exists_value": Both("operator 是 Exists 时 value 要留空", "Exists takes no value"),
    "toleration.numeric": Both("operator 是 Lt 或 Gt 时 value 要写整数", "Lt and Gt need a whole number as value"),
    "taint.duplicate": Both("同一个键和效果的污点只能写一次", "a taint with this key and effect is there already"),
    "node.one_network_each": Both("每种 IP 协议只能写一个网段", "only one range of addresses for each IP family"),
    # machines
    "fabric.missing": Both("必须填写", "must be given"),
    "fabric.type": Both("类型不对", "is of another type"),
    "fabric.unknown": Both("没有这种取值", "is not known"),
    "fabric.range": Both("超出范围", "is out of range"),
    "fabric.conflict": Both("不能与 machine 同时写", "may not stand beside machine"),
    "fabric.no_gpu": Both("这台机器的 GPU 编号是 0 到 {last}", "the machine has GPUs 0 to {last}"),
    "fabric.no_card": Both("这台机器的网卡有 {cards}", "the machine has the cards {cards}"),
    "fabric.no_pair": Both(
        "GPU {first} 和 {second} 之间没有直连", "GPUs {first} and {second} have no links of their own"
    ),
    "fabric.mig": Both("GPU {gpu} 不能这样划分：{profiles}", "GPU {gpu} cannot be divided into {profiles}"),
    # updates
    "update.containers": Both("更新时不能增删容器", "an update cannot add or remove containers"),
    "update.deadline": Both("只能改小", "can only be made smaller"),
    "update.deadline_unset": Both("设置之后不能再去掉", "cannot be taken away once it is set"),
    "update.toleration": Both(
        "已有的容忍只能改 tolerationSeconds", "of an existing toleration only tolerationSeconds can be changed"
    ),
    "update.gate": Both("调度门只能移除，不能新加 {gate}", "gates can only be removed, {gate} is new"),
    "update.node_selector": Both("nodeSelector 只能增加条件", "a node selector can only be added to"),
    "update.affinity_terms": Both("不能增删已有的 nodeSelectorTerms", "nodeSelectorTerms cannot be added or removed"),
    "update.affinity_term": Both("只能增加条件，不能修改已有的", "conditions can be added, not changed"),
    "update.pod_spec": Both(
        "Pod 创建后只能改镜像、activeDeadlineSeconds、增加容忍等少数字段；要改别的，请删除后重建",
        "only images, activeDeadlineSeconds, further tolerations and little else of a Pod can change; delete it and create it anew",
    ),
    "update.pod_cidr": Both("podCIDR 设置之后不能修改", "podCIDR cannot be changed once it is set"),
    "update.provider_id": Both("providerID 设置之后不能修改", "providerID cannot be changed once it is set"),
    "update.external_id": Both("不能修改", "cannot be changed"),
    "update.storage_class": Both("StorageClass 的 {field} 不能修改", "{field} of a StorageClass cannot be changed"),
}
