"""A short live run with the GPU-sharing extender, for the page that explains the protocol."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Final

from simulator.engine.actors.kube_scheduler.cycle import Cycle
from simulator.engine.framework.extenders import Call
from simulator.engine.world.setup import Setup
from simulator.engine.world.simulation import Simulation
from simulator.extenders.addresses import Addresses, read_entries
from simulator.extenders.client import HttpExtenders
from simulator.extenders.gpushare.qgpu import CORE, MEMORY
from simulator.extenders.gpushare.service import PREFIX, GpuShare
from simulator.extenders.server import Server

SHOWN_PORT: Final = 8888


@lru_cache(maxsize=1)
def demonstration() -> tuple[Call, ...]:
    """What went over the wire when a Pod asked for 30 % of a card and 4 GiB, on two nodes of two cards."""
    with _extender() as port_number:
        port = HttpExtenders(Addresses(read_entries(["127.0.0.0/8"])), "demonstration")
        simulation = Simulation(Setup(config=_config(port_number)), port=port)
        pods = [_pod("infer-a", 60, 20), _pod("infer-b", 30, 4)]
        simulation.apply({"type": "apply", "objects": [_node("gpu-1"), _node("gpu-2"), *pods]})
        simulation.apply({"type": "run", "turns": 40})
        port.close()
    records = [action.record for action in simulation.actions if isinstance(action.record, Cycle)]
    calls = [call for record in records if record.pod == "default/infer-b" for call in record.calls]
    return tuple(
        Call(call.extender, call.verb, _at_shown_port(call.url, port_number), call.pod, call.body, call.reply)
        for call in calls
    )


def _at_shown_port(url: str, number: int) -> str:
    return url.replace(f":{number}/", f":{SHOWN_PORT}/")


@contextmanager
def _extender() -> Iterator[int]:
    server = Server(("127.0.0.1", 0), GpuShare().routes())
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), name="demonstration", daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join(5)
        server.server_close()


def _config(port: int) -> dict[str, Any]:
    return {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "extenders": [extender_entry(f"http://127.0.0.1:{port}{PREFIX}")],
    }


def extender_entry(url: str) -> dict[str, Any]:
    """How the extender that ships is put into a configuration."""
    return {
        "urlPrefix": url,
        "filterVerb": "filter",
        "prioritizeVerb": "prioritize",
        "bindVerb": "bind",
        "weight": 1,
        "nodeCacheCapable": False,
        "managedResources": [{"name": CORE, "ignoredByScheduler": False}],
    }


def _node(name: str) -> dict[str, Any]:
    amounts = {"cpu": "32", "memory": "128Gi", "pods": "110", CORE: "200", MEMORY: "48"}
    status = {"capacity": amounts, "allocatable": amounts}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "status": status}


def _pod(name: str, core: int, memory: int) -> dict[str, Any]:
    amounts = {CORE: str(core), MEMORY: str(memory)}
    container = {"name": "main", "image": "registry.local/infer", "resources": {"limits": amounts, "requests": amounts}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": {"containers": [container]}}
