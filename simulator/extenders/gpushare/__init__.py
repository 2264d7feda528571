"""A GPU-sharing extender with qGPU's semantics: shares of a card's compute and memory, packed or spread by card."""
