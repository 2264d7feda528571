"""What kubectl answered, node dumps of others (tests/golden), and what may lie beside the repository."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Final

_ROOT: Final = Path(__file__).resolve().parents[3]
KUBECTL: Final = _ROOT / "tests" / "golden" / "kubectl"
NODES: Final = _ROOT / "tests" / "golden" / "nodes"
SHARED: Final = Path(os.environ.get("SHARED_DIR", _ROOT.parent / "shared"))


def recorded(name: str) -> Any:
    return json.loads((KUBECTL / name).read_text(encoding="utf-8"))


def text(name: str) -> str:
    return (KUBECTL / name).read_text(encoding="utf-8")
