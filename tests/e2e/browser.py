"""Finding a Chromium for the browser tests, or getting one: `python -m tests.e2e.browser` prints its path."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PACKAGES = ("chromium", "fonts-wqy-microhei")  # without a Chinese font, screenshots show boxes
ADVICE = "No Chromium for the browser tests. Install one (apt-get install chromium) or set LAB_CHROMIUM to its path."


def find() -> str | None:
    """The path of a Chromium on this machine: $LAB_CHROMIUM, one on the PATH, or Playwright's own."""
    given = os.environ.get("LAB_CHROMIUM")
    if given:
        return given
    found = next(filter(None, map(shutil.which, NAMES)), None)
    return found or _playwrights_own()


def install() -> None:
    """Get one: Playwright's download, else (as root, on Debian) the system's package. Quiet about what fails."""
    _try([sys.executable, "-m", "playwright", "install", "chromium"])
    if _playwrights_own() is None and hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        _try(["apt-get", "-qq", "update"])
        _try(["apt-get", "-qq", "install", "-y", "--no-install-recommends", *PACKAGES])


def _playwrights_own() -> str | None:
    folder = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright")
    patterns = ("chromium-*/chrome-linux*/chrome", "chromium-*/chrome-mac*/*.app/Contents/MacOS/*")
    found = sorted(path for pattern in patterns for path in folder.glob(pattern))
    return str(found[-1]) if found else None


def _try(command: list[str]) -> None:
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, timeout=600)


def main() -> int:
    if find() is None:
        install()
    found = find()
    print(found or ADVICE)
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main())
