"""How a number came about, with its terms filled in. `line` formulas are lists of the lines they consist of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from simulator.presenters.sentences.both import Both

FORMULAS: Final[Mapping[str, Both]] = {
    "taint_toleration.score": Both(
        "{pod} 不容忍的 PreferNoSchedule 污点有 {value} 个：{taints:list}",
        "{value:|PreferNoSchedule taint|PreferNoSchedule taints} not tolerated by {pod}: {taints:list}",
    ),
    "taint_toleration.score.none": Both(
        "没有 {pod} 不容忍的 PreferNoSchedule 污点：0", "no PreferNoSchedule taint that {pod} does not tolerate: 0"
    ),
    "node_affinity.score": Both(
        "满足的偏好权重相加：{sum} = {value}", "weights of the preferences met: {sum} = {value}"
    ),
    "node_affinity.score.none": Both("没有满足任何偏好：0", "no preference is met: 0"),
    "node_resources_fit.least_allocated": Both(
        "({sum}) ÷ {weights} = {value}，越空闲分越高", "({sum}) ÷ {weights} = {value}; the more is free the better"
    ),
    "node_resources_fit.most_allocated": Both(
        "({sum}) ÷ {weights} = {value}，用得越满分越高", "({sum}) ÷ {weights} = {value}; the fuller the better"
    ),
    "node_resources_fit.requested_to_capacity_ratio": Both(
        "({sum}) ÷ {weights}，四舍五入 = {value}", "({sum}) ÷ {weights}, rounded = {value}"
    ),
    "node_resources_fit.none": Both("没有计入的资源：0", "no resource counts: 0"),
    "node_resources_balanced_allocation.score": Both(
        "均衡度从 {before} 变为 {after}：50 + (50 + {after} − {before}) ÷ 2 = {value}（75 表示没有变化）",
        "balance goes from {before} to {after}: 50 + (50 + {after} − {before}) ÷ 2 = {value} (75 is no change)",
    ),
    "node_resources_balanced_allocation.none": Both(
        "{pod} 没有请求这些资源：0", "{pod} requests none of these resources: 0"
    ),
    "image_locality.score": Both(
        "节点上已有的镜像折算 {counted:bytes}，限制在 {smallest:bytes} 到 {largest:bytes}：100 × ({used:bytes} − {smallest:bytes}) ÷ ({largest:bytes} − {smallest:bytes}) = {value}",
        "images present count {counted:bytes}, kept within {smallest:bytes} and {largest:bytes}: 100 × ({used:bytes} − {smallest:bytes}) ÷ ({largest:bytes} − {smallest:bytes}) = {value}",
    ),
    "pod_topology_spread.score": Both(
        "各约束相加：{sum} = {total:fine}，取整 {value}（越小越好）",
        "constraints added up: {sum} = {total:fine}, rounded {value} (less is better)",
    ),
    "pod_topology_spread.ignored": Both("缺少拓扑标签，不参与打分：0", "it lacks a topology label and is left out: 0"),
    "inter_pod_affinity.score": Both("{sum} = {value}", "{sum} = {value}"),
    "inter_pod_affinity.score.none": Both("所在域里没有相关的 Pod：0", "no Pod concerned in its domains: 0"),
    "volume_binding.score": Both("各存储类得分的平均：{value}", "the mean over the StorageClasses: {value}"),
    "volume_binding.score.none": Both("没有需要打分的存储声明：0", "no claims to score: 0"),
    "dynamic_resources.score": Both("没有 ResourceClaim：0", "no ResourceClaims: 0"),
    "node_resource_topology_match.score": Both(
        "按 {strategy} 给各 NUMA 节点打分，取 {value}", "by {strategy} over the NUMA nodes: {value}"
    ),
    "node_resource_topology_match.none": Both(
        "没有 NUMA 信息可用（{without}）：{value}", "there is nothing to score by NUMA node ({without}): {value}"
    ),
    "gpu_fabric_score.no_gpus": Both("{node} 没有 GPU：{value}", "{node} has no GPUs: {value}"),
    "gpu_fabric_score.rank": Both(
        "放在 {node}，整个作业（{group} 张卡）的总线带宽可达 {bandwidth:decimal} GB/s：在 {ranks} 档里排第 {rank}，{value} 分",
        "with the Pod on {node} the job ({group} GPUs) reaches a bus bandwidth of {bandwidth:decimal} GB/s: rank {rank} of {ranks}, {value} points",
    ),
    "gpu_fabric_score.rank.none": Both("{node} 上没有合适的 GPU：{value}", "{node} has no GPUs for it: {value}"),
    "user_rule.score": Both(
        "规则算出 {value}：{source}（{inputs:list}）", "the rule gives {value}: {source} ({inputs:list})"
    ),
    "normalize.none": Both("原始分已在 0 到 100 之间：{value}", "already within 0..100: {value}"),
    "normalize.default": Both(
        "100 × {raw} ÷ {largest} = {value}（{largest} 是最高原始分）",
        "100 × {raw} ÷ {largest} = {value} ({largest} is the highest raw score)",
    ),
    "normalize.default.reverse": Both(
        "100 − 100 × {raw} ÷ {largest} = {value}（{largest} 是最高原始分，越低越好）",
        "100 − 100 × {raw} ÷ {largest} = {value} ({largest} is the highest raw score; less is better)",
    ),
    "normalize.default.zero": Both("所有节点原始分都是 0：一律 {value}", "all raw scores are 0: {value} for everybody"),
    "normalize.spread": Both(
        "100 × ({largest} + {smallest} − {raw}) ÷ {largest} = {value}（最高 {largest}，最低 {smallest}，越低越好）",
        "100 × ({largest} + {smallest} − {raw}) ÷ {largest} = {value} (highest {largest}, lowest {smallest}; less is better)",
    ),
    "normalize.spread.zero": Both("最高原始分是 0：一律 {value}", "the highest raw score is 0: {value} for everybody"),
    "normalize.spread.ignored": Both("不参与打分：0", "left out: 0"),
    "normalize.affinity": Both(
        "100 × ({raw} − {smallest}) ÷ ({largest} − {smallest}) = {value}（最低 {smallest}，最高 {largest}）",
        "100 × ({raw} − {smallest}) ÷ ({largest} − {smallest}) = {value} (lowest {smallest}, highest {largest})",
    ),
    "normalize.affinity.equal": Both("所有节点原始分相同：一律 0", "all raw scores are equal: 0 for everybody"),
    "normalize.range": Both(
        "100 × ({raw} − {smallest}) ÷ ({largest} − {smallest}) = {value}（最低 {smallest}，最高 {largest}）",
        "100 × ({raw} − {smallest}) ÷ ({largest} − {smallest}) = {value} (lowest {smallest}, highest {largest})",
    ),
    "normalize.range.equal": Both("所有节点原始分相同：一律 0", "all raw scores are equal: 0 for everybody"),
}

TERMS: Final[Mapping[str, Both]] = {
    "least": Both(
        "{resource:name}：({capacity:number} − {requested:number}) × 100 ÷ {capacity:number} = {score}，权重 {weight}",
        "{resource:name}: ({capacity:number} − {requested:number}) × 100 ÷ {capacity:number} = {score}, weight {weight}",
    ),
    "least.over": Both(
        "{resource:name}：要用 {requested:number}，超过容量 {capacity:number}：0，权重 {weight}",
        "{resource:name}: {requested:number} would be used of {capacity:number}: 0, weight {weight}",
    ),
    "most": Both(
        "{resource:name}：min({requested:number}, {capacity:number}) × 100 ÷ {capacity:number} = {score}，权重 {weight}",
        "{resource:name}: min({requested:number}, {capacity:number}) × 100 ÷ {capacity:number} = {score}, weight {weight}",
    ),
    "ratio": Both(
        "{resource:name}：用到 {requested:number}/{capacity:number} = {percent}%，按曲线得 {score}，权重 {weight}",
        "{resource:name}: {requested:number} of {capacity:number} = {percent}%, the shape gives {score}, weight {weight}",
    ),
    "ignored.capacity": Both("{resource:name}：节点没有，不计入", "{resource:name}: the node has none, not counted"),
    "ignored.unasked": Both("{resource:name}：Pod 没有请求，不计入", "{resource:name}: not requested, not counted"),
    "ignored.zero": Both("{resource:name}：得 0 分，不计入", "{resource:name}: scores 0, not counted"),
    "fraction": Both(
        "{resource:name}：{used:number}/{capacity:number} → {after:number}/{capacity:number}（{before_percent:decimal}% → {after_percent:decimal}%）",
        "{resource:name}: {used:number} of {capacity:number} → {after:number} ({before_percent:decimal}% → {after_percent:decimal}%)",
    ),
    "deviation": Both(
        "标准差 {deviation_before:fine} → {deviation_after:fine}",
        "standard deviation {deviation_before:fine} → {deviation_after:fine}",
    ),
    "preference": Both("权重 {weight}：{wants:list}，满足", "weight {weight}: {wants:list}, met"),
    "preference.missed": Both("权重 {weight}：{wants:list}，不满足", "weight {weight}: {wants:list}, not met"),
    "image": Both(
        "{image}：{size:bytes}，{nodes} / {all_nodes} 个节点有它，折算 {counted:bytes}",
        "{image}: {size:bytes} on {nodes} of {all_nodes} nodes counts {counted:bytes}",
    ),
    "image.absent": Both("{image}：节点上没有", "{image}: not on the node"),
    "spread": Both(
        "{key}={domain}：{count} 个同类 Pod × ln({domains} + 2) + (maxSkew {max_skew} − 1) = {part:fine}",
        "{key}={domain}: {count} such Pods × ln({domains} + 2) + (maxSkew {max_skew} − 1) = {part:fine}",
    ),
    "spread.keyless": Both("{key}：节点没有这个标签，加 0", "{key}: the node lacks this label, adds 0"),
    "affinity.own.preferred": Both(
        "{key}={domain} 里有 {count} 个 {pod} 想靠近的 Pod × {weight} = {part:signed}",
        "{count} Pods in {key}={domain} that {pod} likes to be near × {weight} = {part:signed}",
    ),
    "affinity.own.antiPreferred": Both(
        "{key}={domain} 里有 {count} 个 {pod} 想远离的 Pod × {weight} = {part:signed}",
        "{count} Pods in {key}={domain} that {pod} rather avoids × {weight} = {part:signed}",
    ),
    "affinity.others.preferred": Both(
        "{key}={domain} 里有 {count} 个想靠近 {pod} 的 Pod × {weight} = {part:signed}",
        "{count} Pods in {key}={domain} that like to be near {pod} × {weight} = {part:signed}",
    ),
    "affinity.others.antiPreferred": Both(
        "{key}={domain} 里有 {count} 个想远离 {pod} 的 Pod × {weight} = {part:signed}",
        "{count} Pods in {key}={domain} that rather avoid {pod} × {weight} = {part:signed}",
    ),
    "affinity.others.required": Both(
        "{key}={domain} 里有 {count} 个要求靠近 {pod} 的 Pod × {weight} = {part:signed}",
        "{count} Pods in {key}={domain} that must be near {pod} × {weight} = {part:signed}",
    ),
    "numa": Both("{request:list}：{zones:list}，得 {score}", "{request:list}: {zones:list}, scores {score}"),
    "numa.least": Both(
        "{request:list}：需要 {needed} 个 NUMA 节点，得 {score}",
        "{request:list}: needs {needed:|NUMA node|NUMA nodes}, scores {score}",
    ),
    "fabric.near": Both(
        "同组已放好的 {placed} 张卡里，同节点 {same_node}、同 NVSwitch 域 {same_domain}、同 NUMA 节点 {same_numa}",
        "of {placed} GPUs of the job already placed: {same_node} on the same node, {same_domain} in the same NVSwitch domain, {same_numa} on the same NUMA node",
    ),
    "storage": Both(
        "{storage_class}：请求 {requested:bytes} / {capacity:bytes} = {percent}%，按曲线得 {score}",
        "{storage_class}: {requested:bytes} of {capacity:bytes} = {percent}%, the shape gives {score}",
    ),
}
"""One line per term of a formula."""

WEIGHTED: Final = Both(
    "{plugin}：{normalized} × 权重 {weight} = {weighted}", "{plugin}: {normalized} × weight {weight} = {weighted}"
)
OUTSIDE: Final = Both("扩展器 {plugin}：{points:signed}", "extender {plugin}: {points:signed}")
TOTAL: Final = Both("{node} 的总分：{sum} = {total}", "total of {node}: {sum} = {total}")
AHEAD: Final = Both(
    "{plugin}：{chosen} 得 {of_first}，{node} 得 {of_second}，相差 {points:signed}",
    "{plugin}: {chosen} has {of_first}, {node} has {of_second}, a difference of {points:signed}",
)
