"""manage.py simulate: what each Pod got and why, exit codes for scripts, problems with file and line."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

NODES = """\
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}
---
apiVersion: v1
kind: Node
metadata: {name: n2}
status: {allocatable: {cpu: "2", memory: 8Gi, pods: "110"}}
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: NAME}
spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "CPU"}}}]}
"""
CONFIGURATION = """\
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- plugins: {score: {enabled: [{name: NodeResourcesFit}], disabled: [{name: "*"}]}}
  pluginConfig:
  - name: NodeResourcesFit
    args: {scoringStrategy: {type: MostAllocated}}
"""


def pod(name: str, cpu: str) -> str:
    return POD.replace("NAME", name).replace("CPU", cpu)


def run(tmp_path: Path, *texts: str, options: tuple[str, ...] = ()) -> tuple[int, str]:
    """(exit code, output) for the texts as files a.yaml, b.yaml …"""
    files = []
    for letter, text in zip("abcdef", texts, strict=False):
        path = tmp_path / f"{letter}.yaml"
        path.write_text(text, encoding="utf-8")
        files.append(str(path))
    out = io.StringIO()
    try:
        call_command("simulate", *files, *options, stdout=out)
    except SystemExit as end:
        return int(end.code or 0), out.getvalue()
    except CommandError as error:
        return error.returncode, str(error).replace(str(tmp_path), "")
    return 0, out.getvalue()


def test_all_bound_is_a_table_and_zero(tmp_path: Path) -> None:
    code, text = run(tmp_path, NODES, f"{pod('web', '1')}---\n{pod('database', '3')}")
    assert code == 0
    assert text.splitlines() == [
        "POD               NODE  STATUS   WHY",
        "default/web       n1    Running  best of 2 nodes that fit: 454 points",
        "default/database  n1    Running  the only node that fits",
        "2 of 2 Pods have a node after 0.002 s and 2 cycles",
    ]


def test_a_pod_without_a_node_shows_kubes_message_and_ends_in_one(tmp_path: Path) -> None:
    code, text = run(tmp_path, NODES, pod("big", "9"))
    assert code == 1
    assert (
        "default/big  <none>  Pending  0/2 nodes are available: 2 Insufficient cpu. no new claims to deallocate, "
        "preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."
    ) in text


def test_json_holds_the_same(tmp_path: Path) -> None:
    code, text = run(tmp_path, NODES, pod("web", "1"), options=("-o", "json"))
    told: dict[str, Any] = json.loads(text)
    assert code == 0
    assert told["pods"] == [
        {
            "pod": "default/web", "node": "n1", "phase": "Running", "attempts": 1,
            "why": "best of 2 nodes that fit: 454 points",
        }
    ]  # fmt: skip
    assert told["cycles"] == 1


def test_preemption_is_told(tmp_path: Path) -> None:
    classes = "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: 1000\n"
    low = pod("low", "2").replace("spec: {", "spec: {nodeName: n2, terminationGracePeriodSeconds: 3, ")
    high = pod("high", "2").replace("spec: {", "spec: {priorityClassName: high, nodeSelector: {only: here}, ")
    nodes = NODES.replace("name: n2", "name: n2, labels: {only: here}")
    code, text = run(tmp_path, nodes, classes, low, high)
    assert code == 0
    assert "default/low was preempted by default/high" in text
    assert "default/high  n2    Running" in text


def test_a_configuration_among_the_files_is_used(tmp_path: Path) -> None:
    code, text = run(tmp_path, NODES, pod("web", "1"), CONFIGURATION)
    assert code == 0
    assert "default/web  n2    Running  best of 2 nodes that fit" in text


def test_a_bundle_chooses_its_profile_by_name(tmp_path: Path) -> None:
    profile = CONFIGURATION.replace("\n", "\n      ")
    front = f"""\
apiVersion: gpuschedlab.io/v1alpha1
kind: Scenario
metadata: {{name: packing}}
spec:
  title: {{zh-hans: 装箱, en: Packing}}
  level: beginner
  profiles:
  - name: spread
  - name: pack
    configuration:
      {profile.rstrip()}
---
"""
    bundle = front + NODES + "---\n" + pod("web", "1")
    assert "default/web  n1 " in run(tmp_path, bundle)[1]
    assert "default/web  n2 " in run(tmp_path, bundle, options=("--profile", "pack"))[1]
    assert run(tmp_path, bundle, options=("--profile", "nope")) == (2, "no profile 'nope'; there are: spread, pack")


def test_until_seconds_stops_the_clock_there(tmp_path: Path) -> None:
    code, text = run(tmp_path, NODES, pod("web", "1"), options=("--until", "5"))
    assert code == 0
    assert text.endswith("after 5.000 s and 1 cycles\n")
    code, text = run(tmp_path, NODES, pod("web", "1"), options=("--until", "later"))
    assert (code, text) == (2, "--until: 'later' is neither idle nor a number of seconds")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (pod("web", "-1"), '/a.yaml:4:69: spec.containers[0].resources.requests[cpu]: Invalid value: "-1": must be'),
        ("a: [\n", "/a.yaml:2:1: yaml.missing_value"),
        (CONFIGURATION.replace("MostAllocated", "Nope"), "/a.yaml:7:36: initializing profiles: creating profile"),
        ("", "/a.yaml:0:0: text.empty"),
    ],
)
def test_bad_input_names_its_place_and_ends_in_two(tmp_path: Path, text: str, problem: str) -> None:
    code, told = run(tmp_path, text)
    assert code == 2
    assert told.startswith(problem)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No such file") as caught:
        call_command("simulate", str(tmp_path / "gone.yaml"))
    assert caught.value.returncode == 2
