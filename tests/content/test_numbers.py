"""The numbers the lessons state are those the engine computes."""

from __future__ import annotations

import re
from typing import Final

import pytest

from simulator.engine.fabric.busbw import intra_bandwidth
from simulator.engine.fabric.changes import with_nvlinks
from simulator.engine.fabric.collectives import all_reduce
from simulator.engine.fabric.fabric import Fabric, NetworkSwitch
from simulator.engine.fabric.placement import group_bandwidth
from simulator.engine.fabric.presets import PRESETS, preset_host, preset_rack
from simulator.engine.fabric.training import MODELS, data_parallel_step, flops_per_token
from simulator.engine.fabric.worked_examples import CHAPTER_TOKENS, H100_PEAK, MPT_7B_RUNS, chapter_case
from simulator.engine.framework.messages import TEXTS
from simulator.manifests.topology.reader import read_topology
from tests.content.texts import LANGUAGES, fenced, inline_code, lesson, texts

ALL: Final = tuple(range(8))


def _rows(slug: str, language: str, section: str) -> list[list[str]]:
    """The cells of all table rows of a section, in order."""
    text = lesson(slug).texts[language]
    (found,) = (one for one in text.sections if one.id == section)
    cells: list[list[str]] = []
    for token in (token for piece in found.pieces for token in piece.tokens):
        if token.type == "tr_open":
            cells.append([])
        elif token.type == "inline" and cells and token.level >= 4:
            cells[-1].append(token.content.replace("*", ""))
    return cells


def _number(cell: str) -> float:
    found = re.search(r"\d[\d,]*(?:\.\d+)?", cell)
    assert found, cell
    return float(found[0].replace(",", ""))


def _said(slug: str, scene: str) -> list[str]:
    """Caption and expectation of a scene in both languages."""
    return [
        f"{piece.data['caption']} {piece.data['expect']}"
        for text in lesson(slug).texts.values()
        for piece in text.pieces("scene")
        if piece.data["id"] == scene
    ]


# -- topology --


@pytest.mark.parametrize("language", LANGUAGES)
def test_bandwidth_becomes_time_and_mfu(language: str) -> None:
    rows = _rows("topology", language, "same-eight")[1:]
    assert [_number(row[0]) for row in rows] == [370, 50, 25, 12.2, 10]
    for row in rows:
        bandwidth, communication, step, exposed, hidden = map(_number, row)
        alone, overlapped = chapter_case(bandwidth), chapter_case(bandwidth, overlap=1.0)
        assert communication == pytest.approx(alone.exposed.result, abs=0.006)
        assert step == pytest.approx(alone.time.result, abs=0.006)
        assert exposed == pytest.approx(100 * alone.mfu.result, abs=0.51)
        assert hidden == pytest.approx(100 * overlapped.mfu.result, abs=0.06)


@pytest.mark.parametrize("language", LANGUAGES)
def test_machines_are_as_fast_as_the_table_says(language: str) -> None:
    rows = {row[0].split("（")[0].split(" (")[0]: row for row in _rows("topology", language, "nvswitch")[1:]}
    presets = {"HGX H100": "hgx-h100-8", "MI300X": "mi300x-8", "DGX-1 V100": "dgx1-v100-8", "L40S": "l40s-8"}
    for name, preset in {**presets, "A100 PCIe": "a100-pcie-4"}.items():
        shape = PRESETS[preset].shape
        for column, count in enumerate((2, 4, 8), start=1):
            cell = rows[name][column]
            if count <= len(shape.gpus):
                figure = intra_bandwidth(shape, range(count))
                assert figure is not None
                assert _number(cell) == pytest.approx(figure.result, abs=0.6), (name, count)
    dgx1 = PRESETS["dgx1-v100-8"].shape
    assert [intra_bandwidth(dgx1, pair).result for pair in ((0, 1), (0, 4), (3, 4))] == [20, 40, 6]
    across = intra_bandwidth(PRESETS["l40s-8"].shape, (0, 1, 4, 5))
    assert across is not None
    assert across.result == 10


def _below_two_leaves() -> Fabric:
    switches = (NetworkSwitch("leaf-1", 1, "spine", 4.0), NetworkSwitch("leaf-2", 1, "spine", 4.0))
    hosts = [preset_host("hgx-h100-8", f"h100-{n}", ("leaf-1" if n < 3 else "leaf-2",)) for n in range(1, 5)]
    return Fabric(tuple(hosts), (*switches, NetworkSwitch("spine", 2)))


def _step(gpus: int, busbw: float) -> tuple[float, float]:
    model = MODELS["mpt-7b"]
    rate = flops_per_token(model).result * MPT_7B_RUNS[0][1]
    step = data_parallel_step(model, gpus, CHAPTER_TOKENS, rate=rate, peak=H100_PEAK, busbw=busbw)
    return step.time.result, 100 * step.mfu.result


def test_scattered_job_costs_what_the_scene_says() -> None:
    hosts = tuple(preset_host("hgx-h100-8", f"h100-{n}", ("leaf-1",)) for n in range(1, 10))
    fabric = Fabric(hosts, (NetworkSwitch("leaf-1", 1),))
    near = group_bandwidth(fabric, {"h100-1": ALL}).busbw.result
    far = group_bandwidth(fabric, {f"h100-{n}": (0,) for n in range(2, 10)}).busbw.result
    times = [f"{value:.2f}" for value in (_step(8, near)[0], _step(8, far)[0])]
    shares = [f"{value:.1f}%" for value in (_step(8, near)[1], _step(8, far)[1])]
    for said in _said("topology", "one-box-or-eight"):
        for figure in (f"{near:.0f} GB/s", f"{far:.1f} GB/s", *times, *shares):
            assert figure in said


def test_crossing_the_spine_costs_what_the_scene_says() -> None:
    fabric = _below_two_leaves()
    same = group_bandwidth(fabric, {"h100-1": ALL, "h100-2": ALL}).busbw.result
    across = group_bandwidth(fabric, {"h100-2": ALL, "h100-3": ALL}).busbw.result
    figures = [f"{same:.0f} GB/s", f"{across:.0f} GB/s"]
    figures += [f"{value:.2f}" for value in (_step(16, same)[0], _step(16, across)[0])]
    figures += [f"{value:.1f}%" for value in (_step(16, same)[1], _step(16, across)[1])]
    for said in _said("topology", "leaf-or-spine"):
        assert [figure for figure in figures if figure not in said] == []


def test_rack_is_as_fast_as_a_tray() -> None:
    racks = [host for n in (1, 2) for host in preset_rack("gb200-tray-4", f"rack-{n}", (f"leaf-{n}",))]
    switches = (NetworkSwitch("leaf-1", 1, "spine"), NetworkSwitch("leaf-2", 1, "spine"), NetworkSwitch("spine", 2))
    fabric = Fabric(tuple(racks), switches)
    four = (0, 1, 2, 3)
    tray = group_bandwidth(fabric, {"rack-1-0": four}).busbw.result
    rack = group_bandwidth(fabric, {"rack-1-0": four, "rack-1-1": four}).busbw.result
    racks_apart = group_bandwidth(fabric, {"rack-1-0": four, "rack-2-1": four}).busbw.result
    assert tray == rack
    for said in _said("topology", "rack-is-the-box"):
        assert f"{rack:.0f} GB/s" in said
        assert f"{racks_apart:.0f} GB/s" in said


def test_one_lost_link_slows_the_whole_machine() -> None:
    shape = with_nvlinks(PRESETS["hgx-h100-8"].shape, 5, 17)
    figure = intra_bandwidth(shape, ALL)
    assert figure is not None
    for text in lesson("topology").texts.values():
        (box,) = text.pieces("deeper")
        assert f"{figure.result:.0f} GB/s" in box.tokens[1].content


def test_formula_in_words_is_the_engines() -> None:
    gradients = MODELS["mpt-7b"].parameters * 2
    for text in lesson("topology").texts.values():
        assert "1.75 × 13.3 GB" in next(fenced(text, "text"))
    assert all_reduce(gradients, 8, 10.0).result == pytest.approx(1.75 * 13.3 / 10, abs=0.01)


# -- the scheduler --


@pytest.mark.parametrize("language", LANGUAGES)
def test_extender_throughput_is_a_division(language: str) -> None:
    rows = _rows("extenders", language, "bottleneck")[2:]
    assert [_number(row[0]) for row in rows] == [50, 500, 5000]
    for row in rows:
        call = 1 + 0.01 * _number(row[0])
        cycle = 2 + 2 * call
        assert _number(row[1]) == pytest.approx(call)
        assert _number(row[2]) == pytest.approx(cycle)
        assert _number(row[3]) == pytest.approx(1000 / cycle, rel=0.01)


def test_search_stops_where_the_lesson_says() -> None:
    for nodes, percent, wanted in ((1000, 42, 420), (5000, 10, 500)):
        assert max(5, 50 - nodes // 125) == percent
        assert max(100, nodes * percent // 100) == wanted
        for text in lesson("ten-stages").texts.values():
            boxes = " ".join(token.content for piece in text.pieces("deeper") for token in piece.tokens)
            assert f"{percent}%" in boxes
            assert str(wanted) in boxes


QUOTED: Final = re.compile(r"(\d+)/\d+ nodes are available: ")
OWN_WORDS: Final = {"not eligible due to preemptionPolicy=Never."}


def _reasons() -> re.Pattern[str]:
    templates = [re.sub(r"\\{[a-z_]+\\}", ".+", re.escape(text)) for text in TEXTS.values() if text != "{error}"]
    return re.compile("|".join(f"(?:{template})" for template in templates if template != ".+"))


def test_quoted_messages_are_kube_schedulers_own() -> None:
    """Every `0/N nodes are available` in a lesson is made of reasons that the scheduler has."""
    reason, found = _reasons(), 0
    for name, text in texts():
        for quoted in [*fenced(text, "text"), *inline_code(text)]:
            for part in QUOTED.split(quoted.strip())[2::2]:
                counted = part.split(". ")[0].rstrip(". ").removesuffix("no new claims to deallocate, preemption:")
                for entry in counted.split(", "):
                    count, _, words = entry.strip().partition(" ")
                    assert count.isdigit(), (name, entry)
                    assert reason.fullmatch(words), (name, words)
                    found += 1
    assert found > 20


def test_matrix_of_the_lesson_reads_as_the_lesson_reads_it() -> None:
    for text in lesson("topology").texts.values():
        (matrix,) = (block for block in fenced(text, "text") if "GPU3" in block)
        reading = read_topology(matrix)
        assert reading.gpus == 4
        assert [reading.cells[0][other] for other in range(4)] == ["X", "NV12", "SYS", "SYS"]
        assert reading.warnings == ()
