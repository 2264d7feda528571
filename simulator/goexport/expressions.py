"""Go expressions, printed as gofmt prints them.

gofmt leaves the blanks around + and * out where an expression stands deep inside others; `depth` follows its rules.
Source: go/printer nodes.go (binaryExpr, cutoff, exprList).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Go:
    """An expression."""

    def show(self, depth: int = 1) -> str:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Plain(Go):
    """A name, literal, or anything else that looks the same everywhere."""

    text: str

    def show(self, depth: int = 1) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Brackets(Go):
    inner: Go

    def show(self, depth: int = 1) -> str:
        return f"({self.inner.show(max(1, depth - 1))})"


_PRECEDENCE = {"||": 1, "&&": 2, "+": 4, "-": 4, "*": 5, "/": 5, "%": 5}


@dataclass(frozen=True, slots=True)
class Operation(Go):
    """`left sign right`; operands that are operations stand in brackets."""

    sign: str
    left: Go
    right: Go

    def show(self, depth: int = 1) -> str:
        blank = " " if depth == 1 or _PRECEDENCE.get(self.sign, 3) < 4 else ""
        return f"{_operand(self.left).show(depth + 1)}{blank}{self.sign}{blank}{_operand(self.right).show(depth + 1)}"


@dataclass(frozen=True, slots=True)
class Prefixed(Go):
    """`!operand` or `-operand`."""

    sign: str
    operand: Go

    def show(self, depth: int = 1) -> str:
        return f"{self.sign}{_operand(self.operand).show(depth)}"


def _operand(part: Go) -> Go:
    return Brackets(part) if isinstance(part, Operation | Prefixed) else part


@dataclass(frozen=True, slots=True)
class Called(Go):
    """`function(args)`, conversions included."""

    function: str
    args: Sequence[Go]

    def show(self, depth: int = 1) -> str:
        inside = depth + (len(self.args) > 1)
        return f"{self.function}({', '.join(arg.show(inside) for arg in self.args)})"


@dataclass(frozen=True, slots=True)
class Field(Go):
    """`operand.name`"""

    operand: Go
    name: str

    def show(self, depth: int = 1) -> str:
        return f"{_operand(self.operand).show(depth)}.{self.name}"


@dataclass(frozen=True, slots=True)
class Listed(Go):
    """`type{items}`; entries of a map are pairs."""

    type: str
    items: Sequence[Go | tuple[Go, Go]]

    def show(self, depth: int = 1) -> str:
        shown = [
            f"{item[0].show()}: {item[1].show()}" if isinstance(item, tuple) else item.show() for item in self.items
        ]
        return f"{self.type}{{{', '.join(shown)}}}"


@dataclass(frozen=True, slots=True)
class Function(Go):
    """`func(params) result { lines }`, its lines one under the other."""

    params: str
    result: str
    lines: Sequence[str]

    def show(self, depth: int = 1) -> str:
        return "\n".join([f"func({self.params}) {self.result} {{", *self.lines, "}"])


def call(function: str, *args: Go) -> Called:
    return Called(function, args)


def plain(text: str) -> Plain:
    return Plain(text)


def indented(lines: Sequence[str], indent: int = 0) -> list[str]:
    """Lines with the tabs that the braces before them ask for; of several braces opened in one line the last counts."""
    made = []
    open_braces: list[int] = []
    for line in "\n".join(lines).split("\n"):
        text = line.strip()
        here = sum(open_braces) - (open_braces[-1] if text.startswith("}") else 0)
        made.append("\t" * (indent + here) + text if text else "")
        _enter(text, open_braces)
    return made


def _enter(text: str, open_braces: list[int]) -> None:
    """Open and close the braces of a line: 1 for one that indents what follows, 0 for others."""
    before = len(open_braces)
    quote = escaped = False
    for letter in text:
        if quote:
            quote = escaped or letter != '"'
            escaped = letter == "\\" and not escaped
        elif letter == '"':
            quote, escaped = True, False
        elif letter == "{":
            open_braces.append(0)
        elif letter == "}":
            open_braces.pop()
            before = min(before, len(open_braces))
    if len(open_braces) > before:
        open_braces[-1] = 1
