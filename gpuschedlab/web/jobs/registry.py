"""The kinds of jobs there are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django_stubs_ext import StrOrPromise

    from gpuschedlab.web.models import Run


@dataclass(frozen=True, slots=True)
class JobKind:
    """One kind of job: its function, its name on the page, and the sentences for its message and error codes.

    work        called as work(context, **params) in a worker; what it returns (JSON) becomes the run's result.
    messages    code -> sentence with %(name)s places, for progress and for errors alike.
    result_url  where a finished run's result is shown; None when the page that started it shows it.
    """

    name: str
    title: StrOrPromise
    work: Callable[..., Mapping[str, Any] | None]
    messages: Mapping[str, StrOrPromise] = field(default_factory=dict)
    result_url: Callable[[Run], str] | None = None


_kinds: dict[str, JobKind] = {}


def job(
    name: str,
    *,
    title: StrOrPromise,
    messages: Mapping[str, StrOrPromise] | None = None,
    result_url: Callable[[Run], str] | None = None,
) -> Callable[[Callable[..., Mapping[str, Any] | None]], Callable[..., Mapping[str, Any] | None]]:
    """Register the decorated function as the job `name`; it belongs into an app's tasks module."""

    def register(work: Callable[..., Mapping[str, Any] | None]) -> Callable[..., Mapping[str, Any] | None]:
        if name in _kinds:
            raise ValueError(f"two jobs are named {name}")
        _kinds[name] = JobKind(name, title, work, messages or {}, result_url)
        return work

    return register


def job_kind(name: str) -> JobKind | None:
    return _kinds.get(name)
