"""The pipeline of a moment: every extension point in true order, with what came of it, and the present one opened."""
