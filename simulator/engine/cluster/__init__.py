"""The scheduler's view of the cluster as columns: one array entry per node, kept up to date Pod by Pod."""
