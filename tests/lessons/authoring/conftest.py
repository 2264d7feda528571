from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils.translation import override

from gpuschedlab.accounts.models import Role
from gpuschedlab.accounts.selectors import participant_of_user
from gpuschedlab.accounts.services import participant_ensure
from gpuschedlab.materials.kinds import kind_named, kind_of
from gpuschedlab.materials.models import Draft
from gpuschedlab.materials.publishing import draft_publish
from gpuschedlab.materials.services import draft_create, draft_write
from lessons.manifests.material_text import material_text
from tests.factories.accounts import make_user

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gpuschedlab.accounts.models import Participant
    from gpuschedlab.materials.kinds import Made, Problem

ENGLISH = {"accept-language": "en"}


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def author(db: None) -> Participant:
    return participant_ensure(participant_of_user(make_user(username="ada", role=Role.INSTRUCTOR)))


@pytest.fixture
def other(db: None) -> Participant:
    """Another instructor."""
    return participant_ensure(participant_of_user(make_user(username="bob", role=Role.INSTRUCTOR)))


@pytest.fixture
def desk(author: Participant) -> Client:
    """The author's browser."""
    return browser_of(author)


def browser_of(person: Participant) -> Client:
    client = Client(headers=ENGLISH)
    assert person.user is not None
    client.force_login(person.user)
    return client


def begin(owner: Participant, kind: str, document: dict[str, Any], **more: Any) -> Draft:
    """A draft of that document."""
    return draft_create(actor=owner, kind=kind, text=material_text(document), **more)


def change(draft: Draft, document: dict[str, Any]) -> Draft:
    draft = Draft.objects.get(pk=draft.pk)
    return draft_write(draft=draft, text=material_text(document), expected=draft.version, origin="text")


def publish(draft: Draft) -> Made:
    draft = Draft.objects.get(pk=draft.pk)
    made = draft_publish(actor=draft.owner, draft=draft, expected=draft.version, keep_on=lambda: True)
    assert made is not None
    return made


def problems(draft: Draft, weight: str = "error") -> list[Problem]:
    """What the author is told, in English."""
    kind = kind_of(draft)
    with override("en"):
        return [one for one in kind.check(draft, kind.read(draft.text)) if one.weight == weight]


def a_choice(name: str = "hard-sieve", *, right: int = 0, **more: Any) -> dict[str, Any]:
    """A choice between Filter and Score, of which one is the key."""
    options: list[dict[str, Any]] = [{"text": "Filter"}, {"text": "Score"}]
    options[right]["correct"] = True
    stem = {"zh-hans": "哪一步淘汰节点？", "en": "Which step drops nodes?"}
    return {"id": name, "type": "choice", "stem": stem, "options": options, **more}


def a_quiz(*names: str, **more: Any) -> dict[str, Any]:
    title = {"zh-hans": "小测", "en": "A quiz"}
    return {"id": "my-quiz", "title": title, "sections": [{"id": "a", "questions": list(names)}], **more}


def kind(name: str) -> Any:
    return kind_named(name)
