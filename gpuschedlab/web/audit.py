"""The audit log: what was published, changed, retired, regraded, who was invited, and by whom. It only grows.

    register_audit_actions({"scenario.published": _("published the scenario %(subject)s, revision %(number)s")})
    audit_record(actor=actor, action="scenario.published", subject=scenario.slug, number=3)

Call it in the transaction of what it tells about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpuschedlab.web.models import AuditEntry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django_stubs_ext import StrOrPromise

    from gpuschedlab.accounts.models import Participant

MOST_NAME = 160
MOST_SUBJECT = 200

_sentences: dict[str, StrOrPromise] = {}


def register_audit_actions(sentences: Mapping[str, StrOrPromise]) -> None:
    """Code -> what somebody did, with `%(subject)s` and the entry's parameters; the page puts the name before it."""
    _sentences.update(sentences)


def audit_actions() -> Mapping[str, StrOrPromise]:
    return dict(sorted(_sentences.items()))


class _Dots(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return "…"


def audit_action_labels() -> dict[str, str]:
    """Code -> what somebody did, in the page's language, for a list to choose from."""
    return {code: str(sentence) % _Dots() for code, sentence in audit_actions().items()}


def audit_record(*, actor: Participant | None, action: str, subject: str, **params: Any) -> None:
    """Add an entry. `actor` is None for what is done at the terminal."""
    if action not in _sentences:
        raise ValueError(f"no audit action is named {action}")
    AuditEntry(
        actor=actor.pk if actor is not None else None,
        actor_name=str(actor)[:MOST_NAME] if actor is not None else "",
        action=action,
        subject=subject[:MOST_SUBJECT],
        params=params,
    ).save()


def audit_sentence(entry: AuditEntry) -> str:
    """What was done, in the page's language; the bare code where this version knows no sentence for it."""
    sentence = _sentences.get(entry.action)
    if sentence is None:
        return f"{entry.action} {entry.subject}"
    try:
        return str(sentence) % {"subject": entry.subject, **entry.params}
    except KeyError:
        return f"{entry.action} {entry.subject}"
