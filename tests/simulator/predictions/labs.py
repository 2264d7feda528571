"""Labs that ask for predictions, and a person who uses them."""

from __future__ import annotations

import html
import json
import re
import uuid
from typing import TYPE_CHECKING, Any

from django.test import Client

from simulator.models import Lab, Prediction
from tests.factories.accounts import be, make_participant
from tests.factories.labs import make_node, make_pod, make_revision

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.http import HttpResponse

    from gpuschedlab.accounts.models import Participant
    from simulator.models import ScenarioRevision

Gate = tuple[str, str]
"""What is asked, and of which Pod ("" for which Pod is next)."""


def asking(mode: str, *gates: Gate, objects: Iterable[dict[str, Any]], **spec: Any) -> ScenarioRevision:
    """A scenario that asks."""
    listed = [{"predict": kind, **({"pod": pod} if pod else {})} for kind, pod in gates]
    predictions = {"mode": mode, "gates": listed} if listed else {"mode": mode}
    return make_revision(list(objects), predictions=predictions, **spec)


def filtering() -> list[dict[str, Any]]:
    """train needs 4 GPUs: big-1 and big-2 have them, small has 2, and busy has 8 of which 6 are taken. big-1 is used,
    so that big-2 has the higher total under LeastAllocated."""
    return [
        make_node("big-1", cpu="32", gpus=8),
        make_node("big-2", cpu="32", gpus=8),
        make_node("small", cpu="32", gpus=2),
        make_node("busy", cpu="32", gpus=8),
        make_pod("filler", cpu="16", gpus=0, nodeName="big-1"),
        make_pod("holder", cpu="1", gpus=6, nodeName="busy"),
        make_pod("train", cpu="2", gpus=4),
    ]


def make_classes(*values: int) -> list[dict[str, Any]]:
    """PriorityClasses `p0`, `p100` and so on."""
    api = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass"}
    return [{**api, "metadata": {"name": f"p{value}"}, "value": value} for value in values]


def preempting() -> list[dict[str, Any]]:
    """urgent (priority 100) needs 2 GPUs. On one, low (0) has 2; on two, mid (10) has 2 and peer (100) has 2. Evicting
    low is the better choice: its priority is lower."""
    return [
        *make_classes(0, 10, 100),
        make_node("one", cpu="32", gpus=2),
        make_node("two", cpu="32", gpus=4),
        make_pod("low", gpus=2, nodeName="one", priorityClassName="p0"),
        make_pod("mid", gpus=2, nodeName="two", priorityClassName="p10"),
        make_pod("peer", gpus=2, nodeName="two", priorityClassName="p100"),
        make_pod("urgent", gpus=2, priorityClassName="p100"),
    ]


def queueing() -> list[dict[str, Any]]:
    """zeta was made last and comes last by its name, but has the higher priority."""
    return [
        *make_classes(1000),
        make_node("one", cpu="32", gpus=8),
        make_pod("alpha", gpus=1),
        make_pod("beta", gpus=1),
        make_pod("zeta", gpus=1, priorityClassName="p1000"),
    ]


class Person:
    """Somebody with a lab in a browser without a screen; what its forms would send is kept from answer to answer."""

    def __init__(
        self, revision: ScenarioRevision, *, language: str = "en", participant: Participant | None = None, lab: str = ""
    ) -> None:
        self.client = Client(headers={"Accept-Language": language})
        self.participant = be(self.client, participant or make_participant())
        self.lab_id = lab or str(uuid.uuid4())
        self.slug = revision.scenario.slug
        self.url = f"/labs/{self.slug}/{self.lab_id}/"
        self.fields: dict[str, str] = {}
        self.text = ""
        self.response = self.get()

    def keep(self, response: HttpResponse) -> HttpResponse:
        self.response = response
        self.text = html.unescape(response.content.decode())
        state = re.search(r'id="transport-state".*?</div>', self.text, re.DOTALL)
        if state:
            self.fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', state[0]))
        return response

    def get(self, at: str = "", **values: str) -> HttpResponse:
        return self.keep(self.client.get(self.url, {**({"at": at} if at else {}), **values}))

    def post(self, path: str, *, htmx: bool = True, **values: Any) -> HttpResponse:
        headers = {"HX-Request": "true", "Lab-Frame": "0"} if htmx else {}
        return self.keep(self.client.post(self.url + path, {**self.fields, **values}, headers=headers))

    def step(self, go: str = "forward", unit: str = "record") -> HttpResponse:
        return self.post("step/", go=go, unit=unit)

    def predict(self, kind: str, *names: str, pod: str = "", attempt: int = 1) -> HttpResponse:
        key = f"default/{pod}" if pod else ""
        return self.post("predict/", kind=kind, pod=key, attempt=attempt, choice=list(names) or [""])

    @property
    def words(self) -> str:
        """The answer without its tags."""
        return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", self.text))

    @property
    def at(self) -> str:
        return self.fields["at"]

    @property
    def lab(self) -> Lab:
        return Lab.objects.get(pk=self.lab_id)

    @property
    def made(self) -> list[Prediction]:
        return list(Prediction.objects.filter(lab_id=self.lab_id).order_by("pk"))

    @property
    def state(self) -> dict[str, Any]:
        found = re.search(r'id="lab-state".*?<script[^>]*>(.*?)</script>', self.response.content.decode(), re.DOTALL)
        assert found is not None
        return dict(json.loads(found[1]))

    @property
    def panel(self) -> str:
        """The part of the page about predictions, without its tags."""
        found = re.search(r'<section class="lab-predict".*?</section>', self.text, re.DOTALL)
        assert found is not None
        return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", found[0])).strip()

    @property
    def asked(self) -> list[str]:
        """The ids of the questions that are open."""
        return re.findall(r'data-prompt="([^"]*)"', self.text)
