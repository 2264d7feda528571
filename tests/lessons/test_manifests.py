"""Reading lessons and the glossary: every fault with its file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from lessons.manifests.faults import Fault, Faulty
from lessons.manifests.glossary_file import read_glossary
from lessons.manifests.lesson_folder import read_lesson_folder
from lessons.manifests.lesson_text import read_lesson_text
from lessons.manifests.quiz_file import read_quiz_file
from lessons.presenters.problems import fault_sentence
from tests.factories.lessons import lesson_source

GOOD = lesson_source()["en"]


def faults_of(text: str) -> list[Fault]:
    with pytest.raises(Faulty) as caught:
        read_lesson_text(text, "l/en.md")
    return list(caught.value.faults)


def test_good_lesson_is_read() -> None:
    lesson = read_lesson_text(GOOD, "l/en.md")
    assert [section.id for section in lesson.sections] == ["first", "second"]
    assert [piece.kind for piece in lesson.sections[0].pieces] == ["prose", "key", "check"]
    assert lesson.outline() == {
        "sections": ["first", "second"],
        "scenes": ["see-it"],
        "checks": ["sample-choice"],
    }
    assert lesson.front["minutes"] == 15
    assert lesson.pieces("scene")[0].data["start"] == {"cycle": 1, "pod": None, "point": None}


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ("---\nsection", "section", "lesson.no_front_matter", 1),
        ("minutes: 15", "minutes: soon", "value.not_number", 4),
        ("goal:", "gaol:", "field.unknown", 2),
        ("facts: [C2.1]", "facts: [X]", "value.bad_name", 6),
        ("## First {#first}", "## First", "lesson.heading_without_id", 15),
        ("## First {#first}", "#### First {#first}", "lesson.heading_level", 15),
        ("{#second}", "{#first}", "lesson.repeated_id", 27),
        ("::: key", "::: kee", "lesson.unknown_box", 19),
        ("A gang is", "A [gang](https://example.org) is", "lesson.bad_link", 17),
        ("- sample-choice", "sample-choice", "value.not_list", 24),
        ("scenario: free-lab", "scenario: Free Lab", "value.bad_name", 35),
        ("caption: Look at the nodes.\n", "", "field.missing", 34),
        ("expect: One node stays.", "expect: One\npredict: future", "value.not_one_of", 38),
        ("id: see-it", "id: see-it\nstart: {point: middle}", "value.not_one_of", 35),
        ("id: see-it", "id: [", "yaml.", 36),
    ],
)
def test_fault_is_told_with_its_line(old: str, new: str, code: str, line: int) -> None:
    assert old in GOOD
    faults = faults_of(GOOD.replace(old, new, 1))
    told = [(str(fault.params.get("code", fault.code)), fault.line) for fault in faults]
    assert any(name.startswith(code) and at == line for name, at in told), told
    assert all("%(" not in fault_sentence(fault) for fault in faults)


def test_all_faults_are_told_at_once() -> None:
    wrong = GOOD.replace("minutes: 15", "minutes: -1").replace("::: key", "::: kee").replace("{#second}", "")
    assert len(faults_of(wrong)) >= 3


def test_box_that_is_not_closed_is_told() -> None:
    text = GOOD.rstrip().removesuffix(":::")
    assert {fault.code for fault in faults_of(text)} == {"lesson.box_not_closed"}


def test_box_within_a_box_is_told() -> None:
    text = GOOD.replace("The **key** idea.", ":::: say\nInside.\n::::")
    assert any(
        fault.code == "lesson.box_in_box"
        for fault in faults_of(text.replace("::: key", "::::: key").replace("::::\n:::", "::::\n:::::"))
    )


def test_second_key_idea_of_a_section_is_told() -> None:
    assert any(
        fault.code == "lesson.two_keys"
        for fault in faults_of(GOOD.replace("::: check", "::: key\nAgain.\n:::\n\n::: check"))
    )


def test_html_is_text(tmp_path: Path) -> None:
    lesson = read_lesson_text(GOOD.replace("A gang is", "<b>A gang</b> is"), "l/en.md")
    assert not any(
        token.type.startswith("html") for section in lesson.sections for p in section.pieces for token in p.tokens
    )


def write(folder: Path, texts: dict[str, str]) -> Path:
    folder.mkdir()
    for language, text in texts.items():
        (folder / f"{language}.md").write_text(text, encoding="utf-8")
    return folder


def test_folder_needs_both_languages(tmp_path: Path) -> None:
    folder = write(tmp_path / "l", {"en": GOOD})
    with pytest.raises(Faulty) as caught:
        read_lesson_folder(folder)
    assert [fault.code for fault in caught.value.faults] == ["lesson.no_file"]


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("minutes: 15", "minutes: 14", "minutes"),
        ("{#second}", "{#other}", "sections"),
        ("- sample-choice", "- another", "boxes"),
        ("::: key\nThe **key** idea.\n:::\n", "", "boxes"),
        ("scenario: free-lab", "scenario: other", "scenes"),
        ("A gang is", "### More\n\nA gang is", "subheadings"),
    ],
)
def test_languages_are_compared(tmp_path: Path, old: str, new: str, what: str) -> None:
    texts = lesson_source()
    folder = write(tmp_path / "l", {**texts, "en": texts["en"].replace(old, new, 1)})
    with pytest.raises(Faulty) as caught:
        read_lesson_folder(folder)
    assert what in [fault.params["what"] for fault in caught.value.faults]


def test_same_folder_has_the_same_digest(tmp_path: Path) -> None:
    first = read_lesson_folder(write(tmp_path / "a", lesson_source()))
    second = read_lesson_folder(write(tmp_path / "b", lesson_source()))
    assert first.digest == second.digest


GLOSSARY = """terms:
- id: gang
  zh: 整组调度
  en: gang scheduling
  aliases: [gang]
  text: {zh-hans: 一。二。, en: One. Two.}
"""


def test_glossary_is_read() -> None:
    (term,) = read_glossary(GLOSSARY, "glossary.yaml")
    assert term.names == ("整组调度", "gang scheduling", "gang")


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ("- {id: other, zh: 别的, en: Gang, text: {zh-hans: 一, en: One}}", "glossary.name_twice"),
        ("- {id: gang, zh: 别的, en: other, text: {zh-hans: 一, en: One}}", "value.repeated"),
        ("- {id: other, zh: 别的, en: other, text: {en: One}}", "field.missing"),
        ("- {id: other, zh: 别的}", "field.missing"),
    ],
)
def test_fault_of_the_glossary_is_told(more: str, code: str) -> None:
    with pytest.raises(Faulty) as caught:
        read_glossary(GLOSSARY + more + "\n", "glossary.yaml")
    assert code in [str(fault.params.get("code", fault.code)) for fault in caught.value.faults]


def test_fault_of_a_quiz_is_told_with_its_line() -> None:
    head = "id: q\ntitle: {zh-hans: 题, en: Quiz}\nquestions:\n"
    text = f"{head}- id: one\n  type: choice\n  stem: {{en: What?}}\n  options: []\n"
    with pytest.raises(Faulty) as caught:
        read_quiz_file(text, "q.yaml")
    assert (caught.value.faults[0].file, caught.value.faults[0].line) == ("q.yaml", 7)


@pytest.mark.parametrize("text", ["", "a: [", "&a [*a]", "!!python/object:os.system x", "x" * 2_000_000])
def test_hostile_yaml_is_refused(text: str) -> None:
    with pytest.raises(Faulty):
        read_quiz_file(text, "q.yaml")
