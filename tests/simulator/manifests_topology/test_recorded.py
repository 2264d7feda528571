"""Every recorded text of a real machine gives exactly what is expected of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from simulator.manifests.topology import read_topology

from .recorded import expectations, recorded_bytes

EXPECTATIONS = expectations()

pytestmark = pytest.mark.skipif(not EXPECTATIONS, reason="the recorded topology texts are not here")


@pytest.mark.parametrize("expected", EXPECTATIONS, ids=[entry["file"] for entry in EXPECTATIONS])
def test_recorded_text_gives_what_is_expected(expected: dict[str, Any]) -> None:
    reading = read_topology(recorded_bytes(expected["file"])).to_mapping(expected["file"])

    assert json.loads(json.dumps(reading)) == expected
    assert list(reading) == list(expected)


@pytest.mark.parametrize("expected", EXPECTATIONS, ids=[entry["file"] for entry in EXPECTATIONS])
def test_recorded_text_survives_how_it_is_pasted(expected: dict[str, Any]) -> None:
    plain = recorded_bytes(expected["file"]).decode().replace("\r\n", "\n")
    wanted = read_topology(plain).to_mapping()
    status_line = '[0] 0:bash* "node-7" 10:21 03-Mar-25'

    for text in (
        plain.replace("\n", "\r\n"),
        "\n".join(f"│{line}│" for line in plain.split("\n")),
        "\n".join(f"    {line}  \t" for line in plain.split("\n")),
        "\n".join(f"{line}\n{status_line}" for line in plain.split("\n")),
        f"user@node:~$ nvidia-smi topo -m\n{plain}\nuser@node:~$ ",
        f"\x1b[2J\x1b[H{plain}\x1b[0m",
    ):
        assert read_topology(text).to_mapping() == wanted
    assert read_topology(plain.encode("utf-16")).to_mapping() == wanted
