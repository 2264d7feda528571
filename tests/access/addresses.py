"""All addresses of the site, as its URL configuration has them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import URLPattern, get_resolver
from django.urls.resolvers import URLResolver

ADMIN = "admin"


@dataclass(frozen=True)
class Address:
    """`name` with its namespace, its pattern where it has none; `parts` are what it holds."""

    name: str
    is_named: bool
    parts: frozenset[str]
    is_admin: bool

    @property
    def group(self) -> str:
        """Its namespace, "site" without one."""
        return self.name.partition(":")[0] if ":" in self.name else "site"


def addresses() -> list[Address]:
    return list(_walk(get_resolver(), (), frozenset()))


def _walk(resolver: URLResolver, namespaces: tuple[str, ...], parts: frozenset[str]) -> Iterator[Address]:
    for pattern in resolver.url_patterns:
        held = parts | set(pattern.pattern.converters) | set(pattern.pattern.regex.groupindex)
        if isinstance(pattern, URLPattern):
            name = ":".join((*namespaces, pattern.name)) if pattern.name else str(pattern.pattern)
            given = frozenset(pattern.default_args or {})
            yield Address(name, bool(pattern.name), held - given, ADMIN in namespaces)
        else:
            inner = (*namespaces, pattern.namespace) if pattern.namespace else namespaces
            yield from _walk(pattern, inner, held)
