"""What the browser is told to refuse. Nothing here may ever need an `unsafe-` source (tests/architecture)."""

from __future__ import annotations

from typing import Any

from csp.constants import NONCE, NONE, SELF


def content_security_policy() -> dict[str, Any]:
    return {
        "DIRECTIVES": {
            "default-src": [SELF],
            "script-src": [SELF, NONCE],
            "style-src": [SELF, NONCE],
            "img-src": [SELF, "data:"],
            "object-src": [NONE],
            "base-uri": [NONE],
            "form-action": [SELF],
            "frame-ancestors": [NONE],
        }
    }
