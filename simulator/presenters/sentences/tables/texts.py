"""What a reader of pasted texts and files has to say: errors, warnings, and what it took for granted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from simulator.presenters.sentences.both import Both

TEXT_ERRORS: Final[Mapping[str, Both]] = {
    "text.too_large": Both(
        "文本有 {size:bytes}，最多 {limit:bytes}，请分几次提交",
        "the text has {size:bytes}, {limit:bytes} at most; submit it in parts",
    ),
    "text.not_utf8": Both(
        "字节 {byte} 不是 UTF-8，请把文件存成 UTF-8", "byte {byte} is not UTF-8; save the file as UTF-8"
    ),
    "text.character": Both("这里有不允许的字符 {character}", "the character {character} is not allowed here"),
    "text.empty": Both("没有内容，请粘贴清单", "there is no text; paste a manifest"),
    "limits.documents": Both("文档太多，最多 {limit} 个", "there are too many documents, {limit} at most"),
    "limits.nodes": Both(
        "内容太多，最多 {limit} 个值（展开别名之后）",
        "there is too much in it, {limit} values at most (aliases expanded)",
    ),
    "limits.depth": Both("嵌套太深，最多 {limit} 层", "nested too deeply, {limit} levels at most"),
    "limits.time": Both(
        "读取超过 {seconds:seconds}，已停止，请简化内容",
        "reading took more than {seconds:seconds} and was stopped; make the text simpler",
    ),
    "limits.errors": Both(
        "错误太多，只列出前 {limit} 个", "there are too many errors, only the first {limit} are told"
    ),
    "yaml.unexpected_colon": Both(
        "这里多了一个冒号；值里有冒号时要加引号", "there is a colon too many; put a value with a colon in quotes"
    ),
    "yaml.missing_colon": Both("键后面缺少冒号", "a colon is missing after the key"),
    "yaml.tab": Both("缩进不能用制表符，请用空格", "indent with spaces, not with tabs"),
    "yaml.indentation": Both("缩进不对，请与上面的行对齐", "the indentation is wrong; align it with the lines above"),
    "yaml.unexpected_dash": Both("这里不能是列表项", "a list entry cannot stand here"),
    "yaml.unclosed_quote": Both("第 {opened_line} 行的引号没有闭合", "the quote of line {opened_line} is not closed"),
    "yaml.unclosed_bracket": Both(
        "第 {opened_line} 行的括号没有闭合", "the bracket of line {opened_line} is not closed"
    ),
    "yaml.missing_value": Both("这里缺少值", "a value is missing here"),
    "yaml.missing_space": Both("冒号或短横后面要有空格", "a space is needed after the colon or dash"),
    "yaml.after_value": Both("值后面还有多余的内容", "there is something after the value"),
    "yaml.escape": Both("双引号里的转义写法不对", "this escape is not known in double quotes"),
    "yaml.anchor_name": Both("锚点或别名缺少名字", "an anchor or alias needs a name"),
    "yaml.block_header": Both("| 或 > 后面的写法不对", "what stands after | or > is not known"),
    "yaml.start_character": Both(
        "值不能以 {character} 开头，请加引号", "a value cannot begin with {character}; put it in quotes"
    ),
    "yaml.directive": Both("不支持这种 % 开头的指令", "this % directive is not supported"),
    "yaml.syntax": Both("这里读不懂：{problem}", "this cannot be read: {problem}"),
    "yaml.tag": Both("不支持标签 {tag}", "the tag {tag} is not supported"),
    "yaml.tag_mismatch": Both("{word} 不符合标签 {tag}", "{word} does not go with the tag {tag}"),
    "yaml.not_a_number": Both("{word} 不是有限的数", "{word} is no finite number"),
    "yaml.alias_unknown": Both("没有名为 {anchor} 的锚点", "there is no anchor {anchor}"),
    "yaml.alias_recursive": Both("别名 {anchor} 指向了自己", "the alias {anchor} contains itself"),
    "json.unexpected": Both("这里应是 {expected}，却是 {found}", "{expected} is wanted here, {found} was found"),
    "json.unclosed_string": Both("字符串没有闭合", "the string is not closed"),
    "json.control_character": Both(
        "字符串里有控制字符，请写成转义", "there is a control character in the string; write it as an escape"
    ),
    "json.escape": Both("转义写法不对", "this escape is not known"),
    "json.number_range": Both("数字超出范围", "the number is out of range"),
    "key.duplicate": Both(
        "键 {key} 重复了，第一次在第 {first_line} 行", "the key {key} is there twice, first in line {first_line}"
    ),
    "key.not_text": Both("键必须是文本", "a key must be a text"),
    "merge.not_mapping": Both("<< 后面要写键值映射", "<< needs a mapping"),
    "object.not_mapping": Both(
        "这里应是一个对象（键值映射），却是{found:wanted}", "an object (a mapping) is wanted here, not {found:wanted}"
    ),
    "object.no_api_version": Both(
        "缺少 apiVersion，例如 apiVersion: v1", "apiVersion is missing, such as apiVersion: v1"
    ),
    "object.no_kind": Both("缺少 kind，例如 kind: Pod", "kind is missing, such as kind: Pod"),
    "object.metadata_not_mapping": Both("metadata 要写成键值映射", "metadata must be a mapping"),
    "describe.other_kind": Both(
        "只能读 kubectl describe node 和 describe pod 的输出",
        "only the output of kubectl describe node and describe pod can be read",
    ),
    "labels.row": Both("这一行不是 键=值：{text}", "this line is no key=value: {text}"),
    "bundle.no_front_matter": Both(
        "第一个文档要写明这是什么：apiVersion: {api_version}，kind: {kinds}",
        "the first document must say what this is: apiVersion: {api_version}, kind: {kinds}",
    ),
    "bundle.second_front_matter": Both(
        "只能有一个场景或实验的说明文档", "there can be only one document that says what this is"
    ),
    "schema.unknown_field": Both(
        "没有字段 {field}，可用的有 {allowed}", "there is no field {field}; known are {allowed}"
    ),
    "schema.missing_field": Both("缺少字段 {field}", "the field {field} is missing"),
    "schema.wrong_type": Both(
        "应为{expected:wanted}，却是{found:wanted}", "should be {expected:wanted}, not {found:wanted}"
    ),
    "schema.not_allowed": Both("不能是 {found}，可用的有 {allowed}", "must not be {found}; known are {allowed}"),
    "schema.pattern": Both("{found} 的写法不对，要符合 {pattern}", "{found} does not have the form {pattern}"),
    "schema.too_small": Both("不能小于 {limit}", "must be {limit} at least"),
    "schema.too_big": Both("不能大于 {limit}", "must be {limit} at most"),
    "schema.too_short": Both("太短或太少，至少 {limit}", "too short or too few, {limit} at least"),
    "schema.too_long": Both("太长或太多，最多 {limit}", "too long or too many, {limit} at most"),
    "schema.not_unique": Both("里面有重复的项", "has the same entry twice"),
    "schema.invalid": Both("不符合要求：{problem}", "is not as it should be: {problem}"),
}

TEXT_WARNINGS: Final[Mapping[str, Both]] = {
    "key.read_as": Both(
        "这个键会被读成 {read}，要文本的话请加引号", "this key is read as {read}; put it in quotes if a text is meant"
    ),
    "value.read_as": Both(
        "{written} 会被读成 {read}，要文本的话请加引号",
        "{written} is read as {read}; put it in quotes if a text is meant",
    ),
    "dump.dropped": Both(
        "去掉了集群自己维护的字段：{fields}", "fields that the cluster keeps itself were left out: {fields}"
    ),
    "describe.annotation_cut": Both(
        "注解 {key} 在输出里被截断，没有采用", "the annotation {key} is cut off in the output and was left out"
    ),
    "describe.line_ignored": Both(
        "这一行没有读懂，已跳过：{text}", "this line was not understood and is left out: {text}"
    ),
    "describe.pod_incomplete": Both("Pod {pod} 在输出里不完整", "Pod {pod} is not complete in the output"),
    "notices.more": Both("还有 {count} 条提示没有列出", "{count:|more notice is|more notices are} not listed"),
}

ASSUMPTIONS: Final[Mapping[str, Both]] = {
    "assumed.name": Both("没有节点名，取名 {node}", "there was no name, the node is called {node}"),
    "assumed.accelerators": Both(
        "{node}：按{source}当作有 {amount} 个 {resource}", "{node} is taken to have {amount} {resource} (from {source})"
    ),
    "assumed.model": Both("{node}：按{source}当作 {model}", "{node} is taken to be {model} (from {source})"),
    "assumed.machine": Both(
        "{node}：没有写容量，按 {cpu} 核、{memory} 内存、{pods} 个 Pod 计",
        "{node} says no capacity; {cpu} cores, {memory} of memory and {pods} Pods are assumed",
    ),
    "assumed.taint": Both("{node}：加上惯常的污点 {taint}", "{node} gets the usual taint {taint}"),
    "assumed.priority_class": Both("补上 PriorityClass {name}（{value}）", "PriorityClass {name} ({value}) is added"),
    "assumed.pods_of_table": Both(
        "{node} 上的 {count} 个 Pod 来自输出里的表格", "{count:|Pod|Pods} on {node} come from the table of the output"
    ),
    "assumed.allocated": Both(
        "{node} 上还有 {amount} 个 {resource} 已被占用，补上占用它的 Pod",
        "{amount} {resource} of {node} are in use; a Pod that uses them is added",
    ),
}
