"""A GPU-sharing extender: slices of a card (qGPU) or shares of its memory alone, packed or spread by card."""
