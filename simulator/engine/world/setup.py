"""What a simulation starts from: scheduler configuration, feature gates, driving rules and the clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from simulator.engine.framework.config import SchedulerConfig, read_config
from simulator.engine.framework.gates import with_defaults
from simulator.engine.framework.plugin import Plugin
from simulator.engine.framework.registry import REGISTRY
from simulator.engine.framework.rules import BY_NAME, CLUSTER_ORDER, HEAP, Rules
from simulator.engine.framework.shape_check import ConfigError, Problem
from simulator.engine.objects.times import parse_time
from simulator.engine.user_rules.plugin import plugin_of
from simulator.engine.user_rules.rule import Rule, read_rules

EPOCH = "2026-01-01T00:00:00Z"
TIE_RULES = (CLUSTER_ORDER, BY_NAME, HEAP)


@dataclass(frozen=True, slots=True)
class Setup:
    """Plain values only, so that it can be stored. `config` is a KubeSchedulerConfiguration, None for the defaults.

    start      RFC 3339 time of the virtual clock at the beginning
    tie_rule   which of several equally good nodes is taken
    plugins    rules that learners wrote (`user_rules.rule`); a profile enables them by their names
    """

    config: Mapping[str, Any] | None = None
    gates: Mapping[str, bool] = field(default_factory=dict)
    start: str = EPOCH
    tie_rule: str = CLUSTER_ORDER
    plugins: Sequence[Mapping[str, Any]] = ()

    def to_mapping(self) -> dict[str, Any]:
        mapping: dict[str, Any] = {
            "config": self.config,
            "gates": dict(self.gates),
            "start": self.start,
            "tieRule": self.tie_rule,
        }
        if self.plugins:
            mapping["plugins"] = [dict(plugin) for plugin in self.plugins]
        return mapping

    @staticmethod
    def from_mapping(mapping: Mapping[str, Any]) -> Setup:
        """Raises `ConfigError` where a value cannot be used."""
        setup = Setup(
            mapping.get("config"),
            mapping.get("gates") or {},
            mapping.get("start") or EPOCH,
            mapping.get("tieRule") or CLUSTER_ORDER,
            mapping.get("plugins") or (),
        )
        setup.check()
        return setup

    def check(self) -> None:
        problems = []
        if self.tie_rule not in TIE_RULES:
            problems.append(Problem(("tieRule",), f"unknown tie rule {self.tie_rule}", "setup.tie_rule"))
        try:
            parse_time(self.start)
        except (ValueError, TypeError):
            problems.append(Problem(("start",), f"not a time: {self.start}", "setup.start", {"value": str(self.start)}))
        if problems:
            raise ConfigError(problems)
        self.read_gates()
        self.read_config()
        self.read_rules()

    def read_config(self) -> SchedulerConfig:
        return SchedulerConfig() if self.config is None else read_config(self.config)

    def read_gates(self) -> dict[str, bool]:
        try:
            if not isinstance(self.gates, Mapping) or not all(isinstance(on, bool) for on in self.gates.values()):
                raise ValueError("feature gates are a mapping of names to true or false")  # noqa: TRY301
            return with_defaults(self.gates)
        except ValueError as problem:
            raise ConfigError([Problem(("gates",), str(problem), "setup.gates", {"error": str(problem)})]) from problem

    def read_rules(self) -> tuple[Rule, ...]:
        return read_rules(self.plugins)

    def registry(self) -> Mapping[str, type[Plugin]]:
        """kube-scheduler's plugins and the learner's rules, by name."""
        return {**REGISTRY, **{rule.name: plugin_of(rule) for rule in self.read_rules()}}

    @property
    def rules(self) -> Rules:
        return Rules(self.tie_rule)

    @property
    def start_time(self) -> int:
        return parse_time(self.start)
