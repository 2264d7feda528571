"""Every code a reader can tell, with the names of its parameters; presenters need a sentence for each.

`text` is somebody's text, shortened; `line` numbers count from 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ERROR_CODES: Final[Mapping[str, tuple[str, ...]]] = {
    # The text as a whole
    "text.too_large": ("size", "limit"),
    "text.not_utf8": ("byte",),
    "text.character": ("character",),
    "text.empty": (),
    "limits.documents": ("limit",),
    "limits.nodes": ("limit",),
    "limits.depth": ("limit",),
    "limits.time": ("seconds",),
    "limits.errors": ("limit",),
    # YAML
    "yaml.unexpected_colon": (),
    "yaml.missing_colon": (),
    "yaml.tab": (),
    "yaml.indentation": (),
    "yaml.unexpected_dash": (),
    "yaml.unclosed_quote": ("opened_line",),
    "yaml.unclosed_bracket": ("opened_line",),
    "yaml.missing_value": (),
    "yaml.missing_space": (),
    "yaml.after_value": (),
    "yaml.escape": (),
    "yaml.anchor_name": (),
    "yaml.block_header": (),
    "yaml.start_character": ("character",),
    "yaml.directive": (),
    "yaml.syntax": ("problem",),
    "yaml.tag": ("tag",),
    "yaml.tag_mismatch": ("tag", "word"),
    "yaml.not_a_number": ("word",),
    "yaml.alias_unknown": ("anchor",),
    "yaml.alias_recursive": ("anchor",),
    # JSON
    "json.unexpected": ("expected", "found"),
    "json.unclosed_string": (),
    "json.control_character": (),
    "json.escape": (),
    "json.number_range": (),
    # Mappings
    "key.duplicate": ("key", "first_line"),
    "key.not_text": (),
    "merge.not_mapping": (),
    # Objects
    "object.not_mapping": ("found",),
    "object.no_api_version": (),
    "object.no_kind": (),
    "object.metadata_not_mapping": (),
    # Texts that are no manifests
    "describe.other_kind": (),
    "labels.row": ("text",),
    # Bundles
    "bundle.no_front_matter": ("api_version", "kinds"),
    "bundle.second_front_matter": (),
    "schema.unknown_field": ("field", "allowed"),
    "schema.missing_field": ("field",),
    "schema.wrong_type": ("expected", "found"),
    "schema.not_allowed": ("found", "allowed"),
    "schema.pattern": ("found", "pattern"),
    "schema.too_small": ("limit",),
    "schema.too_big": ("limit",),
    "schema.too_short": ("limit",),
    "schema.too_long": ("limit",),
    "schema.not_unique": (),
    "schema.invalid": ("problem",),
}

WARNING_CODES: Final[Mapping[str, tuple[str, ...]]] = {
    "key.read_as": ("read",),
    "value.read_as": ("written", "read"),
    "dump.dropped": ("fields",),
    "describe.annotation_cut": ("key",),
    "describe.line_ignored": ("text",),
    "describe.pod_incomplete": ("pod",),
    "notices.more": ("count",),
}

ASSUMPTION_CODES: Final[Mapping[str, tuple[str, ...]]] = {
    "assumed.name": ("node",),
    "assumed.accelerators": ("node", "resource", "amount", "source"),
    "assumed.model": ("node", "model", "source"),
    "assumed.machine": ("node", "cpu", "memory", "pods"),
    "assumed.taint": ("node", "taint"),
    "assumed.priority_class": ("name", "value"),
    "assumed.pods_of_table": ("count", "node"),
    "assumed.allocated": ("node", "resource", "amount"),
}
