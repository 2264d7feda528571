"""Participants and users for tests."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from django.http import HttpResponse

from gpuschedlab.accounts.cookies import COOKIE, write_participant_cookie
from gpuschedlab.accounts.models import Participant, User

if TYPE_CHECKING:
    from django.test import Client

_numbers = itertools.count(1)
PASSWORD = "a-long-enough-password"


def make_participant(**fields: Any) -> Participant:
    return Participant.objects.create(**fields)


def make_user(**fields: Any) -> User:
    fields.setdefault("username", f"user-{next(_numbers)}")
    return User.objects.create_user(password=PASSWORD, **fields)


def participant_cookie(participant: Participant) -> str:
    """The signed value of a participant's cookie."""
    response = HttpResponse()
    write_participant_cookie(response, participant.pk)
    return response.cookies[COOKIE].value


def be(client: Client, participant: Participant) -> Participant:
    """Make a test client the browser of that participant."""
    client.cookies[COOKIE] = participant_cookie(participant)
    return participant
