"""Parsers of Markdown in several threads at once, from the first text on."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from markdown_it import MarkdownIt

from lessons.manifests.markdown import lesson_parser, text_parser
from simulator.presenters import markdown as scenario_texts

THREADS, ROUNDS = 4, 60
TEXT = "A *b* `c`\n\n- d\n- e\n\n> f\n"


def scenario_parser() -> MarkdownIt:
    return importlib.reload(scenario_texts)._parser


@pytest.fixture(autouse=True)
def _in_a_hurry() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.parametrize("make", [lesson_parser, text_parser, scenario_parser])
def test_first_text_of_each_thread_is_whole(make: Callable[[], MarkdownIt]) -> None:
    whole = make().render(TEXT)
    assert whole.count("<li>") == 2
    together = Barrier(THREADS)
    for _ in range(ROUNDS):
        parser = make()

        def first(parser: MarkdownIt = parser) -> str:
            together.wait()
            return parser.render(TEXT)

        with ThreadPoolExecutor(THREADS) as pool:
            assert {made.result() for made in [pool.submit(first) for _ in range(THREADS)]} == {whole}
