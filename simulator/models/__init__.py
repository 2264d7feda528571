"""What the simulator stores: scenarios with their revisions, labs with their commands, predictions."""

from simulator.models.lab import Lab, LabCommand, LabSnapshot
from simulator.models.prediction import LabPredicting, Prediction
from simulator.models.scenario import Scenario, ScenarioRevision

__all__ = ["Lab", "LabCommand", "LabPredicting", "LabSnapshot", "Prediction", "Scenario", "ScenarioRevision"]
