"""Damage of every kind: a reader never fails, never invents a link, and keeps what the text still tells."""

from __future__ import annotations

import re
from itertools import product
from random import Random

import pytest

from simulator.manifests.topology import Reading, TopologyError, read_topology

from .machines import ALL_TEXTS, BRIDGED, CUBE, nvswitch_text

ROW = re.compile(r"(GPU|NIC)\d+\s+(X|NV|PIX|NODE|SYS|SOC)")
MATRICES = {"nvswitch": nvswitch_text(), "bridged": BRIDGED, "cube": CUBE}


def invented(damaged: Reading, whole: Reading) -> list[tuple[int, int, str | None]]:
    """Links of the damaged text that the whole text does not have."""
    known = set(whole.links)
    return [link for link in damaged.links if link[2] is not None and link not in known]


@pytest.mark.parametrize("name", ALL_TEXTS)
def test_line_ends_tabs_and_escapes_change_nothing(name: str) -> None:
    text = ALL_TEXTS[name]
    wanted = read_topology(text)
    mutations = (
        text.replace("\n", "\r\n"),
        text.replace("\n", "\r"),
        re.sub(r"\t", "    ", text),
        re.sub(r"(?m)$", "   \t", text),
        re.sub(r"(?m)^(.+)$", "\x1b[4m\\1\x1b[0m", text),
        re.sub(r"(?m)^(.+)$", "[4m\\1[0m", text),
        "\ufeff" + text,
    )

    for mutated in mutations:
        assert read_topology(mutated) == wanted


@pytest.mark.parametrize("name", [name for name in ALL_TEXTS if name != "nvlink-status"])
def test_text_cut_anywhere_gives_a_true_reading_or_a_clear_error(name: str) -> None:
    text = ALL_TEXTS[name]
    whole = read_topology(text)
    body = text.index("GPU1" if "GPU1" in text else "NPU1", text.index("\n"))

    for end in range(len(text)):
        try:
            damaged = read_topology(text[:end])
        except TopologyError:
            continue
        if end > body + 200:
            assert invented(damaged, whole) == []
            assert damaged.gpus == whole.gpus


@pytest.mark.parametrize(("name", "seed"), list(product(MATRICES, range(40))))
def test_dropped_token_is_never_a_new_link(name: str, seed: int) -> None:
    lines = MATRICES[name].splitlines()
    random = Random(seed)
    rows = [index for index, line in enumerate(lines) if ROW.match(line)]
    index = random.choice(rows)
    token = random.choice(list(re.finditer(r"(?<=\s)(NV\d+|PIX|NODE|SYS|SOC|X)(?=\s|$)", lines[index])))
    lines[index] = lines[index][: token.start()] + lines[index][token.end() :]

    damaged = read_topology("\n".join(lines))

    assert invented(damaged, read_topology(MATRICES[name])) == []
    assert damaged.warnings != ()


@pytest.mark.parametrize(("name", "seed"), list(product(MATRICES, range(40))))
def test_glued_cells_keep_every_link(name: str, seed: int) -> None:
    lines = MATRICES[name].splitlines()
    random = Random(seed)
    rows = [index for index, line in enumerate(lines) if ROW.match(line)]
    index = random.choice(rows)
    gaps = list(re.finditer(r"(?<=[A-Z\d])\s+(?=NV|PIX|NODE|SYS|SOC|X)", lines[index]))
    gap = random.choice(gaps[1:])
    lines[index] = lines[index][: gap.start()] + lines[index][gap.end() :]

    damaged, whole = read_topology("\n".join(lines)), read_topology(MATRICES[name])

    assert damaged.links == whole.links
    assert damaged.nearest_nic == whole.nearest_nic
    assert [warning.code for warning in damaged.warnings] == ["glued_cell"]


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_dropped_affinity_columns_only_lose_the_affinity(columns: int) -> None:
    text = nvswitch_text().replace("\t\tN/A", "\tN/A")
    lines = [line.rsplit("\t", columns)[0] if line.startswith(("\t", "GPU")) else line for line in text.splitlines()]

    damaged, whole = read_topology("\n".join(lines)), read_topology(text)

    assert damaged.links == whole.links
    assert damaged.nearest_nic == whole.nearest_nic
    assert damaged.warnings == ()
    assert damaged.gpu_numa_id is None
    assert damaged.numa[0].numa == (None if columns > 1 else "0")
    assert damaged.numa[0].cpu == (None if columns > 2 else "0-31,64-95")


@pytest.mark.parametrize("seed", range(60))
def test_noise_characters_never_break_the_reader(seed: int) -> None:
    random = Random(seed)
    for text in ALL_TEXTS.values():
        characters = list(text)
        for _ in range(30):
            characters[random.randrange(len(characters))] = random.choice("xX0?-,.:|\t\n\x1b\u2502[]N/A9")
        mutated = "".join(characters)
        try:
            reading = read_topology(mutated)
        except TopologyError:
            continue
        assert len(reading.links) == reading.gpus * (reading.gpus - 1) // 2 or reading.links == ()
