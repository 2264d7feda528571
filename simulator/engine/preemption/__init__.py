"""Preemption: which Pods would have to go, on which node that hurts least, and the story of the choice."""
