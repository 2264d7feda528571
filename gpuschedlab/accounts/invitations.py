"""Invitations: an administrator makes a link, one person follows it once and is an instructor.

The link's secret is shown when it is made and stored nowhere; the row knows its digest.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from gpuschedlab.accounts.models import Invitation, Role, User
from gpuschedlab.accounts.rules import is_administrator
from gpuschedlab.web.audit import audit_record
from gpuschedlab.web.errors import BadInput, Conflict

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from gpuschedlab.accounts.models import Participant

SECRET_BYTES = 32
MOST_OPEN = 200
RANK = {Role.LEARNER: 0, Role.INSTRUCTOR: 1, Role.ADMINISTRATOR: 2}

USED_UP = _("This invitation was used, was taken back, or is too old. Ask for a new one.")


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def invitation_make(*, actor: Participant, note: str, days: int) -> tuple[Invitation, str]:
    """A new invitation, and the secret of its link."""
    if invitations_open().count() >= MOST_OPEN:
        raise BadInput(_("There are too many open invitations. Take some of them back first."))
    token = secrets.token_urlsafe(SECRET_BYTES)
    with transaction.atomic():
        made = Invitation.objects.create(
            digest=_digest(token),
            note=note,
            invited_by=actor.user,
            expires_at=timezone.now() + timedelta(days=days),
        )
        audit_record(actor=actor, action="accounts.invited", subject=note or str(made.pk), days=days)
    return made, token


def invitations_open() -> QuerySet[Invitation]:
    return Invitation.objects.filter(used_at=None, revoked_at=None, expires_at__gt=timezone.now())


def invitation_find(token: str) -> Invitation | None:
    """The open invitation behind a link."""
    return invitations_open().filter(digest=_digest(token)).first()


@transaction.atomic
def invitation_accept(*, actor: Participant, token: str) -> User:
    """Make the actor's user what the invitation says. Raises `Conflict` when somebody was faster."""
    user = actor.user
    assert user is not None
    mine = invitations_open().filter(digest=_digest(token))
    if not mine.update(used_at=timezone.now(), used_by=user):
        raise Conflict(USED_UP)
    invitation = Invitation.objects.get(digest=_digest(token))
    if RANK[Role(user.role)] < RANK[Role(invitation.role)]:
        user.role = invitation.role
        user.save(update_fields=["role"])
    audit_record(actor=actor, action="accounts.joined", subject=user.get_username(), note=invitation.note)
    return user


@transaction.atomic
def invitation_revoke(*, actor: Participant, invitation_id: int) -> None:
    """Take an open invitation back; one that is not open any more stays as it is."""
    mine = invitations_open().filter(pk=invitation_id)
    found = mine.first()
    if found is not None and mine.update(revoked_at=timezone.now()):
        audit_record(actor=actor, action="accounts.invitation_revoked", subject=found.note or str(found.pk))


def staff_list() -> QuerySet[User]:
    """Instructors and administrators, by name."""
    return User.objects.exclude(role=Role.LEARNER).order_by(F("role"), "username")


@transaction.atomic
def user_set_role(*, actor: Participant, user: User, role: Role) -> None:
    """Change what somebody may do. Nobody changes their own role, so that there is always an administrator left."""
    if not is_administrator(actor) or actor.user_id == user.pk:
        raise BadInput(_("Nobody changes their own role. Ask another administrator."))
    if user.role == role:
        return
    before, user.role = Role(user.role), role
    user.is_staff = user.is_superuser = role == Role.ADMINISTRATOR
    user.save(update_fields=["role", "is_staff", "is_superuser"])
    audit_record(
        actor=actor, action="accounts.role_changed", subject=user.get_username(), before=before.value, after=role.value
    )
