"""Attempts: how many, when they may start, when they are due, what lateness costs, which one counts.

Pure functions of given times.

All times are timezone-aware datetimes handed in by the caller; nothing here looks at a clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction
from math import ceil
from typing import Final

from lessons.assessment.grades import ONE, ZERO
from lessons.assessment.reading import Fields, Node

LATE_KINDS: Final = ("reject", "accept", "penalty")
COUNTING: Final = ("best", "last", "first", "mean")
MAX_SECONDS: Final = 400 * 24 * 3600
NO_TIME: Final = timedelta(0)


@dataclass(frozen=True, slots=True)
class LateRules:
    """What happens to work handed in after it was due.

    Within ``grace`` nothing. After it: ``reject`` takes it no more, ``accept`` takes it in full, ``penalty`` takes
    ``per_hour`` of the mark for each hour begun, down to ``floor`` of it.
    """

    kind: str = "reject"
    grace: timedelta = timedelta(seconds=30)
    per_hour: Fraction = Fraction(1, 10)
    floor: Fraction = ZERO


@dataclass(frozen=True, slots=True)
class AttemptRules:
    """``allowed``: how many attempts (None: any number). ``wait``: from the end of one to the start of the next."""

    allowed: int | None = None
    wait: timedelta = NO_TIME
    time_limit: timedelta | None = None
    counts: str = "best"
    late: LateRules = field(default_factory=LateRules)


@dataclass(frozen=True, slots=True)
class Window:
    """When the quiz may be taken; None: no bound. ``extra``: more time for one learner, added to limit and close."""

    opens_at: datetime | None = None
    closes_at: datetime | None = None
    extra: timedelta = NO_TIME

    def closed(self, now: datetime) -> bool:
        """True once the quiz is over for this learner."""
        return self.closes_at is not None and now >= self.closes_at + self.extra


@dataclass(frozen=True, slots=True)
class AttemptTimes:
    """When an attempt began and ended (None: still open)."""

    started_at: datetime
    finished_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why no attempt may start: not_open_yet and wait (both with ``until``), closed, none_left, unfinished."""

    code: str
    until: datetime | None = None


def start_refused(
    rules: AttemptRules, window: Window, earlier: Sequence[AttemptTimes], now: datetime
) -> Refusal | None:
    """The reason why a new attempt may not start now, or None if it may."""
    if window.opens_at is not None and now < window.opens_at:
        return Refusal("not_open_yet", window.opens_at)
    if window.closed(now):
        return Refusal("closed")
    if any(attempt.finished_at is None for attempt in earlier):
        return Refusal("unfinished")
    if rules.allowed is not None and len(earlier) >= rules.allowed:
        return Refusal("none_left")
    ends = [attempt.finished_at for attempt in earlier if attempt.finished_at is not None]
    if ends and now < max(ends) + rules.wait:
        return Refusal("wait", max(ends) + rules.wait)
    return None


def due_at(rules: AttemptRules, window: Window, started_at: datetime) -> datetime | None:
    """When an attempt is due: the end of its time limit or of the quiz, whichever is earlier; None if there is
    neither.
    """
    limit = started_at + rules.time_limit + window.extra if rules.time_limit is not None else None
    close = window.closes_at + window.extra if window.closes_at is not None else None
    return min((moment for moment in (limit, close) if moment is not None), default=None)


@dataclass(frozen=True, slots=True)
class Lateness:
    """Whether work is taken, the share of its mark that remains, and how late it is (0 if in time)."""

    accepted: bool
    factor: Fraction
    late_by: timedelta


def lateness(rules: LateRules, due: datetime | None, handed_in: datetime) -> Lateness:
    """Judge the time of handing in."""
    late_by = max(NO_TIME, handed_in - due) if due is not None else NO_TIME
    if late_by <= rules.grace or rules.kind == "accept":
        return Lateness(True, ONE, late_by)
    if rules.kind == "reject":
        return Lateness(False, ZERO, late_by)
    hours = ceil((late_by - rules.grace) / timedelta(hours=1))
    return Lateness(True, max(rules.floor, ONE - hours * rules.per_hour), late_by)


def counted(rules: AttemptRules, shares: Sequence[Fraction]) -> Fraction | None:
    """The share of the mark that counts, of the finished attempts in order; None if there is none."""
    if not shares:
        return None
    by_name = {
        "best": max(shares),
        "last": shares[-1],
        "first": shares[0],
        "mean": sum(shares, ZERO) / len(shares),
    }
    return by_name[rules.counts]


def read_attempt_rules(node: Node) -> AttemptRules:
    """Read ``{allowed?, wait_seconds?, time_limit_seconds?, counts?, late?}``."""
    fields = node.fields(optional=("allowed", "wait_seconds", "time_limit_seconds", "counts", "late"))
    allowed, counts, late = (fields.get(name) for name in ("allowed", "counts", "late"))
    return AttemptRules(
        allowed=allowed.integer(minimum=1, maximum=1000) if allowed else None,
        wait=_seconds(fields, "wait_seconds") or NO_TIME,
        time_limit=_seconds(fields, "time_limit_seconds"),
        counts=counts.one_of(COUNTING) if counts else COUNTING[0],
        late=_read_late(late) if late else LateRules(),
    )


def _read_late(node: Node) -> LateRules:
    fields = node.fields(required=("kind",), optional=("grace_seconds", "per_hour", "floor"))
    grace, per_hour, floor = _seconds(fields, "grace_seconds"), fields.get("per_hour"), fields.get("floor")
    standard = LateRules()
    return LateRules(
        kind=fields["kind"].one_of(LATE_KINDS),
        grace=standard.grace if grace is None else grace,
        per_hour=per_hour.share() if per_hour else standard.per_hour,
        floor=floor.share() if floor else standard.floor,
    )


def _seconds(fields: Fields, name: str) -> timedelta | None:
    node = fields.get(name)
    return timedelta(seconds=node.integer(minimum=0, maximum=MAX_SECONDS)) if node else None
