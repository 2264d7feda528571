"""Regular expressions in RE2's syntax (the common part), matched in time linear in the text.

No backtracking: all states are walked at once, so that no pattern can explode. Left out: back references, look-around
(RE2 has none either), Unicode classes, word boundaries, named groups.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

MAX_STATES: Final = 400
STEPS_A_STATE: Final = 4
"""What one state at one character costs, in the steps of an evaluation."""

_BOUNDS: Final = re.compile("[0-9]+(?:,[0-9]*)?")
_DIGITS: Final = 6
_SHOWN: Final = 40

_CLASSES: Final = {"d": "0-9", "w": "0-9A-Za-z_", "s": "\t\n\f\r "}
_ESCAPED: Final = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a"}

Ranges = tuple[tuple[str, str], ...]


class PatternError(ValueError):
    """A pattern that cannot be used."""


@dataclass(frozen=True, slots=True)
class Letters:
    """One character out of `ranges`, or outside of them."""

    ranges: Ranges
    negated: bool = False

    def has(self, letter: str) -> bool:
        return any(low <= letter <= high for low, high in self.ranges) != self.negated


@dataclass(slots=True)
class _State:
    """`takes`: what brings one to `after`; without it the state is passed at once, to `after` and `also`.

    `at`: passed only at the beginning ("^") or the end ("$") of the text.
    """

    takes: Letters | None = None
    after: int = -1
    also: int = -1
    at: str = ""


@dataclass(slots=True)
class Pattern:
    """A compiled pattern. `matches` looks for it anywhere in the text."""

    states: list[_State] = field(default_factory=list)
    start: int = -1
    end: int = -1

    @property
    def size(self) -> int:
        return len(self.states)

    def matches(self, text: str, limit: int) -> tuple[bool | None, int]:
        """(whether the pattern is found, steps taken); None after `limit` steps without an answer."""
        current: set[int] = set()
        steps = 0
        for position in range(len(text) + 1):
            self._enter(self.start, current, position == 0, position == len(text))
            steps += STEPS_A_STATE * len(current)
            if self.end in current:
                return True, steps
            if steps > limit:
                return None, steps
            if position < len(text):
                current = self._step(current, text[position], position, len(text))
        return False, steps

    def _step(self, current: set[int], letter: str, position: int, length: int) -> set[int]:
        reached: set[int] = set()
        for index in current:
            state = self.states[index]
            if state.takes is not None and state.takes.has(letter):
                self._enter(state.after, reached, False, position + 1 == length)
        return reached

    def _enter(self, index: int, reached: set[int], at_start: bool, at_end: bool) -> None:
        waiting = [index]
        while waiting:
            here = waiting.pop()
            if here < 0 or here in reached:
                continue
            state = self.states[here]
            if (state.at == "^" and not at_start) or (state.at == "$" and not at_end):
                continue
            reached.add(here)
            if state.takes is None:
                waiting += [state.after, state.also]


def compile_pattern(source: str) -> Pattern:
    """Raises `PatternError`."""
    return _Compiler(source).whole()


_Tree = tuple[str, Any]


class _Compiler:
    """Parses into a small tree, then lays out the states from the end backwards."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._position = 0
        self._pattern = Pattern()
        self._depth = 0
        self._laid = 0
        self._fold = False

    def whole(self) -> Pattern:
        if self._source.startswith("(?i)"):
            self._fold, self._position = True, 4
        tree = self._choice()
        if self._peek():
            raise PatternError(f"unexpected {self._peek()}")
        self._pattern.end = self._add(_State())
        self._pattern.start = self._lay(tree, self._pattern.end)
        return self._pattern

    def _peek(self) -> str:
        return self._source[self._position : self._position + 1]

    def _next(self) -> str:
        sign = self._peek()
        if not sign:
            raise PatternError("it ends too early")
        self._position += 1
        return sign

    def _add(self, state: _State) -> int:
        if len(self._pattern.states) >= MAX_STATES:
            raise PatternError(f"it is larger than {MAX_STATES} states")
        self._pattern.states.append(state)
        return len(self._pattern.states) - 1

    # parsing

    def _choice(self) -> _Tree:
        self._depth += 1
        if self._depth > 20:
            raise PatternError("it is nested too deeply")
        choices = [self._sequence()]
        while self._peek() == "|":
            self._position += 1
            choices.append(self._sequence())
        self._depth -= 1
        return choices[0] if len(choices) == 1 else ("choice", choices)

    def _sequence(self) -> _Tree:
        items: list[_Tree] = []
        while self._peek() not in ("", "|", ")"):
            items.append(self._repeated())
        return ("sequence", items)

    def _repeated(self) -> _Tree:
        item = self._item()
        while True:
            sign = self._peek()
            if sign and sign in "*+?":
                self._position += 1
                least, most = {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
            elif sign == "{" and (bounds := self._bounds()) is not None:
                least, most = bounds
            else:
                return item
            if self._peek() == "?":
                self._position += 1
            item = ("repeat", (item, least, most))

    def _bounds(self) -> tuple[int, int | None] | None:
        """{n}, {n,}, {n,m}; None where the brace is an ordinary sign."""
        closing = self._source.find("}", self._position)
        inside = self._source[self._position + 1 : closing]
        first, comma, last = inside.partition(",")
        if closing < 0 or not _BOUNDS.fullmatch(inside):
            return None
        self._position = closing + 1
        if len(first) > _DIGITS or len(last) > _DIGITS:
            raise PatternError(f"bad repetition {{{inside[:_SHOWN]}}}")
        least = int(first)
        most = least if not comma else int(last) if last else None
        if least > 1000 or (most is not None and (most > 1000 or most < least)):
            raise PatternError(f"bad repetition {{{inside}}}")
        return least, most

    def _item(self) -> _Tree:
        sign = self._next()
        if sign == "(":
            if self._peek() == "?":
                if not self._source.startswith("?:", self._position):
                    raise PatternError("only (?:…) groups are known")
                self._position += 2
            inner = self._choice()
            if self._peek() != ")":
                raise PatternError("a ) is missing")
            self._position += 1
            return inner
        if sign in "*+?":
            raise PatternError(f"nothing to repeat before {sign}")
        if sign in "^$":
            return ("at", sign)
        if sign == ".":
            return ("letters", Letters((("\n", "\n"),), negated=True))
        if sign == "[":
            return ("letters", self._set())
        if sign == "\\":
            return ("letters", self._escape())
        return ("letters", self._one(sign))

    def _one(self, letter: str) -> Letters:
        if self._fold and letter.isascii() and letter.isalpha():
            return Letters(((letter.lower(), letter.lower()), (letter.upper(), letter.upper())))
        return Letters(((letter, letter),))

    def _escape(self) -> Letters:
        sign = self._next()
        if sign.lower() in _CLASSES:
            return Letters(_ranges(_CLASSES[sign.lower()]), negated=sign.isupper())
        if sign in _ESCAPED:
            return self._one(_ESCAPED[sign])
        if sign.isalnum():
            raise PatternError(f"unknown escape \\{sign}")
        return self._one(sign)

    def _set(self) -> Letters:
        negated = self._peek() == "^"
        self._position += negated
        ranges: list[tuple[str, str]] = []
        first = True
        while first or self._peek() != "]":
            first = False
            found = self._set_item()
            if len(found) == 1 and found[0][0] == found[0][1] and self._range_follows():
                self._position += 1
                last = self._set_item()
                if len(last) != 1 or last[0][0] < found[0][0]:
                    raise PatternError("bad range in [ ]")
                found = ((found[0][0], last[0][0]),)
            ranges += found
        self._position += 1
        if self._fold:
            ranges += [_swapped(low, high) for low, high in ranges if low.isascii() and low.isalpha()]
        return Letters(tuple(ranges), negated)

    def _range_follows(self) -> bool:
        return self._peek() == "-" and self._source[self._position + 1 : self._position + 2] not in ("]", "")

    def _set_item(self) -> Ranges:
        sign = self._next()
        if sign == "[" and self._peek() == ":":
            raise PatternError("[:class:] is not known")
        if sign != "\\":
            return ((sign, sign),)
        letters = self._escape()
        if letters.negated:
            raise PatternError("a negated class in [ ]")
        return letters.ranges

    # laying out: every part is placed before the state that follows it

    def _lay(self, tree: _Tree, after: int) -> int:
        kind, what = tree
        self._laid += 1
        if self._laid > 10 * MAX_STATES:
            raise PatternError(f"it is larger than {MAX_STATES} states")
        if kind == "letters":
            return self._add(_State(what, after))
        if kind == "at":
            return self._add(_State(None, after, at=str(what)))
        if kind == "sequence":
            for item in reversed(what):
                after = self._lay(item, after)
            return after
        if kind == "choice":
            start = self._lay(what[-1], after)
            for item in reversed(what[:-1]):
                start = self._add(_State(None, self._lay(item, after), start))
            return start
        return self._lay_repeat(what, after)

    def _lay_repeat(self, what: Any, after: int) -> int:
        item, least, most = what
        if most is None:
            loop = self._add(_State(None, -1, after))
            self._pattern.states[loop].after = self._lay(item, loop)
            start = loop
        else:
            start = after
            for _ in range(most - least):
                start = self._add(_State(None, self._lay(item, start), after))
        for _ in range(least):
            start = self._lay(item, start)
        return start


def _ranges(text: str) -> Ranges:
    found: list[tuple[str, str]] = []
    index = 0
    while index < len(text):
        if text[index + 1 : index + 2] == "-":
            found.append((text[index], text[index + 2]))
            index += 3
        else:
            found.append((text[index], text[index]))
            index += 1
    return tuple(found)


def _swapped(low: str, high: str) -> tuple[str, str]:
    return low.swapcase(), high.swapcase()
