"""Bring locale/ up to date with the sentences in the source: `make messages`.

Python, templates and JavaScript are read for marked sentences; each part of the site has its own catalogues
(locale/<part>/zh_Hans/LC_MESSAGES/django.po and djangojs.po), so that people working on different parts do not meet in
one file. English needs none: the sentences in the source are English. New sentences are added with an empty
translation, gone ones are removed, the .mo files are compiled, and what is still to be translated is listed.

`--check` changes nothing and fails when something is to be done. GNU gettext is not needed.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gpuschedlab.settings.testing")

import polib
from babel.messages.extract import extract
from django.utils.translation.template import templatize

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
LOCALE = "zh_Hans"
LESSONS_JS = {"lesson", "quiz", "live"}
SITE_JS = {"lib", "materials", "page.js"}
KEYWORDS = {
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "_": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
HEADER = {"MIME-Version": "1.0", "Content-Type": "text/plain; charset=utf-8", "Content-Transfer-Encoding": "8bit"}


@dataclass(frozen=True, slots=True, order=True)
class Sentence:
    """A marked sentence: where it stands, its context, its singular and its plural form ("" for none)."""

    source: str
    context: str
    text: str
    plural: str

    @property
    def key(self) -> tuple[str, str]:
        return self.context, self.text


def source_files() -> Iterator[tuple[str, str, Path]]:
    """(part, domain, path) of every file that may hold marked sentences."""
    for part, package in (("site", "gpuschedlab"), ("simulator", "simulator"), ("lessons", "lessons")):
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts:
                yield part, "django", path
    for path in sorted((ROOT / "templates").rglob("*.html")):
        folder = path.relative_to(ROOT / "templates").parts[0]
        yield folder if folder in {"simulator", "lessons"} else "site", "django", path
    for path in sorted((ROOT / "static" / "js").rglob("*.js")):
        folder = path.relative_to(ROOT / "static" / "js").parts[0]
        yield "site" if folder in SITE_JS else "lessons" if folder in LESSONS_JS else "simulator", "djangojs", path


def sentences_in(path: Path) -> Iterator[Sentence]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".html":
        lines = templatize(text, origin=str(path)).splitlines()
        text = "\n".join(line.strip() for line in lines)  # what is left reads as Python, but for its indentation
    method = "javascript" if path.suffix == ".js" else "python"
    found = extract(method, io.BytesIO(text.encode()), keywords=KEYWORDS, options={"encoding": "utf-8"})
    source = path.relative_to(ROOT).as_posix()
    for _line, message, _comments, context in found:
        forms = message if isinstance(message, tuple) else (message, "")
        yield Sentence(source, context or "", forms[0], forms[1] if len(forms) > 1 else "")


def wanted_sentences() -> dict[tuple[str, str], list[Sentence]]:
    """(part, domain) -> its sentences, each once (at its first place), sorted by place."""
    found: dict[tuple[str, str], dict[tuple[str, str], Sentence]] = {}
    for part, domain, path in source_files():
        known = found.setdefault((part, domain), {})
        for sentence in sentences_in(path):
            if sentence.text and (sentence.key not in known or sentence.plural):
                known[sentence.key] = sentence
    return {key: sorted(known.values()) for key, known in found.items()}


def catalogue_path(part: str, domain: str) -> Path:
    return ROOT / "locale" / part / LOCALE / "LC_MESSAGES" / f"{domain}.po"


def updated_catalogue(part: str, domain: str, sentences: list[Sentence]) -> polib.POFile:
    """The catalogue as it should be: these sentences in this order, with the translations there are."""
    path = catalogue_path(part, domain)
    known = {(entry.msgctxt or "", entry.msgid): entry for entry in polib.pofile(str(path))} if path.exists() else {}
    fresh = polib.POFile(wrapwidth=118)
    fresh.metadata = {**HEADER, "Language": LOCALE, "Plural-Forms": "nplurals=1; plural=0;"}
    for sentence in sentences:
        old = known.get(sentence.key)
        entry = polib.POEntry(
            msgctxt=sentence.context or None, msgid=sentence.text, occurrences=[(sentence.source, "")], flags=[]
        )
        if sentence.plural:
            entry.msgid_plural = sentence.plural
            entry.msgstr_plural = {0: (old.msgstr_plural.get(0, "") if old else "")}
        else:
            entry.msgstr = old.msgstr if old else ""
        if "%(" in sentence.text:
            entry.flags.append("python-format" if domain == "django" else "javascript-format")
        fresh.append(entry)
    return fresh


def is_translated(entry: polib.POEntry) -> bool:
    return all(entry.msgstr_plural.values()) if entry.msgid_plural else bool(entry.msgstr)


def compiled(catalogue: polib.POFile) -> bytes:
    return bytes(catalogue.to_binary())


def problems() -> list[str]:
    """What `make messages` or a translator still has to do, one line each."""
    found = []
    for (part, domain), sentences in sorted(wanted_sentences().items()):
        fresh = updated_catalogue(part, domain, sentences)
        path = catalogue_path(part, domain)
        name = path.relative_to(ROOT).as_posix()
        if not fresh and not path.exists():
            continue
        if not path.exists() or path.read_text(encoding="utf-8") != str(fresh) + "\n":
            found.append(f"{name}: not up to date with the source (make messages)")
        binary = path.with_suffix(".mo")
        if not binary.exists() or binary.read_bytes() != compiled(fresh):
            found.append(f"{name}: its .mo file is not compiled from it (make messages)")
        found += [f"{name}: no translation of {entry.msgid!r}" for entry in fresh if not is_translated(entry)]
        found += [f"{name}: {flaw}" for entry in fresh for flaw in flaws(entry)]
    return found


CJK = r"[\u3400-\u9fff]"
PLACE = re.compile(r"%\(\w+\)[sd]|%[sd]")


def flaws(entry: polib.POEntry) -> list[str]:
    """What is wrong with a translation: missing places, half-width punctuation, no space beside Latin letters."""
    translations = list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]
    found = []
    for text in filter(None, translations):
        if set(PLACE.findall(text)) != set(PLACE.findall(entry.msgid_plural or entry.msgid)):
            found.append(f"other %-places than the source: {text!r}")
        plain = re.sub(r"<[^>]*>", "", text)
        if re.search(rf"{CJK}[,;:?!]|[,;:?!]{CJK}", plain):
            found.append(f"half-width punctuation beside Chinese: {text!r}")
        if re.search(rf"{CJK}[A-Za-z0-9]|[A-Za-z0-9]{CJK}", PLACE.sub("x", plain)):
            found.append(f"no space between Chinese and Latin letters or digits: {text!r}")
    return found


def write() -> None:
    for (part, domain), sentences in wanted_sentences().items():
        fresh = updated_catalogue(part, domain, sentences)
        path = catalogue_path(part, domain)
        if not fresh and not path.exists():
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(str(fresh) + "\n", encoding="utf-8")
        path.with_suffix(".mo").write_bytes(compiled(fresh))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; fail when something is to be done")
    if not parser.parse_args().check:
        write()
    remaining = problems()
    for line in remaining:
        print(line)
    print(f"{len(remaining)} to do" if remaining else "every sentence has its translation")
    return 1 if remaining else 0


if __name__ == "__main__":
    sys.exit(main())
