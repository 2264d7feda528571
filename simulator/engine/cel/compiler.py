"""Checks an expression against what there is, and turns it into a program.

Everything has one type known beforehand, so that mistakes are found while one types and nothing has to be checked
while a rule runs but keys, indexes, divisions and ranges.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from simulator.engine.cel import operators
from simulator.engine.cel.errors import Fault
from simulator.engine.cel.functions import FUNCTIONS, LETTERS_A_STEP, Function
from simulator.engine.cel.macros import FITTING_BODY, loop_of
from simulator.engine.cel.parser import parse
from simulator.engine.cel.program import FIRST_INPUT, MAX_LOCALS, Frame, Input, Program, Run
from simulator.engine.cel.regex import PatternError, compile_pattern
from simulator.engine.cel.syntax import (
    Binary,
    Bind,
    Call,
    Conditional,
    Each,
    Has,
    Index,
    ListOf,
    Literal,
    MapOf,
    Name,
    Node,
    Select,
    Unary,
)
from simulator.engine.cel.values import (
    ABSENT,
    BOOL,
    DOUBLE,
    INT,
    NOTHING,
    STRING,
    Map,
    ObjectType,
    Type,
    joined,
    list_of,
    map_of,
)

MAX_DEPTH: Final = 100
_LITERALS: Final = {bool: BOOL, int: INT, float: DOUBLE, str: STRING}


@dataclass(frozen=True, slots=True)
class OutsideFunction:
    """A function of a variable, such as gpuModel(node): its result is an input. `literals`: texts it is given."""

    variable: Type
    literals: int
    result: Type


@dataclass(frozen=True, slots=True)
class Declarations:
    """What an expression may name.

    Of a variable only what is read of it is known: its fields, single keys of its maps, and what `functions` (by name,
    one for each type of variable) say of it. `objects` are the types with fields, those of variables included.
    """

    variables: Mapping[str, Type]
    objects: Mapping[str, ObjectType]
    functions: Mapping[str, Sequence[OutsideFunction]] = field(default_factory=dict)


def compile_source(source: str, declarations: Declarations) -> Program:
    """Raises `CelError` with the first problem."""
    tree = parse(source)
    compiler = _Compiler(declarations)
    try:
        run = compiler.visit(tree)
    except Fault as fault:
        raise fault.in_source(source) from None
    return Program(
        source,
        tree,
        compiler.types,
        list(compiler.inputs),
        run,
        compiler.cost,
        compiler.reads,
        can_fail=compiler.can_fail,
    )


class _Compiler:
    """`cost` is what the parts visited so far cost each time; a macro's body is counted by its loop instead."""

    def __init__(self, declarations: Declarations) -> None:
        self._known = declarations
        self._locals: list[tuple[str, Type]] = []
        self._depth = 0
        self.types: dict[Node, Type] = {}
        self.inputs: dict[Input, int] = {}
        self.reads: dict[Node, Input] = {}
        self.cost = 0
        self.can_fail = False

    def visit(self, node: Node) -> Run:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise Fault("cel.too_deep", node.offset, limit=MAX_DEPTH)
        self.cost += 1
        run = self._input(node)
        if run is None:
            run = _VISITORS[type(node)](self, node)
        self._depth -= 1
        return run

    def _typed(self, node: Node, wanted: Type) -> Run:
        run = self.visit(node)
        if self.types[node] != wanted:
            raise Fault("cel.wrong_type", node.offset, wanted=wanted, found=self.types[node])
        return run

    # inputs: what is read of variables

    def _input(self, node: Node) -> Run | None:
        """A part that reads from outside; None where it is anything else."""
        path = self._path(node)
        if path is None:
            return None
        self.types[node] = path.type
        slot = self._slot(path, node)
        if not path.may_miss:
            return lambda frame: frame[slot]
        self.can_fail = True
        offset, key = node.offset, path.path[-1]

        def present(frame: Frame) -> Any:
            value = frame[slot]
            if value is ABSENT:
                raise Fault("cel.no_key", offset, key=key)
            return value

        return present

    def _slot(self, path: Input, node: Node) -> int:
        self.reads[node] = path
        return FIRST_INPUT + self.inputs.setdefault(path, len(self.inputs))

    def _path(self, node: Node) -> Input | None:
        if isinstance(node, Call) and node.target is None and node.function in self._known.functions:
            return self._outside_call(node)
        if isinstance(node, Select):
            variable = self._variable(node.operand)
            if variable is not None:
                name, kind = variable
                return Input((name, node.field), self._field(kind, node.field, node.offset))
            return self._key(node.operand, node.field)
        if isinstance(node, Index) and isinstance(node.index, Literal) and isinstance(node.index.value, str):
            return self._key(node.operand, node.index.value)
        return None

    def _variable(self, node: Node) -> tuple[str, Type] | None:
        """The declared variable that `node` names."""
        if not isinstance(node, Name) or any(name == node.name for name, _ in self._locals):
            return None
        kind = self._known.variables.get(node.name)
        return None if kind is None else (node.name, kind)

    def _key(self, operand: Node, key: str) -> Input | None:
        """One key of a variable's map."""
        if not isinstance(operand, Select):
            return None
        variable = self._variable(operand.operand)
        if variable is None:
            return None
        name, kind = variable
        found = self._field(kind, operand.field, operand.offset)
        if found.name != "map":
            return None
        return Input((name, operand.field, key), found.parts[1], may_miss=True)

    def _field(self, kind: Type, name: str, offset: int) -> Type:
        known = self._known.objects.get(kind.name)
        if known is None:
            raise Fault("cel.not_an_object", offset, type=kind)
        if name not in known.fields:
            raise Fault("cel.unknown_field", offset, type=kind, name=name, known=sorted(known.fields))
        return known.fields[name]

    def _outside_call(self, node: Call) -> Input:
        choices = self._known.functions[node.function]
        variable = self._variable(node.args[0]) if node.args else None
        for choice in choices:
            if variable is not None and variable[1] == choice.variable and len(node.args) == choice.literals + 1:
                return Input((variable[0], node.function, *self._texts(node)), choice.result, call=True)
        shown = [_signature(node.function, choice) for choice in choices]
        types = ", ".join(self._shown_type(arg) for arg in node.args)
        raise Fault("cel.no_overload", node.offset, name=node.function, types=types, known=shown)

    def _texts(self, node: Call) -> list[str]:
        found = []
        for arg in node.args[1:]:
            if not isinstance(arg, Literal) or not isinstance(arg.value, str):
                raise Fault("cel.literal", arg.offset, name=node.function)
            found.append(arg.value)
        return found

    def _shown_type(self, node: Node) -> str:
        variable = self._variable(node)
        if variable is not None:
            return str(variable[1])
        self.visit(node)
        return str(self.types[node])

    # parts

    def _literal(self, node: Literal) -> Run:
        self.types[node] = _LITERALS[type(node.value)]
        value = node.value
        return lambda _frame: value

    def _name(self, node: Name) -> Run:
        for index in range(len(self._locals) - 1, -1, -1):
            if self._locals[index][0] == node.name:
                slot = 1 + index
                self.types[node] = self._locals[index][1]
                return lambda frame: frame[slot]
        if node.name in self._known.variables:
            raise Fault("cel.bare", node.offset, name=node.name)
        raise Fault("cel.unknown_name", node.offset, name=node.name, known=sorted(self._known.variables))

    def _select(self, node: Select) -> Run:
        operand = self.visit(node.operand)
        kind = self.types[node.operand]
        if kind.name == "map":
            self.can_fail = True
            self.types[node] = kind.parts[1]
            return operators.lookup(operand, lambda _frame: node.field, node.offset)
        self.types[node] = self._field(kind, node.field, node.offset)
        name = node.field
        return lambda frame: operand(frame)[name]

    def _index(self, node: Index) -> Run:
        self.can_fail = True
        operand, index = self.visit(node.operand), self.visit(node.index)
        kind = self.types[node.operand]
        if kind.name not in ("list", "map"):
            raise Fault("cel.not_indexable", node.offset, type=kind)
        wanted = INT if kind.name == "list" else kind.parts[0]
        if self.types[node.index] != wanted:
            raise Fault("cel.wrong_type", node.index.offset, wanted=wanted, found=self.types[node.index])
        self.types[node] = kind.parts[-1]
        make = operators.item if kind.name == "list" else operators.lookup
        return make(operand, index, node.offset)

    def _has(self, node: Has) -> Run:
        self.types[node] = BOOL
        key = self._key(node.operand.operand, node.operand.field)
        if key is not None:
            slot = self._slot(key, node)
            return lambda frame: frame[slot] is not ABSENT
        if self._variable(node.operand.operand) is not None:
            self.visit(node.operand)
            return lambda _frame: True
        operand = self.visit(node.operand.operand)
        kind = self.types[node.operand.operand]
        if kind.name != "map":
            raise Fault("cel.has", node.offset)
        name = node.operand.field
        return lambda frame: name in operand(frame)

    def _unary(self, node: Unary) -> Run:
        operand = self.visit(node.operand)
        return self._operator(node, node.operator, [operand], [node.operand])

    def _binary(self, node: Binary) -> Run:
        if node.operator == "in" and (keyed := self._is_key_of(node)) is not None:
            self.types[node] = BOOL
            return keyed
        left, right = self.visit(node.left), self.visit(node.right)
        return self._operator(node, node.operator, [left, right], [node.left, node.right])

    def _is_key_of(self, node: Binary) -> Run | None:
        """`"key" in node.labels` asks for one key alone."""
        if not isinstance(node.left, Literal) or not isinstance(node.left.value, str):
            return None
        key = self._key(node.right, node.left.value)
        if key is None:
            return None
        slot = self._slot(key, node)
        return lambda frame: frame[slot] is not ABSENT

    def _operator(self, node: Node, operator: str, runs: list[Run], operands: list[Node]) -> Run:
        types = [self.types[operand] for operand in operands]
        found = operators.find(operator, types, runs, node.offset)
        if found is None:
            raise Fault("cel.no_overload", node.offset, name=operator, types=", ".join(map(str, types)), known=[])
        self.types[node], run = found
        self.can_fail = self.can_fail or not self._is_certain(operator, types)
        return run

    @staticmethod
    def _is_certain(operator: str, types: list[Type]) -> bool:
        """Whether an operator on these types always has a result, in one step."""
        if operator in ("+", "-", "*", "/", "%"):
            return types[-1] == DOUBLE
        return all(kind.is_plain for kind in types)

    def _conditional(self, node: Conditional) -> Run:
        condition = self._typed(node.condition, BOOL)
        then, otherwise = self.visit(node.then), self.visit(node.otherwise)
        first, other = self.types[node.then], self.types[node.otherwise]
        both = joined(first, other)
        if both is None:
            raise Fault("cel.branches", node.offset, first=first, other=other)
        self.types[node] = both
        return lambda frame: then(frame) if condition(frame) else otherwise(frame)

    def _list(self, node: ListOf) -> Run:
        runs = [self.visit(item) for item in node.items]
        self.types[node] = list_of(self._one_type(node.items))
        return lambda frame: tuple(run(frame) for run in runs)

    def _map(self, node: MapOf) -> Run:
        runs = [(self.visit(key), self.visit(value)) for key, value in node.entries]
        keys = self._one_type([key for key, _ in node.entries])
        self.types[node] = map_of(keys, self._one_type([value for _, value in node.entries]))
        return lambda frame: Map((key(frame), value(frame)) for key, value in runs)

    def _one_type(self, items: Sequence[Node]) -> Type:
        found = NOTHING
        for item in items:
            both = joined(found, self.types[item])
            if both is None:
                raise Fault("cel.mixed", item.offset, first=found, other=self.types[item])
            found = both
        return found

    def _bind(self, node: Bind) -> Run:
        value = self.visit(node.value)
        slot = self._enter(node.variable, self.types[node.value], node.offset)
        body = self.visit(node.body)
        self._locals.pop()
        self.types[node] = self.types[node.body]

        def run(frame: Frame) -> Any:
            frame[slot] = value(frame)
            return body(frame)

        return run

    def _enter(self, name: str, kind: Type, offset: int) -> int:
        if len(self._locals) == MAX_LOCALS:
            raise Fault("cel.too_deep", offset, limit=MAX_LOCALS)
        self._locals.append((name, kind))
        return len(self._locals)

    def _each(self, node: Each) -> Run:
        self.can_fail = True
        operand = self.visit(node.operand)
        kind = self.types[node.operand]
        if kind.name not in ("list", "map"):
            raise Fault("cel.wrong_type", node.operand.offset, wanted="list or map", found=kind)
        slot = self._enter(node.variable, kind.item, node.offset)
        before, self.cost = self.cost, 0
        condition = None if node.condition is None else self._typed(node.condition, BOOL)
        body = self._typed(node.body, BOOL) if node.macro in FITTING_BODY else self.visit(node.body)
        body_cost, self.cost = self.cost + 1, before
        self._locals.pop()
        self.types[node] = self._result(node, kind)
        return loop_of(node.macro, operand, slot, body, condition, body_cost)

    def _result(self, node: Each, kind: Type) -> Type:
        if node.macro == "map":
            return list_of(self.types[node.body])
        if node.macro == "filter":
            return list_of(kind.item)
        return BOOL

    # functions

    def _call(self, node: Call) -> Run:
        args = ([] if node.target is None else [node.target]) + list(node.args)
        if node.function == "matches" and len(args) == 2:
            return self._matches(node, args)
        runs = [self.visit(arg) for arg in args]
        types = [self.types[arg] for arg in args]
        if node.function == "size" and len(args) == 1 and (types[0] == STRING or types[0].name in ("list", "map")):
            self.types[node] = INT
            size = runs[0]
            return lambda frame: len(size(frame))
        self.can_fail = True
        choices = FUNCTIONS.get(node.function)
        if choices is None:
            known = sorted([*FUNCTIONS, *self._known.functions, "size", "matches"])
            raise Fault("cel.unknown_function", node.offset, name=node.function, known=known)
        for choice in choices:
            if choice.method == (node.target is not None) and _fits(types, choice.args):
                self.types[node] = choice.result
                return operators.call(choice, runs, node.offset)
        shown = [_shown(node.function, choice) for choice in choices]
        raise Fault("cel.no_overload", node.offset, name=node.function, types=", ".join(map(str, types)), known=shown)

    def _matches(self, node: Call, args: list[Node]) -> Run:
        text = self._typed(args[0], STRING)
        pattern = args[1]
        if not isinstance(pattern, Literal) or not isinstance(pattern.value, str):
            raise Fault("cel.literal", pattern.offset, name="matches")
        self.types[node], self.types[pattern] = BOOL, STRING
        try:
            compiled = compile_pattern(pattern.value)
        except PatternError as problem:
            raise Fault("cel.pattern", pattern.offset, error=str(problem)) from None
        self.can_fail = True
        self.cost += 1 + len(pattern.value) // LETTERS_A_STEP
        return operators.matching(compiled, text)


def _fits(types: Sequence[Type], wanted: Sequence[Type]) -> bool:
    return len(types) == len(wanted) and all(
        joined(want, found) == want for found, want in zip(types, wanted, strict=True)
    )


def _shown(name: str, function: Function) -> str:
    args = [str(arg) for arg in function.args]
    if function.method:
        return f"{args[0]}.{name}({', '.join(args[1:])})"
    return f"{name}({', '.join(args)})"


def _signature(name: str, function: OutsideFunction) -> str:
    return f"{name}({', '.join([str(function.variable), *['string'] * function.literals])})"


_VISITORS: Final[Mapping[type[Node], Callable[[_Compiler, Any], Run]]] = {
    Literal: _Compiler._literal,  # noqa: SLF001 (the class's own)
    Name: _Compiler._name,  # noqa: SLF001
    Select: _Compiler._select,  # noqa: SLF001
    Index: _Compiler._index,  # noqa: SLF001
    Has: _Compiler._has,  # noqa: SLF001
    Unary: _Compiler._unary,  # noqa: SLF001
    Binary: _Compiler._binary,  # noqa: SLF001
    Conditional: _Compiler._conditional,  # noqa: SLF001
    ListOf: _Compiler._list,  # noqa: SLF001
    MapOf: _Compiler._map,  # noqa: SLF001
    Bind: _Compiler._bind,  # noqa: SLF001
    Each: _Compiler._each,  # noqa: SLF001
    Call: _Compiler._call,  # noqa: SLF001
}
