"""The reference: every plugin and extension point has all its headings, in both languages, as the code says it now."""

from __future__ import annotations

import re

import pytest

from simulator.engine.framework.plugin import Point
from simulator.engine.framework.registry import PLUGINS
from simulator.engine.user_rules.declarations import FUNCTIONS, NODE_FIELDS, POD_FIELDS
from simulator.presenters.rules.library import LIBRARY, completions
from simulator.presenters.rules.take_home import NOTES
from simulator.selectors.reference import (
    PLUGIN_HEADINGS,
    POINT_HEADINGS,
    docstring_of,
    fingerprint,
    plugin_entry,
    point_entry,
    sections_of,
    translations,
)
from tests.simulator.goexport.rules import RULES
from tests.simulator.goexport.test_package import exported


@pytest.mark.parametrize("plugin", PLUGINS, ids=lambda plugin: plugin.name)
def test_plugin_has_every_heading_in_both_languages(plugin: type) -> None:
    entry = plugin_entry(plugin.name)  # type: ignore[attr-defined]
    assert set(entry.sections) == {"title", *PLUGIN_HEADINGS}
    assert set(entry.chinese) == {"title", *PLUGIN_HEADINGS}
    assert all(entry.sections.values())
    assert all(re.search(r"[\u4e00-\u9fff]", text) or text.startswith("kube") for text in entry.chinese.values())


@pytest.mark.parametrize("plugin", PLUGINS, ids=lambda plugin: plugin.name)
def test_chinese_of_a_plugin_is_of_the_docstring_as_it_is(plugin: type) -> None:
    """Where this fails, look the translation in fixtures/reference/zh-hans.yaml over and put the new fingerprint in."""
    wanted = fingerprint(docstring_of(plugin))
    assert translations()["plugins"][plugin.name]["of"] == wanted  # type: ignore[attr-defined]


@pytest.mark.parametrize("point", list(Point), ids=lambda point: point.key)
def test_extension_point_has_every_heading_in_both_languages(point: Point) -> None:
    entry = point_entry(point.key)
    assert set(entry.sections) == set(entry.chinese) == set(POINT_HEADINGS)
    text = " ".join(sections_of(point.interface.__doc__ or "", POINT_HEADINGS).values())
    assert translations()["points"][point.key]["of"] == fingerprint(text)
    assert entry.plugins or point.key == "postBind"


def test_nothing_is_translated_that_is_not_there() -> None:
    assert set(translations()["plugins"]) == {plugin.name for plugin in PLUGINS}
    assert set(translations()["points"]) == {point.key for point in Point}


def test_library_explains_everything_a_rule_may_name() -> None:
    labels = {entry.label for group in LIBRARY for entry in group.entries}
    assert {f"pod.{name}" for name in POD_FIELDS} <= labels
    assert {f"node.{name}" for name in NODE_FIELDS} <= labels
    assert set(FUNCTIONS) <= labels
    assert all(item["info"] and item["apply"] for item in completions())


def test_every_note_of_exported_files_is_explained() -> None:
    notes = {note for fields in RULES.values() for file in exported(fields).files for note in file.notes.values()}
    assert notes == set(NOTES)
