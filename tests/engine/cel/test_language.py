"""What expressions mean. Expected values come from the CEL language definition and cel-go's documentation."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.engine.cel.compiler import compile_source
from simulator.engine.cel.errors import CelError
from simulator.engine.cel.values import ABSENT
from tests.engine.cel.expressions import DECLARATIONS, item, run, value

VALUES: list[tuple[str, Any]] = [
    ("1 + 2 * 3", 7),
    ("(1 + 2) * 3", 9),
    ("7 / 2", 3),
    ("-7 / 2", -3),
    ("-7 % 3", -1),
    ("7 % -3", 1),
    ("0x10 + 1", 17),
    ("-9223372036854775808", -(1 << 63)),
    ("0.0 < 0.0 / 0.0", False),  # NaN has no place in an order, and is not itself (IEEE 754)
    ("0.0 >= 0.0 / 0.0", False),
    ("0.0 / 0.0 == 0.0 / 0.0", False),
    ("1.5 + .5", 2.0),
    ("1e3", 1000.0),
    ("1.0 / 0.0 > 1e308", True),
    ("1 == 1.0", True),
    ("1 < 1.5", True),
    ("'a' + \"b\"", "ab"),
    (r"'\n\t\\\x41\u4e2d\U0001F600\101'", "\n\t\\A中😀A"),
    (r"r'\n'", "\\n"),
    ("'''a\nb'''", "a\nb"),
    ("'a' < 'b'", True),
    ("!true || true && false", False),
    ("true ? 1 : 2", 1),
    ("false ? 1 : true ? 2 : 3", 2),
    ("1 in [1, 2]", True),
    ("'k' in {'k': 1}", True),
    ("[1, 2][1]", 2),
    ("{'a': 1, 'b': 2}['b']", 2),
    ("{'a': 1}.a", 1),
    ("[1] + [2, 3] == [1, 2, 3]", True),
    ("[] == []", True),
    ("size([]) + size('中文') + size({'a': 1})", 3),
    ("'abc'.size()", 3),
    ("'abc'.contains('b') && 'abc'.startsWith('a') && 'abc'.endsWith('c')", True),
    ("'NVIDIA-H100-80GB'.matches('^NVIDIA-[AH]100')", True),
    ("'abc'.matches('b')", True),
    ("'abc'.matches('^b')", False),
    ("[1, 2, 3].all(x, x > 0)", True),
    ("[1, 2, 3].exists(x, x > 2)", True),
    ("[1, 2, 3].exists_one(x, x > 1)", False),
    ("[1, 2, 3].filter(x, x > 1)", (2, 3)),
    ("[1, 2, 3].map(x, x * x)", (1, 4, 9)),
    ("[1, 2, 3].map(x, x > 1, x * x)", (4, 9)),
    ("{'a': 1, 'b': 2}.all(k, k < 'c')", True),
    ("{'a': 1, 'b': 2}.map(k, k)", ("a", "b")),
    ("[1, 2].map(x, [3, 4].map(y, x * y))", ((3, 4), (6, 8))),
    ("cel.bind(x, 2, x * x)", 4),
    ("[3, 1, 2].min() + [3, 1, 2].max() + [3, 1, 2].sum()", 10),
    ("[1.5, 2.5].sum()", 4.0),
    ("math.greatest(1, 5, 3) - math.least([4, 2])", 3),
    ("math.abs(-3)", 3),
    ("math.ceil(1.2) + math.floor(1.8) + math.round(-1.5)", 1.0),
    ("int(3.9) + int('-4')", -1),
    ("int(-3.9)", -3),
    ("double(2) / 4.0", 0.5),
    ("string(12) + string(1.5) + string(true) + string(2.0)", "121.5true2"),
    ("string(1e21)", "1e+21"),
    ("string(1e6) + ' ' + string(1e5) + ' ' + string(123456789.0)", "1e+06 100000 1.23456789e+08"),
    ("string(0.0001) + ' ' + string(0.00001) + ' ' + string(-3e-7) + ' ' + string(0.0)", "0.0001 1e-05 -3e-07 0"),
    ("'A-b'.lowerAscii() + 'A-b'.upperAscii()", "a-bA-B"),
    ("' x '.trim()", "x"),
    ("'a,b'.split(',')", ("a", "b")),
    ("'tacocat'.substring(4) + 'tacocat'.substring(0, 4)", "cattaco"),
    ("'a-b-c'.replace('-', '')", "abc"),
    ("'hello'.indexOf('l')", 2),
    ("['a', 'b'].join('/')", "a/b"),
    ("true || 1 / 0 > 0", True),
    ("1 / 0 > 0 || true", True),
    ("1 / 0 > 0 && false", False),
    ("[0, 1].exists(x, 1 / x > 0)", True),
    ("// a comment\n1 // another", 1),
]


@pytest.mark.parametrize(("source", "wanted"), VALUES, ids=[source for source, _ in VALUES])
def test_value_is_what_cel_says(source: str, wanted: Any) -> None:
    found = value(source)
    assert found == wanted
    assert type(found) is type(wanted)


COMPILE_PROBLEMS = [
    ("", "cel.empty", 1, 1),
    ("1 +", "cel.unexpected", 1, 4),
    ("1\n+ + 2", "cel.unexpected", 2, 3),
    ("(1", "cel.unexpected", 1, 3),
    ("'abc", "cel.unterminated", 1, 1),
    ("'a\\q'", "cel.escape", 1, 3),
    ("a $ b", "cel.character", 1, 3),
    ("9223372036854775808", "cel.number", 1, 1),
    ("1u", "cel.left_out", 1, 1),
    ("null", "cel.left_out", 1, 1),
    ("b'x'", "cel.left_out", 1, 1),
    ("for", "cel.reserved", 1, 1),
    ("boxx.name", "cel.unknown_name", 1, 1),
    ("box.nam", "cel.unknown_field", 1, 5),
    ("box.name.x", "cel.not_an_object", 1, 10),
    ("box", "cel.bare", 1, 1),
    ("foo(1)", "cel.unknown_function", 1, 1),
    ("'a' + 1", "cel.no_overload", 1, 5),
    ("1 + 1.0", "cel.no_overload", 1, 3),
    ("1 == 'a'", "cel.no_overload", 1, 3),
    ("!1", "cel.no_overload", 1, 1),
    ("weigh(1)", "cel.no_overload", 1, 1),
    ("weigh(box, box.name)", "cel.literal", 1, 16),
    ("1 ? 2 : 3", "cel.wrong_type", 1, 1),
    ("true ? 1 : 'a'", "cel.branches", 1, 6),
    ("[1, 'a']", "cel.mixed", 1, 5),
    ("{'a': 1, 2: 3}", "cel.mixed", 1, 10),
    ("1[0]", "cel.not_indexable", 1, 2),
    ("[1]['a']", "cel.wrong_type", 1, 5),
    ("[1].all(x, x)", "cel.wrong_type", 1, 12),
    ("[1].all(1, true)", "cel.macro", 1, 5),
    ("[1].filter(x, y > 1)", "cel.unknown_name", 1, 15),
    ("has(box)", "cel.has", 1, 1),
    ("'a'.matches('(')", "cel.pattern", 1, 13),
    ("'a'.matches(box.name)", "cel.literal", 1, 17),
    ("(" * 40 + "1" + ")" * 40, "cel.too_deep", 1, 33),
    ("+".join(["1"] * 200), "cel.too_deep", 1, 202),
    ("1" * 4001, "cel.too_long", 1, 1),
    (",".join(["[1]"] * 600).join("[]"), "cel.too_large", 1, 604),
]


@pytest.mark.parametrize(
    ("source", "code", "line", "column"), COMPILE_PROBLEMS, ids=[p[0][:30] for p in COMPILE_PROBLEMS]
)
def test_flaw_is_found_with_its_place(source: str, code: str, line: int, column: int) -> None:
    with pytest.raises(CelError) as caught:
        compile_source(source, DECLARATIONS)
    problem = caught.value.problem
    assert problem.code == code
    if code not in {"cel.too_deep", "cel.too_large"}:
        assert (problem.line, problem.column) == (line, column)
    assert problem.text.startswith(f"{problem.line}:{problem.column}: ")


RUN_PROBLEMS = [
    ("1 / 0", "cel.division_by_zero", 3),
    ("1 % 0", "cel.division_by_zero", 3),
    ("9223372036854775807 + 1", "cel.overflow", 21),
    ("-(-9223372036854775808)", "cel.overflow", 1),
    ("[1][1]", "cel.no_index", 4),
    ("{'a': 1}['b']", "cel.no_key", 9),
    ("int('x')", "cel.conversion", 1),
    ("int(1e300)", "cel.conversion", 1),
    ("[].map(x, 1).max()", "cel.empty_list", 14),
    ("'abc'.substring(4)", "cel.no_index", 7),
    ("false || 1 / 0 > 0", "cel.division_by_zero", 12),
    ("[0].exists(x, 1 / x > 1)", "cel.division_by_zero", 17),
]


@pytest.mark.parametrize(("source", "code", "column"), RUN_PROBLEMS, ids=[p[0] for p in RUN_PROBLEMS])
def test_failure_while_running_has_its_place(source: str, code: str, column: int) -> None:
    problem = run(source).problem
    assert problem is not None
    assert (problem.code, problem.line, problem.column) == (code, 1, column)


def test_only_what_is_read_of_a_variable_is_an_input() -> None:
    source = "box.labels['zone'] == box.name && 'rack' in box.labels && weigh(box, \"kg\") > 1 && has(box.labels.zone)"
    program = compile_source(source, DECLARATIONS)
    assert [str(found) for found in program.inputs] == [
        'box.labels["zone"]',
        "box.name",
        'box.labels["rack"]',
        'weigh(box, "kg")',
    ]


def test_missing_key_fails_where_it_is_read_and_not_where_it_is_asked_for() -> None:
    assert value("'zone' in box.labels ? box.labels['zone'] : '-'", {'box.labels["zone"]': ABSENT}) == "-"
    problem = run("box.labels['zone'] == 'a'", {'box.labels["zone"]': ABSENT}).problem
    assert problem is not None
    assert problem.params == {"key": "zone"}


def test_objects_in_lists_have_fields() -> None:
    values = {"box.items": (item("a", 1), item("b", 5))}
    assert value("box.items.filter(i, i.weight > 2).map(i, i.name)", values) == ("b",)


def test_whole_map_of_a_variable_can_be_walked() -> None:
    values = {"box.labels": {"zone": "a", "rack": "b"}}
    assert value("box.labels.exists(k, k == 'rack' && box.labels[k] == 'b')", values) is True


def test_inner_variable_hides_outer_and_declared_names() -> None:
    assert value("[1, 2].map(box, [10].map(box, box)[0] + box)") == (11, 12)
