"""A form sent twice does its work once.

The page carries a fresh token ({% client_token %}); the view gives it to `once` with the work to do:

    outcome = once(scope="class.create", participant_id=actor.pk, token=form.client_token, work=create_class)

Commands of a lab need no row here: they are unique by (lab, client_token) themselves.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.utils import timezone

from gpuschedlab.web.models import ClientToken

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

KEPT = timedelta(days=2)


def once(*, scope: str, participant_id: UUID, token: UUID, work: Callable[[], str]) -> str:
    """Do `work` in one transaction with the token; its outcome (≤ 200 characters), or the first use's outcome."""
    key = {"scope": scope, "participant_id": participant_id, "token": token}
    try:
        with transaction.atomic():
            row = ClientToken.objects.create(**key)
            row.outcome = work()
            row.save(update_fields=["outcome"])
            return row.outcome
    except IntegrityError:
        first = ClientToken.objects.filter(**key).first()
        if first is None:  # the conflict was the work's own
            raise
        return first.outcome


def forget_old_tokens() -> None:
    ClientToken.objects.filter(created_at__lt=timezone.now() - KEPT).delete()
