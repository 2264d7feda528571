"""The GPU fabric: what is inside machines and between them, and what a placement on it costs.

One weighted graph (the chapter's HNT): GPUs, NVLink pairs and NVSwitch domains, PCIe, NUMA nodes, network cards, leaf
and spine switches, with the kind, bandwidth and latency of every link. Modules: `shape` one machine, `fabric` many of
them, `presets` known machines, `from_matrix`, `from_labels`, `numa_zones` where a fabric comes from, `graph` paths,
`best_set`, `allocation`, `topology_manager`, `numa_match`, `sharing`, `mig` devices inside a node, `placement`,
`scoring`, `collectives`, `training` what it costs. Everything is a pure function of plain values.
"""
