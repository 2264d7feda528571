"""The simulator's pages."""
