"""The import map: every module of static/js and static/vendor under a bare name.

`static/js/lib/dom.js` is imported as "lib/dom", `static/vendor/cytoscape.js` as "cytoscape"; a style sheet keeps its
ending ("uplot.css", for import.meta.resolve). Adding a file is all it takes.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.templatetags.static import static

STATIC = Path(settings.BASE_DIR) / "static"


def module_files() -> dict[str, str]:
    """Bare name -> path under static/, sorted by name."""
    found: dict[str, str] = {}
    for folder in ("js", "vendor"):
        for path in (STATIC / folder).rglob("*.*"):
            inside = path.relative_to(STATIC / folder)
            if path.suffix == ".js":
                found[inside.with_suffix("").as_posix()] = path.relative_to(STATIC).as_posix()
            elif path.suffix == ".css":
                found[inside.as_posix()] = path.relative_to(STATIC).as_posix()
    return dict(sorted(found.items()))


def import_map() -> str:
    """The import map as JSON text, with the addresses the static files have in this deployment."""
    return _fresh() if settings.DEBUG else _kept()


def _fresh() -> str:
    return json.dumps({"imports": {name: static(path) for name, path in module_files().items()}})


_kept = lru_cache(maxsize=1)(_fresh)
