"""Make somebody an administrator, with a password that is good for choosing their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from gpuschedlab.accounts.models import User
from gpuschedlab.accounts.services import administrator_make

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    help = "Make an administrator and print a one-time password, which has to be changed at the first log-in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument(
            "--reset", action="store_true", help="an account of that name may exist; it gets a new password"
        )

    def handle(self, *_args: Any, username: str, reset: bool, **_options: Any) -> None:
        if not reset and User.objects.filter(username=username).exists():
            raise CommandError(
                f"There is an account named {username}. To make it an administrator with a new password: --reset"
            )
        password = administrator_make(username=username)
        self.stdout.write(f"user name:         {username}")
        self.stdout.write(f"one-time password: {password}")
        self.stdout.write("Log in with it once; the site asks for a password of your own then.")
