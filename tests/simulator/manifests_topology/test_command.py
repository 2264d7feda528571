"""manage.py topo: text and JSON, several files, clear errors."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation

from simulator.engine.fabric.from_matrix import Finding
from simulator.manifests.topology import errors, read_topology
from simulator.manifests.topology.errors import TopologyError
from simulator.manifests.topology.reading import WARNING_CODES, TopologyWarning
from simulator.presenters.topology import machine_finding_text, topology_error_text, topology_warning_text

from .machines import BRIDGED, NVLINK_STATUS


def run(*arguments: Any) -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("topo", *map(str, arguments), stdout=out, stderr=err)
    except CommandError as error:
        err.write(str(error))
    return out.getvalue(), err.getvalue()


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    texts = {"bridged.txt": BRIDGED, "links.txt": NVLINK_STATUS, "other.txt": "hello\n", "cut.txt": BRIDGED[:400]}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return {name: tmp_path / name for name in texts}


def test_json_is_a_list_with_one_object_per_file(files: dict[str, Path]) -> None:
    out, err = run(files["bridged.txt"], files["links.txt"], "-o", "json")

    assert json.loads(out) == [
        read_topology(BRIDGED).to_mapping("bridged.txt"),
        read_topology(NVLINK_STATUS).to_mapping("links.txt"),
    ]
    assert err == ""


def test_text_is_short(files: dict[str, Path]) -> None:
    with translation.override("en"):
        out, _ = run(files["bridged.txt"], files["cut.txt"])

    assert "bridged.txt: nvidia-topo, 4 GPU, 1 NIC" in out
    assert "NUMA 0 CPU 0-15,32-47: GPU 0 1" in out
    assert "! There is a column NIC0, but no row of that name." in out


def test_unreadable_files_are_named_and_the_others_still_read(files: dict[str, Path], tmp_path: Path) -> None:
    with translation.override("en"):
        out, err = run(files["other.txt"], files["bridged.txt"], tmp_path / "absent.txt", "-o", "json")

    assert [entry["file"] for entry in json.loads(out)] == ["bridged.txt"]
    assert "other.txt: Line 1 (hello): neither a device matrix nor a link table was found." in err
    assert "absent.txt" in err
    assert "2 of 3 files could not be read" in err


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_every_code_has_a_sentence(language: str) -> None:
    params: dict[str, str | int] = {"limit": 1, "found": 2, "line": 3, "text": "x"}
    codes = [value for name, value in vars(errors).items() if name.isupper() and isinstance(value, str)]
    with translation.override(language):
        sentences = [topology_error_text(TopologyError(code, **params)) for code in codes]
        sentences += [topology_warning_text(TopologyWarning(code, "ROW", "COLUMN")) for code in WARNING_CODES]

        sentences += [
            machine_finding_text(Finding(code, ("GPU0", "GPU1")))
            for code in ("unknown_pair", "numa_from_cells", "gpu_off_fabric", "uneven_links")
        ]

    assert all(sentence and "%(" not in sentence for sentence in sentences)
    assert len(set(sentences)) == len(sentences)
