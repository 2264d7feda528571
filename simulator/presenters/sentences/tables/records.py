"""What the scheduler did, record by record: one sentence for every code the tracer makes. Suffixes are variants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from simulator.presenters.sentences.both import Both

RECORDS: Final[Mapping[str, Both]] = {
    # queue and group
    "queue.popped": Both(
        "{pod} 出队：优先级 {priority}，第 {attempts} 次尝试",
        "{pod} is taken from the queue: priority {priority}, attempt {attempts}",
    ),
    "queue.popped.woken": Both(
        "{pod} 出队：优先级 {priority}，第 {attempts} 次尝试；它是被唤醒的（{woken_by:event}）",
        "{pod} is taken from the queue: priority {priority}, attempt {attempts}; it was woken ({woken_by:event})",
    ),
    "queue.skipped": Both(
        "跳过 {pod}：它已在别处被暂定（assumed）", "{pod} is skipped: it is assumed on a node already"
    ),
    "queue.skipped.terminating": Both("跳过 {pod}：它正在被删除", "{pod} is skipped: it is being deleted"),
    "group.collected": Both(
        "PodGroup {group} 一起调度：{count} 个成员（{members:list}）",
        "pod group {group} is scheduled as one: {count:|member|members} ({members:list})",
    ),
    "group.collected.gang": Both(
        "PodGroup {group} 一起调度：{count} 个成员（{members:list}），至少要 {needed} 个",
        "pod group {group} is scheduled as one: {count:|member|members} ({members:list}), at least {needed} are needed",
    ),
    "group.member": Both("轮到成员 {pod}", "member {pod} is next"),
    "group.member.placement": Both(
        "在放置域 {placement} 里尝试成员 {pod}", "member {pod} is tried in placement {placement}"
    ),
    "group.result": Both(
        "PodGroup {group} 可以放下，成员开始逐个绑定",
        "pod group {group} can be placed: its members are bound one by one",
    ),
    "group.result.waiting": Both(
        "PodGroup {group} 先等抢占完成", "pod group {group} waits for its preemption to complete"
    ),
    "group.result.failed": Both(
        "PodGroup {group} 放不下，所有成员退回队列",
        "pod group {group} cannot be placed: all members go back to the queue",
    ),
    # Filter
    "filter.no_nodes": Both(
        "集群里没有节点，{pod} 没有地方可去", "the cluster has no nodes, so there is no place for {pod}"
    ),
    "pre_filter.result": Both("{plugin} 做好了过滤准备", "{plugin} prepares for Filter"),
    "pre_filter.result.skip": Both(
        "{plugin} 与 {pod} 无关，这一轮跳过它的 Filter", "{plugin} has nothing to do for {pod}: its Filter is skipped"
    ),
    "pre_filter.result.nodes": Both(
        "{plugin} 只留下 {count} 个节点：{nodes:list}", "{plugin} leaves {count:|node|nodes}: {nodes:list}"
    ),
    "pre_filter.result.rejected": Both(
        "{plugin} 直接拒绝了 {pod}：{reasons:reasons}", "{plugin} rejects {pod} at once: {reasons:reasons}"
    ),
    "pre_filter.rejected": Both(
        "{pod} 在 PreFilter 就被拒绝，不再看任何节点：{reasons:reasons}",
        "{pod} is rejected at PreFilter, no node is looked at: {reasons:reasons}",
    ),
    "pre_filter.narrowed": Both(
        "PreFilter 之后只剩 {count} 个节点：{nodes:list}",
        "after PreFilter {count:|node is|nodes are} left: {nodes:list}",
    ),
    "filter.nominated_fits": Both(
        "提名节点 {node} 放得下 {pod}，直接选它，不看别的节点",
        "the nominated node {node} has room for {pod}: it is taken without looking at others",
    ),
    "filter.verdict": Both("{node} 通过 {plugin}", "{node} passes {plugin}"),
    "filter.verdict.rejected": Both("{node} 出局：{reasons:reasons}", "{node} drops out: {reasons:reasons}"),
    "filter.verdict.error": Both(
        "{plugin} 在 {node} 上出错：{reasons:reasons}", "{plugin} fails on {node}: {reasons:reasons}"
    ),
    "filter.nominees": Both(
        "{node} 出局：算上已提名到这里的 Pod 就放不下（{reasons:reasons}）",
        "{node} drops out once the Pods nominated to it are counted: {reasons:reasons}",
    ),
    "filter.nominees.counted": Both(
        "{node} 出局，因为要算上已提名到这里的 Pod：", "{node} drops out once the Pods nominated to it are counted: "
    ),
    "filter.plugin": Both(
        "{plugin}：{before} 个节点里淘汰 {rejected} 个", "{plugin}: {rejected} of {before:|node|nodes} drop out"
    ),
    "filter.nominees_many": Both(
        "算上已提名的 Pod，又有 {count} 个节点出局",
        "counting nominated Pods, {count:|more node drops|more nodes drop} out",
    ),
    "filter.summary": Both(
        "看了 {looked_at} 个节点，{feasible} 个放得下", "{feasible} of {looked_at:|node|nodes} looked at fit"
    ),
    "filter.summary.unseen": Both(
        "看了 {looked_at} 个节点，{feasible} 个放得下；还有 {unseen} 个没有看",
        "{feasible} of {looked_at:|node|nodes} looked at fit; {unseen} were not looked at",
    ),
    "extenders.rejected": Both("扩展器淘汰了 {node}：{reasons:reasons}", "an extender drops {node}: {reasons:reasons}"),
    # Score
    "pre_score.result": Both("{plugin} 做好了打分准备", "{plugin} prepares for Score"),
    "pre_score.result.skip": Both(
        "{plugin} 对 {pod} 没有偏好，跳过它的 Score", "{plugin} has no preference for {pod}: its Score is skipped"
    ),
    "pre_score.result.error": Both(
        "{plugin} 打分准备出错：{reasons:reasons}", "{plugin} fails to prepare for Score: {reasons:reasons}"
    ),
    "attempt.error": Both("这次尝试因 {plugin} 出错而终止", "the attempt ends with an error of {plugin}"),
    "select.only": Both(
        "只有 {node} 放得下，不用打分，就选它", "{node} is the only one that fits: it is taken without scoring"
    ),
    "score.raw": Both("{plugin} 给出原始分：{scores:list}", "{plugin} gives raw scores: {scores:list}"),
    "score.normalized": Both(
        "{plugin} 归一化到 0–100，再乘权重 {weight}：{scores:list}",
        "{plugin} brought to 0–100, times weight {weight}: {scores:list}",
    ),
    "extenders.scored": Both(
        "扩展器 {plugin} 给 {nodes} 个节点加了分", "extender {plugin} adds to {nodes:|node|nodes}"
    ),
    "select.best": Both("{node} 总分最高，{total} 分，选中", "{node} has the highest total, {total}, and is chosen"),
    "select.best.tie": Both(
        "{count} 个节点并列最高 {total} 分（{best:list}），按平局规则选 {node}",
        "{count} nodes share the highest total {total} ({best:list}); the tie rule takes {node}",
    ),
    # PostFilter
    "post_filter.result": Both("{plugin} 腾出了位置", "{plugin} makes room"),
    "post_filter.result.rejected": Both(
        "{plugin} 没有办法：{reasons:reasons}", "{plugin} cannot help: {reasons:reasons}"
    ),
    "preemption.refused": Both("{pod} 不能抢占：{reasons:reasons}", "{pod} may not preempt: {reasons:reasons}"),
    "preemption.potential": Both(
        "抢占可能有用的节点有 {count} 个：{nodes:list}", "preemption might help on {count:|node|nodes}: {nodes:list}"
    ),
    "preemption.potential.none": Both("没有一个节点能靠抢占腾出位置", "preemption can help on no node"),
    "preemption.no_candidate": Both("{node} 不是候选：{reasons:reasons}", "{node} is no candidate: {reasons:reasons}"),
    "preemption.removed": Both(
        "试算 {node}：先移走优先级更低的 {count} 个 Pod（{pods:list}），{pod} 放得下",
        "trial on {node}: without its {count:|less important Pod|less important Pods} ({pods:list}) {pod} fits",
    ),
    "preemption.reprieved": Both(
        "把 {victim}（优先级 {priority}）放回 {node}：{pod} 仍放得下，它可以留下",
        "{victim} (priority {priority}) is put back on {node}: {pod} still fits, so it stays",
    ),
    "preemption.reprieved.budget": Both(
        "把 {victim}（优先级 {priority}，驱逐它会违反 PDB）放回 {node}：{pod} 仍放得下，它可以留下",
        "{victim} (priority {priority}, its eviction would violate a PDB) is put back on {node}: {pod} still fits, so it stays",
    ),
    "preemption.victim": Both(
        "把 {victim}（优先级 {priority}）放回 {node}：{pod} 就放不下了，它要被驱逐",
        "{victim} (priority {priority}) is put back on {node}: {pod} no longer fits, so it has to go",
    ),
    "preemption.victim.budget": Both(
        "把 {victim}（优先级 {priority}）放回 {node}：{pod} 就放不下了，虽然违反 PDB 也要驱逐它",
        "{victim} (priority {priority}) is put back on {node}: {pod} no longer fits, so it has to go although that violates a PDB",
    ),
    "preemption.candidate": Both(
        "{node} 是候选：驱逐 {count} 个 Pod（{victims:list}）",
        "{node} is a candidate: {count:|Pod|Pods} would be evicted ({victims:list})",
    ),
    "preemption.candidate.budget": Both(
        "{node} 是候选：驱逐 {count} 个 Pod（{victims:list}），其中 {violations} 个违反 PDB",
        "{node} is a candidate: {count:|Pod|Pods} would be evicted ({victims:list}), {violations} against a PDB",
    ),
    "preemption.criterion": Both(
        "比较{criterion}：{values:list}；剩下 {left:list}",
        "compared by {criterion}: {values:list}; left are {left:list}",
    ),
    "preemption.chosen": Both(
        "选 {node} 抢占，驱逐 {victims:list}：{decided}", "{node} is chosen, {victims:list} will be evicted: {decided}"
    ),
    "preemption.evicted": Both("驱逐 {victim}，它开始退出 {node}", "{victim} is evicted and begins to leave {node}"),
    # from Reserve to Bind
    "reserve.assumed": Both(
        "{pod} 暂定在 {node}，它要的资源先记账", "{pod} is assumed on {node}: what it needs is counted there"
    ),
    "reserve.result": Both(
        "{plugin} 在 {node} 预留失败：{reasons:reasons}", "{plugin} cannot reserve on {node}: {reasons:reasons}"
    ),
    "reserve.undone": Both("撤销 {pod} 在 {node} 的预留", "what {pod} had reserved on {node} is given back"),
    "permit.result": Both("{plugin} 放行 {pod}", "{plugin} lets {pod} go on"),
    "permit.result.wait": Both(
        "{plugin} 让 {pod} 等待，最多 {timeout:duration}：{reasons:reasons}",
        "{plugin} makes {pod} wait, {timeout:duration} at most: {reasons:reasons}",
    ),
    "permit.result.rejected": Both(
        "{plugin} 拒绝了 {pod}：{reasons:reasons}", "{plugin} rejects {pod}: {reasons:reasons}"
    ),
    "permit.waits": Both(
        "{pod} 占住 {node}，在 Permit 等待 {plugins:list}，最晚到 {until:clock}",
        "{pod} holds {node} and waits at Permit for {plugins:list}, until {until:clock} at most",
    ),
    "permit.released": Both("{pod} 等到了放行，继续绑定到 {node}", "{pod} is let go and goes on to {node}"),
    "permit.timed_out": Both(
        "{pod} 在 {plugin} 处等待超时，让出 {node}", "{pod} waited too long at {plugin} and gives {node} back"
    ),
    "pre_bind.result": Both(
        "{plugin} 的 PreBind 失败：{reasons:reasons}", "PreBind of {plugin} fails: {reasons:reasons}"
    ),
    "bind.result": Both("{plugin} 绑定失败：{reasons:reasons}", "{plugin} fails to bind: {reasons:reasons}"),
    "post_bind.result": Both("{plugin} 完成绑定后的收尾", "{plugin} finishes after the binding"),
    "bind.done": Both("{pod} 绑定到 {node}", "{pod} is bound to {node}"),
    "bind.failed": Both("{pod} 绑定到 {node} 失败", "{pod} could not be bound to {node}"),
    # back to the queue
    "requeue.failed": Both(
        "{pod} 没有放下，回到{queue:queue}；拒绝它的是 {rejectors:list}",
        "{pod} was not placed and goes to {queue:queue}; it was rejected by {rejectors:list}",
    ),
    "requeue.failed.nominated": Both(
        "{pod} 已提名到 {nominated}，等位置腾出来；先回到{queue:queue}",
        "{pod} is nominated to {nominated} and waits in {queue:queue} until there is room",
    ),
    "requeue.failed.group": Both(
        "{pod} 自己放得下，但整组放不下，一起回到{queue:queue}",
        "{pod} itself would fit, but its group does not; it goes to {queue:queue} with the others",
    ),
    "requeue.failed.error": Both("{pod} 因出错回到{queue:queue}", "{pod} goes to {queue:queue} after an error"),
}

CRITERIA: Final[Mapping[str, Both]] = {
    "pdbViolations": Both("违反 PDB 的次数，越少越好", "violated disruption budgets, fewer are better"),
    "highestPriority": Both(
        "被驱逐者里的最高优先级，越低越好", "the highest priority among the victims, lower is better"
    ),
    "sumOfPriorities": Both("被驱逐者优先级之和，越小越好", "the sum of the victims' priorities, smaller is better"),
    "numberOfVictims": Both("被驱逐的 Pod 数，越少越好", "the number of victims, fewer are better"),
    "startTime": Both(
        "最重要的被驱逐者里最早的启动时间，越晚越好",
        "the earliest start among the most important victims, later is better",
    ),
}
"""The five criteria of the choice among preemption candidates, in the order in which they are asked."""

DECIDED: Final[Mapping[str, Both]] = {
    "onlyCandidate": Both("只有它一个候选", "it is the only candidate"),
    "tie": Both("各项都并列，按平局规则取第一个", "all criteria are equal, the tie rule takes the first"),
    "pdbViolations": Both("它违反 PDB 最少", "it violates the fewest budgets"),
    "highestPriority": Both("它的被驱逐者最高优先级最低", "its most important victim has the lowest priority"),
    "sumOfPriorities": Both("它的被驱逐者优先级之和最小", "its victims' priorities add up to the least"),
    "numberOfVictims": Both("它要驱逐的 Pod 最少", "it has the fewest victims"),
    "startTime": Both("它的被驱逐者启动得最晚", "its victims started last"),
}
"""What decided the choice among preemption candidates."""

TIMED: Final = Both("{plugin}（{time:clock}）", "{plugin} ({time:clock})")
"""A plugin that makes a Pod wait, and until when."""

POINTS: Final[Mapping[str, Both]] = {
    "queue": Both("排队", "Queue"),
    "group": Both("成组", "Pod group"),
    "preFilter": Both("PreFilter（预过滤）", "PreFilter"),
    "filter": Both("Filter（过滤）", "Filter"),
    "extenders": Both("扩展器", "Extenders"),
    "postFilter": Both("PostFilter（抢占）", "PostFilter"),
    "preScore": Both("PreScore（打分准备）", "PreScore"),
    "score": Both("Score（打分）", "Score"),
    "normalizeScore": Both("NormalizeScore（归一化）", "NormalizeScore"),
    "select": Both("选节点", "Select"),
    "reserve": Both("Reserve（预留）", "Reserve"),
    "permit": Both("Permit（放行）", "Permit"),
    "preBind": Both("PreBind（绑定准备）", "PreBind"),
    "bind": Both("Bind（绑定）", "Bind"),
    "postBind": Both("PostBind（绑定之后）", "PostBind"),
    "requeue": Both("回到队列", "Back to the queue"),
}
"""Names of the stages of a cycle."""
