"""An expression as Go: the same value, or a panic with the same words where CEL fails.

Differences that remain: Go's integers wrap around where CEL reports an overflow, `&&` and `||` do not look at their
right side where the left one fails, and nothing counts steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from simulator.engine.cel.program import Input, Program
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
from simulator.engine.cel.values import DOUBLE, INT, STRING, Type
from simulator.goexport.expressions import (
    Field,
    Function,
    Go,
    Listed,
    Operation,
    Prefixed,
    call,
    indented,
    plain,
)
from simulator.goexport.inputs import read_of
from simulator.goexport.types import FIELDS, go_type, quoted


class Translation:
    """`helpers` are the names of the functions it calls, `imports` the packages, `lines` the function's body."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.helpers: set[str] = set()
        self.imports: set[str] = set()
        self.lines = indented(self._statements(program.tree), 1)

    def _statements(self, node: Node) -> list[str]:
        """Lines that return the value: choices become if statements."""
        if not isinstance(node, Conditional):
            return [f"return {self.go(node).show()}"]
        then = self._statements(node.then)
        return [f"if {self.go(node.condition).show()} {{", *then, "}", *self._statements(node.otherwise)]

    def _help(self, *names: str) -> None:
        self.helpers.update(names)

    def _called(self, helper: str, *args: Go) -> Go:
        self._help(helper)
        return call(helper, *args)

    def go(self, node: Node) -> Go:
        wanted = self._program.input_of(node)
        if wanted is not None and not isinstance(node, Has | Binary):
            return self._input(wanted)
        return _VISITORS[type(node)](self, node)

    # inputs

    def _input(self, wanted: Input) -> Go:
        read = read_of(wanted)
        self._help(*(helper for helper in read.helpers if helper != "hasKey"))
        return plain(read.value)

    def _present(self, wanted: Input) -> Go:
        read = read_of(wanted)
        self._help(*(helper for helper in read.helpers if helper != "key"))
        return plain(read.present)

    # parts

    def _type(self, node: Node) -> Type:
        return self._program.types[node]

    def _literal(self, node: Literal) -> Go:
        value = node.value
        if isinstance(value, bool):
            return plain("true" if value else "false")
        if isinstance(value, str):
            return plain(quoted(value))
        return plain(f"int64({value})" if isinstance(value, int) else f"float64({value!r})")

    def _name(self, node: Name) -> Go:
        return plain(_variable(node.name))

    def _select(self, node: Select) -> Go:
        operand, kind = self.go(node.operand), self._type(node.operand)
        if kind.name == "map":
            return self._called("key", operand, plain(quoted(node.field)))
        field = Field(operand, FIELDS[kind.name][node.field])
        return call("string", field) if (kind.name, node.field) == ("Taint", "effect") else field

    def _index(self, node: Index) -> Go:
        helper = "item" if self._type(node.operand).name == "list" else "key"
        return self._called(helper, self.go(node.operand), self.go(node.index))

    def _has(self, node: Has) -> Go:
        wanted = self._program.input_of(node)
        if wanted is not None:
            return self._present(wanted)
        if node.operand in self._program.types:
            return plain("true")
        return self._called("hasKey", self.go(node.operand.operand), plain(quoted(node.operand.field)))

    def _unary(self, node: Unary) -> Go:
        return Prefixed(node.operator, self.go(node.operand))

    def _binary(self, node: Binary) -> Go:
        wanted = self._program.input_of(node)
        if wanted is not None:
            return self._present(wanted)
        if node.operator == "in":
            return self._containment(node)
        left, right = self._type(node.left), self._type(node.right)
        first, second = self.go(node.left), self.go(node.right)
        if {left, right} == {INT, DOUBLE}:
            first, second = _floating(first, left), _floating(second, right)
        if node.operator in ("==", "!=") and not left.is_plain:
            equal = self._called("equal", first, second)
            return equal if node.operator == "==" else Prefixed("!", equal)
        if node.operator == "+" and left.name == "list":
            self.imports.add("slices")
            return call("slices.Concat", first, second)
        if left == INT and node.operator in ("/", "%"):
            return self._called("quotient" if node.operator == "/" else "remainder", first, second)
        return Operation(node.operator, first, second)

    def _containment(self, node: Binary) -> Go:
        item, items = self.go(node.left), self.go(node.right)
        if self._type(node.right).name == "map":
            return self._called("hasKey", items, item)
        if self._type(node.left).is_plain:
            self.imports.add("slices")
            return call("slices.Contains", items, item)
        return self._called("contains", items, item)

    def _conditional(self, node: Conditional) -> Go:
        kind = go_type(self._type(node))
        then, otherwise = (Function("", kind, self._statements(part)) for part in (node.then, node.otherwise))
        return self._called("choose", self.go(node.condition), then, otherwise)

    def _list(self, node: ListOf) -> Go:
        return Listed(go_type(self._type(node)), [self.go(item) for item in node.items])

    def _map(self, node: MapOf) -> Go:
        return Listed(go_type(self._type(node)), [(self.go(key), self.go(value)) for key, value in node.entries])

    # variables

    def _bind(self, node: Bind) -> Go:
        name, kind = _variable(node.variable), go_type(self._type(node.value))
        body = Function(f"{name} {kind}", go_type(self._type(node)), self._statements(node.body))
        return self._called("bind", self.go(node.value), body)

    def _each(self, node: Each) -> Go:
        operand, kind = self.go(node.operand), self._type(node.operand)
        if kind.name == "map":
            operand = self._called("sortedKeys", operand)
        param = f"{_variable(node.variable)} {go_type(kind.item)}"
        if node.macro != "map":
            return self._called(_MACROS[node.macro], operand, Function(param, "bool", self._statements(node.body)))
        if node.condition is not None:
            operand = self._called("filtered", operand, Function(param, "bool", self._statements(node.condition)))
        result = go_type(self._type(node.body))
        return self._called("mapped", operand, Function(param, result, self._statements(node.body)))

    # functions

    def _call(self, node: Call) -> Go:
        args = ([] if node.target is None else [node.target]) + list(node.args)
        if node.function == "matches":
            self.imports.add("regexp")
            pattern = args[1]
            assert isinstance(pattern, Literal)
            return call(f"regexp.MustCompile({quoted(str(pattern.value))}).MatchString", self.go(args[0]))
        return self._function(node.function, [self.go(arg) for arg in args], [self._type(arg) for arg in args])

    def _function(self, name: str, args: Sequence[Go], types: Sequence[Type]) -> Go:
        if name in _STRINGS:
            self.imports.add("strings")
            return call(_STRINGS[name], *args)
        if name == "size":
            return self._size(args[0], types[0])
        if name in ("int", "double", "string"):
            return self._conversion(name, args[0], types[0])
        if name in ("math.greatest", "math.least") and len(args) > 1:
            return call("max" if name == "math.greatest" else "min", *args)
        if name in ("math.ceil", "math.floor", "math.round"):
            self.imports.add("math")
            return call(f"math.{name[5:].capitalize()}", *args)
        return self._called(_FUNCTIONS[name], *args)

    def _size(self, arg: Go, kind: Type) -> Go:
        if kind == STRING:
            self.imports.add("unicode/utf8")
            return call("int64", call("utf8.RuneCountInString", arg))
        return call("int64", call("len", arg))

    def _conversion(self, name: str, arg: Go, kind: Type) -> Go:
        if name == _CONVERSIONS.get(kind):
            return arg
        if kind == INT and name == "double":
            return call("float64", arg)
        if kind == DOUBLE and name == "int":
            return call("int64", arg)
        if name == "string":
            return self._called("text", arg)
        return self._called("parseInt" if name == "int" else "parseFloat", arg)


def _floating(part: Go, kind: Type) -> Go:
    return call("float64", part) if kind == INT else part


def _variable(name: str) -> str:
    """A variable under a name that nothing else in the package has."""
    return name if len(name) == 1 and name != "_" else f"{name}Value"


_MACROS: Final = {"all": "all", "exists": "exists", "exists_one": "existsOne", "filter": "filtered"}
_CONVERSIONS: Final = {INT: "int", DOUBLE: "double", STRING: "string"}
_STRINGS: Final = {
    "contains": "strings.Contains",
    "startsWith": "strings.HasPrefix",
    "endsWith": "strings.HasSuffix",
    "replace": "strings.ReplaceAll",
    "split": "strings.Split",
    "trim": "strings.TrimSpace",
}
_FUNCTIONS: Final = {
    "substring": "substring",
    "indexOf": "indexOf",
    "lowerAscii": "lowerASCII",
    "upperAscii": "upperASCII",
    "join": "join",
    "sum": "sum",
    "min": "smallest",
    "max": "largest",
    "math.greatest": "largest",
    "math.least": "smallest",
    "math.abs": "absolute",
}

_VISITORS: Final[Mapping[type[Node], Callable[[Translation, Any], Go]]] = {
    Literal: Translation._literal,  # noqa: SLF001 (the class's own)
    Name: Translation._name,  # noqa: SLF001
    Select: Translation._select,  # noqa: SLF001
    Index: Translation._index,  # noqa: SLF001
    Has: Translation._has,  # noqa: SLF001
    Unary: Translation._unary,  # noqa: SLF001
    Binary: Translation._binary,  # noqa: SLF001
    Conditional: Translation._conditional,  # noqa: SLF001
    ListOf: Translation._list,  # noqa: SLF001
    MapOf: Translation._map,  # noqa: SLF001
    Bind: Translation._bind,  # noqa: SLF001
    Each: Translation._each,  # noqa: SLF001
    Call: Translation._call,  # noqa: SLF001
}
