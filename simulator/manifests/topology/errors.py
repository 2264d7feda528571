"""What makes a topology text unreadable: a code with parameters, sentences are made by pages and commands."""

from __future__ import annotations

EMPTY = "topology.empty"
NOT_TEXT = "topology.not_text"
TOO_LARGE = "topology.too_large"
TOO_MANY_LINES = "topology.too_many_lines"
TOO_MANY_DEVICES = "topology.too_many_devices"
UNRECOGNISED = "topology.unrecognised"
NO_MATRIX = "topology.no_matrix"
NO_SWITCH = "topology.no_switch"


class TopologyError(ValueError):
    """The text holds nothing that a reader knows, or more than it accepts.

    `code` is one of the constants above; `params` are plain values: `limit` and `found` for the size limits,
    `line` (number, from 1) and `text` (its first characters) for UNRECOGNISED. NO_MATRIX is about a link status, or
    a machine with XGMI, where a device matrix is needed; NO_SWITCH about a link status for a machine without NVSwitch.
    """

    def __init__(self, code: str, **params: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.params = params

    def __str__(self) -> str:
        return f"{self.code} {self.params}" if self.params else self.code
