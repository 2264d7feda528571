"""Writes of participants and users."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from gpuschedlab.accounts.merging import belongings_move
from gpuschedlab.accounts.models import Participant, Role, User
from gpuschedlab.web.audit import audit_record

SEEN_STEP = timedelta(hours=1)
ONE_TIME_BYTES = 12


def participant_ensure(participant: Participant) -> Participant:
    """Store a participant at its first write; services call this before they make a row that it owns.

    Two first writes at once (two tabs) end with the same row: the id is in the cookie already.
    """
    if participant.is_new:
        Participant.objects.bulk_create([participant], ignore_conflicts=True)
        participant.refresh_from_db()
    elif timezone.now() - participant.seen_at > SEEN_STEP:
        participant.seen_at = timezone.now()
        participant.save(update_fields=["seen_at"])
    return participant


def participant_prefer(*, actor: Participant, language: str | None = None, time_zone: str | None = None) -> None:
    """Remember a preference of a participant that is stored already (cookies remember it for the others)."""
    changes = {"language": language, "time_zone": time_zone}
    changed = {name: value for name, value in changes.items() if value is not None and getattr(actor, name) != value}
    if actor.is_new or not changed:
        return
    for name, value in changed.items():
        setattr(actor, name, value)
    actor.save(update_fields=list(changed))


@transaction.atomic
def user_sign_up(*, actor: Participant, user: User) -> Participant:
    """Store a new user and attach the participant, with all it owns, to it."""
    user.save()
    participant = participant_ensure(actor)
    participant.user = user
    participant.save(update_fields=["user"])
    return participant


@transaction.atomic
def administrator_make(*, username: str) -> str:
    """Make the account of that name an administrator, a new one where there is none; returns its one-time password."""
    password = secrets.token_urlsafe(ONE_TIME_BYTES)
    user, _created = User.objects.get_or_create(username=username)
    user.role, user.is_staff, user.is_superuser, user.is_active = Role.ADMINISTRATOR, True, True, True
    user.must_change_password = True
    user.set_password(password)
    user.save()
    audit_record(actor=None, action="accounts.administrator_made", subject=username)
    return password


def password_chosen(*, user: User) -> None:
    """Note that somebody has a password of their own now."""
    if user.must_change_password:
        user.must_change_password = False
        user.save(update_fields=["must_change_password"])


@transaction.atomic
def participant_delete(*, actor: Participant) -> None:
    """Remove a participant with all it owns, and its user. Nothing of it can be brought back."""
    user = actor.user
    if not actor.is_new:
        actor.delete()
    if user is not None:
        user.delete()


@transaction.atomic
def participant_merge(*, source: Participant, target: Participant) -> Participant:
    """Give all that `source` owns to `target` and remove `source`, which must have no user of its own."""
    if source.pk == target.pk or source.user_id is not None:
        raise ValueError("only another participant without a user can be merged")
    participant_ensure(target)
    belongings_move(source, target)
    source.delete()
    return target
