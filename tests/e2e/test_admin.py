"""The admin pages under the site's content security policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from gpuschedlab.accounts.models import User
from gpuschedlab.web.models import Run
from tests.e2e.conftest import Look
from tests.factories.accounts import PASSWORD, make_participant

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page


@pytest.mark.django_db(transaction=True)
def test_staff_look_at_runs(open_page: Callable[..., Page]) -> None:
    User.objects.create_superuser("root", password=PASSWORD)
    Run.objects.create(kind="tests.count", owner=make_participant())
    page = open_page("/admin/web/run/", Look("en"))
    page.get_by_label("Username").fill("root")
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", level=1, name="Select run to view")).to_be_visible()
    page.locator("#result_list tbody tr").first.get_by_role("link").click()
    expect(page.get_by_text("tests.count").first).to_be_visible()
