"""The record of a request."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest
from django.http import HttpResponse

from gpuschedlab.web.requestlog import RequestLogMiddleware

if TYPE_CHECKING:
    from django.test import RequestFactory


def test_an_address_with_a_line_break_is_one_line(rf: RequestFactory, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    request = rf.get("/x%0a2026-01-01 ERROR forged%1b[2J/")
    assert "\n" in request.path

    RequestLogMiddleware(lambda _request: HttpResponse(status=500))(request)

    [record] = caplog.records
    assert record.getMessage().startswith("GET /x%0A2026-01-01%20ERROR%20forged%1B%5B2J/ 500 ")
