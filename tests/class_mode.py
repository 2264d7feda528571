"""The class mode on a PostgreSQL and a Redis started here, as docker-compose.yml runs it.

`python -m tests.class_mode`, in .ci/run: the services' own commands are started, a page is fetched, a job runs and is
told of over a socket; then the tests that use the database (those marked django_db) run once more on these services.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from websockets.sync.client import connect

from tests.factories.processes import ROOT, Site, free_port, wait

if TYPE_CHECKING:
    from collections.abc import Iterator


def _postgres_tool(name: str) -> str:
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(found[-1]) if found else (shutil.which(name) or name)


@contextmanager
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL of our own, which refuses to run as root and so runs as postgres there."""
    as_root = os.geteuid() == 0
    prefix = ["runuser", "-u", "postgres", "--"] if as_root else []
    with tempfile.TemporaryDirectory(prefix="lab-postgres-", ignore_cleanup_errors=True) as folder:
        if as_root:
            shutil.chown(folder, "postgres")
        data, port = f"{folder}/data", free_port()
        init = [
            _postgres_tool("initdb"),
            "-D",
            data,
            "-U",
            "lab",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C.UTF-8",
            "-N",
        ]
        subprocess.run([*prefix, *init], check=True, stdout=subprocess.DEVNULL, cwd=folder)
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c fsync=off -c unix_socket_directories={folder}"
        control = [*prefix, _postgres_tool("pg_ctl"), "-D", data, "-w"]
        subprocess.run([*control, "-o", options, "-l", f"{folder}/log", "start"], check=True, stdout=subprocess.DEVNULL)
        try:
            create = [*prefix, _postgres_tool("createdb"), "-h", "127.0.0.1", "-p", str(port), "-U", "lab", "lab"]
            subprocess.run(create, check=True)
            yield f"postgresql://lab@127.0.0.1:{port}/lab"
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], check=False, stdout=subprocess.DEVNULL)


@contextmanager
def redis() -> Iterator[str]:
    """The URL of a Redis of our own that keeps nothing."""
    port = free_port()
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        server.terminate()
        server.wait(10)


def manage(env: dict[str, str], *arguments: str) -> None:
    print("manage.py", *arguments, flush=True)
    subprocess.run([sys.executable, "manage.py", *arguments], cwd=ROOT, env=env, check=True)


@contextmanager
def site_and_worker(variables: dict[str, str]) -> Iterator[Site]:
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.demo.settings", **variables}
    worker = subprocess.Popen([sys.executable, "manage.py", "worker", "--concurrency", "2"], cwd=ROOT, env=env)
    site = Site(variables)
    try:
        yield site
    finally:
        site.stop(signal.SIGINT)
        worker.terminate()
        worker.wait(20)


def look_around(site: Site, env: dict[str, str]) -> None:
    page = site.get("/")
    assert "tokens." in page, "static files have no hashed addresses"
    run = site.start_run(steps="6")
    topic = f"run:{run.split('/')[2]}"
    cookies = "; ".join(f"{one.name}={one.value}" for one in site.jar)
    address = f"ws://127.0.0.1:{site.port}/ws/"
    headers = {"Cookie": cookies, "Origin": f"http://127.0.0.1:{site.port}"}
    with connect(address, additional_headers=headers) as socket:
        socket.send(json.dumps({"type": "topic.join", "topic": topic}))
        states = []
        while "succeeded" not in states:
            message = json.loads(socket.recv(timeout=20))
            states.append(message.get("data", {}).get("state", message["type"]))
    assert states[0] == "topic.joined", states
    assert site.state(run) == "succeeded"
    long = site.start_run(steps="500")
    wait(lambda: site.state(long) == "running")
    site.post(f"{long}stop/")
    wait(lambda: site.state(long) == "cancelled")
    ping = [sys.executable, "-m", "celery", "--app", "gpuschedlab", "inspect", "ping", "--timeout", "5"]
    subprocess.run(ping, cwd=ROOT, env=env, check=True, stdout=subprocess.DEVNULL)
    print("page, job, socket, cancel and the worker's health check work", flush=True)


def main() -> int:
    with ExitStack() as stack:
        variables = {
            "LAB_MODE": "class",
            "LAB_SECRET_KEY": "a key of this run alone, long enough for the deployment check 0123456789",
            "LAB_DATABASE_URL": stack.enter_context(postgres()),
            "LAB_REDIS_URL": stack.enter_context(redis()),
        }
        env = {**os.environ, "DJANGO_SETTINGS_MODULE": "gpuschedlab.settings.site", **variables}
        manage(env, "check", "--deploy", "--fail-level", "WARNING")
        manage(env, "collectstatic", "--noinput", "--verbosity", "0")
        manage(env, "migrate", "--verbosity", "0")
        manage(env, "load_catalogue")
        plain = {**variables, "LAB_HTTPS": "0"}  # no proxy in front of it here
        with site_and_worker(plain) as site:
            look_around(site, {**env, **plain})
        tests = [sys.executable, "-m", "pytest", "-q", "-n", "2", "-m", "django_db and not slow and not browser"]
        env = {**os.environ, **plain}
        return subprocess.run(tests, cwd=ROOT, env=env, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
