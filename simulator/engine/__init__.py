"""The scheduling laboratory: a pure, deterministic kube-scheduler usable as a library."""
