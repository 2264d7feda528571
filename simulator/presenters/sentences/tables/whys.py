"""Answers to "why is this Pod not on that node" and "why is it"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from simulator.presenters.sentences.both import Both

WHYS: Final[Mapping[str, Both]] = {
    "why.no_pod": Both("没有叫 {pod} 的 Pod", "there is no Pod {pod}"),
    "why.gone": Both("{pod} 已经不在了", "{pod} is gone"),
    "why.no_node": Both("没有叫 {node} 的节点", "there is no node {node}"),
    "why.not_there": Both("{pod} 上次调度时，{node} 还不存在", "{node} was not there yet when {pod} was tried"),
    "why.foreign": Both(
        "{pod} 由另一个调度器 {scheduler} 负责，这里不调度它",
        "{pod} belongs to another scheduler, {scheduler}, and is not scheduled here",
    ),
    "why.terminating": Both("{pod} 正在被删除，不再调度", "{pod} is being deleted and is not scheduled any more"),
    "why.gated": Both(
        "{pod} 还没有进入调度队列，被 {plugin} 挡住：{reason:reason}",
        "{pod} has not entered the queue yet, {plugin} holds it back: {reason:reason}",
    ),
    "why.not_tried": Both(
        "{pod} 还没有被调度过，前面还有 {ahead} 个 Pod",
        "{pod} has not been tried yet, {ahead:|Pod is|Pods are} before it",
    ),
    "why.not_tried.next": Both("{pod} 还没有被调度过，下一个就轮到它", "{pod} has not been tried yet, it is next"),
    "why.rejected": Both(
        "{node} 放不下 {pod}：{reasons:reasons}（{plugin}）",
        "{node} will not do for {pod}: {reasons:reasons} ({plugin})",
    ),
    "why.rejected.nominees": Both(
        "{node} 要给提名到这里的 {nominees:list} 留位置，再加上 {pod} 就放不下：{reasons:reasons}（{plugin}）",
        "{node} keeps room for {nominees:list}, nominated to it; with them {pod} does not fit: {reasons:reasons} ({plugin})",
    ),
    "why.less": Both(
        "{node} 也放得下 {pod}，但总分 {total}，低于 {chosen} 的 {chosen_total}；差距最大的是 {plugin}（{points:signed}）",
        "{node} has room for {pod} too, but its total is {total}, {chosen} has {chosen_total}; most of it is {plugin} ({points:signed})",
    ),
    "why.tie": Both(
        "{node} 与 {chosen} 总分相同（{total}），平局规则选了 {chosen}",
        "{node} and {chosen} have the same total ({total}); the tie rule took {chosen}",
    ),
    "why.not_looked_at": Both(
        "找到足够的节点后就停止了：看了 {looked_at} 个（共 {nodes} 个），没有轮到 {node}",
        "the search stopped when it had enough: {looked_at} of {nodes:|node|nodes} were looked at, {node} was not",
    ),
    "why.nominated_first": Both(
        "{pod} 先试提名节点 {chosen}，放得下就直接选了，没有再看 {node}",
        "{pod} tried its nominated node {chosen} first; it fitted, so {node} was not looked at",
    ),
    "why.nominated_here": Both(
        "{pod} 已提名到 {node}，正等着位置腾出来", "{pod} is nominated to {node} and waits until there is room"
    ),
    "why.undone": Both(
        "{node} 放得下 {pod}，但之后没能绑定", "{node} has room for {pod}, but it was not bound afterwards"
    ),
    "why.undone.group": Both(
        "{node} 放得下 {pod}，但它所在的 PodGroup {group} 整体放不下",
        "{node} has room for {pod}, but its pod group {group} as a whole was not placed",
    ),
    "why.waiting": Both(
        "{pod} 已占住 {chosen}，在 Permit 等待，最晚到 {until:clock}",
        "{pod} holds {chosen} and waits at Permit, until {until:clock} at most",
    ),
    "why.waiting_here": Both(
        "{pod} 已占住 {node}，但还在 Permit 等待 {plugins:list}，最晚到 {until:clock}",
        "{pod} holds {node}, but still waits at Permit for {plugins:list}, until {until:clock} at most",
    ),
    "why.by_manifest": Both(
        "{pod} 的清单直接写明了节点 {chosen}，没有经过调度",
        "the manifest of {pod} names the node {chosen}; it was never scheduled",
    ),
    "why.here_by_manifest": Both(
        "{pod} 的清单直接写明了 {node}，没有经过调度", "the manifest of {pod} names {node}; it was never scheduled"
    ),
    "why.here_only": Both(
        "{looked_at} 个节点里只有 {node} 放得下 {pod}",
        "{node} was the only one of {looked_at:|node|nodes} that had room for {pod}",
    ),
    "why.here_best": Both(
        "放得下 {pod} 的节点里，{node} 总分最高（{total}）",
        "of the nodes with room for {pod}, {node} had the highest total ({total})",
    ),
    "why.here_tie": Both(
        "{node} 与别的节点并列最高（{total}），平局规则选了它",
        "{node} shared the highest total ({total}) with others; the tie rule took it",
    ),
    "why.here_nominated": Both(
        "{node} 是 {pod} 抢占得来的提名节点，放得下就直接选它",
        "{node} is where {pod} had made room by preemption; it fitted, so it was taken at once",
    ),
}

NOW: Final[Mapping[str, Both]] = {
    "rejected": Both(
        "如果现在调度：{node} 仍放不下，{reasons:reasons}", "tried now, {node} would not do: {reasons:reasons}"
    ),
    "passed": Both(
        "如果现在调度：{node} 放得下，但会选 {chosen}（{chosen_total} 比 {total}）",
        "tried now, {node} would do, but {chosen} would be taken ({chosen_total} against {total})",
    ),
    "chosen": Both("如果现在调度：就会选 {node}", "tried now, {node} would be taken"),
    "notLookedAt": Both("如果现在调度：不会看到 {node}", "tried now, {node} would not be looked at"),
    "notFound": Both("如果现在调度：集群里没有 {node}", "tried now, there would be no node {node}"),
    "group": Both(
        "（只看它自己；它属于 PodGroup {group}，整组要一起放下）",
        "(looked at alone; it belongs to pod group {group}, which is placed as a whole)",
    ),
}
"""What would be found now."""
