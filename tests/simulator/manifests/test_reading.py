"""One entry for every text: the kind is found out, shared dumps give what their index says, nothing breaks it."""

from __future__ import annotations

import random
import time
from collections import Counter
from typing import Any

import pytest

from simulator.manifests.bundle import read_bundle
from simulator.manifests.codes import ASSUMPTION_CODES, ERROR_CODES, WARNING_CODES
from simulator.manifests.limits import UPLOAD_LIMITS
from simulator.manifests.reading import Reading, TextKind, read
from simulator.manifests.writer import write
from tests.simulator.manifests.recorded import KUBECTL, NODES, SHARED
from tests.simulator.manifests.test_bundle import FRONT
from tests.simulator.manifests.test_labels import TABLE

MATRIX = "\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tNV12\t0-31\nGPU1\tNV12\t X \t0-31\n\nLegend:\n\n  X    = Self\n"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("apiVersion: v1\nkind: Pod\n", TextKind.MANIFESTS),
        ('{"apiVersion": "v1", "kind": "Pod"}', TextKind.MANIFESTS),
        ("apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: Pod}]\n", TextKind.LIST),
        ("[{apiVersion: v1, kind: Pod}]", TextKind.LIST),
        (FRONT, TextKind.BUNDLE),
        ("Name: a\nRoles: <none>\n", TextKind.DESCRIBE),
        ("a/b=c\n", TextKind.LABELS),
        ('{"a/b": "c"}', TextKind.LABELS),
        ("NAME STATUS LABELS\na Ready a=b\n", TextKind.NODE_TABLE),
        (MATRIX, TextKind.TOPOLOGY),
        ("\x1b[4m\tGPU0\tGPU1\x1b[0m\r\nGPU0\t X \tPHB\r\n", TextKind.TOPOLOGY),
        ("apiVersion: v1\nkind: ConfigMap\ndata:\n  x: |\n    Name: a\n    Labels: b\n", TextKind.MANIFESTS),
    ],
)
def test_kind_of_a_text(text: str, kind: TextKind) -> None:
    reading = read(text)
    assert reading.kind is kind
    assert reading.errors == ()
    assert read(text.encode()) == read(text) or kind is not TextKind.TOPOLOGY


def test_matrix_comes_back_untouched() -> None:
    reading = read(MATRIX)
    assert (reading.text, reading.documents) == (MATRIX, ())


def _dump(name: str) -> Reading:
    reading = read((NODES / name).read_bytes())
    assert reading.errors == ()
    return reading


DUMPS: list[tuple[str, TextKind, dict[str, str]]] = [
    ("01-gce-t4x2.yaml", TextKind.MANIFESTS, {"nvidia.com/gpu": "2", "cpu": "32", "memory": "123560520Ki"}),
    (
        "03-gce-a100-mig-mixed-4.yaml",
        TextKind.MANIFESTS,
        {"nvidia.com/gpu": "0", "nvidia.com/mig-1g.5gb": "3", "nvidia.com/mig-2g.10gb": "1"},
    ),
    ("05-h100-pcie-box-labels.json", TextKind.LABELS, {"nvidia.com/gpu": "1"}),
    ("07-dell-xe9680-h100x8-describe-labels.txt", TextKind.LABELS, {"nvidia.com/gpu": "8"}),
    ("09-gke-t4-k3s-labels.json", TextKind.LABELS, {"nvidia.com/gpu": "1"}),
    ("11-eks-g5-describe.txt", TextKind.DESCRIBE, {"nvidia.com/gpu": "1", "cpu": "4", "memory": "16Gi"}),
    ("12-k3s-hami-a100-describe.txt", TextKind.DESCRIBE, {"nvidia.com/gpu": "2"}),
    ("14-amd-mi300x-labels.txt", TextKind.LABELS, {"amd.com/gpu": "8"}),
]


@pytest.mark.parametrize(("name", "kind", "amounts"), DUMPS)
def test_shared_node(name: str, kind: TextKind, amounts: dict[str, str]) -> None:
    reading = _dump(name)
    assert reading.kind is kind
    (node,) = reading.objects
    assert node["kind"] == "Node"
    assert node["metadata"]["name"]
    assert {resource: node["status"]["allocatable"].get(resource) for resource in amounts} == amounts
    if kind is not TextKind.MANIFESTS:
        assert reading.assumptions


def test_shared_node_with_taints() -> None:
    (node,) = _dump("11-eks-g5-describe.txt").objects
    assert node["spec"]["taints"] == [
        {"key": "tritonOnly", "value": "true", "effect": "NoExecute"},
        {"key": "nvidia.com/gpu", "value": "true", "effect": "NoSchedule"},
    ]
    assert node["metadata"]["labels"]["karpenter.sh/capacity-type"] == "spot"


def test_shared_node_with_a_cut_annotation() -> None:
    reading = _dump("12-k3s-hami-a100-describe.txt")
    assert [(notice.code, notice.params["key"]) for notice in reading.warnings] == [
        ("describe.annotation_cut", "hami.io/node-nvidia-register")
    ]
    assert reading.objects[0]["metadata"]["annotations"]["gpuschedlab.io/gpu-model"] == "NVIDIA-A100-PCIE-40GB"


def test_shared_trace_nodes() -> None:
    reading = _dump("13-alibaba-openb-nodes.yaml")
    assert len(reading.objects) == 40
    assert {node["kind"] for node in reading.objects} == {"Node"}
    assert reading.objects[0]["status"]["allocatable"]["alibabacloud.com/gpu-milli"] == "2000"


@pytest.mark.parametrize("name", [name for name, _, _ in DUMPS] + ["13-alibaba-openb-nodes.yaml"])
def test_what_was_read_can_be_written_and_read_again(name: str) -> None:
    reading = _dump(name)
    again = read(write(reading.objects))
    assert again.objects == reading.objects
    assert again.errors == again.warnings == again.assumptions == ()


def test_shared_matrices_are_left_to_their_reader() -> None:
    folder = SHARED / "data" / "topo"
    if not folder.exists():
        pytest.skip("the shared matrices are not here")
    kinds = {path.name: read(path.read_bytes()).kind for path in sorted(folder.glob("*.txt"))}
    assert {name: kind for name, kind in kinds.items() if kind is not TextKind.TOPOLOGY} == {}


TOKENS = [
    *(b"&a", b"*a", b"<<:", b"---", b"...", b"%TAG ! x", b"!!python/object:x", b"!!int", b"[", b"]", b"{", b"}"),
    *(b'"', b"'", b"|", b">", b"#", b"\t", b"\n", b"\r", b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xf0\x9f\x98\x80"),
    *(b": ", b"- ", b"? ", b"Name: x\n", b"Taints: ", b"Containers:\n", b"\\ud800", b"1e999", b".inf", b"y", b"0x"),
    *(
        b"kind: List\nitems:\n",
        b"items: [1,2]",
        b"spec: 5\n",
        b"metadata: []\n",
        b"\xe4\xb8\xad",
        b"=",
        b",",
        b"<none>",
    ),
]


def _mutated(chance: random.Random, seeds: list[bytes]) -> bytes:
    text = bytearray(chance.choice(seeds))
    for _ in range(chance.randrange(1, 8)):
        at = chance.randrange(len(text) + 1)
        way = chance.randrange(5)
        if way == 0:
            text[at:at] = chance.choice(TOKENS)
        elif way == 1:
            del text[at : at + chance.randrange(1, 60)]
        elif way == 2:
            text[at : at + 1] = bytes([chance.randrange(32, 127)])
        elif way == 3:
            start = chance.randrange(len(text) + 1)
            text[at:at] = text[start : start + chance.randrange(200)]
        else:
            other = chance.choice(seeds)
            start = chance.randrange(len(other))
            text[at:at] = other[start : start + chance.randrange(300)]
    return bytes(text)


def test_two_thousand_mutated_texts_give_answers() -> None:
    chance = random.Random(20260101)
    seeds = [path.read_bytes() for path in sorted(KUBECTL.glob("*.[ty]*"))] + [TABLE.encode()]
    seeds += [
        FRONT.encode(),
        MATRIX.encode(),
        b'{"nvidia.com/gpu.count": "8", "a/b": "c"}',
        b"nvidia.com/gpu.count=8\na/b=c\n",
    ]
    params = {**ERROR_CODES, **WARNING_CODES, **ASSUMPTION_CODES}
    kinds: Counter[str] = Counter()
    for _ in range(2000):
        text = _mutated(chance, seeds)
        reading = read(text)
        bundle = read_bundle(text)
        kinds[reading.kind] += 1
        for remark in (*reading.errors, *reading.warnings, *reading.assumptions, *bundle.errors, *bundle.notices):
            assert tuple(sorted(remark.params)) == tuple(sorted(params[remark.code]))
            assert 0 <= remark.line <= text.count(b"\n") + text.count(b"\r") + 10
        for document in (*reading.documents, *bundle.documents):
            assert isinstance(document.value["kind"], str)
            assert document.marks.nearest(("spec", "containers", 0, "image")).line > 0
        if not reading.errors and reading.kind is not TextKind.TOPOLOGY:
            assert reading.objects
    assert set(kinds) == set(TextKind)


@pytest.mark.parametrize(
    "text",
    [
        "---\n" * 1_200_000,
        "{a,".replace("a", "a," * 2_000_000),
        " " * 5_000_000,
        "a: b\n" * 1_000_000,
        "Name: a\n" * 600_000,
        "a=b," * 1_200_000,
        "x" * 5_000_000,
        '{"a":' * 1_000_000,
        "a: " + "9" * 5_000_000,
    ],
    ids=lambda text: text[:8].strip() or "blank",
)
def test_five_megabytes_of_nonsense_end_soon(text: str) -> None:
    start = time.process_time()
    reading: Any = read(text, limits=UPLOAD_LIMITS)
    assert time.process_time() - start < 2 * UPLOAD_LIMITS.max_seconds
    assert reading.errors or reading.kind is TextKind.LABELS
