"""Speed measurements: `python -m tests.benchmarks [NAME...]`, one module per part of the site."""
