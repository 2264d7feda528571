"""The functions of expressions, by name and argument types. A method's target counts as its first argument.

Sources: CEL language definition; cel-go extensions `strings` and `math`; Kubernetes' CEL library `lists`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from simulator.engine.cel.errors import Fault
from simulator.engine.cel.values import BOOL, DOUBLE, INT, STRING, Type, list_of

LETTERS_A_STEP: Final = 10
"""So many characters are looked at in one step."""

MIN_INT, MAX_INT = -(1 << 63), (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Function:
    """`run` gets the arguments' values and raises ValueError or ZeroDivisionError; `work` estimates its steps."""

    args: tuple[Type, ...]
    result: Type
    run: Callable[..., Any]
    work: Callable[..., int] | None = None
    method: bool = False


def _letters(*values: Any) -> int:
    return sum(len(value) for value in values if isinstance(value, str)) // LETTERS_A_STEP


def _product(text: str, part: str) -> int:
    return (len(text) // LETTERS_A_STEP + 1) * (len(part) // LETTERS_A_STEP + 1)


def _replaced(text: str, old: str, new: str) -> int:
    return (len(text) + (text.count(old) if old else len(text) + 1) * len(new)) // LETTERS_A_STEP


def _items(values: tuple[Any, ...], *_: Any) -> int:
    return len(values) + sum(len(value) for value in values if isinstance(value, str)) // LETTERS_A_STEP


def _joined(values: tuple[str, ...], separator: str = "") -> int:
    return _items(values) + len(values) * len(separator) // LETTERS_A_STEP


def in_range(number: int) -> int:
    if not MIN_INT <= number <= MAX_INT:
        raise OverflowError
    return number


def _int(value: float | str) -> int:
    if isinstance(value, str):
        digits = value[1:] if value[:1] in ("-", "+") else value
        if not (digits.isascii() and digits.isdigit()) or len(digits) > 19:
            raise ValueError(value)
        number = int(value)
    else:
        if not math.isfinite(value):
            raise ValueError(value)
        if not MIN_INT < value < MAX_INT:
            raise ValueError(value)
        return int(value)
    if not MIN_INT <= number <= MAX_INT:
        raise ValueError(value)
    return number


def _double(value: str) -> float:
    text = value.strip()
    if text != value or "_" in text or not text.isascii():
        raise ValueError(value)
    return float(text)


def double_text(value: float) -> str:
    """A double as Go's 'g' format prints it with the fewest digits."""
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "+Inf" if value > 0 else "-Inf"
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    assert isinstance(exponent, int)
    point = len(digits) + exponent - 1
    if -4 <= point < 6 or not any(digits):
        return repr(value).removesuffix(".0") if "e" not in repr(value) else f"{value:f}".rstrip("0")
    first, rest = digits[0], "".join(map(str, digits[1:]))
    return f"{'-' * sign}{first}{'.' + rest if rest else ''}e{point:+03d}"


def _substring(text: str, start: int, end: int | None = None) -> str:
    stop = len(text) if end is None else end
    if not 0 <= start <= stop <= len(text):
        raise IndexError(start if start > len(text) or start < 0 else stop)
    return text[start:stop]


def _round(value: float) -> float:
    if not math.isfinite(value):
        return value
    whole = math.floor(abs(value) + 0.5)
    return math.copysign(float(whole), value)


def _split(text: str, separator: str) -> tuple[str, ...]:
    return tuple(text.split(separator)) if separator else tuple(text)


def _ascii(text: str, change: Callable[[str], str]) -> str:
    return "".join(change(letter) if letter.isascii() else letter for letter in text)


_SPACES = (
    "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008"
    "\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)

_STRING_METHODS: Final[Mapping[str, tuple[Function, ...]]] = {
    "contains": (Function((STRING, STRING), BOOL, lambda text, part: part in text, _product, method=True),),
    "startsWith": (Function((STRING, STRING), BOOL, str.startswith, lambda _, part: _letters(part), method=True),),
    "endsWith": (Function((STRING, STRING), BOOL, str.endswith, lambda _, part: _letters(part), method=True),),
    "indexOf": (Function((STRING, STRING), INT, str.find, _product, method=True),),
    "lowerAscii": (Function((STRING,), STRING, lambda text: _ascii(text, str.lower), _letters, method=True),),
    "upperAscii": (Function((STRING,), STRING, lambda text: _ascii(text, str.upper), _letters, method=True),),
    "trim": (Function((STRING,), STRING, lambda text: text.strip(_SPACES), _letters, method=True),),
    "replace": (Function((STRING, STRING, STRING), STRING, str.replace, _replaced, method=True),),
    "split": (Function((STRING, STRING), list_of(STRING), _split, lambda text, _: len(text), method=True),),
    "substring": (
        Function((STRING, INT), STRING, _substring, _letters, method=True),
        Function((STRING, INT, INT), STRING, _substring, _letters, method=True),
    ),
    "join": (
        Function((list_of(STRING),), STRING, "".join, _joined, method=True),
        Function((list_of(STRING), STRING), STRING, lambda texts, by: by.join(texts), _joined, method=True),
    ),
}


def _not_empty(name: str, run: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def checked(values: tuple[Any, ...]) -> Any:
        if not values:
            raise Fault("cel.empty_list", 0, name=name)
        return run(values)

    return checked


def _sum(values: tuple[float, ...]) -> float:
    total = values[0] if values else 0
    for value in values[1:]:
        total = total + value
    return total


def _list_methods() -> dict[str, tuple[Function, ...]]:
    made: dict[str, tuple[Function, ...]] = {
        "sum": (
            Function((list_of(INT),), INT, lambda values: in_range(sum(values)), _items, method=True),
            Function((list_of(DOUBLE),), DOUBLE, lambda values: float(_sum(values)), _items, method=True),
        )
    }
    for name, run in (("min", min), ("max", max)):
        made[name] = tuple(
            Function((list_of(item),), item, _not_empty(name, run), _items, method=True)
            for item in (INT, DOUBLE, STRING)
        )
    return made


def _math() -> dict[str, tuple[Function, ...]]:
    made: dict[str, tuple[Function, ...]] = {
        "math.abs": (
            Function((INT,), INT, lambda value: in_range(abs(value))),
            Function((DOUBLE,), DOUBLE, abs),
        ),
        "math.ceil": (Function((DOUBLE,), DOUBLE, lambda v: float(math.ceil(v)) if math.isfinite(v) else v),),
        "math.floor": (Function((DOUBLE,), DOUBLE, lambda v: float(math.floor(v)) if math.isfinite(v) else v),),
        "math.round": (Function((DOUBLE,), DOUBLE, _round),),
    }
    for name, run in (("math.greatest", max), ("math.least", min)):
        of_many = [Function((item,) * count, item, run) for item in (INT, DOUBLE) for count in (2, 3, 4, 5)]
        of_list = [Function((list_of(item),), item, _not_empty(name, run), _items) for item in (INT, DOUBLE)]
        made[name] = (*of_many, *of_list)
    return made


FUNCTIONS: Final[Mapping[str, tuple[Function, ...]]] = {
    **_STRING_METHODS,
    **_list_methods(),
    **_math(),
    "int": (
        Function((INT,), INT, lambda value: value),
        Function((DOUBLE,), INT, _int),
        Function((STRING,), INT, _int),
    ),
    "double": (
        Function((DOUBLE,), DOUBLE, lambda value: value),
        Function((INT,), DOUBLE, float),
        Function((STRING,), DOUBLE, _double, _letters),
    ),
    "string": (
        Function((STRING,), STRING, lambda value: value),
        Function((INT,), STRING, str),
        Function((DOUBLE,), STRING, double_text),
        Function((BOOL,), STRING, lambda value: "true" if value else "false"),
    ),
}
"""`size` and `matches` are the compiler's own."""
