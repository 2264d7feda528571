"""Errors that a person reads: what they are, the pages they become, and the limit on what may arrive.

Any floor may raise a SiteError with a sentence that says what is wrong and what to do; it becomes a page, or, for a
request by htmx, a notice that is swapped into the page's notice region.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, ClassVar

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from gpuschedlab.web.bodylimit import TOO_LARGE
from gpuschedlab.web.htmx import wants_partial

if TYPE_CHECKING:
    from collections.abc import Callable

    from django_stubs_ext import StrOrPromise

logger = logging.getLogger(__name__)

TITLES: dict[int, StrOrPromise] = {
    400: _("This request cannot be read"),
    403: _("This is not yours to see"),
    404: _("There is nothing here"),
    409: _("Somebody was faster"),
    413: _("This is too large"),
    429: _("That was too fast"),
    500: _("Something broke on our side"),
}
TOLD = _("That did not work")
"""The title where the sentence below says what is wrong with what was entered."""
ADVICE: dict[int, StrOrPromise] = {
    400: _("Go back, reload the page and try again."),
    403: _("It belongs to somebody else, or needs another role. If it is yours, log in first."),
    404: _("The address is wrong, or what was here has expired. Start again from the home page."),
    409: _("What you saw has changed meanwhile. Reload the page and decide again."),
    413: _("Send less at once: the limit is 2 MB."),
    429: _("Wait a moment, then try again."),
    500: _("It has been written to the log. Nothing that was saved is lost; reload the page or go back home."),
}


class SiteError(Exception):
    """An error with a status and, where there is more to say than the status's own advice, a sentence."""

    status: ClassVar[int] = 400

    def __init__(self, detail: StrOrPromise = "") -> None:
        super().__init__(detail)
        self.detail = detail

    def headers(self) -> dict[str, str]:
        return {}


class BadInput(SiteError):
    """What came cannot be used; the sentence names the place and what to do."""


class Conflict(SiteError):
    """The thing changed since the page was made."""

    status = 409


class TooLarge(SiteError):
    """More arrived than is accepted."""

    status = 413


class TooManyRequests(SiteError):
    """A limit was reached; it opens again after `retry_after` seconds."""

    status = 429

    def __init__(self, retry_after: int) -> None:
        super().__init__(
            ngettext("Try again in %(n)d second.", "Try again in %(n)d seconds.", retry_after) % {"n": retry_after}
        )
        self.retry_after = retry_after

    def headers(self) -> dict[str, str]:
        return {"Retry-After": str(self.retry_after)}


def render_error(request: HttpRequest, status: int, detail: StrOrPromise = "") -> HttpResponse:
    """The page of an error; for htmx the notice alone, sent to the notice region whatever its target was."""
    title = TOLD if status == BadInput.status and detail else TITLES[status]
    context = {"status": status, "title": title, "detail": detail or ADVICE[status]}
    if wants_partial(request):
        response = HttpResponse(render_to_string("errors/error.html#notice", context, request), status=status)
        response["HX-Retarget"] = "#notices"
        response["HX-Reswap"] = "innerHTML"
        return response
    return HttpResponse(render_to_string("errors/error.html", context, request), status=status)


class SiteErrorMiddleware:
    """Turns a SiteError raised by a view into its answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, SiteError):
            return None
        response = render_error(request, error.status, error.detail)
        for name, value in error.headers().items():
            response[name] = value
        return response


class BodyLimitMiddleware:
    """Answers a request whose body was cut off by web.bodylimit with the page that says so."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if getattr(request, "scope", {}).get(TOO_LARGE):
            return render_error(request, TooLarge.status)
        return self.get_response(request)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    too_large = isinstance(exception, RequestDataTooBig | TooManyFieldsSent | TooManyFilesSent)
    return render_error(request, TooLarge.status if too_large else 400)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 (Django's signature)
    return render_error(request, 403)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 (Django's signature)
    return render_error(request, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    """The page after an unexpected error; words without a page if even that cannot be made."""
    try:
        return render_error(request, 500)
    except Exception:
        logger.exception("the error page itself failed")
        return HttpResponse(
            f"500\n{TITLES[500]}\n{ADVICE[500]}\n", status=500, content_type="text/plain; charset=utf-8"
        )


def csrf_failure(request: HttpRequest, reason: str = "", **_kwargs: Any) -> HttpResponse:  # noqa: ARG001 (Django's signature)
    return render_error(
        request, 403, _("The page was open too long, or cookies are off. Allow cookies, reload the page and try again.")
    )
