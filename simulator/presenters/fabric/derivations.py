"""A computed figure with its formula: in words, with the numbers filled in, and where each number comes from."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from simulator.engine.fabric.derivation import Derivation, Term
from simulator.engine.fabric.formulas import FORMULAS
from simulator.engine.fabric.links import LINK_KINDS
from simulator.presenters.fabric.formula_names import FORMULA_NAMES, SOURCES, TERM_NAMES, UNITS
from simulator.presenters.fabric.looks import kind_name, links_name
from simulator.presenters.sentences.both import EN
from simulator.presenters.sentences.say import current_language, say

_WORD: Final = re.compile(r"[a-z_][a-z_0-9]*|\d+(?:\.\d+)?(?:e\d+)?|\*|/|-|\+|[(),]")
_FUNCTIONS: Final = frozenset({"min", "max", "log2"})
_SIGNS: Final = {"*": " × ", "/": " ÷ ", "-": " − ", "+": " + ", ",": ", "}
_DIGITS: Final = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_SHORT: Final = 0.1
_TERA: Final = 1e12
_PERCENT: Final = frozenset({"mfu", "mfu.rate", "mfu.share", "efficiency.scaling"})


@dataclass(frozen=True, slots=True)
class TermView:
    """One number of a formula."""

    name: str
    value: str
    source: str


@dataclass(frozen=True)
class DerivationView:
    """A figure: what it is, `result` with its unit, the formula in words and with numbers, its terms, its source, and
    the figures among its terms that were computed themselves.
    """

    formula: str
    title: str
    result: str
    words: str
    numbers: str
    terms: tuple[TermView, ...]
    source: str
    parts: tuple[DerivationView, ...]


def derivation_view(derivation: Derivation) -> DerivationView:
    """A derivation in the page's language."""
    formula = FORMULAS[derivation.formula]
    values = {term.name: term.value for term in derivation.terms}
    names = {name: say(TERM_NAMES[name], {}).text for name in values}
    filled = {name: figure(value) for name, value in values.items()}
    return DerivationView(
        derivation.formula,
        say(FORMULA_NAMES[derivation.formula], {}).text,
        result_text(derivation),
        _written(formula.expression, names),
        _written(formula.expression, filled),
        tuple(_term(term) for term in derivation.terms),
        source_text(formula.source),
        tuple(derivation_view(part) for _, part in derivation.parts),
    )


def result_text(derivation: Derivation) -> str:
    """The figure with its unit; shares as per cent."""
    if derivation.formula in _PERCENT:
        return f"{derivation.result * 100:.1f}%"
    return amount_text(derivation.result, derivation.unit)


def amount_text(value: float, unit: str) -> str:
    """A number with its unit; short times as milliseconds, high rates as tera: `23.4 ms`, `48 TFLOP/s`."""
    if unit == "s" and 0 < value < _SHORT:
        return f"{figure(value * 1000)} ms"
    if unit.startswith("FLOP") and value >= _TERA:
        return f"{figure(value / _TERA)} T{unit}"
    return figure(value) + unit_text(unit)


def unit_text(unit: str) -> str:
    return UNITS[unit].template(current_language())


def figure(value: float) -> str:
    """A number with about four significant digits: `370.8`, `1.217`, `6.66 × 10⁹`."""
    if value == float("inf"):
        return "∞"
    if value == int(value) and abs(value) < 1e6:
        return f"{int(value):,}"
    size = abs(value)
    if size >= 1e6 or size < 1e-3:
        mantissa, _, exponent = f"{value:.2e}".partition("e")
        return f"{mantissa} × 10{str(int(exponent)).translate(_DIGITS)}"
    digits = 1 if size >= 100 else 2 if size >= 10 else 3
    return f"{value:,.{digits}f}".rstrip("0").rstrip(".")


def source_text(source: str) -> str:
    """Where a number or formula comes from, in the page's language as far as it is words."""
    if source in FORMULA_NAMES:
        return say(FORMULA_NAMES[source], {}).text
    if source in LINK_KINDS:
        return kind_name(source)
    cards = [card.rpartition(" ")[2] for card in source.split(", ")]
    if source and all(kind in LINK_KINDS for kind in cards):
        counts = {kind: cards.count(kind) for kind in dict.fromkeys(cards)}
        return ", ".join(links_name(kind, count) for kind, count in counts.items())
    if current_language() == EN:
        return source
    return "；".join(SOURCES.get(part, part) for part in ([source] if source in SOURCES else source.split("; ")))


def _term(term: Term) -> TermView:
    name = say(TERM_NAMES[term.name], {}).text
    return TermView(name, amount_text(term.value, term.unit), source_text(term.source))


def _written(expression: str, names: dict[str, str]) -> str:
    """An expression as people write it, its terms replaced."""
    written = []
    for word in _WORD.findall(expression):
        if word in _FUNCTIONS:
            written.append({"log2": "log₂"}.get(word, word))
        elif word in names:
            written.append(names[word])
        else:
            written.append(_SIGNS.get(word, "10⁶" if word == "1e6" else "10⁹" if word == "1e9" else word))
    return "".join(written)
