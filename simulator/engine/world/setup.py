"""What a simulation starts from: scheduler configuration, feature gates, driving rules and the clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from simulator.engine.framework.config import SchedulerConfig, read_config
from simulator.engine.framework.gates import with_defaults
from simulator.engine.framework.rules import BY_NAME, CLUSTER_ORDER, HEAP, Rules
from simulator.engine.framework.shape_check import ConfigError, Problem
from simulator.engine.objects.times import parse_time

EPOCH = "2026-01-01T00:00:00Z"
TIE_RULES = (CLUSTER_ORDER, BY_NAME, HEAP)


@dataclass(frozen=True, slots=True)
class Setup:
    """Plain values only, so that it can be stored. `config` is a KubeSchedulerConfiguration, None for the defaults.

    start      RFC 3339 time of the virtual clock at the beginning
    tie_rule   which of several equally good nodes is taken
    """

    config: Mapping[str, Any] | None = None
    gates: Mapping[str, bool] = field(default_factory=dict)
    start: str = EPOCH
    tie_rule: str = CLUSTER_ORDER

    def to_mapping(self) -> dict[str, Any]:
        return {
            "config": self.config,
            "gates": dict(self.gates),
            "start": self.start,
            "tieRule": self.tie_rule,
        }

    @staticmethod
    def from_mapping(mapping: Mapping[str, Any]) -> Setup:
        """Raises `ConfigError` where a value cannot be used."""
        setup = Setup(
            mapping.get("config"),
            mapping.get("gates") or {},
            mapping.get("start") or EPOCH,
            mapping.get("tieRule") or CLUSTER_ORDER,
        )
        setup.check()
        return setup

    def check(self) -> None:
        problems = []
        if self.tie_rule not in TIE_RULES:
            problems.append(Problem(("tieRule",), f"unknown tie rule {self.tie_rule}", "setup.tie_rule"))
        try:
            parse_time(self.start)
        except ValueError:
            problems.append(Problem(("start",), f"not a time: {self.start}", "setup.start", {"value": self.start}))
        if problems:
            raise ConfigError(problems)
        self.read_gates()
        self.read_config()

    def read_config(self) -> SchedulerConfig:
        return SchedulerConfig() if self.config is None else read_config(self.config)

    def read_gates(self) -> dict[str, bool]:
        try:
            return with_defaults(self.gates)
        except ValueError as problem:
            raise ConfigError([Problem(("gates",), str(problem), "setup.gates", {"error": str(problem)})]) from problem

    @property
    def rules(self) -> Rules:
        return Rules(self.tie_rule)

    @property
    def start_time(self) -> int:
        return parse_time(self.start)
