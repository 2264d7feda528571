"""One id for each request: in its log records, in its answer (X-Request-ID), and one record when it ends."""

from __future__ import annotations

import contextvars
import logging
import time
import uuid
from typing import TYPE_CHECKING

from django.utils.encoding import escape_uri_path

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

logger = logging.getLogger("gpuschedlab.request")
current_request_id: contextvars.ContextVar[str] = contextvars.ContextVar("request_id", default="")


class RequestIdFilter(logging.Filter):
    """Adds request_id to every record."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = current_request_id.get()
        return True


class RequestLogMiddleware:
    """Names the request and writes what became of it: method, path, status, milliseconds. Never its contents."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = uuid.uuid4().hex[:12]
        token = current_request_id.set(request_id)
        start = time.perf_counter()
        try:
            response = self.get_response(request)
            elapsed = (time.perf_counter() - start) * 1000
            level = logging.WARNING if response.status_code >= 500 else logging.DEBUG
            path = escape_uri_path(request.path)  # as it came: a line break in it must not look like a record
            logger.log(level, "%s %s %s %.0f ms", request.method, path, response.status_code, elapsed)
        finally:
            current_request_id.reset(token)
        response["X-Request-ID"] = request_id
        return response
