"""From a rule to a Go package: a plugin of kube-scheduler 1.36 that decides the same."""
