"""`manage.py conform` and its page: per family how many scenarios agree; a difference is told and fails."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from gpuschedlab.web.models import Run, RunState
from gpuschedlab.web.tasks import run_job
from simulator.selectors.conformance import recorded_sets
from tests.factories.accounts import make_user

RECORDED = Path(__file__).resolve().parents[2] / "golden" / "kube-scheduler" / "golden-C00.jsonl.gz"


def entries(count: int) -> list[dict[str, Any]]:
    with gzip.open(RECORDED, "rt") as lines:
        return [json.loads(next(lines)) for _ in range(count)]


def write(folder: Path, family: str, content: list[dict[str, Any]]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"golden-{family}.jsonl.gz"
    with gzip.open(path, "wt") as file:
        file.writelines(json.dumps(entry) + "\n" for entry in content)
    return path


def wrong(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry whose recorded decision the real scheduler did not take."""
    first, *others = entry["expect"]["results"]
    outcome = "scheduled" if first["outcome"] == "unschedulable" else "unschedulable"
    return {**entry, "expect": {**entry["expect"], "results": [{**first, "outcome": outcome}, *others]}}


def test_sets_that_agree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "kube-scheduler", "A01", entries(2))
    write(tmp_path / "kube-scheduler", "A02", entries(3))
    call_command("conform", str(tmp_path / "kube-scheduler"))
    told = capsys.readouterr().out
    assert "A01    2/2" in told
    assert "A02    3/3" in told
    assert "5/5 scenarios agree" in told


def test_difference_is_told_and_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = entries(2)
    path = write(tmp_path / "somewhere", "A01", [first, wrong(second)])
    with pytest.raises(CommandError) as raised:
        call_command("conform", str(path), "--system", "kube-scheduler", "--processes", "2")
    assert raised.value.returncode == 1
    told = capsys.readouterr().out
    assert "A01    1/2" in told
    assert second["scenario"]["id"] in told
    assert first["scenario"]["id"] not in told


def test_scenario_that_breaks_the_engine_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "kube-scheduler", "A01", [{"scenario": {"id": "broken"}, "expect": []}])
    with pytest.raises(CommandError):
        call_command("conform", str(path))
    assert "broken" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "there is no such file"),
        (["{tmp}/strange"], "--system is one of"),
        (["{tmp}/kube-scheduler"], "no golden-"),
    ],
)
def test_what_cannot_be_compared_is_told(tmp_path: Path, arguments: list[str], message: str) -> None:
    (tmp_path / "strange").mkdir()
    (tmp_path / "kube-scheduler").mkdir()
    with pytest.raises(CommandError, match=message):
        call_command("conform", *(argument.format(tmp=tmp_path) for argument in arguments))


@pytest.mark.django_db
def test_page_is_for_those_who_look_after_the_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = entries(2)
    write(tmp_path / "kube-scheduler", "A01", [first, wrong(second)])
    monkeypatch.setenv("GOLDEN_DIR", str(tmp_path))
    assert list(recorded_sets()) == ["kube-scheduler"]
    client = Client(headers={"Accept-Language": "en"})
    assert client.get("/staff/conform/").status_code == 404
    client.force_login(make_user(is_staff=True))
    assert client.post("/staff/conform/", {"system": "nothing"}).status_code == 400
    assert client.post("/staff/conform/", {"system": "kube-scheduler"}).status_code == 302
    job = Run.objects.get(kind="simulator.conform")
    run_job(str(job.pk))
    job.refresh_from_db()
    assert job.state == RunState.SUCCEEDED
    shown = client.get(f"/staff/conform/{job.pk}/").content.decode()
    assert "A01" in shown
    assert second["scenario"]["id"] in shown
    assert Client().get(f"/staff/conform/{job.pk}/").status_code == 404
