"""An extender that scores by GPU model, as a process of its own, for measuring.

It evaluates the same expression as the plugin it is compared with. Its answers carry how long it worked
(Server-Timing), so that the way to it and back can be told apart from the waiting.
"""

from __future__ import annotations

import argparse
import logging
from typing import Any, Final

from simulator.engine.user_rules.gpus import PRODUCT_LABELS
from simulator.engine.user_rules.rule import compile_rule
from simulator.extenders.server import Asked, Routes, Server

RULE: Final = 'gpuModel(node).contains("H100") ? 100 : gpuModel(node).contains("A100") ? 60 : 0'
STEPS: Final = 1000


class ModelScore:
    """`seed` tells it the nodes, as a watch of the API server would; then names are enough."""

    def __init__(self) -> None:
        self._program = compile_rule(RULE, "score")
        self._models: dict[str, str] = {}

    def routes(self) -> Routes:
        return Routes({"/seed": self.seed, "/filter": self.filter, "/prioritize": self.prioritize})

    def seed(self, asked: Asked) -> dict[str, int]:
        self._models = {node["metadata"]["name"]: _model(node) for node in asked.body["items"]}
        return {"nodes": len(self._models)}

    def filter(self, asked: Asked) -> dict[str, Any]:
        """Every node passes: what is measured is the asking."""
        body = asked.body
        return {"Nodes": body["Nodes"], "NodeNames": body["NodeNames"], "FailedNodes": {}, "Error": ""}

    def prioritize(self, asked: Asked) -> list[dict[str, Any]]:
        body = asked.body
        if body["Nodes"] is not None:
            models = {node["metadata"]["name"]: _model(node) for node in body["Nodes"]["items"]}
        else:
            models = {name: self._models[name] for name in body["NodeNames"]}
        return [{"Host": name, "Score": self._score(model)} for name, model in models.items()]

    def _score(self, model: str) -> int:
        return int(self._program.run([model], STEPS).value) // 10


def _model(node: dict[str, Any]) -> str:
    labels = node["metadata"].get("labels") or {}
    return next((labels[key] for key in PRODUCT_LABELS if labels.get(key)), "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    logging.disable(logging.INFO)
    with Server(("127.0.0.1", parser.parse_args().port), ModelScore().routes()) as server:
        print(server.server_port, flush=True)  # noqa: T201 (whoever started it reads the port)
        server.serve_forever()


if __name__ == "__main__":
    main()
