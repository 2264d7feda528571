"""The scheduling queue: active, backing off, unschedulable and gated Pods, and the nominations."""
