"""CEL for rules: a statically typed part of the Common Expression Language, with a budget for every evaluation.

Left out: null, unsigned integers, bytes, times, and lists or maps of mixed types. What is there means what the CEL
specification (and Kubernetes' extensions `sum`, `min`, `max`) says. Costs are counted, never timed, so that a rule
gives the same answer on every machine.
"""
