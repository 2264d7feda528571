"""What the simulator stores: scenarios with their revisions, labs with their commands."""

from simulator.models.lab import Lab, LabCommand, LabSnapshot
from simulator.models.scenario import Scenario, ScenarioRevision

__all__ = ["Lab", "LabCommand", "LabSnapshot", "Scenario", "ScenarioRevision"]
