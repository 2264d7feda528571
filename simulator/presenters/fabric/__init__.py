"""The GPU fabric on pages: drawings with links by kind and width, matrices, paths, placements and what they cost."""
