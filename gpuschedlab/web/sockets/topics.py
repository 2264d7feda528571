"""Topics: what pages can listen to. A topic's name is `<kind>:<key>`, as in run:6f9619ff or lab:42.

An app registers its kinds in its consumers module, which is loaded at start:

    register_topic("lab", LabTopic())
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import Participant

MAX_TOPIC_LENGTH = 80


class Topic(Protocol):
    """One kind of topic. The method runs in a thread and may use the database."""

    def head(self, participant: Participant, key: str) -> int | None:
        """The seq of the newest thing there, or None when it does not exist or is not this participant's to see."""


_kinds: dict[str, Topic] = {}


def register_topic(kind: str, topic: Topic) -> None:
    if kind in _kinds:
        raise ValueError(f"two socket topics are of kind {kind}")
    _kinds[kind] = topic


def topic_head(participant: Participant, name: str) -> int | None:
    """The newest seq of a topic by its full name; None for any that is unknown or not to be seen."""
    kind, _, key = name.partition(":")
    topic = _kinds.get(kind)
    if topic is None or not key or len(name) > MAX_TOPIC_LENGTH:
        return None
    return topic.head(participant, key)
