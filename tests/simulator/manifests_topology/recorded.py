"""Recorded texts of real machines, kept outside the repository; tests that need them skip when they are absent."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[3]
SHARED = Path(os.environ.get("SHARED_DIR") or _ROOT.parent / "shared")
TOPO = SHARED / "data" / "topo"


def expectations() -> list[dict[str, Any]]:
    """What a reader must conclude, one object per file; [] without the recorded texts."""
    path = TOPO / "EXPECTED.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []


def recorded_bytes(file: str) -> bytes:
    return (TOPO / file).read_bytes()
