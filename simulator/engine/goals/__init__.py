"""Goals: checkable statements about a run, one file per kind, listed in `registry`."""
