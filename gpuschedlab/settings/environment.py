"""What the site is told from outside: every LAB_* variable, typed, with its default and its meaning."""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Literal, cast

from django.core.exceptions import ImproperlyConfigured

if TYPE_CHECKING:
    from collections.abc import Mapping

LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
LOOPBACK = ("127.0.0.0/8", "::1")
SECRET_KEY_LENGTH = 64


@dataclass(frozen=True, slots=True)
class Environment:
    """The site's configuration from outside.

    mode            LAB_MODE: `embedded` (SQLite, a worker child, no services) or `class` (PostgreSQL and Redis).
    debug           LAB_DEBUG: Django's debug pages; never in class mode.
    data_dir        LAB_DATA_DIR: where the embedded mode keeps its database, its queue and its secret key.
    secret_key      LAB_SECRET_KEY: required in class mode; embedded mode makes one at the first start.
    hosts           LAB_HOSTS: comma-separated host names the site answers to, besides this machine's own.
    https           LAB_HTTPS: whether browsers reach the site over https (default: yes in class mode, no embedded).
    database_url    LAB_DATABASE_URL: postgresql://…; required in class mode.
    redis_url       LAB_REDIS_URL: redis://…; required in class mode.
    trusted_proxies LAB_TRUSTED_PROXIES: comma-separated addresses of reverse proxies whose X-Forwarded-* is believed.
    extenders       LAB_EXTENDERS: comma-separated addresses (networks or host names, each with a port or without) that
                    labs may call as scheduler extenders; this machine alone in embedded mode, none in class mode.
    email_url       LAB_EMAIL_URL: smtp://user:password@host:587 (STARTTLS) or smtps://…:465; without it mail is written
                    to the terminal.
    email_from      LAB_EMAIL_FROM: the address mail comes from.
    log_format      LAB_LOG_FORMAT: `text` or `json` (default: json in class mode).
    log_level       LAB_LOG_LEVEL: DEBUG, INFO, WARNING or ERROR.
    """

    mode: Literal["embedded", "class"]
    debug: bool
    data_dir: Path
    secret_key: str
    hosts: tuple[str, ...]
    https: bool
    database_url: str
    redis_url: str
    trusted_proxies: tuple[str, ...]
    extenders: tuple[str, ...]
    email_url: str
    email_from: str
    log_format: Literal["text", "json"]
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"]

    @property
    def embedded(self) -> bool:
        return self.mode == "embedded"


def read_environment(variables: Mapping[str, str], base_dir: Path) -> Environment:
    """Read and check the LAB_* variables; a wrong or missing one is an ImproperlyConfigured naming it."""
    mode = cast("Literal['embedded', 'class']", _choice(variables, "LAB_MODE", "embedded", "embedded", "class"))
    in_class = mode == "class"
    debug = _flag(variables, "LAB_DEBUG", default=False)
    if debug and in_class:
        raise ImproperlyConfigured("LAB_DEBUG must stay off with LAB_MODE=class.")
    data_dir = Path(variables.get("LAB_DATA_DIR") or base_dir / "var").resolve()
    log_format = _choice(variables, "LAB_LOG_FORMAT", "json" if in_class else "text", "text", "json")
    log_level = _choice(variables, "LAB_LOG_LEVEL", "INFO", "DEBUG", "INFO", "WARNING", "ERROR")
    return Environment(
        mode=mode,
        debug=debug,
        data_dir=data_dir,
        secret_key=_required(variables, "LAB_SECRET_KEY") if in_class else _local_secret_key(variables, data_dir),
        hosts=_names(variables, "LAB_HOSTS") + LOCAL_HOSTS,
        https=_flag(variables, "LAB_HTTPS", default=in_class),
        database_url=_required(variables, "LAB_DATABASE_URL") if in_class else "",
        redis_url=_required(variables, "LAB_REDIS_URL") if in_class else "",
        trusted_proxies=_names(variables, "LAB_TRUSTED_PROXIES"),
        extenders=_names(variables, "LAB_EXTENDERS") or (() if in_class else LOOPBACK),
        email_url=variables.get("LAB_EMAIL_URL", "").strip(),
        email_from=variables.get("LAB_EMAIL_FROM", "").strip() or "GPU Sched Lab <lab@localhost>",
        log_format=cast("Literal['text', 'json']", log_format),
        log_level=cast("Literal['DEBUG', 'INFO', 'WARNING', 'ERROR']", log_level),
    )


def _required(variables: Mapping[str, str], name: str) -> str:
    value = variables.get(name, "").strip()
    if not value:
        raise ImproperlyConfigured(f"Set {name}: LAB_MODE=class needs it.")
    return value


def _choice(variables: Mapping[str, str], name: str, default: str, *allowed: str) -> str:
    value = variables.get(name, "").strip() or default
    if value not in allowed:
        raise ImproperlyConfigured(f"{name} is {value!r}; it must be one of: {', '.join(allowed)}.")
    return value


def _flag(variables: Mapping[str, str], name: str, *, default: bool) -> bool:
    value = variables.get(name, "").strip().lower()
    if not value:
        return default
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name} is {value!r}; it must be 1 or 0.")


def _names(variables: Mapping[str, str], name: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in variables.get(name, "").split(",") if part.strip())


def _local_secret_key(variables: Mapping[str, str], data_dir: Path) -> str:
    """The embedded mode's key: LAB_SECRET_KEY, or one made at the first start and kept readable by its owner only."""
    given = variables.get("LAB_SECRET_KEY", "").strip()
    if given:
        return given
    path = data_dir / "secret-key"
    if not path.exists():
        data_dir.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile("w", dir=data_dir, encoding="ascii") as draft:
            draft.write(secrets.token_urlsafe(SECRET_KEY_LENGTH))
            draft.flush()
            with suppress(FileExistsError):  # another process made it first: use that one
                path.hardlink_to(draft.name)
    return path.read_text(encoding="ascii")
