"""The glossary's file: terms with their names in both languages (docs/lessons.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from lessons.assessment.localized import LANGUAGES
from lessons.assessment.reading import SLUG, Node, unique
from lessons.manifests.faults import Fault, Faulty
from lessons.manifests.yaml_values import read_yaml

MAX_TERMS: Final = 1000
_MAX_NAME: Final = 80


@dataclass(frozen=True, slots=True)
class TermText:
    """One term. `text`: language -> two sentences."""

    slug: str
    zh: str
    en: str
    aliases: tuple[str, ...]
    text: dict[str, str]
    links: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return (self.zh, self.en, *self.aliases)


def read_glossary(text: str, file: str) -> tuple[TermText, ...]:
    """Read `{terms: […]}`. Raises Faulty."""
    yaml = read_yaml(text, file)
    node = yaml.node()
    nodes = node.fields(required=("terms",)).children("terms", limit=MAX_TERMS)
    terms = tuple(_read_term(entry) for entry in nodes)
    unique(zip((term.slug for term in terms), nodes, strict=True))
    faults = [*yaml.faults(node.problems.found), *_names_twice(terms, file)]
    if faults:
        raise Faulty(faults)
    return terms


def _read_term(node: Node) -> TermText:
    fields = node.fields(required=("id", "zh", "en", "text"), optional=("aliases", "links"))
    text = fields["text"].text(limit=600)
    for language in text.missing:
        fields["text"].fail("field.missing", field=language)
    return TermText(
        slug=fields["id"].named(SLUG),
        zh=fields["zh"].string(limit=_MAX_NAME),
        en=fields["en"].string(limit=_MAX_NAME),
        aliases=tuple(entry.string(limit=_MAX_NAME) for entry in fields.children("aliases", limit=12)),
        text={language: text.written(language) for language in LANGUAGES},
        links=tuple(entry.string(limit=120) for entry in fields.children("links", limit=8)),
    )


def _names_twice(terms: Iterable[TermText], file: str) -> Iterator[Fault]:
    """A name that belongs to two terms could link to either."""
    owner: dict[str, str] = {}
    for term in terms:
        for name in dict.fromkeys(name.casefold() for name in term.names):
            if owner.setdefault(name, term.slug) != term.slug:
                yield Fault(file, 0, "glossary.name_twice", {"name": name, "term": f"{owner[name]}, {term.slug}"})
