"""The socket's address, who may open it, and whose it is."""

from channels.auth import AuthMiddleware
from channels.routing import URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from channels.sessions import CookieMiddleware, SessionMiddleware
from django.urls import path

from gpuschedlab.accounts.sockets import ParticipantSocketMiddleware
from gpuschedlab.web.sockets.consumer import SiteConsumer

_routes = URLRouter([path("ws/", SiteConsumer.as_asgi())])

websocket_application = AllowedHostsOriginValidator(
    CookieMiddleware(SessionMiddleware(AuthMiddleware(ParticipantSocketMiddleware(_routes))))
)
