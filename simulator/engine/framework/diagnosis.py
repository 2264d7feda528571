"""Why nodes were rejected in one search, kept as arrays and told per node only when asked.

Source: kube-scheduler 1.36 `framework.Diagnosis`, `NodeToStatus`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from simulator.engine.cluster.columns import Ints
from simulator.engine.framework import messages
from simulator.engine.framework.status import Code, Codes, Reason, Status, Verdicts

PASSED = -1


@dataclass(slots=True)
class Findings:
    """First rejections of k rows by several plugins in order.

    layer  (k,) index into `layers` of the plugin that rejected the row first, -1 where it passed all
    codes  (k,) its code, 0 where the row passed
    bits   (k,) which of that layer's reasons apply
    """

    layers: list[tuple[str, tuple[Reason, ...]]]
    layer: Ints
    codes: Codes
    bits: Ints

    @staticmethod
    def start(count: int) -> Findings:
        return Findings([], np.full(count, PASSED, np.int64), np.zeros(count, np.int8), np.zeros(count, np.int64))

    def add(self, plugin: str, verdicts: Verdicts, positions: Ints | None = None) -> None:
        """Enter a plugin's verdicts for the rows at `positions` (all where None) that no earlier plugin rejected."""
        failed = np.flatnonzero(verdicts.codes)
        at = failed if positions is None else positions[failed]
        fresh = self.layer[at] == PASSED
        at, failed = at[fresh], failed[fresh]
        if len(at):
            self.layer[at] = len(self.layers)
            self.codes[at] = verdicts.codes[failed]
            self.bits[at] = verdicts.bits[failed]
        self.layers.append((plugin, tuple(verdicts.reasons)))

    def replace(self, positions: Ints, other: Findings) -> None:
        """Take over the findings of `other` for the rows at `positions`."""
        shifted = np.where(other.layer == PASSED, PASSED, other.layer + len(self.layers))
        self.layers.extend(other.layers)
        self.layer[positions] = shifted
        self.codes[positions] = other.codes
        self.bits[positions] = other.bits

    def keep_only(self, positions: Ints) -> None:
        """Let every other row count as passed."""
        others = np.ones(len(self.layer), dtype=np.bool_)
        others[positions] = False
        self.layer[others] = PASSED
        self.codes[others] = 0

    def take(self, positions: Ints) -> Findings:
        return Findings(list(self.layers), self.layer[positions], self.codes[positions], self.bits[positions])

    def status(self, position: int) -> Status:
        layer = int(self.layer[position])
        if layer == PASSED:
            return Status()
        plugin, reasons = self.layers[layer]
        bits = int(self.bits[position])
        chosen = tuple(reason for index, reason in enumerate(reasons) if bits >> index & 1)
        return Status(Code(int(self.codes[position])), chosen, plugin)

    def plugins(self, positions: Ints) -> list[str]:
        """Names of the plugins that rejected any of the rows at `positions`."""
        found = np.flatnonzero(np.bincount(self.layer[positions] - PASSED)) + PASSED
        return sorted({self.layers[index][0] for index in found.tolist() if index != PASSED})

    def count(self, positions: Ints) -> Counter[str]:
        """How often each reason text applies among the rows at `positions`."""
        counts: Counter[str] = Counter()
        layer, bits = self.layer[positions], self.bits[positions]
        for index, (_plugin, reasons) in enumerate(self.layers):
            chosen = layer == index
            if not chosen.any():
                continue
            own = bits[chosen]
            for bit, reason in enumerate(reasons):
                hits = int((own >> bit & 1).sum())
                if hits:
                    counts[messages.text(reason)] += hits
        return counts


@dataclass(slots=True)
class Diagnosis:
    """Why a Pod found no node.

    findings     by node row, for all rows of the cluster (rows not looked at count as passed)
    failed       rows with an explicit status, in visiting order
    absent       the status of every other row that is not feasible
    extra        explicit statuses that come from elsewhere (extenders), by row
    pre_filter   the PreFilter message that replaces the histogram
    plugins      names of everything that rejected the Pod, sorted
    """

    nodes: int
    findings: Findings
    failed: Ints
    absent: Status
    extra: dict[int, Status] = field(default_factory=dict)
    pre_filter: str = ""
    plugins: tuple[str, ...] = ()

    def status(self, row: int) -> Status:
        """The status of a row that did not fit."""
        if row in self.extra:
            return self.extra[row]
        explicit = self.findings.status(row)
        return self.absent if explicit.is_success else explicit

    def explicit(self) -> Iterator[tuple[int, Status]]:
        for row in self.failed.tolist():
            if row not in self.extra:
                yield row, self.findings.status(row)
        yield from self.extra.items()

    def rows_with_code(self, code: Code) -> Ints:
        """Rows whose status has exactly `code`, ascending."""
        explicit = np.zeros(self.nodes, dtype=np.int8)
        explicit[self.failed] = self.findings.codes[self.failed]
        for row, status in self.extra.items():
            explicit[row] = status.code
        if self.absent.code == code:
            explicit[explicit == 0] = code
        return np.flatnonzero(explicit == code)

    def message(self, post_filter: str = "") -> str:
        """kube's fit error for this diagnosis."""
        counts = {} if self.pre_filter else self._counts()
        return messages.fit_error(self.nodes, counts, pre_filter=self.pre_filter, post_filter=post_filter)

    def _counts(self) -> Mapping[str, int]:
        own = self.failed
        if self.extra:
            own = np.array([row for row in own.tolist() if row not in self.extra], dtype=np.int64)
        counts = self.findings.count(own)
        counts.update(messages.count_reasons(self.extra.values()))
        missing = self.nodes - len(own) - len(self.extra)
        if missing > 0:
            for reason in self.absent.reasons:
                counts[messages.text(reason)] += missing
        return counts
