"""Comparison with recorded decisions of real schedulers: run a recorded scenario, tell where the answers differ."""
