"""The ASGI application: pages, the socket, and what runs beside them."""

import os
from typing import Any

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gpuschedlab.settings.site")
_django: Any = get_asgi_application()

from channels.routing import ProtocolTypeRouter  # noqa: E402 (after Django is set up)
from django.conf import settings  # noqa: E402

from gpuschedlab.routing import websocket_application  # noqa: E402
from gpuschedlab.web.bodylimit import BodyLimit  # noqa: E402
from gpuschedlab.web.jobs.relay import relay_runs, sweep_runs  # noqa: E402
from gpuschedlab.web.lifespan import Lifespan  # noqa: E402
from gpuschedlab.web.memory import settle  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": BodyLimit(_django, settings.DATA_UPLOAD_MAX_MEMORY_SIZE),
        "websocket": websocket_application,
        "lifespan": Lifespan([relay_runs, sweep_runs] if settings.ENV.embedded else [sweep_runs]),
    }
)
settle()
