"""Source text to syntax. The grammar is CEL's; macros are recognized here, as the specification has it."""

from __future__ import annotations

from collections.abc import Callable

from simulator.engine.cel.errors import CelError, Fault
from simulator.engine.cel.lexer import END, NUMBER, SIGN, TEXT, WORD, Token, tokens_of
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

MAX_SOURCE = 4000
MAX_DEPTH = 32
MAX_PARTS = 600
MACROS = ("all", "exists", "exists_one", "filter", "map")
RESERVED = frozenset({
    "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package",
    "namespace", "return", "var", "void", "while",
})  # fmt: skip
_RELATIONS = ("<", "<=", ">", ">=", "==", "!=")
_MAX_INT = 1 << 63


def parse(source: str) -> Node:
    """The syntax of `source`. Raises `CelError`."""
    if len(source) > MAX_SOURCE:
        raise Fault("cel.too_long", 0, size=len(source), limit=MAX_SOURCE).in_source(source)
    try:
        return _Parser(tokens_of(source)).whole()
    except Fault as fault:
        raise fault.in_source(source) from None


__all__ = ["CelError", "parse"]


class _Parser:
    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._position = 0
        self._depth = 0
        self._parts = 0

    def whole(self) -> Node:
        if self._token.kind == END:
            raise Fault("cel.empty", 0)
        found = self._expression()
        if self._token.kind != END:
            raise self._unexpected("the end")
        return found

    # tokens

    @property
    def _token(self) -> Token:
        return self._tokens[self._position]

    def _take(self) -> Token:
        token = self._token
        self._position += 1
        self._parts += 1
        if self._parts > MAX_PARTS:
            raise Fault("cel.too_large", token.offset, limit=MAX_PARTS)
        return token

    def _is(self, *signs: str) -> bool:
        return self._token.kind == SIGN and self._token.value in signs

    def _expect(self, sign: str) -> Token:
        if not self._is(sign):
            raise self._unexpected(sign)
        return self._take()

    def _unexpected(self, wanted: str) -> Fault:
        return Fault("cel.unexpected", self._token.offset, wanted=wanted, found=str(self._token))

    # grammar

    def _expression(self) -> Node:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise Fault("cel.too_deep", self._token.offset, limit=MAX_DEPTH)
        condition = self._or()
        if self._is("?"):
            offset = self._take().offset
            then = self._or()
            self._expect(":")
            condition = Conditional(offset, condition, then, self._expression())
        self._depth -= 1
        return condition

    def _or(self) -> Node:
        return self._chain(self._and, ("||",))

    def _and(self) -> Node:
        return self._chain(self._relation, ("&&",))

    def _relation(self) -> Node:
        left = self._addition()
        while self._is(*_RELATIONS) or (self._token.kind == WORD and self._token.value == "in"):
            operator = self._take()
            left = Binary(operator.offset, str(operator.value), left, self._addition())
        return left

    def _addition(self) -> Node:
        return self._chain(self._multiplication, ("+", "-"))

    def _multiplication(self) -> Node:
        return self._chain(self._unary, ("*", "/", "%"))

    def _chain(self, part: Callable[[], Node], operators: tuple[str, ...]) -> Node:
        left = part()
        while self._is(*operators):
            operator = self._take()
            left = Binary(operator.offset, str(operator.value), left, part())
        return left

    def _unary(self) -> Node:
        if not self._is("!", "-"):
            return self._member()
        operator = self._take()
        if operator.value == "-" and self._token.kind == NUMBER:
            number = self._token
            if number.value == _MAX_INT:
                self._take()
                return self._members(Literal(operator.offset, -_MAX_INT))
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise Fault("cel.too_deep", operator.offset, limit=MAX_DEPTH)
        operand = self._unary()
        self._depth -= 1
        return Unary(operator.offset, str(operator.value), operand)

    def _member(self) -> Node:
        return self._members(self._primary())

    def _members(self, operand: Node) -> Node:
        while True:
            if self._is("."):
                operand = self._select(operand, self._take().offset)
            elif self._is("["):
                offset = self._take().offset
                operand = Index(offset, operand, self._expression())
                self._expect("]")
            elif self._is("{"):
                raise Fault("cel.left_out", self._token.offset, what="messages")
            else:
                return operand

    def _select(self, operand: Node, _dot: int) -> Node:
        if self._token.kind != WORD:
            raise self._unexpected("a name")
        name = self._take()
        field = str(name.value)
        if not self._is("("):
            return Select(name.offset, operand, field)
        if isinstance(operand, Name) and operand.name == "cel" and field == "bind":
            return self._bind(name.offset)
        args = self._arguments()
        if field in MACROS and len(args) in (2, 3):
            return _macro(name.offset, field, operand, args)
        if isinstance(operand, Name) and operand.name == "math":
            return Call(name.offset, f"math.{field}", None, args)
        return Call(name.offset, field, operand, args)

    def _bind(self, offset: int) -> Node:
        args = self._arguments()
        if len(args) != 3 or not isinstance(args[0], Name):
            raise Fault("cel.macro", offset, name="cel.bind")
        return Bind(offset, args[0].name, args[1], args[2])

    def _primary(self) -> Node:
        token = self._token
        if token.kind in (NUMBER, TEXT):
            self._take()
            if token.kind == NUMBER and isinstance(token.value, int) and token.value >= _MAX_INT:
                raise Fault("cel.number", token.offset, found=str(token.value))
            return Literal(token.offset, token.value)
        if token.kind == WORD:
            return self._word()
        if self._is("("):
            self._take()
            inner = self._expression()
            self._expect(")")
            return inner
        if self._is("["):
            self._take()
            return ListOf(token.offset, self._items("]"))
        if self._is("{"):
            self._take()
            return MapOf(token.offset, self._entries())
        raise self._unexpected("a value")

    def _word(self) -> Node:
        token = self._take()
        word = str(token.value)
        if word in ("true", "false"):
            return Literal(token.offset, word == "true")
        if word == "null":
            raise Fault("cel.left_out", token.offset, what="null")
        if word in RESERVED or word == "in":
            raise Fault("cel.reserved", token.offset, name=word)
        if not self._is("("):
            return Name(token.offset, word)
        args = self._arguments()
        if word == "has":
            if len(args) != 1 or not isinstance(args[0], Select):
                raise Fault("cel.has", token.offset)
            return Has(token.offset, args[0])
        return Call(token.offset, word, None, args)

    def _arguments(self) -> tuple[Node, ...]:
        self._expect("(")
        return self._items(")")

    def _items(self, closing: str) -> tuple[Node, ...]:
        items: list[Node] = []
        while not self._is(closing):
            items.append(self._expression())
            if not self._is(","):
                break
            self._take()
            if closing == ")" and self._is(closing):
                raise self._unexpected("a value")
        self._expect(closing)
        return tuple(items)

    def _entries(self) -> tuple[tuple[Node, Node], ...]:
        entries: list[tuple[Node, Node]] = []
        while not self._is("}"):
            key = self._expression()
            self._expect(":")
            entries.append((key, self._expression()))
            if not self._is(","):
                break
            self._take()
        self._expect("}")
        return tuple(entries)


def _macro(offset: int, macro: str, operand: Node, args: tuple[Node, ...]) -> Node:
    variable = args[0]
    if not isinstance(variable, Name) or (len(args) == 3 and macro != "map"):
        raise Fault("cel.macro", offset, name=macro)
    condition = args[1] if len(args) == 3 else None
    return Each(offset, macro, operand, variable.name, args[-1], condition)
