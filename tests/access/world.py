"""What there is to see in the tests of who may see what, and those who look."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.test import Client

from gpuschedlab.accounts.invitations import invitation_make
from gpuschedlab.accounts.models import Participant, Role, User
from gpuschedlab.accounts.selectors import participant_of_user
from gpuschedlab.accounts.services import participant_ensure
from gpuschedlab.materials.kinds import kind_named
from gpuschedlab.materials.models import Draft
from gpuschedlab.materials.publishing import draft_publish
from gpuschedlab.materials.services import draft_create
from gpuschedlab.web.models import Run
from lessons.assessment.review_options import Mode
from lessons.services.attempts import attempt_start
from simulator.presenters.editing.schema import completion_version
from simulator.services.lab_care import lab_share
from tests.factories.accounts import make_user
from tests.factories.labs import give, make_lab, run
from tests.factories.lessons import make_lesson, make_question, make_quiz

if TYPE_CHECKING:
    from lessons.models import Attempt
    from simulator.models import Lab

ANONYMOUS: Final = "anonymous"
LEARNER: Final = "learner"
INSTRUCTOR: Final = "instructor"
ADMINISTRATOR: Final = "administrator"
OWNER: Final = "owner"
ROLES: Final = (ANONYMOUS, LEARNER, INSTRUCTOR, ADMINISTRATOR, OWNER)
"""The instructor and the administrator own nothing of what is looked at; the owner is an instructor."""


@dataclass
class World:
    """Things of every kind, all the owner's."""

    users: dict[str, User] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for role in ROLES[1:]:
            self.users[role] = make_user(role=Role.INSTRUCTOR if role == OWNER else role)
        User.objects.filter(pk=self.users[ADMINISTRATOR].pk).update(is_staff=True, is_superuser=True)
        self.owner: Participant = participant_ensure(participant_of_user(self.users[OWNER]))
        self.lab: Lab = make_lab(self.owner)
        run(self.lab)
        give(self.lab, {"type": "cordon", "name": "n1"})
        self.lab.refresh_from_db()
        lab_share(actor=self.owner, lab=self.lab, shared=True)
        self.lab.refresh_from_db()
        self.question = make_question()
        self.quiz = make_quiz(self.question)
        make_lesson(question=self.question.slug, scenario=self.lab.revision.scenario.slug)
        self.attempt: Attempt = attempt_start(
            actor=self.owner, quiz=self.quiz, mode=Mode.PRACTICE, client_token=uuid.uuid4()
        )
        self.draft = self._draft()
        self.drafts = {kind: self._begun(kind) for kind in ("quiz", "lesson")}
        params = {"draft_id": str(self.draft.pk)}
        self.run = Run.objects.create(kind="materials.publish", owner=self.owner, params=params)
        self.sessions = {role: self._session(user) for role, user in self.users.items()}

    def _begun(self, kind: str) -> Draft:
        start = kind_named(kind).starts()[0].name
        text = kind_named(kind).new_text(start, name=f"{kind}-of-the-owner", title="Mine", language="en")
        return draft_create(actor=self.owner, kind=kind, text=text)

    def _draft(self) -> Draft:
        text = kind_named("scenario").new_text("small", name="of-the-owner", title="Mine", language="en")
        text = text.replace("level: beginner", "level: beginner\n  text:\n    en: Look.")
        draft = draft_create(actor=self.owner, kind="scenario", text=text)
        draft_publish(actor=self.owner, draft=draft, expected=1, keep_on=lambda: True)
        return draft

    @staticmethod
    def _session(user: User) -> str:
        client = Client()
        client.force_login(user)
        return client.cookies[settings.SESSION_COOKIE_NAME].value

    def client(self, role: str) -> Client:
        """A browser of its own for one request."""
        client = Client()
        if role in self.sessions:
            client.cookies[settings.SESSION_COOKIE_NAME] = self.sessions[role]
        return client

    def values(self, *, staff_run: bool = False) -> dict[str, Any]:
        """A value for every name in an address."""
        if staff_run:
            staff = participant_ensure(participant_of_user(self.users[ADMINISTRATOR]))
            result = {"system": "x", "families": []}
            self.run = Run.objects.create(kind="simulator.conform", owner=staff, params={}, result=result)
        invitation, token = invitation_make(actor=self.owner, note="x", days=1)
        return {
            "attempt_id": self.attempt.pk,
            "draft_id": self.draft.pk,
            "invitation_id": invitation.pk,
            "key": "Filter",
            "kind_name": "scenario",
            "lab_id": self.lab.pk,
            "language": settings.LANGUAGE_CODE,
            "mode": "preview",
            "name": "cordon",
            "number": 1,
            "question": self.question.slug,
            "rest": "scenarios/",
            "run_id": self.run.pk,
            "slug": self.lab.revision.scenario.slug,
            "subject": "filter-set",
            "token": self.lab.share_token,
            "invitation": token,
            "uidb64": "x",
            "user_id": self.users[LEARNER].pk,
            "version": completion_version(),
        }
