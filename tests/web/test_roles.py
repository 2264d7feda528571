"""Roles: the first administrator, invitations that work once, one-time passwords, the audit log."""

from __future__ import annotations

import re
from datetime import timedelta
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from gpuschedlab.accounts.invitations import invitation_accept, invitation_make, user_set_role
from gpuschedlab.accounts.models import Invitation, Role, User
from gpuschedlab.accounts.selectors import participant_of_user
from gpuschedlab.accounts.services import participant_ensure
from gpuschedlab.web.audit import audit_record
from gpuschedlab.web.errors import Conflict
from gpuschedlab.web.models import AuditEntry
from tests.factories.accounts import PASSWORD, make_participant, make_user

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import Participant

pytestmark = pytest.mark.django_db
OWN = "another-long-password"


def _make_administrator(name: str = "root", *arguments: str) -> str:
    """The one-time password that the command prints."""
    printed = StringIO()
    call_command("make_administrator", name, *arguments, stdout=printed)
    found = re.search(r"one-time password: (\S+)", printed.getvalue())
    assert found
    return found[1]


@pytest.fixture
def administrator() -> Participant:
    return participant_ensure(participant_of_user(make_user(role=Role.ADMINISTRATOR)))


def test_password_of_the_first_administrator_is_another_each_time() -> None:
    assert _make_administrator("one") != _make_administrator("two")


def test_existing_account_is_left_alone_unless_asked_for() -> None:
    make_user(username="ada")
    with pytest.raises(CommandError, match="--reset"):
        call_command("make_administrator", "ada")
    assert User.objects.get(username="ada").role == Role.LEARNER
    password = _make_administrator("ada", "--reset")
    ada = User.objects.get(username="ada")
    assert ada.role == Role.ADMINISTRATOR
    assert ada.check_password(password)


def test_one_time_password_is_good_for_choosing_another_alone(client: Client) -> None:
    password = _make_administrator()
    client.post("/accounts/log-in/", {"username": "root", "password": password})
    assert client.get("/accounts/people/").url == "/accounts/password/change/"
    assert (
        client.get("/accounts/people/", headers={"HX-Request": "true"})["HX-Redirect"] == "/accounts/password/change/"
    )
    page = client.get("/accounts/password/change/")
    assert "old_password" not in page.content.decode()
    client.post("/accounts/password/change/", {"new_password1": OWN, "new_password2": OWN})
    assert client.get("/accounts/people/").status_code == 200
    assert not Client().login(username="root", password=password)
    assert Client().login(username="root", password=OWN)


def test_password_of_ones_own_is_changed_with_the_old_one(client: Client) -> None:
    user = make_user()
    client.force_login(user)
    wrong = {"old_password": "no", "new_password1": OWN, "new_password2": OWN}
    assert client.post("/accounts/password/change/", wrong).status_code == 200
    client.post("/accounts/password/change/", {**wrong, "old_password": PASSWORD})
    user.refresh_from_db()
    assert user.check_password(OWN)


def _invite(administrator: Participant) -> str:
    return invitation_make(actor=administrator, note="Ada", days=7)[1]


def test_link_is_shown_once_and_its_secret_is_not_stored(client: Client, administrator: Participant) -> None:
    client.force_login(administrator.user)
    page = client.post("/accounts/people/invite/", {"note": "Ada", "days": "7"}).content.decode()
    found = re.search(r'value="http://testserver(/accounts/invitation/([\w-]+)/)"', page)
    assert found
    assert found[2] not in client.get("/accounts/people/").content.decode()
    assert not Invitation.objects.filter(digest=found[2]).exists()
    assert Client().get(found[1]).status_code == 200


def test_whoever_follows_it_signs_up_as_an_instructor(administrator: Participant) -> None:
    address = f"/accounts/invitation/{_invite(administrator)}/"
    browser = Client()
    browser.post(address, {"username": "ada", "password1": PASSWORD, "password2": PASSWORD})
    assert User.objects.get(username="ada").role == Role.INSTRUCTOR
    assert browser.get(address).status_code == 410
    other = Client()
    refused = other.post(address, {"username": "eve", "password1": PASSWORD, "password2": PASSWORD})
    assert refused.status_code == 410
    assert not User.objects.filter(username="eve").exists()


def test_account_that_is_there_becomes_an_instructors(client: Client, administrator: Participant) -> None:
    user = make_user()
    client.force_login(user)
    address = f"/accounts/invitation/{_invite(administrator)}/"
    client.get(address)
    user.refresh_from_db()
    assert user.role == Role.LEARNER  # looking is not following
    client.post(address)
    user.refresh_from_db()
    assert user.role == Role.INSTRUCTOR


def test_two_at_once_are_not_both_let_in(administrator: Participant) -> None:
    token = _invite(administrator)
    first, second = (participant_ensure(participant_of_user(make_user())) for _ in range(2))
    invitation_accept(actor=first, token=token)
    with pytest.raises(Conflict):
        invitation_accept(actor=second, token=token)
    assert second.user is not None
    assert second.user.role == Role.LEARNER


def test_administrator_who_follows_one_stays_an_administrator(administrator: Participant) -> None:
    invitation_accept(actor=administrator, token=_invite(administrator))
    assert administrator.user is not None
    assert administrator.user.role == Role.ADMINISTRATOR


def test_old_and_taken_back_invitations_open_nothing(client: Client, administrator: Participant) -> None:
    old, back = _invite(administrator), _invite(administrator)
    first, last = Invitation.objects.order_by("pk")
    Invitation.objects.filter(pk=first.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    client.force_login(administrator.user)
    client.post(f"/accounts/people/invitations/{last.pk}/revoke/")
    for token in (old, back, "made-up"):
        assert Client().get(f"/accounts/invitation/{token}/").status_code == 410


def test_nobody_changes_their_own_role(client: Client, administrator: Participant) -> None:
    client.force_login(administrator.user)
    assert client.post(f"/accounts/people/{administrator.user_id}/role/", {"role": "learner"}).status_code == 400
    other = make_user(role=Role.INSTRUCTOR)
    client.post(f"/accounts/people/{other.pk}/role/", {"role": "learner"})
    other.refresh_from_db()
    assert other.role == Role.LEARNER


def test_log_tells_who_did_what(client: Client, administrator: Participant) -> None:
    client.force_login(administrator.user)
    client.cookies["language"] = "en"
    _invite(administrator)
    other = make_user(username="ada", role=Role.INSTRUCTOR)
    client.post(f"/accounts/people/{other.pk}/role/", {"role": "learner"})
    page = client.get("/accounts/audit/").content.decode()
    assert "changed the role of ada from instructor to learner" in page
    assert "made an invitation (Ada), valid for 7 days" in page
    filtered = client.get("/accounts/audit/?action=accounts.invited").content.decode()
    assert "changed the role of ada" not in filtered
    assert client.get("/accounts/audit/?action=no.such").status_code == 400
    assert "changed the role of ada" not in client.get("/accounts/audit/?who=nobody").content.decode()


def test_instructors_read_in_the_log_what_they_did_themselves(client: Client, administrator: Participant) -> None:
    ada, bob = (
        participant_ensure(participant_of_user(make_user(username=name, role=Role.INSTRUCTOR)))
        for name in ("ada", "bob")
    )
    audit_record(actor=ada, action="scenario.published", subject="of-ada", number=1)
    audit_record(actor=bob, action="scenario.published", subject="of-bob", number=1)
    _invite(administrator)
    client.force_login(ada.user)
    client.cookies["language"] = "en"
    page = client.get("/accounts/audit/").content.decode()
    assert "published the scenario of-ada, revision 1" in page
    assert "of-bob" not in page
    assert "(Ada)" not in page
    assert "of-bob" not in client.get("/accounts/audit/?who=bob").content.decode()


def test_who_is_no_administrator_any_more_leaves_the_admin(client: Client, administrator: Participant) -> None:
    other = User.objects.create_superuser("other", password=PASSWORD, role=Role.ADMINISTRATOR)
    user_set_role(actor=administrator, user=other, role=Role.INSTRUCTOR)
    client.force_login(other)
    assert "/admin/login/" in client.get("/admin/")["Location"]
    user_set_role(actor=administrator, user=other, role=Role.ADMINISTRATOR)
    assert client.get("/admin/").status_code == 200


def test_log_only_grows() -> None:
    audit_record(actor=make_participant(name="Ada"), action="accounts.invited", subject="x", days=1)
    entry = AuditEntry.objects.get()
    entry.subject = "y"
    with pytest.raises(TypeError, match="only grows"):
        entry.save()
    with pytest.raises(TypeError, match="only grows"):
        entry.delete()
    with pytest.raises(TypeError, match="only grows"):
        AuditEntry.objects.all().update(subject="y")
    with pytest.raises(TypeError, match="only grows"):
        AuditEntry.objects.all().delete()
    assert AuditEntry.objects.get().subject == "x"


def test_unknown_action_is_no_entry() -> None:
    with pytest.raises(ValueError, match=r"no\.such"):
        audit_record(actor=None, action="no.such", subject="x")
