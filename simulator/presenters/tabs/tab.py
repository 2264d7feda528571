"""What a tab is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simulator.selectors.moments import Moment

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class TabRequest:
    """What somebody asks a tab: the moment, and the address's own parameters (what is chosen, which page)."""

    moment: Moment
    params: Mapping[str, str]
    can_change: bool


@dataclass(frozen=True, slots=True)
class Tab:
    """`template` is rendered with what `context_for` gives, as `tab`; `count` is the
    number on the tab, None for none.
    """

    name: str
    label: StrOrPromise
    template: str
    context_for: Callable[[TabRequest], Mapping[str, Any]]
    count: Callable[[Moment], int | None] | None = None
