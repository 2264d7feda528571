"""The front matter of a bundle, as JSON Schema: the one description that validates, documents and helps editors.

A bundle is a YAML text that kubectl can read: its first document says what it is (`kind: Scenario` or `Lab` of
`gpuschedlab.io/v1alpha1`), the others are the objects of the cluster. docs/bundle.md explains every field.

Field names avoid what YAML 1.1 reads as booleans (no `y`, `on`, `off`): positions are `[x, y]`.
"""

from __future__ import annotations

from typing import Any, Final

from simulator.manifests.goal_kinds import GOAL_KINDS

API_VERSION: Final = "gpuschedlab.io/v1alpha1"
SCENARIO: Final = "Scenario"
LAB: Final = "Lab"
KINDS: Final = (SCENARIO, LAB)

LANGUAGES: Final = ("zh-hans", "en")
LEVELS: Final = ("beginner", "intermediate", "advanced")
PREDICTION_MODES: Final = ("none", "optional", "required")
PREDICTIONS: Final = ("feasibleNodes", "winner", "victims", "nextPod")

_SCHEDULER_CONFIGURATION: Final = "kubescheduler.config.k8s.io/v1"
_MAX_INT64: Final = 2**63 - 1

_NAME: Final = {"type": "string", "pattern": "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$"}
_TEXT: Final = {"type": "string", "minLength": 1, "maxLength": 253}


def _closed(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def _list_of(items: dict[str, Any], most: int) -> dict[str, Any]:
    return {"type": "array", "items": items, "maxItems": most}


def _localized(longest: int) -> dict[str, Any]:
    text = {"type": "string", "minLength": 1, "maxLength": longest}
    return {**_closed(dict.fromkeys(LANGUAGES, text)), "minProperties": 1}


_DEFINITIONS: Final[dict[str, Any]] = {
    "title": _localized(200),
    "text": _localized(20_000),
    "podSelector": {
        **_closed({"namespace": _TEXT, "name": _TEXT, "labels": {"type": "object"}}),
        "minProperties": 1,
        "description": "Pods by name or labels; the namespace is `default` if it is not given.",
    },
    "schedulerConfiguration": {
        "type": "object",
        "properties": {
            "apiVersion": {"const": _SCHEDULER_CONFIGURATION},
            "kind": {"const": "KubeSchedulerConfiguration"},
        },
        "required": ["apiVersion", "kind"],
        "description": "Read by the engine as kube-scheduler reads it.",
    },
    "command": {
        "type": "object",
        "properties": {"command": _TEXT},
        "required": ["command"],
        "description": "A command of the lab with its parameters; the engine knows which there are.",
    },
    "goal": {
        "type": "object",
        "properties": {"kind": {"enum": list(GOAL_KINDS)}},
        "required": ["kind"],
        "allOf": [
            {
                "if": {"properties": {"kind": {"const": kind}}, "required": ["kind"]},
                "then": _closed(
                    {"kind": {"const": kind}, "title": {"$ref": "#/$defs/title"}, **fields["properties"]},
                    *fields.get("required", ()),
                ),
            }
            for kind, fields in GOAL_KINDS.items()
        ],
    },
}

_SHARED_SPEC: Final[dict[str, Any]] = {
    "title": {"$ref": "#/$defs/title"},
    "profiles": _list_of(
        _closed(
            {
                "name": _NAME,
                "title": {"$ref": "#/$defs/title"},
                "system": _NAME,
                "configuration": {"$ref": "#/$defs/schedulerConfiguration"},
            },
            "name",
        ),
        8,
    ),
    "seed": {"type": "integer", "minimum": 0, "maximum": _MAX_INT64},
    "rules": {
        "type": "object",
        "properties": {"preset": _NAME},
        "description": "Driving rules of the engine.",
    },
    "positions": {
        "type": "object",
        "maxProperties": 10_000,
        "additionalProperties": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
        "description": "Where things are drawn: name to [x, y].",
    },
}

_SCENARIO_SPEC: Final[dict[str, Any]] = {
    **_SHARED_SPEC,
    "summary": {"$ref": "#/$defs/title"},
    "text": {"$ref": "#/$defs/text"},
    "level": {"enum": list(LEVELS)},
    "topics": {**_list_of(_NAME, 20), "uniqueItems": True},
    "minutes": {"type": "integer", "minimum": 1, "maximum": 600},
    "allowedCommands": {**_list_of(_TEXT, 50), "uniqueItems": True},
    "predictions": _closed(
        {
            "mode": {"enum": list(PREDICTION_MODES)},
            "gates": _list_of(_closed({"predict": {"enum": list(PREDICTIONS)}, "pod": _TEXT}, "predict"), 50),
        },
        "mode",
    ),
    "hints": _list_of({"$ref": "#/$defs/text"}, 20),
    "goals": _list_of({"$ref": "#/$defs/goal"}, 50),
    "solution": _list_of({"$ref": "#/$defs/command"}, 200),
}

_LAB_SPEC: Final[dict[str, Any]] = {
    **_SHARED_SPEC,
    "scenario": _closed({"name": _NAME, "revision": {"type": "integer", "minimum": 1}}, "name"),
    "engine": _TEXT,
    "digest": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    "commands": _list_of({"$ref": "#/$defs/command"}, 100_000),
    "replies": _list_of({"type": "object"}, 100_000),
}

_REQUIRED: Final = {SCENARIO: ("title", "level"), LAB: ()}
_SPECS: Final = {SCENARIO: _SCENARIO_SPEC, LAB: _LAB_SPEC}


def is_front_matter(value: Any) -> bool:
    """Tell whether a document is a bundle's first one."""
    return isinstance(value, dict) and value.get("apiVersion") == API_VERSION and value.get("kind") in KINDS


def front_matter_schema(kind: str) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a front matter of a kind, complete in itself: what an editor is given."""
    metadata = _closed({"name": _NAME, "labels": {"type": "object"}, "annotations": {"type": "object"}}, "name")
    properties = {
        "apiVersion": {"const": API_VERSION},
        "kind": {"const": kind},
        "metadata": metadata,
        "spec": _closed(_SPECS[kind], *_REQUIRED[kind]),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": kind,
        **_closed(properties, "apiVersion", "kind", "metadata", "spec"),
        "$defs": _DEFINITIONS,
    }
