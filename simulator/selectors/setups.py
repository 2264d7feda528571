"""What a scenario's simulation starts from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simulator.engine.world.setup import Setup


def setup_of(spec: Mapping[str, Any]) -> Setup:
    """The setup a scenario's `spec` (docs/bundle.md) asks for: its first profile, its rules. Raises `ConfigError`."""
    profiles = spec.get("profiles") or ()
    rules = spec.get("rules") or {}
    known = {name: rules[name] for name in ("gates", "start", "tieRule") if name in rules}
    return Setup.from_mapping({"config": profiles[0].get("configuration") if profiles else None, **known})
