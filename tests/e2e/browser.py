"""Finding a Chromium for the browser tests, or getting one: `python -m tests.e2e.browser` prints its path.

Preferred is Chromium's headless shell: the same engine without the windows, which makes the browser tests a quarter
faster. Any other Chromium will do.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

SHELL = "chromium-headless-shell"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FONTS = "fonts-wqy-microhei"  # without a Chinese font, screenshots show boxes
ADVICE = f"No Chromium for the browser tests. Install one (apt-get install {SHELL}) or set LAB_CHROMIUM to its path."
PLAYWRIGHTS_SHELL = (
    "chromium_headless_shell-*/chrome-*/headless_shell",
    "chromium_headless_shell-*/chrome-*/chrome-headless-shell",
)
PLAYWRIGHTS_OWN = ("chromium-*/chrome-linux*/chrome", "chromium-*/chrome-mac*/*.app/Contents/MacOS/*")


def find() -> str | None:
    """The path of a Chromium on this machine: $LAB_CHROMIUM, a headless shell, one on the PATH, or Playwright's own."""
    return os.environ.get("LAB_CHROMIUM") or _shell() or _on_path(*NAMES) or _playwrights(PLAYWRIGHTS_OWN)


def prepare() -> str | None:
    """`find`, after getting what is better, or missing: as root on Debian the system's package; else, where there is no
    Chromium at all, Playwright's download. Quiet about what fails."""
    if os.environ.get("LAB_CHROMIUM") or _shell():
        return find()
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        wanted = ["apt-get", "-qq", "install", "-y", "--no-install-recommends", SHELL, FONTS]
        if not _try(wanted) and _try(["apt-get", "-qq", "update"]):
            _try(wanted)
    if find() is None:
        _try([sys.executable, "-m", "playwright", "install", "chromium"])
    return find()


def _shell() -> str | None:
    return _on_path(SHELL) or _playwrights(PLAYWRIGHTS_SHELL)


def _on_path(*names: str) -> str | None:
    return next(filter(None, map(shutil.which, names)), None)


def _playwrights(patterns: tuple[str, ...]) -> str | None:
    folder = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright")
    found = sorted(path for pattern in patterns for path in folder.glob(pattern))
    return str(found[-1]) if found else None


def _try(command: list[str]) -> bool:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        return subprocess.run(command, check=False, timeout=300, env=environment, **quiet).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def main() -> int:
    found = prepare()
    print(found or ADVICE)
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main())
