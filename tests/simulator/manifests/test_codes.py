"""The table of codes is what the readers say."""

from __future__ import annotations

import re
from pathlib import Path

import simulator.manifests
from simulator.manifests.codes import ASSUMPTION_CODES, ERROR_CODES, WARNING_CODES

PACKAGE = Path(simulator.manifests.__file__).parent
CODE = re.compile(
    r'"((?:text|limits|notices|yaml|json|key|merge|value|object|describe|labels|dump|assumed|bundle|schema)\.[a-z_0-9]+)"'
)


def _said() -> set[str]:
    files = [*PACKAGE.glob("*.py"), *(PACKAGE / "describe").glob("*.py")]
    return {
        code for path in files if path.name != "codes.py" for code in CODE.findall(path.read_text(encoding="utf-8"))
    }


def test_every_code_is_in_the_table_and_every_entry_is_said() -> None:
    assert _said() == {*ERROR_CODES, *WARNING_CODES, *ASSUMPTION_CODES}


def test_a_code_stands_in_one_table() -> None:
    assert len({*ERROR_CODES, *WARNING_CODES, *ASSUMPTION_CODES}) == len(ERROR_CODES) + len(WARNING_CODES) + len(
        ASSUMPTION_CODES
    )
