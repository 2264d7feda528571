"""Names of the scheduler's queues, and where a Pod can be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from simulator.presenters.sentences.both import Both

QUEUES: Final[Mapping[str, Both]] = {
    "active": Both("活动队列（activeQ）", "the active queue"),
    "backoff": Both("退避队列（backoffQ）", "the backoff queue"),
    "errorBackoff": Both("出错退避队列", "the backoff queue for errors"),
    "unschedulable": Both("不可调度池（unschedulablePods）", "the unschedulable Pods"),
    "": Both("队列之外", "no queue"),
}

POD_STATES: Final[Mapping[str, Both]] = {
    "pod.finished": Both("{pod} 已结束（{phase}），在 {node} 上运行过", "{pod} has ended ({phase}); it ran on {node}"),
    "pod.terminating": Both(
        "{pod} 正在 {node} 上退出，最晚 {until:clock} 结束",
        "{pod} is terminating on {node}, until {until:clock} at most",
    ),
    "pod.bound": Both("{pod} 在 {node} 上运行，从 {since:clock} 开始", "{pod} runs on {node} since {since:clock}"),
    "pod.bound.until": Both(
        "{pod} 在 {node} 上运行，从 {since:clock} 到 {until:clock}",
        "{pod} runs on {node} from {since:clock} until {until:clock}",
    ),
    "pod.waiting": Both(
        "{pod} 已占住 {node}，在 Permit 等待 {plugins:list}，最晚到 {until:clock}",
        "{pod} holds {node} and waits at Permit for {plugins:list}, until {until:clock} at most",
    ),
    "pod.gated": Both(
        "{pod} 被 {plugin} 挡在队列外：{reason:reason}", "{pod} is held back by {plugin}: {reason:reason}"
    ),
    "pod.active": Both(
        "{pod} 在活动队列里，前面还有 {ahead} 个 Pod",
        "{pod} is in the active queue, {ahead:|Pod is|Pods are} before it",
    ),
    "pod.active.next": Both(
        "{pod} 在活动队列最前面，下一个就轮到它", "{pod} is first in the active queue: it is tried next"
    ),
    "pod.backoff": Both(
        "{pod} 在退避队列里：第 {attempts} 次尝试失败，退避到 {until:clock}（活动队列空时会提前重试）",
        "{pod} backs off until {until:clock} after {attempts:|failed attempt|failed attempts} (earlier where the active queue is empty)",
    ),
    "pod.errorBackoff": Both(
        "{pod} 退避到 {until:clock}：没有插件拒绝它，是出了错或整组没放下（已尝试 {attempts} 次）",
        "{pod} backs off until {until:clock}: no plugin rejected it, there was an error or its group was not placed ({attempts:|attempt|attempts})",
    ),
    "pod.unschedulable": Both(
        "{pod} 在等集群变化：被 {rejectors:list} 拒绝，已尝试 {attempts} 次；没有事件唤醒的话，{until:clock} 会再试",
        "{pod} waits for a change: rejected by {rejectors:list} after {attempts:|attempt|attempts}; without any it is tried again at {until:clock}",
    ),
    "pod.foreign": Both("{pod} 由另一个调度器 {scheduler} 负责", "{pod} belongs to another scheduler, {scheduler}"),
    "pod.nominated": Both("，已提名到 {node}", "; nominated to {node}"),
}

WAKES: Final = Both("{event:event}，由 {plugin} 判断", "{event:event}, as {plugin} sees it")
"""One thing that may wake a waiting Pod."""
