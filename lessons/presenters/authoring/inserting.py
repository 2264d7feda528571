"""Scenes and questions put into the document of a lesson, at the same place in both languages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lessons.assessment.localized import LANGUAGES
from lessons.manifests.lesson_editing import data_box, inserted, scene_ids, sections_of
from lessons.presenters.languages import page_language


def present_places(document: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(id, heading) of the sections something can stand in."""
    bodies = _bodies(document)
    return sections_of(bodies.get(page_language()) or next(iter(bodies.values()), ""))


def with_scene(document: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    """The document with a scene; `data` is what lessons.forms.authoring.SceneForm read."""
    name = _free_id(document, str(data["scenario"]))
    start = {key: data[key] for key in ("cycle", "pod", "point") if data.get(key)}

    def made(language: str) -> str:
        scene: dict[str, Any] = {"id": name, "scenario": data["scenario"]}
        if start:
            scene["start"] = start
        if data.get("predict"):
            scene["predict"] = data["predict"]
        for field in ("caption", "expect"):
            own, other = ("zh", "en") if language == LANGUAGES[0] else ("en", "zh")
            scene[field] = data[f"{field}_{own}"] or data[f"{field}_{other}"]
        return data_box("scene", scene)

    return _with_box(document, made, str(data.get("section") or ""))


def with_check(document: Mapping[str, Any], names: Sequence[str], section: str) -> dict[str, Any]:
    """The document with questions to answer."""
    return _with_box(document, lambda _language: data_box("check", list(names)), section)


def _with_box(document: Mapping[str, Any], made: Callable[[str], str], section: str) -> dict[str, Any]:
    bodies = _bodies(document) or {page_language(): ""}
    texts = {language: inserted(body, made(language), section=section) for language, body in bodies.items()}
    return {**document, "text": texts}


def _bodies(document: Mapping[str, Any]) -> dict[str, str]:
    """Language -> text, of those that are written."""
    text = document.get("text")
    if isinstance(text, str):
        return dict.fromkeys(LANGUAGES, text)
    if not isinstance(text, Mapping):
        return {}
    return {language: text[language] for language in LANGUAGES if isinstance(text.get(language), str)}


def _free_id(document: Mapping[str, Any], wanted: str) -> str:
    taken = set().union(*(scene_ids(body) for body in _bodies(document).values()))
    return next(
        name for number in range(1, 1000) if (name := f"{wanted}-{number}" if number > 1 else wanted) not in taken
    )
