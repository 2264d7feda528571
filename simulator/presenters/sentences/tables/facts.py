"""What a fact says of a node: a sentence where it holds, a clause after `OUT` where it does not.

Keys with a suffix are variants; in a clause "it" is the node.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from simulator.presenters.sentences.both import Both

HOLDS: Final[Mapping[str, Both]] = {
    "node_unschedulable.cordon": Both("{node} 没有被封锁", "{node} is not cordoned"),
    "node_unschedulable.cordon.tolerated": Both(
        "{node} 被封锁，但 {pod} 容忍 {taint}", "{node} is cordoned, but {pod} tolerates {taint}"
    ),
    "node_name.wanted": Both("{pod} 指定的就是 {node}", "{node} is the node that {pod} names"),
    "taint_toleration.taint": Both(
        "{pod} 用 {tolerated_by} 容忍了污点 {taint}", "{pod} tolerates the taint {taint} by {tolerated_by}"
    ),
    "node_affinity.required": Both(
        "{node} 满足 {pod} 的第 {term} 个亲和条件", "{node} meets affinity term {term} of {pod}"
    ),
    "node_affinity.enforced": Both(
        "{node} 满足调度器附加的第 {term} 个亲和条件", "{node} meets term {term} of the affinity that the profile adds"
    ),
    "node_affinity.selector": Both(
        "{node} 的标签 {key}={have} 符合 nodeSelector", "{node} has {key}={have}, as the node selector wants"
    ),
    "node_ports.port": Both("{node} 的端口 {port} 空着", "port {port} of {node} is free"),
    "node_resources_fit.pod_slots": Both(
        "{node} 有 Pod 名额：{slots} 个里用了 {pods} 个", "{node} has a Pod slot left: {pods} of {slots} are taken"
    ),
    "node_resources_fit.resource": Both(
        "{pod} 要 {requested:amount}，{node} 还剩 {free:number}（共 {allocatable:number}）",
        "{pod} asks for {requested:amount}, {node} has {free:number} of {allocatable:number} free",
    ),
    "pod_topology_spread.constraint": Both(
        "{key}={domain} 有 {count} 个同类 Pod，加上它是 {with_pod}，最少的域有 {smallest} 个：相差 {skew}，不超过 maxSkew {max_skew}",
        "{key}={domain} has {count:|such Pod|such Pods}, {with_pod} with this one; the least any domain has is {smallest}: a skew of {skew}, at most {max_skew} is allowed",
    ),
    "inter_pod_affinity.affinity": Both(
        "{key}={domain} 里有 {count} 个要靠近的 Pod（{pods:list}）",
        "{key}={domain} has {count:|Pod|Pods} to be near to ({pods:list})",
    ),
    "inter_pod_affinity.affinity.first": Both(
        "集群里还没有符合 {selector:selector} 的 Pod，而 {pod} 自己符合，所以它可以第一个放在 {key}={domain}",
        "there is no Pod with {selector:selector} yet and {pod} is one itself, so it may be the first, here in {key}={domain}",
    ),
    "inter_pod_affinity.anti_affinity": Both(
        "{key}={domain} 里没有要远离的 Pod", "{key}={domain} has no Pod to keep away from"
    ),
    "inter_pod_affinity.anti_affinity.keyless": Both(
        "{node} 没有标签 {key}，反亲和不适用", "{node} has no label {key}, so this anti-affinity does not apply"
    ),
    "inter_pod_affinity.existing_anti_affinity": Both(
        "{key}={domain} 里没有排斥 {pod} 的 Pod", "no Pod in {key}={domain} objects to {pod}"
    ),
    "volume_restrictions.disks": Both(
        "{pod} 要独占的磁盘在 {node} 上没人用", "nobody on {node} uses the disks that {pod} needs for itself"
    ),
    "volume_restrictions.claims": Both(
        "没有别的 Pod 使用存储声明 {claims:list}", "no other Pod uses the claims {claims:list}"
    ),
    "node_volume_limits.volumes": Both(
        "{driver} 的卷：已有 {there} 个，再加 {new} 个，上限 {limit}",
        "volumes of {driver}: {there} there and {new} more, at most {limit} are allowed",
    ),
    "node_volume_limits.volumes.unlimited": Both(
        "{driver} 的卷在 {node} 上没有数量上限", "{node} sets no limit for volumes of {driver}"
    ),
    "volume_binding.bound": Both(
        "存储声明 {claim} 的卷 {volume} 在 {node} 上可用", "volume {volume} of claim {claim} is in reach of {node}"
    ),
    "volume_binding.sent": Both(
        "存储声明 {claim} 的新卷正在 {node} 上创建", "a volume for claim {claim} is being made for {node}"
    ),
    "volume_binding.taken": Both(
        "存储声明 {claim} 可以用空闲的卷 {volume}", "claim {claim} can take the free volume {volume}"
    ),
    "volume_binding.provisioned": Both(
        "可以在 {node} 为存储声明 {claim} 创建新卷", "a volume for claim {claim} can be made for {node}"
    ),
    "volume_zone.unlabelled": Both(
        "{node} 没有可用区标签，任何卷都可以用", "{node} has no zone labels, so it takes every volume"
    ),
    "volume_zone.place": Both("卷所在的 {key} 与 {node} 一致：{have}", "the volume's {key} is that of {node}: {have}"),
    "node_declared_features.feature": Both("{node} 声明了特性 {feature}", "{node} declares the feature {feature}"),
    "node_resource_topology_match.init_container": Both(
        "第 {number} 个初始化容器的资源在 NUMA 节点 {zone} 上够用",
        "NUMA node {zone} has what init container {number} asks for",
    ),
    "node_resource_topology_match.container": Both(
        "第 {number} 个容器的资源在 NUMA 节点 {zone} 上够用", "NUMA node {zone} has what container {number} asks for"
    ),
    "node_resource_topology_match.pod": Both(
        "{pod} 的资源在 NUMA 节点 {zone} 上够用", "NUMA node {zone} has what {pod} asks for"
    ),
    "user_rule.filter": Both("规则对 {node} 的结果是通过：{inputs:list}", "the rule lets {node} pass: {inputs:list}"),
}

OUT: Final = Both("{node} 出局：", "{node} drops out: ")
"""How a sentence about a rejected node begins."""

FAILS: Final[Mapping[str, Both]] = {
    "node_unschedulable.cordon": Both(
        "它被封锁了（cordon），{pod} 不容忍 {taint}",
        "it is cordoned and {pod} does not tolerate {taint}",
    ),
    "node_name.wanted": Both("{pod} 指定的节点是 {wanted}", "{pod} names the node {wanted}"),
    "taint_toleration.taint": Both(
        "它有污点 {taint}，{pod} 不容忍",
        "it has the taint {taint}, which {pod} does not tolerate",
    ),
    "taint_toleration.taint.near": Both(
        "它有污点 {taint}；{pod} 有相近的容忍 {toleration}，但{differs}",
        "it has the taint {taint}; {pod} has a toleration that comes near, {toleration}, but {differs}",
    ),
    "node_affinity.required": Both(
        "{pod} 要求 {wants}，{node} 的 {key} 是 {have}",
        "{pod} wants {wants}, its {key} is {have}",
    ),
    "node_affinity.required.missing": Both(
        "{pod} 要求 {wants}，{node} 没有标签 {key}",
        "{pod} wants {wants}, it has no label {key}",
    ),
    "node_affinity.required.terms": Both(
        "{pod} 的 {count} 个亲和条件都不满足，例如 {wants}（{key} 是 {have}）",
        "it meets none of {count} affinity terms of {pod}, for example {wants} (its {key} is {have})",
    ),
    "node_affinity.required.empty": Both(
        "{pod} 的亲和条件是空的或无法读取，任何节点都不满足",
        "the affinity terms of {pod} are empty or cannot be read, so no node meets them",
    ),
    "node_affinity.enforced": Both(
        "调度器附加了 {wants}，{node} 的 {key} 是 {have}",
        "the profile adds {wants}, its {key} is {have}",
    ),
    "node_affinity.enforced.missing": Both(
        "调度器附加了 {wants}，{node} 没有标签 {key}",
        "the profile adds {wants}, it has no label {key}",
    ),
    "node_affinity.enforced.terms": Both(
        "调度器附加的 {count} 个亲和条件都不满足，例如 {wants}",
        "it meets none of {count} terms that the profile adds, for example {wants}",
    ),
    "node_affinity.enforced.empty": Both("调度器附加的亲和条件是空的", "the affinity that the profile adds is empty"),
    "node_affinity.selector": Both(
        "nodeSelector 要 {wants}，{node} 的 {key} 是 {have}",
        "the node selector wants {wants}, its {key} is {have}",
    ),
    "node_affinity.selector.missing": Both(
        "nodeSelector 要 {wants}，{node} 没有标签 {key}",
        "the node selector wants {wants}, it has no label {key}",
    ),
    "node_ports.port": Both(
        "{pod} 要端口 {port}，{pods:list} 已占用 {taken:list}",
        "{pod} wants port {port}, {pods:list} has {taken:list}",
    ),
    "node_ports.port.unowned": Both(
        "{pod} 要端口 {port}，{taken:list} 仍记为占用",
        "{pod} wants port {port}, {taken:list} still counts as taken",
    ),
    "node_resources_fit.pod_slots": Both(
        "{slots} 个 Pod 名额已用了 {pods} 个",
        "{pods} of its {slots} Pod slots are taken",
    ),
    "node_resources_fit.resource": Both(
        "{pod} 要 {requested:amount}，它的 {allocatable:amount}里只剩 {free:number}",
        "{pod} asks for {requested:amount}, {free:number} of {allocatable:number} are free",
    ),
    "node_resources_fit.resource.hopeless": Both(
        "{pod} 要 {requested:amount}，它总共只有 {allocatable:amount}",
        "it has {allocatable:amount}, {pod} asks for {requested:number}",
    ),
    "node_resources_fit.resource.absent": Both(
        "{pod} 要 {requested:amount}，它没有 {resource:name}",
        "{pod} asks for {requested:amount}, it has no {resource:name}",
    ),
    "pod_topology_spread.key": Both(
        "它没有分布约束要用的标签 {key}",
        "it lacks the label {key} that the spread constraint needs",
    ),
    "pod_topology_spread.constraint": Both(
        "{key}={domain} 已有 {count} 个同类 Pod，加上它是 {with_pod}，而最少的域只有 {smallest} 个：相差 {skew}，超过 maxSkew {max_skew}",
        "{key}={domain} has {count:|such Pod|such Pods}, {with_pod} with this one, while the least any domain has is {smallest}: a skew of {skew}, more than {max_skew}",
    ),
    "pod_topology_spread.constraint.few": Both(
        "只有 {domains} 个域，少于 minDomains {min_domains}，最小值按 0 算；{key}={domain} 加上它是 {with_pod}，超过 maxSkew {max_skew}",
        "with {domains:|domain|domains}, fewer than minDomains {min_domains}, the least counts as 0; {key}={domain} has {with_pod} with this Pod, more than {max_skew}",
    ),
    "inter_pod_affinity.affinity": Both(
        "{pod} 要靠近 {selector:selector} 的 Pod，{key}={domain} 里没有",
        "{pod} wants to be near Pods with {selector:selector}, {key}={domain} has none",
    ),
    "inter_pod_affinity.affinity.keyless": Both(
        "它没有亲和要用的标签 {key}", "it lacks the label {key} that the affinity needs"
    ),
    "inter_pod_affinity.anti_affinity": Both(
        "{pod} 要远离 {selector:selector} 的 Pod，{key}={domain} 里有 {count} 个（{pods:list}）",
        "{pod} keeps away from Pods with {selector:selector}, {key}={domain} has {count} ({pods:list})",
    ),
    "inter_pod_affinity.existing_anti_affinity": Both(
        "{key}={domain} 里的 {pods:list} 要远离 {pod} 这样的 Pod",
        "{pods:list} in {key}={domain} keeps away from Pods such as {pod}",
    ),
    "volume_restrictions.disks": Both(
        "{pods:list} 正在使用 {pod} 要独占的磁盘",
        "{pods:list} uses a disk that {pod} needs for itself",
    ),
    "volume_restrictions.claims": Both(
        "{pods:list} 正在使用只允许一个 Pod 使用的存储声明 {claims:list}",
        "{pods:list} uses a claim that only one Pod may use ({claims:list})",
    ),
    "node_volume_limits.volumes": Both(
        "{driver} 的卷已有 {there} 个，再加 {new} 个就超过上限 {limit}",
        "it has {there:|volume|volumes} of {driver}, {new} more are wanted, {limit} is the limit",
    ),
    "node_volume_limits.driver": Both("它没有安装 CSI 驱动 {driver}", "it lacks the CSI driver {driver}"),
    "node_volume_limits.unknown": Both("无法确定 {pod} 的卷", "the volumes of {pod} cannot be told"),
    "volume_binding.bound": Both(
        "存储声明 {claim} 的卷 {volume} 在它上面不可用",
        "volume {volume} of claim {claim} is out of its reach",
    ),
    "volume_binding.lost": Both(
        "存储声明 {claim} 绑定的卷 {volume} 不存在",
        "claim {claim} is bound to {volume}, which does not exist",
    ),
    "volume_binding.not_translated": Both(
        "卷 {volume} 无法转换为 CSI（{error}）",
        "volume {volume} cannot be translated to CSI ({error})",
    ),
    "volume_binding.sent": Both(
        "存储声明 {claim} 的新卷正在 {wanted_node} 上创建",
        "a volume for claim {claim} is being made for {wanted_node}",
    ),
    "volume_binding.provisioned": Both(
        "存储声明 {claim} 没有空闲的卷，也不能在这里创建",
        "claim {claim} finds no free volume, and none can be made here",
    ),
    "volume_binding.provisioned.full": Both(
        "没有足够的存储空间为 {claim} 创建新卷",
        "there is not enough storage to make a volume for {claim}",
    ),
    "volume_zone.place": Both(
        "卷在 {key}={values:list}，{node} 在 {have}",
        "the volume is in {key}={values:list}, the node in {have}",
    ),
    "node_declared_features.feature": Both(
        "{pod} 需要特性 {feature}，它没有声明",
        "{pod} needs the feature {feature}, it does not declare it",
    ),
    "user_rule.filter": Both("规则的结果是 {result}（{inputs:list}）", "the rule says {result} ({inputs:list})"),
    "node_resource_topology_match.init_container": Both(
        "没有一个 NUMA 节点放得下第 {number} 个初始化容器（要 {request:list}；{zones:list}）",
        "no NUMA node of it has room for init container {number} (asks for {request:list}; {zones:list})",
    ),
    "node_resource_topology_match.container": Both(
        "没有一个 NUMA 节点放得下第 {number} 个容器（要 {request:list}；{zones:list}）",
        "no NUMA node of it has room for container {number} (asks for {request:list}; {zones:list})",
    ),
    "node_resource_topology_match.pod": Both(
        "没有一个 NUMA 节点放得下 {pod}（要 {request:list}；{zones:list}）",
        "no NUMA node of it has room for {pod} (asks for {request:list}; {zones:list})",
    ),
    "user_rule.filter.problem": Both("规则出错，{problem}", "the rule failed, {problem}"),
}

DIFFERS: Final[Mapping[str, Both]] = {
    "effect": Both("效果（effect）不同", "its effect is another"),
    "value": Both("值不同", "its value is another"),
    "operator": Both("数值比较不成立或未启用", "its comparison does not hold or is not enabled"),
}
"""Why a toleration that comes near does not cover a taint."""

USER: Final = Both("{pod}（{amount:number}）", "{pod} ({amount:number})")
"""One of the Pods that use a resource, and how much of it."""

USERS: Final = Both("用得最多的是 {users:list}", "most of it is used by {users:list}")
"""Who uses most of a resource that is short."""
