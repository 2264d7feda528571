"""What is wrong with a learner's own rules: their settings, and the expressions (CEL) they are written in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from simulator.presenters.sentences.both import Both

RULES: Final[Mapping[str, Both]] = {
    "user_rule.name": Both(
        "规则名 {name} 要以大写字母开头，后面只用字母和数字",
        "a rule's name is a capital letter, then letters and digits; {name} is not",
    ),
    "user_rule.name_taken": Both(
        "已经有名为 {name} 的插件，请换个名字", "a plugin named {name} is there already; choose another name"
    ),
    "user_rule.normalize": Both("normalize 只能是 {known:list} 之一", "normalize is one of {known:list}"),
    "user_rule.too_many": Both("规则太多，最多 {limit} 条", "there are too many rules, {limit} at most"),
    "user_rule.empty": Both("要写 filter 或 score", "needs a filter or a score"),
    "cel.empty": Both("表达式是空的", "the expression is empty"),
    "cel.too_long": Both(
        "表达式有 {size} 个字符，最多 {limit} 个", "the expression has {size} characters, {limit} at most"
    ),
    "cel.too_deep": Both(
        "表达式嵌套太深，最多 {limit} 层", "the expression is nested too deeply, {limit} levels at most"
    ),
    "cel.too_large": Both("表达式太大，最多 {limit} 个部分", "the expression is too large, {limit} parts at most"),
    "cel.character": Both("这里不能有字符 {found}", "the character {found} cannot stand here"),
    "cel.unterminated": Both("从这里开始的文本没有闭合引号", "the text that begins here is not closed"),
    "cel.escape": Both("没有转义 {found}", "there is no escape {found}"),
    "cel.number": Both("{found} 不是能用的数", "{found} is no number that fits"),
    "cel.unexpected": Both("这里应是 {wanted}，却是 {found}", "{wanted} is wanted here, {found} was found"),
    "cel.left_out": Both("规则里不能用这种写法（{what}）", "{what} cannot be used in rules"),
    "cel.reserved": Both("{name} 是保留字，请换个名字", "{name} is a reserved word; choose another name"),
    "cel.unknown_name": Both("没有名字 {name}，可用的有 pod 和 node", "there is no name {name}; use pod and node"),
    "cel.unknown_field": Both("{type} 没有字段 {name}", "{type} has no field {name}"),
    "cel.unknown_function": Both("没有函数 {name}", "there is no function {name}"),
    "cel.no_overload": Both("{name} 不能用于（{types}）", "{name} cannot be used with ({types})"),
    "cel.wrong_type": Both("这里应是 {wanted}，却是 {found}", "{wanted} is wanted here, this is {found}"),
    "cel.not_an_object": Both("{type} 没有字段", "{type} has no fields"),
    "cel.not_indexable": Both("{type} 不能用 [] 取值", "{type} cannot be indexed"),
    "cel.mixed": Both("列表里的类型要一致：{first} 和 {other}", "all items must be of one type: {first} and {other}"),
    "cel.branches": Both(
        "两个分支的类型要一致：{first} 和 {other}", "both branches must be of one type: {first} and {other}"
    ),
    "cel.bare": Both("不能直接用整个 {name}，请写出它的字段", "{name} cannot be used as a whole; choose a field of it"),
    "cel.literal": Both("{name} 这里要直接写出文本", "{name} needs a text written out here"),
    "cel.macro": Both("{name} 这里要写一个变量名", "{name} needs the name of a variable here"),
    "cel.has": Both(
        "has() 里要写字段或键，例如 has(node.labels.zone)", "has() needs a field or key, such as has(node.labels.zone)"
    ),
    "cel.pattern": Both("这个模式不能用：{error}", "this pattern cannot be used: {error}"),
    "cel.no_key": Both("没有键 {key}", "there is no key {key}"),
    "cel.no_index": Both("没有第 {index} 项", "there is no index {index}"),
    "cel.empty_list": Both("{name} 用在了空列表上", "{name} of an empty list"),
    "cel.division_by_zero": Both("除以 0 了", "division by zero"),
    "cel.overflow": Both("结果超出 64 位整数", "the result does not fit into 64 bits"),
    "cel.conversion": Both("{value} 不能转换为 {type}", "{value} cannot be converted to {type}"),
    "cel.cost": Both("计算量太大，超过 {limit} 步", "too much work: more than {limit} steps"),
}
