"""What must not be in the repository, and what must be as it says."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.source import ROOT, name_of, tracked_files

TEXT = {
    ".py",
    ".md",
    ".toml",
    ".txt",
    ".in",
    ".html",
    ".css",
    ".js",
    ".mjs",
    ".json",
    ".yaml",
    ".yml",
    ".po",
    ".sh",
    "",
}
VENDOR = ROOT / "static" / "vendor"
# Where links may lead: this machine, names without a dot or reserved for examples, standards, public documentation.
KNOWN_HOSTS = re.compile(
    r"^([\w-]+|127\.0\.0\.1|\[::1\]|0\.0\.0\.0|[\w.-]*example(\.(com|org|net))?|[\w.-]+\.(internal|test|invalid|local)"
    r"|(www\.)?w3\.org|json-schema\.org|kubernetes\.io|[\w-]+\.kubernetes\.io|kubernetes\.default\.svc|[\w.-]+\.svc"
    r"|docs\.djangoproject\.com|htmx\.org|js\.cytoscape\.org|docs\.nvidia\.com|arxiv\.org|doi\.org|www\.usenix\.org)$"
)
MACHINE_PATHS = re.compile(r"(?<![\w.])/(work|root|tmp/brief)/(?!lab\b)[\w.]")


def _texts() -> list[tuple[str, str]]:
    return [
        (name_of(path), path.read_text(encoding="utf-8"))
        for path in tracked_files()
        if path.suffix in TEXT and VENDOR not in path.parents and "golden" not in path.parts
    ]


def test_no_address_outside_the_known_ones() -> None:
    wrong = [
        f"{name}: {host}"
        for name, text in _texts()
        for host in re.findall(r"\bhttps?://([^\s/:(\"'<>)\]`{}$%,;]+)", text)
        if not KNOWN_HOSTS.match(host.rpartition("@")[2])
    ]
    assert wrong == []


def test_requirements_and_lock_name_no_host() -> None:
    for name in ("requirements.txt", "requirements-dev.txt", "tools/vendor/package-lock.json"):
        assert not re.search(r"https?://|--index-url|--find-links", (ROOT / name).read_text(encoding="utf-8")), name


def test_no_path_of_a_machine() -> None:
    assert [name for name, text in _texts() if MACHINE_PATHS.search(text) and not name.startswith("tests/")] == []


def test_every_requirement_has_hashes() -> None:
    for name in ("requirements.txt", "requirements-dev.txt"):
        text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ")
        lines = [line for line in text.splitlines() if line and not line.startswith("#")]
        assert lines
        assert [line.split()[0] for line in lines if "--hash=sha256:" not in line] == []


def test_no_secret_in_the_compose_file() -> None:
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    for name in ("LAB_SECRET_KEY", "POSTGRES_PASSWORD"):
        assert re.search(rf"\$\{{{name}:\?", text), f"{name} must be required, without a default"


# -- vendored browser code --


def _vendored_rows() -> list[list[str]]:
    rows = [line for line in (VENDOR / "VENDORED.md").read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[1:]]


def test_vendored_files_are_as_listed() -> None:
    rows = _vendored_rows()
    listed = {row[0]: row[5] for row in rows}
    there = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in VENDOR.iterdir()
        if path.suffix in {".js", ".css"}
    }
    assert there == listed


def test_vendored_packages_carry_their_licence() -> None:
    for _file, package, version, licence, text, _sha in _vendored_rows():
        assert re.fullmatch(r"\d+\.\d+\.\d+.*", version), package
        assert licence in {"MIT", "ISC"}, package
        assert (VENDOR / text).read_text(encoding="utf-8").strip(), package


def test_vendored_versions_are_the_locked_ones() -> None:
    lock = json.loads((ROOT / "tools/vendor/package-lock.json").read_text(encoding="utf-8"))["packages"]
    for _file, package, version, *_rest in _vendored_rows():
        assert lock[f"node_modules/{package}"]["version"] == version, package


@pytest.mark.skipif(
    not (ROOT / "tools/vendor/node_modules").exists() or not shutil.which("node"), reason="needs node_modules"
)
def test_vendored_files_are_what_the_lock_builds() -> None:
    result = subprocess.run(
        ["node", "build.mjs", "--check"], cwd=ROOT / "tools/vendor", capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr


# -- containers --


def test_compose_file_fits_the_specification() -> None:
    result = _run("check-jsonschema", "--builtin-schema", "vendor.compose-spec", "docker-compose.yml")
    assert result.returncode == 0, result.stdout


def test_dockerfile_is_clean() -> None:
    result = _run("hadolint", "Dockerfile")
    assert result.returncode == 0, result.stdout


def _run(tool: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = shutil.which(tool, path=str(Path(sys.executable).parent)) or shutil.which(tool)
    assert path, f"{tool} is not installed"
    return subprocess.run([path, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
