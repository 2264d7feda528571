"""Plugins that a learner writes: Filter and Score as CEL expressions over one Pod and one node."""
