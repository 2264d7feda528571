"""Loads fixtures/scenarios/*.yaml: one bundle a file, named `<place in the list>-<name>.yaml`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gpuschedlab.web.catalogue import Loader, LoadReport, register_loader
from simulator.manifests.bundle import Bundle, read_bundle
from simulator.services.scenarios import Published, scenario_publish, scenarios_withdraw

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_FILE_NAME = re.compile(r"(\d{3})-([a-z0-9-]+)")


class BrokenScenario(Exception):
    """A file of the catalogue that cannot be loaded; the text says where and why."""


def scenarios_load(files: Sequence[Path]) -> LoadReport:
    """Publish every file as a scenario; those whose file is gone are taken off the list."""
    counts = dict.fromkeys(Published, 0)
    slugs = []
    for path in files:
        order, slug, bundle = _read(path)
        slugs.append(slug)
        text = path.read_text(encoding="utf-8")
        counts[_publish(path, order, slug, text, bundle)] += 1
    gone = scenarios_withdraw(kept=slugs)
    return LoadReport(counts[Published.CREATED], counts[Published.UPDATED] + gone, counts[Published.UNCHANGED])


def _read(path: Path) -> tuple[int, str, Bundle]:
    named = _FILE_NAME.fullmatch(path.stem)
    if named is None:
        raise BrokenScenario(f"{path.name}: name it like 010-first-fit.yaml")
    bundle = read_bundle(path.read_text(encoding="utf-8"))
    if bundle.errors:
        first = bundle.errors[0]
        raise BrokenScenario(f"{path.name}:{first.line}:{first.column}: {first.code} {dict(first.params)}")
    if bundle.name != named[2]:
        raise BrokenScenario(f"{path.name}: metadata.name is {bundle.name!r}, the file says {named[2]!r}")
    return int(named[1]), named[2], bundle


def _publish(path: Path, order: int, slug: str, text: str, bundle: Bundle) -> Published:
    try:
        return scenario_publish(
            slug=slug, content=text, spec=bundle.spec, objects=bundle.objects, order=order, from_catalogue=True
        )
    except ValueError as problem:  # ConfigError and CommandError: what the engine refuses
        raise BrokenScenario(f"{path.name}: {problem}") from problem


register_loader(Loader("scenarios", "scenarios/*.yaml", scenarios_load, order=10))
