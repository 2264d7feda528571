"""The catalogue: what fixtures/ holds (scenarios, lessons, quizzes, glossary), loaded by `manage.py load_catalogue`.

An app registers its loader in its own catalogue.py, which is loaded at start:

    register_loader(Loader("scenarios", "scenarios/*.yaml", scenarios_load, order=10))
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from gpuschedlab.web.models import CatalogueLoad

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class LoadReport:
    """How many things a loader made, changed and left alone."""

    created: int = 0
    updated: int = 0
    unchanged: int = 0


@dataclass(frozen=True, slots=True)
class Loader:
    """Loads the files of fixtures/ that match `pattern`, in one transaction; loading twice changes nothing.

    `version` grows when the loader's code would make something else of the same files.
    """

    name: str
    pattern: str
    load: Callable[[Sequence[Path]], LoadReport]
    order: int
    version: int = 1


_loaders: dict[str, Loader] = {}


def register_loader(loader: Loader) -> None:
    if loader.name in _loaders:
        raise ValueError(f"two catalogue loaders are named {loader.name}")
    _loaders[loader.name] = loader


def load_catalogue(root: Path, *, force: bool = False) -> Iterator[tuple[str, LoadReport | None]]:
    """Run every loader whose files changed since it last ran; yields (name, report), None where nothing changed."""
    for loader in sorted(_loaders.values(), key=lambda one: one.order):
        files = sorted(root.glob(loader.pattern))
        digest = _digest(loader, root, files)
        if not force and CatalogueLoad.objects.filter(loader=loader.name, digest=digest).exists():
            yield loader.name, None
            continue
        with transaction.atomic():
            report = loader.load(files)
            CatalogueLoad.objects.update_or_create(
                loader=loader.name, defaults={"digest": digest, "loaded_at": timezone.now()}
            )
        yield loader.name, report


def _digest(loader: Loader, root: Path, files: Sequence[Path]) -> str:
    digest = hashlib.sha256(f"{loader.name} {loader.version}".encode())
    for path in files:
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
