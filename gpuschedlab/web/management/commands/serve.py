"""Serve the site: prepare the database, start the worker where there is no other, answer until Ctrl-C."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uvicorn
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from gpuschedlab.web.jobs.services import run_sweep
from gpuschedlab.web.processes import PortInUse, listen
from gpuschedlab.web.supervisor import Supervisor, worker_command

if TYPE_CHECKING:
    from argparse import ArgumentParser

GRACE = 3  # seconds open requests have to end
MAX_SOCKET_MESSAGE = 16 * 1024  # bytes


class Command(BaseCommand):
    help = "Serve the site."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--no-prepare", action="store_true", help="do not migrate nor load the catalogue")
        parser.add_argument("--no-worker", action="store_true", help="start no worker (class mode never does)")

    def handle(self, *_args: Any, host: str, port: int, no_prepare: bool, no_worker: bool, **_options: Any) -> None:
        try:
            listener = listen(host, port)
        except PortInUse as error:
            raise CommandError(f"Port {port} is in use. Choose another one: make run PORT={port + 1}") from error
        if not no_prepare:
            call_command("migrate", interactive=False, verbosity=0)
            call_command("load_catalogue")
        supervisor = self._worker() if settings.ENV.embedded and not no_worker else None
        self.stdout.write(self.style.SUCCESS(f"GPU Sched Lab: http://{host}:{port}  (Ctrl-C stops it)"))
        try:
            with contextlib.suppress(KeyboardInterrupt):
                _server().run(sockets=[listener])
        finally:
            if supervisor is not None:
                supervisor.stop()

    def _worker(self) -> Supervisor:
        """Start the only worker, with every unfinished run in its queue once."""
        for message in Path(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_in"]).iterdir():
            message.unlink(missing_ok=True)
        run_sweep(no_worker_yet=True)
        supervisor = Supervisor(worker_command())
        supervisor.start()
        return supervisor


def _server() -> uvicorn.Server:
    config = uvicorn.Config(
        settings.ASGI_APPLICATION.replace(".application", ":application"),
        log_config=None,
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=GRACE,
        ws="websockets-sansio",
        ws_max_size=MAX_SOCKET_MESSAGE,
        proxy_headers=bool(settings.ENV.trusted_proxies),
        forwarded_allow_ips=list(settings.ENV.trusted_proxies),
        server_header=False,
    )
    return uvicorn.Server(config)
