"""What the environment may say, and what the site makes of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from gpuschedlab.settings.environment import read_environment
from gpuschedlab.settings.services import databases
from tests.factories.processes import ROOT, site_environment

CLASS_MODE = {
    "LAB_MODE": "class",
    "LAB_SECRET_KEY": "k" * 20 + "0123456789abcdefghijklmnopqrstuvwxyz",
    "LAB_DATABASE_URL": "postgresql://lab:pw@db.internal:5433/lab?sslmode=require",
    "LAB_REDIS_URL": "redis://redis.internal:6379/0",
    "LAB_HOSTS": "lab.example.org, www.example.org",
}


def test_defaults_are_the_embedded_mode(tmp_path: Path) -> None:
    env = read_environment({}, tmp_path)
    assert env.embedded
    assert not env.debug
    assert not env.https
    assert env.data_dir == tmp_path / "var"
    assert env.hosts == ("localhost", "127.0.0.1", "[::1]")
    assert env.extenders == ("127.0.0.0/8", "::1")


def test_embedded_secret_key_is_made_once_and_kept_private(tmp_path: Path) -> None:
    first = read_environment({}, tmp_path).secret_key
    assert len(first) >= 64
    assert read_environment({}, tmp_path).secret_key == first
    assert read_environment({}, tmp_path / "other").secret_key != first
    assert (tmp_path / "var" / "secret-key").stat().st_mode & 0o077 == 0


def test_class_mode_reads_its_services(tmp_path: Path) -> None:
    env = read_environment(CLASS_MODE, tmp_path)
    assert env.https
    assert env.extenders == ()
    assert env.hosts[:2] == ("lab.example.org", "www.example.org")
    database = databases(env)["default"]
    assert (database["NAME"], database["USER"], database["PASSWORD"]) == ("lab", "lab", "pw")
    assert (database["HOST"], database["PORT"]) == ("db.internal", "5433")
    assert database["OPTIONS"] == {"sslmode": "require"}


@pytest.mark.parametrize("missing", ["LAB_SECRET_KEY", "LAB_DATABASE_URL", "LAB_REDIS_URL"])
def test_class_mode_names_what_is_missing(tmp_path: Path, missing: str) -> None:
    variables = {name: value for name, value in CLASS_MODE.items() if name != missing}
    with pytest.raises(ImproperlyConfigured, match=missing):
        read_environment(variables, tmp_path)


@pytest.mark.parametrize(
    ("name", "value"),
    [("LAB_MODE", "cloud"), ("LAB_DEBUG", "maybe"), ("LAB_LOG_FORMAT", "xml"), ("LAB_LOG_LEVEL", "LOUD")],
)
def test_wrong_value_is_named_with_what_it_may_be(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=rf"{name} is '{value}'; it must be"):
        read_environment({name: value}, tmp_path)


def test_debug_is_refused_in_class_mode(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match="LAB_DEBUG"):
        read_environment({**CLASS_MODE, "LAB_DEBUG": "1"}, tmp_path)


def test_database_url_of_another_kind_is_refused(tmp_path: Path) -> None:
    env = read_environment({**CLASS_MODE, "LAB_DATABASE_URL": "mysql://x"}, tmp_path)
    with pytest.raises(ImproperlyConfigured, match="LAB_DATABASE_URL"):
        databases(env)


def test_check_deploy_is_clean_in_class_mode() -> None:
    result = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env=site_environment("gpuschedlab.settings.site", {**CLASS_MODE, "LAB_HTTPS": "1"}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
