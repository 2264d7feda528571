"""Field paths: the string kube prints, and beside it the keys that lead to the place in the manifest."""

from __future__ import annotations

from dataclasses import dataclass

Key = str | int


@dataclass(frozen=True, slots=True)
class FieldPath:
    """A place in an object.

    `text` is kube's wording ("metadata.taints[0].effect"), `keys` the real way through the mapping
    (("spec", "taints", 0, "effect")): kube's strings are not always the latter.
    """

    text: str = ""
    keys: tuple[Key, ...] = ()

    def child(self, name: str) -> FieldPath:
        return FieldPath(f"{self.text}.{name}" if self.text else name, (*self.keys, name))

    def index(self, number: int) -> FieldPath:
        return FieldPath(f"{self.text}[{number}]", (*self.keys, number))

    def key(self, name: str) -> FieldPath:
        return FieldPath(f"{self.text}[{name}]", (*self.keys, name))

    def printed(self, suffix: str) -> FieldPath:
        """Add to the printed string only: the place stays the same."""
        return FieldPath(self.text + suffix, self.keys)

    def at(self, *keys: Key) -> FieldPath:
        """Point at another place under the same printed string."""
        return FieldPath(self.text, keys)


ROOT = FieldPath()
METADATA = ROOT.child("metadata")
SPEC = ROOT.child("spec")
STATUS = ROOT.child("status")
