"""The HTTP side of scheduler extenders: a client that only goes where it may, and a GPU-sharing extender."""
