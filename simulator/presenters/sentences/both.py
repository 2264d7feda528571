"""A sentence, or a piece of one, in both languages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

ZH: Final = "zh-hans"
EN: Final = "en"
LANGUAGES: Final = (ZH, EN)


@dataclass(frozen=True, slots=True)
class Both:
    """The same in Chinese and English, with places for parameters: `{name}` or `{name:format}` (see `formats`)."""

    zh: str
    en: str

    def template(self, language: str) -> str:
        return self.zh if language == ZH else self.en


def unknown(code: str) -> Both:
    """Stands in for a code without a sentence, so that a page shows something."""
    return Both(code, code)
