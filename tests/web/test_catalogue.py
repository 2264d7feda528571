"""Loading the catalogue: registered loaders, skipped while their files are as they were."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from gpuschedlab.web import catalogue
from gpuschedlab.web.catalogue import Loader, LoadReport, register_loader
from gpuschedlab.web.models import CatalogueLoad

pytestmark = pytest.mark.django_db


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the only loader, of things/*.yaml, has read."""
    names: list[str] = []

    def load(files: Sequence[Path]) -> LoadReport:
        names.extend(path.name for path in files)
        return LoadReport(created=len(files))

    monkeypatch.setattr(catalogue, "_loaders", {})
    register_loader(Loader("things", "things/*.yaml", load, order=1))
    return names


@pytest.fixture
def fixtures(tmp_path: Path) -> Path:
    (tmp_path / "things").mkdir()
    for name in ("b.yaml", "a.yaml", "notes.txt"):
        (tmp_path / "things" / name).write_text(name)
    return tmp_path


def run(root: Path, **options: object) -> str:
    out = StringIO()
    call_command("load_catalogue", root=root, stdout=out, **options)
    return out.getvalue()


def test_files_are_loaded_in_order_and_only_when_changed(loaded: list[str], fixtures: Path) -> None:
    assert run(fixtures) == "things: 2 new, 0 changed, 0 as they were\n"
    assert loaded == ["a.yaml", "b.yaml"]
    assert run(fixtures) == ""
    assert run(fixtures, verbosity=2) == "things: nothing changed\n"
    (fixtures / "things" / "c.yaml").write_text("c")
    run(fixtures)
    assert loaded[2:] == ["a.yaml", "b.yaml", "c.yaml"]


def test_force_loads_unchanged_files(loaded: list[str], fixtures: Path) -> None:
    run(fixtures)
    run(fixtures, force=True)
    assert len(loaded) == 4


def test_new_version_of_the_loader_loads_again(loaded: list[str], fixtures: Path) -> None:
    run(fixtures)
    old = catalogue._loaders.pop("things")
    register_loader(Loader("things", old.pattern, old.load, order=1, version=2))
    run(fixtures)
    assert len(loaded) == 4


def test_loader_that_fails_is_not_remembered(loaded: list[str], fixtures: Path) -> None:
    def broken(files: Sequence[Path]) -> LoadReport:
        raise RuntimeError

    register_loader(Loader("broken", "things/*", broken, order=2))
    with pytest.raises(RuntimeError):
        run(fixtures)
    assert [load.loader for load in CatalogueLoad.objects.all()] == ["things"]


def test_two_loaders_of_one_name_are_a_mistake(loaded: list[str]) -> None:
    with pytest.raises(ValueError, match="things"):
        register_loader(Loader("things", "*", lambda files: LoadReport(), order=2))
