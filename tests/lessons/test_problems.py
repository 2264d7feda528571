"""Every code of the readers has its sentence, with the code's own parameters."""

from __future__ import annotations

import re

import pytest
from django.utils.translation import override

from lessons.assessment import problems as assessment
from lessons.manifests import faults
from lessons.manifests.faults import Fault
from lessons.presenters.problems import SENTENCES, fault_sentence, problem_sentence

CODES = {**assessment.CODES, **{code: params for code, params in faults.CODES.items() if code != "file.problem"}}


def test_codes_and_sentences_are_the_same() -> None:
    assert set(SENTENCES) == set(CODES)


@pytest.mark.parametrize("code", sorted(CODES))
def test_sentence_uses_the_code_s_parameters_alone(code: str) -> None:
    with override("en"):
        places = set(re.findall(r"%\((\w+)\)s", str(SENTENCES[code])))
    assert places <= set(CODES[code])


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("code", sorted(CODES))
def test_sentence_is_whole(code: str, language: str) -> None:
    params = {name: ["a", "b"] if name in {"known", "allowed", "items"} else name for name in CODES[code]}
    with override(language):
        sentence = problem_sentence(code, params)
    assert "%(" not in sentence
    assert sentence.rstrip().endswith((".", "。"))


def test_unknown_code_of_another_reader_stands_for_itself() -> None:
    assert problem_sentence("yaml.tab", {"line": 3}) == "yaml.tab: line 3"


def test_fault_tells_its_place() -> None:
    fault = faults.problem("l/en.md", 3, "field.missing", {"field": "goal"}, "front")
    with override("en"):
        assert fault_sentence(fault) == "l/en.md:3: front: The field “goal” is missing. Add it."
        assert fault_sentence(Fault("l", 0, "lesson.two_keys")).startswith("l: ")


def test_unknown_fault_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown fault"):
        Fault("l", 1, "lesson.nothing")
