"""What the simulator stores: scenarios with their revisions, labs with their commands and outcomes, predictions."""

from simulator.models.lab import Lab, LabCommand, LabSnapshot
from simulator.models.outcome import LabOutcome
from simulator.models.prediction import LabPredicting, Prediction
from simulator.models.scenario import Scenario, ScenarioRevision

__all__ = [
    "Lab",
    "LabCommand",
    "LabOutcome",
    "LabPredicting",
    "LabSnapshot",
    "Prediction",
    "Scenario",
    "ScenarioRevision",
]
