from __future__ import annotations

import pytest
from django.test import Client

from gpuschedlab.accounts.models import Participant
from tests.factories.accounts import be, make_participant


@pytest.fixture
def participant(client: Client, db: None) -> Participant:
    """A stored participant, which `client` is the browser of."""
    return be(client, make_participant())
