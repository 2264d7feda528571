"""What a command would do in a lab, without doing it."""

from __future__ import annotations

from simulator.engine.world.commands import Command, Effect
from simulator.engine.world.handlers import try_out
from simulator.engine.world.setup import Setup
from simulator.models import Lab
from simulator.selectors.histories import open_history
from simulator.selectors.horizon import check_open


def lab_try_out(lab: Lab, command: Command) -> Effect:
    """What a command would do at the lab's end. Raises `CommandError` where it would be refused, `PredictionOpen` where
    nothing can be done, `ConfigError` for a configuration that cannot be used.
    """
    with open_history(lab) as history:
        check_open(lab, history)
        head = history.history.head
        if command.get("type") != "configure":
            return try_out(head.world, command)
        given = {name: value for name, value in command.items() if name != "type"}
        Setup.from_mapping({**head.setup.to_mapping(), **given})
        return Effect()
