"""`manage.py gpushare_extender`: run the GPU-sharing extender that scenarios call."""

from __future__ import annotations

import logging
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from simulator.extenders.gpushare.cards import BINPACK, POLICIES
from simulator.extenders.gpushare.service import MEMORY_PREFIX, PREFIX, shipped
from simulator.extenders.server import Server

PORT = 8888


class Command(BaseCommand):
    requires_system_checks = ()
    help = "Serve a scheduler extender that shares GPUs (qGPU slices, or memory alone) until it is stopped."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
        parser.add_argument("--port", type=int, default=PORT, help="port to listen on")
        parser.add_argument("--policy", choices=POLICIES, default=BINPACK, help="which card a Pod gets")

    def handle(self, *, host: str, port: int, policy: str, verbosity: int, **_options: Any) -> None:
        logging.getLogger("simulator.extenders").setLevel(logging.INFO if verbosity > 1 else logging.WARNING)
        try:
            server = Server((host, port), shipped(policy))
        except OSError as error:
            raise CommandError(f"cannot listen on {host}:{port}: {error.strerror}") from error
        with server:
            base = f"http://{host}:{server.server_port}"
            self.stdout.write(f"GPU-sharing extender ({policy}) on {base}{PREFIX} and {base}{MEMORY_PREFIX}")
            try:
                server.serve_forever()
            except KeyboardInterrupt:
                self.stdout.write("stopped")
