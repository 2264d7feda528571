"""What `kubectl apply -f -` prints: a line for each object, or its errors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from simulator.engine.objects.scheme import KINDS
from simulator.engine.world.commands import CommandProblem, Outcome

_FILE: Final = "STDIN"
_KINDS: Final = {kind.kind: kind for kind in KINDS.values()}


def applied_lines(outcomes: Iterable[Outcome], *, dry_run: bool = False) -> list[str]:
    """`pod/train created`, `replicaset.apps/web configured (server dry run)`."""
    suffix = " (server dry run)" if dry_run else ""
    return [f"{_resource(item.kind)}/{item.name} {item.result}{suffix}" for item in outcomes]


def _resource(kind: str) -> str:
    """`pod`, `replicaset.apps`."""
    known = _KINDS.get(kind)
    return f"{kind.lower()}.{known.group}" if known is not None and known.group else kind.lower()


def error_lines(problems: Iterable[CommandProblem]) -> list[str]:
    """One error for each object that is refused."""
    by_object: dict[tuple[object, ...], list[CommandProblem]] = {}
    for problem in problems:
        by_object.setdefault(problem.path[:2], []).append(problem)
    return [_error(found) for found in by_object.values()]


def _error(problems: Sequence[CommandProblem]) -> str:
    """As kubectl words the API server's answer; source: kubectl/pkg/cmd/util/helpers.go, cli-runtime's builder."""
    params, texts = problems[0].params, [problem.text for problem in problems]
    kind, name, stage = str(params.get("object_kind", "")), str(params.get("object_name", "")), params.get("stage")
    if stage == "validate":
        if len(texts) == 1:
            return f'The {kind} "{name}" is invalid: {texts[0]}'
        return "\n".join([f'The {kind} "{name}" is invalid: ', *(f"* {text}" for text in dict.fromkeys(texts))])
    if stage == "decode" and problems[0].code == "decode.unknown_kind":
        return (
            f'error: resource mapping not found for name: "{name}" namespace: "" from "{_FILE}": {texts[0]}\n'
            "ensure CRDs are installed first"
        )
    known = _KINDS.get(kind)
    creating = f'error when creating "{_FILE}"'
    joined = texts[0] if len(texts) == 1 else f"[{', '.join(dict.fromkeys(texts))}]"
    if stage == "decode" and known is not None:
        text = f'{kind} in version "{known.version}" cannot be handled as a {kind}: {joined}'
        return f"Error from server (BadRequest): {creating}: {text}"
    if stage == "admission" and known is not None:
        return f'Error from server (Forbidden): {creating}: {known.resource} "{name}" is forbidden: {joined}'
    return f"Error from server: {joined}"
