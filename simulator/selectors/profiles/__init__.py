"""Scheduler profiles as they can be edited: from a KubeSchedulerConfiguration and back."""
