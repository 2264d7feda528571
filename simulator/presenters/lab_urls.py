"""The addresses of a lab's page and of what it can be told, for its owner and behind a read-only link."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from simulator.models.lab import Lab, shared_topic
from simulator.selectors.positions import Position


@dataclass(frozen=True, slots=True)
class LabUrls:
    """`page` is the lab; `base` what its parts' and commands' addresses begin with, "" where nothing may be changed."""

    page: str
    topic: str
    base: str = ""

    @property
    def can_change(self) -> bool:
        return bool(self.base)

    def at(self, at: Position | str, **others: str) -> str:
        """The address of one place."""
        return f"{self.page}?{urlencode({'at': str(at), **{k: v for k, v in others.items() if v}})}"

    def part(self, name: str) -> str:
        return f"{self.page}{name}/"


def own_urls(lab: Lab) -> LabUrls:
    address = reverse("simulator:lab", kwargs={"slug": lab.revision.scenario.slug, "lab_id": lab.pk})
    return LabUrls(address, lab.topic, address)


def shared_urls(lab: Lab) -> LabUrls:
    token = str(lab.share_token)
    return LabUrls(reverse("simulator:shared_lab", kwargs={"token": token}), shared_topic(token))
