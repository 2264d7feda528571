"""Run the jobs' worker: by itself in class mode, as a child of `serve` in the embedded mode."""

from __future__ import annotations

import os
import warnings
from functools import partial
from typing import TYPE_CHECKING, Any

from celery import current_app
from celery.exceptions import SecurityWarning
from celery.signals import worker_process_init
from django.core.management.base import BaseCommand

from gpuschedlab.web.processes import die_with_parent

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    help = "Run the worker for long tasks."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--concurrency", type=int, default=1, help="how many tasks at once")
        parser.add_argument("--parent", type=int, help="end when this process ends")

    def handle(self, *_args: Any, concurrency: int, parent: int | None, **_options: Any) -> None:
        if parent is not None:
            die_with_parent(parent)
        # Celery warns root because pickled messages could run code; ours are JSON (CELERY_ACCEPT_CONTENT's default).
        warnings.filterwarnings("ignore", category=SecurityWarning)
        end_with_us = partial(_end_with, os.getpid())
        worker_process_init.connect(end_with_us)
        quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel=WARNING"]
        current_app.worker_main(["--quiet", "worker", f"--concurrency={concurrency}", "--pool=prefork", *quiet])


def _end_with(parent: int, **_kwargs: Any) -> None:
    die_with_parent(parent)
