"""A scenario whose author means harm."""

from __future__ import annotations

from tests.factories.labs import make_node, make_pod
from tests.factories.materials import closed_node, scenario_text


def both(text: str) -> dict[str, str]:
    return {"en": text, "zh-hans": text}


def hostile_text(vector: str, longer: str = "") -> str:
    """A scenario that can be published, with the vector wherever a text is free; `longer` where there is room."""
    longer = longer or vector
    hostile = {"annotations": {"example.com/note": longer}}
    pod = make_pod("p1")
    pod["metadata"] |= hostile
    pod["spec"]["containers"][0] |= {"command": [longer], "env": [{"name": "NOTE", "value": vector}]}
    node = closed_node()
    node["metadata"] |= hostile
    return scenario_text(
        objects=[node, make_node("n2", cpu="0"), pod],
        title=both(vector),
        summary=both(vector),
        text=both(f"{longer}\n\n```\n{vector}\n```\n\n| a |\n|---|\n| {vector} |\n"),
        hints=[both(longer)],
        goals=[{"kind": "allBound", "title": both(vector)}],
        profiles=[
            {
                "name": "default",
                "title": both(vector),
                "configuration": {
                    "apiVersion": "kubescheduler.config.k8s.io/v1",
                    "kind": "KubeSchedulerConfiguration",
                },
            }
        ],
    )
