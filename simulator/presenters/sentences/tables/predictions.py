"""Why it came otherwise than predicted, where no record or check of the trace says it by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from simulator.presenters.sentences.both import Both

PREDICTIONS: Final[Mapping[str, Both]] = {
    # which nodes pass
    "passes": Both(
        "{node} 通过：{checks} 个 Filter 插件都放行",
        "{node} passes: {checks:|Filter plugin has|Filter plugins have} nothing against it",
    ),
    "uncounted": Both(
        "{nodes:list} 没有被看：够用的节点已经找到，所以怎么猜都不算错",
        "{nodes:list} was not looked at, since enough nodes were found before; what you said of it does not count",
    ),
    # who wins
    "winner.behind": Both(
        "{node} 也通过了，总分 {total}；{chosen} 是 {chosen_total}，领先 {lead}",
        "{node} passes too, with a total of {total}; {chosen} has {chosen_total}, {lead} more",
    ),
    "winner.only": Both(
        "Filter 之后只剩 {chosen}，不用打分", "{chosen} is the only node left after Filter, so nothing is scored"
    ),
    "winner.nominated": Both(
        "{chosen} 是之前抢占时提名的节点，放得下就直接用它", "{chosen} was nominated by an earlier preemption, and fits"
    ),
    "winner.found": Both(
        "{pod} 放得下：{feasible} 个节点通过 Filter，{chosen} 胜出",
        "there is room for {pod}: {feasible:|node passes|nodes pass} Filter, and {chosen} wins",
    ),
    "winner.none": Both(
        "没有节点通过 Filter，{pod} 这一轮没有节点", "no node passes Filter, so {pod} gets none in this attempt"
    ),
    "winner.equal": Both(
        "{best:list} 并列最高：真正的 kube-scheduler 会随意挑一个，这里取集群顺序里的第一个，所以也算对",
        "{best:list} share the highest total: kube-scheduler picks any of them, the lab takes the first in cluster order; any of them counts",
    ),
    # who is evicted
    "victims.priority": Both(
        "{victim} 优先级 {priority}，不低于 {pod} 的 {own}：抢占只能赶走优先级更低的",
        "{victim} has priority {priority}, which is not below the {own} of {pod}: only lower priorities can be preempted",
    ),
    "victims.elsewhere": Both(
        "{victim} 在 {node} 上，而抢占选的是 {chosen}", "{victim} is on {node}, and preemption chose {chosen}"
    ),
    "victims.nobody": Both("{pod} 没有抢占任何 Pod", "{pod} preempts nobody"),
    "victims.equal": Both(
        "还有一样好的选择：按全部五条标准都分不出先后，所以也算对",
        "there were equally good choices, which none of the five criteria tells apart; any of them counts",
    ),
    # who is next
    "next.priority": Both(
        "{first} 优先级 {priority}，高于 {pod} 的 {own}：优先级高的先出队",
        "{first} has priority {priority}, above the {own} of {pod}: higher priorities leave the queue first",
    ),
    "next.time": Both(
        "两者优先级都是 {own}；{first} 从 {since:clock} 起排队，{pod} 从 {later:clock} 起：先到先出",
        "both have priority {own}; {first} has been waiting since {since:clock}, {pod} since {later:clock}: first come, first served",
    ),
    "next.order": Both(
        "两者优先级和排队时间都一样；{first} 先进队列",
        "both have the same priority and time; {first} came into the queue before",
    ),
    "next.group": Both(
        "{first} 所在的 PodGroup 整组一起轮到，猜组里哪一个都算对",
        "the whole pod group of {first} has its turn at once; any member of it counts",
    ),
}
