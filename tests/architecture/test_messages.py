"""Both languages are complete, and the compiled catalogues are those of the sources."""

from __future__ import annotations

from pathlib import Path

import polib
import pytest

from tests.architecture.source import ROOT
from tools.messages import flaws, problems, sentences_in

CATALOGUES = sorted((ROOT / "locale").glob("*/*/LC_MESSAGES/*.po"))


def test_every_sentence_of_the_source_has_its_translation() -> None:
    assert problems() == []


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: "-".join(path.parts[-4:]))
def test_catalogue_is_compiled_and_has_nothing_fuzzy_or_gone(path: Path) -> None:
    source, binary = polib.pofile(str(path)), polib.mofile(str(path.with_suffix(".mo")))
    assert [entry.msgid for entry in source if entry.fuzzy or entry.obsolete] == []
    assert not source.metadata_is_fuzzy
    assert {(e.msgctxt, e.msgid): e.msgstr or e.msgstr_plural for e in source} == {
        (e.msgctxt, e.msgid): e.msgstr or e.msgstr_plural for e in binary
    }


def test_marked_sentences_are_found_in_all_three_languages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.messages.ROOT", tmp_path)
    files = {
        "a.py": '_("one")\nngettext("a node", "%(n)d nodes", n)\npgettext("verb", "bind")\n',
        "b.html": '<p title="{% translate "two" %}">{% blocktranslate %}three {{ n }}{% endblocktranslate %}</p>',
        "c.js": 'toast(gettext("four"));',
    }
    found = set()
    for name, text in files.items():
        (tmp_path / name).write_text(text)
        found |= {(s.context, s.text, s.plural) for s in sentences_in(tmp_path / name)}
    assert found == {
        ("", "one", ""),
        ("", "a node", "%(n)d nodes"),
        ("verb", "bind", ""),
        ("", "two", ""),
        ("", "three %(n)s", ""),
        ("", "four", ""),
    }


@pytest.mark.parametrize(
    ("text", "translation", "flaw"),
    [
        ("%(n)d nodes", "个节点", "other %-places"),
        ("Yes, now", "好,现在", "half-width punctuation"),
        ("The Pod waits", "这个Pod在等", "no space"),
    ],
)
def test_flaws_of_translations_are_seen(text: str, translation: str, flaw: str) -> None:
    assert [flaw in found for found in flaws(polib.POEntry(msgid=text, msgstr=translation))] == [True]


def test_good_translation_has_no_flaws() -> None:
    assert flaws(polib.POEntry(msgid="Pod %(name)s needs %(n)d GPUs.", msgstr="Pod %(name)s 要 %(n)d 张卡。")) == []
