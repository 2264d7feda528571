"""Predictions on the lab page: the questions, the answers given, and how they compare with what came of it."""
