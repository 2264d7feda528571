"""The fields of every kind the laboratory knows, as compact tables in the order of the Kubernetes API types."""
