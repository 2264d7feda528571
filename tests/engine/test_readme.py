"""The examples of the engine's README are true."""

from __future__ import annotations

import doctest
from pathlib import Path

import simulator.engine


def test_readme_examples_run() -> None:
    readme = Path(simulator.engine.__file__).parent / "README.md"
    result = doctest.testfile(str(readme), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted > 40
    assert result.failed == 0
