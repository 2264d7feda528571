"""Texts in the course's two languages, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

LANGUAGES: Final = ("zh-hans", "en")


@dataclass(frozen=True, slots=True)
class Text:
    """One text in both languages (limited Markdown; pages sanitize it).

    A language not written yet is the empty string.
    """

    zh_hans: str = ""
    en: str = ""

    @classmethod
    def same(cls, text: str) -> Text:
        """A text that needs no translation: a name, a number, a line of code."""
        return cls(text, text)

    @classmethod
    def in_one(cls, language: str, text: str) -> Text:
        """A text written in one language only."""
        return cls(zh_hans=text) if language == "zh-hans" else cls(en=text)

    def written(self, language: str) -> str:
        """Exactly what was written in ``language``; may be empty."""
        return self.zh_hans if language == "zh-hans" else self.en

    def in_language(self, language: str) -> str:
        """What to show: the text in ``language``, or in the other one while the translation is missing."""
        return self.written(language) or self.zh_hans or self.en

    @property
    def missing(self) -> tuple[str, ...]:
        """The languages it is not written in."""
        return tuple(language for language in LANGUAGES if not self.written(language))

    def as_mapping(self) -> dict[str, str]:
        """``{"zh-hans": …, "en": …}`` with only the languages that are written."""
        return {language: self.written(language) for language in LANGUAGES if self.written(language)}


def is_chinese(text: str) -> bool:
    """True if ``text`` holds at least one Han character or Chinese punctuation mark."""
    return any(
        "\u3000" <= char <= "\u303f" or "\u4e00" <= char <= "\u9fff" or "\uff00" <= char <= "\uffef" for char in text
    )
