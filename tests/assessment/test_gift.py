from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.assessment.gift.exporting import export_gift
from lessons.assessment.gift.importing import MAX_LENGTH, GiftImport, import_gift
from lessons.assessment.gift.markup import escape_markdown
from lessons.assessment.gift.notes import Effect
from lessons.assessment.gift.syntax import escape, hold, release
from lessons.assessment.learner_view import grade
from lessons.assessment.localized import Text
from lessons.assessment.problems import Invalid
from lessons.assessment.question import Question, read_question
from tests.assessment.samples import source


def one(text: str) -> Question:
    read = import_gift(text, "en")
    assert read.skipped == ()
    (question,) = read.questions
    return question


def codes(read: GiftImport) -> list[tuple[str, str, int]]:
    return [(note.effect.value, note.problem.code, note.line) for note in read.notes]


def score(question: Question, response: dict[str, Any]) -> Fraction:
    return grade(question.variant(1), response).score


def test_multiple_choice_with_feedback_and_explanation() -> None:
    question = one(
        "::Stage::Which stage drops nodes?{\n  =Filter # right\n  ~Score#it ranks\n  ~%50%PreFilter\n"
        "  ####Filter is the hard sieve.\n}"
    )
    assert (question.id, question.type, question.stem.en) == ("stage", "choice", "Which stage drops nodes?")
    assert question.title == Text(en="Stage")
    assert question.explanation == Text(en="Filter is the hard sieve.")
    options = {o.text.en: (o.weight, o.feedback.en if o.feedback else "") for o in question.variant(1).content.options}
    assert options == {"Filter": (1, "right"), "Score": (0, "it ranks"), "PreFilter": (Fraction(1, 2), "")}


def test_missing_word() -> None:
    question = one("The {~first =second} stage sorts.")
    assert question.type == "choice"
    assert question.stem.en == "The _____ stage sorts."


def test_several_answers_with_weights() -> None:
    question = one("Which two?{~%50%Filter ~%50%Score ~%-50%kubelet ~other}")
    assert question.type == "multiple"
    assert score(question, {"choices": ["a", "b"]}) == 1
    assert score(question, {"choices": ["a", "c"]}) == 0


@pytest.mark.parametrize(("written", "right"), [("T", "true"), ("TRUE", "true"), ("F", "false"), ("FALSE", "false")])
def test_true_false(written: str, right: str) -> None:
    question = one(f"Preemption moves Pods.{{{written}#you missed it#well seen}}")
    told = {o.id: (o.correct, o.feedback.en if o.feedback else "") for o in question.variant(1).content.options}
    wrong = "false" if right == "true" else "true"
    assert told == {right: (True, "well seen"), wrong: (False, "you missed it")}


def test_short_answer() -> None:
    question = one("Which resource?{=nvidia.com/gpu =%50%gpu#the full name =%0%*#no}")
    assert question.type == "cloze"
    assert score(question, {"blanks": {"answer": "NVIDIA.com/gpu"}}) == 1
    assert score(question, {"blanks": {"answer": "GPU"}}) == Fraction(1, 2)
    (part,) = grade(question.variant(1), {"blanks": {"answer": "cpu"}}).parts
    assert part.feedback == Text(en="no")


def test_short_answer_in_the_middle_of_a_sentence() -> None:
    question = one("Two plus two equals {=four =4}.")
    assert question.variant(1).content.text.en == "Two plus two equals [[answer]]."
    assert score(question, {"blanks": {"answer": "4"}}) == 1


@pytest.mark.parametrize(
    ("answers", "scores"),
    [
        ("#1822", {"1822": 1, "1821": 0}),
        ("#1822:5", {"1827": 1, "1828": 0}),
        ("#3.141..3.142", {"3.1415": 1, "3.15": 0}),
        ("#=1822:0 =%50%1822:2#close ~#no", {"1822": 1, "1824": Fraction(1, 2), "1900": 0}),
        ("#-5:0.5", {"-4.5": 1, "5": 0}),
    ],
)
def test_numerical(answers: str, scores: dict[str, Any]) -> None:
    question = one(f"How many?{{{answers}}}")
    assert {written: score(question, {"value": written}) for written in scores} == scores


def test_numerical_feedback_for_all_other_numbers() -> None:
    (part,) = grade(one("How many?{#3:2~#Completely wrong}").variant(1), {"value": "99"}).parts
    assert part.feedback == Text(en="Completely wrong")


def test_matching_with_a_right_side_too_many() -> None:
    question = one("Match.{=Filter -> drops =Score -> ranks = -> bills}")
    content = question.variant(1).content
    assert {left.text.en for left in content.targets} == {"Filter", "Score"}
    assert {right.text.en for right in content.values} == {"drops", "ranks", "bills"}


def test_pairs_have_neither_weights_nor_feedback() -> None:
    content = one("Match.{=%50%load -> half#way =idle -> none}").variant(1).content
    assert {left.text.en for left in content.targets} == {"%50%load", "idle"}
    assert {right.text.en for right in content.values} == {"half#way", "none"}


def test_essay_and_description() -> None:
    read = import_gift("Why gangs?{####Think of deadlock.}\n\nJust a text.", "en")
    (question,) = read.questions
    assert (question.type, question.explanation) == ("short-text", Text(en="Think of deadlock."))
    assert codes(read) == [("changed", "gift.essay_needs_rubric", 1), ("skipped", "gift.description_dropped", 3)]


def test_escapes() -> None:
    question = one(r"Which equals 5? \{ here \: \# \~ \}{~ \= 2 + 2 = \= 2 + 3\nnext = C:\\dir}")
    assert question.stem.en == "Which equals 5? { here : # ~ }"
    assert {o.text.en for o in question.variant(1).content.options} == {"= 2 + 2", "= 2 + 3\nnext", r"C:\\dir"}


def test_formats() -> None:
    question = one(
        "[html]Is <b>Filter</b> a <code>*sieve*</code>?<br>Say &lt;so&gt;.{=[plain]a*b ~[markdown]**no** ~<i>maybe</i>}"
    )
    assert question.stem.en == "Is **Filter** a `*sieve*`?\nSay \\<so\\>."
    assert {o.text.en for o in question.variant(1).content.options} == {"a\\*b", "**no**", "*maybe*"}


def test_dropped_markup_is_reported() -> None:
    read = import_gift('[html]Look <img src="x" alt="here"> <script>alert(1)</script><a href="y">link</a>{T}', "en")
    (question,) = read.questions
    assert question.stem.en == "Look here link"
    assert {code for _, code, _ in codes(read)} == {"gift.image_dropped", "gift.markup_dropped", "gift.link_dropped"}


def test_comments_categories_ids_and_tags() -> None:
    read = import_gift(
        "// a heading\n$CATEGORY: $course$/gang\n\n// question: 7 [id:gang-1] [tag:C5.1] [tag:gang]"
        " [tag:beginner] [tag:Old Stuff]\n"
        "// another comment\nOne?{T}\n\n$CATEGORY: queue\nTwo?{F}\n",
        "en",
    )
    first, second = read.questions
    assert (first.id, first.category, first.facts, first.topics, first.level) == (
        "gang-1", "$course$/gang", ("C5.1",), ("gang",), "beginner",
    )  # fmt: skip
    assert (second.id, second.category) == ("gift-2", "queue")
    assert [(n.problem.code, n.problem.params) for n in read.notes] == [("gift.tag_dropped", {"tag": "Old Stuff"})]


def test_repeated_names_get_ids_of_their_own() -> None:
    read = import_gift("::Same::One?{T}\n\n::Same::Two?{T}\n\n// [id:same]\nThree?{T}", "en")
    assert [question.id for question in read.questions] == ["same", "same-2", "same-3"]
    assert codes(read) == [("changed", "gift.id_changed", 6)]


def test_chinese_file() -> None:
    read = import_gift("::抢占::谁会被驱逐？{=低优先级 Pod#对。 ~高优先级 Pod}", "zh-hans")
    (question,) = read.questions
    assert (question.id, question.stem, question.title) == ("gift-1", Text("谁会被驱逐？"), Text("抢占"))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Open?{=a ~b", "gift.brace_unbalanced"),
        ("Close?}", "gift.brace_unbalanced"),
        ("Two?{T} and {F}", "gift.brace_unbalanced"),
        ("Nested?{=a{b} ~c}", "gift.brace_unbalanced"),
        ("One?{~a}", "gift.too_few_answers"),
        ("None?{~a ~b}", "gift.no_right_answer"),
        ("Number?{#x}", "gift.not_a_number"),
        ("Number?{#1e999999999}", "gift.not_a_number"),
        ("Empty?{#}", "gift.no_right_answer"),
        ("{T}", "gift.empty_question"),
        ("Pairs?{=a -> b =c}", "gift.pair_without_arrow"),
        ("Many?{" + "~x " * 40 + "=y}", "gift.too_many_answers"),
        ("Low?{~%30%a ~%30%b}", "gift.question_invalid"),
        ("x" * 9000 + "{T}", "gift.question_invalid"),
    ],
)
def test_bad_questions_are_skipped_with_line_and_reason_and_do_not_stop_the_others(text: str, code: str) -> None:
    read = import_gift(f"First?{{T}}\n\n{text}\n\nLast?{{F}}", "en")
    assert [question.stem.en for question in read.questions] == ["First?", "Last?"]
    assert ("skipped", code, 3) in codes(read)


def test_weights_beyond_a_hundred_are_cut_and_reported() -> None:
    read = import_gift("Which?{~%150%a ~%-999%b}", "en")
    assert len(read.questions) == 1
    assert [effect for effect, _, _ in codes(read)] == ["changed", "changed"]


def test_too_large_a_file_is_refused() -> None:
    with pytest.raises(Invalid):
        import_gift("x" * (MAX_LENGTH + 1), "en")


def test_too_many_questions_stop_with_a_note() -> None:
    read = import_gift("Q?{T}\n\n" * 1001, "en")
    assert len(read.questions) == 1000
    assert codes(read)[-1][:2] == ("skipped", "gift.too_many_questions")


def test_windows_line_ends_byte_order_mark_and_control_characters() -> None:
    read = import_gift("\ufeff// c\r\nOne\x07?{\r\n=a\r\n~b\r\n}\r\n", "en")
    (question,) = read.questions
    assert question.stem.en == "One?"
    assert codes(read) == [("dropped", "gift.control_character_dropped", 2)]


@given(st.text(alphabet="ab {}=~#%:->[]/$\\n\n.0123456789TF\ue003\x00", max_size=120))
@settings(max_examples=150)
def test_any_text_is_read_or_reported(text: str) -> None:
    read = import_gift(text, "en")
    lines = text.count("\n") + 1
    assert all(1 <= note.line <= lines for note in read.notes)
    assert len({question.id for question in read.questions}) == len(read.questions)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Co"]), max_size=60))
def test_escaping_is_undone_by_reading(text: str) -> None:
    assert release(hold(escape(text))) == text


def test_markdown_escaping_keeps_names_readable() -> None:
    assert escape_markdown("gpu_lab *x* [y](z) <b>\n# h\n1. a") == "gpu_lab \\*x\\* \\[y\\](z) \\<b\\>\n\\# h\n1\\. a"


def test_what_gift_cannot_carry_is_reported() -> None:
    exported = export_gift(
        [read_question(source("ordering")), read_question(source("numeric")), read_question(source("multiple"))], "en"
    )
    assert [(n.effect, n.problem.params.get("detail", "")) for n in exported.notes] == [
        (Effect.SKIPPED, ""),
        (Effect.DROPPED, "units"),
        (Effect.DROPPED, "credit"),
    ]


WORDS = st.text(alphabet=st.sampled_from(list("ab 抢占。{}=~#%:->[]_*`/\\.1")), min_size=1, max_size=20).filter(
    lambda text: text.strip() == text and text
)
SHARES = st.sampled_from([0, 0.5, 0.25, "0.333"])


def text(written: str) -> dict[str, str]:
    return {"zh-hans": written}


def option(written: str, feedback: str | None, **more: Any) -> dict[str, Any]:
    return {"text": text(written), **({"feedback": text(feedback)} if feedback else {}), **more}


@st.composite
def questions(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from(["choice", "multiple", "numeric", "matching", "cloze"]))
    made: dict[str, Any] = {"id": "q-1", "type": kind, "stem": text(draw(WORDS))}
    if draw(st.booleans()):
        made |= {"explanation": text(draw(WORDS)), "title": text(draw(WORDS)), "topics": ["gang"], "facts": ["C5.1"]}
    feedback = st.none() | WORDS
    if kind == "choice":
        rest = [option(draw(WORDS), draw(feedback), weight=draw(SHARES)) for _ in range(draw(st.integers(1, 3)))]
        made["options"] = [option(draw(WORDS), draw(feedback), correct=True), *rest]
    elif kind == "multiple":
        weights = draw(st.sampled_from([(0.5, 0.5, -0.5), (1, -1), (0.25, 0.75, 0, -0.25)]))
        made |= {"credit": "weights", "options": [option(draw(WORDS), draw(feedback), weight=w) for w in weights]}
    elif kind == "numeric":
        made["answers"] = [
            {"value": draw(st.integers(-99, 99)), "tolerance": {"absolute": draw(st.sampled_from([0, "0.5"]))}}
        ]
        if draw(st.booleans()):
            made["answers"].append({"from": 100, "to": "200.5", "credit": 0.5, "feedback": text(draw(WORDS))})
            made["otherwise"] = text(draw(WORDS))
    elif kind == "matching":
        rights = draw(st.lists(WORDS, min_size=3, max_size=3, unique=True))
        made["pairs"] = [{"left": text(draw(WORDS)), "right": text(right)} for right in rights[:2]]
        made["distractors"] = [text(rights[2])]
    else:
        made |= {
            "text": "[[answer]]",
            "blanks": [{"id": "answer", "accept": [draw(WORDS.filter(lambda w: "[" not in w))]}],
        }
    return made


@given(questions())
@settings(max_examples=200)
def test_export_and_import_give_the_same_content(made: dict[str, Any]) -> None:
    try:
        original = read_question(made)
    except Invalid:
        return
    exported = export_gift([original], "zh-hans")
    if exported.notes:
        assert original.type == "cloze"
        assert "->" in str(made["blanks"])
        return
    read = import_gift(exported.text, "zh-hans")
    assert [note.problem for note in read.notes] == []
    (again,) = read.questions
    for name in ("id", "type", "stem", "title", "explanation", "topics", "facts"):
        assert getattr(again, name) == getattr(original, name)
    first, second = original.variant(3, drawn_as="x").content, again.variant(3, drawn_as="x").content
    assert first == second
