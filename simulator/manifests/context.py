"""What the parts of one reading share."""

from __future__ import annotations

from dataclasses import dataclass

from simulator.manifests.limits import Budget
from simulator.manifests.remarks import ManifestError, Notice, Param, Path, Remarks
from simulator.manifests.source import Source


@dataclass(frozen=True, slots=True)
class Context:
    """The text, what may still be spent on it, and what there is to say about it so far."""

    source: Source
    budget: Budget
    remarks: Remarks

    def error(self, code: str, at: int, path: Path = (), **params: Param) -> None:
        """Report an error at an offset of the text."""
        self.remarks.error(ManifestError(code, params, *self.source.place(at), path))

    def notice(self, code: str, at: int, path: Path = (), **params: Param) -> None:
        """Report a warning or an assumption at an offset of the text."""
        self.remarks.notice(Notice(code, params, *self.source.place(at), path))
