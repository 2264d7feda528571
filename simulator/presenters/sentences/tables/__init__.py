"""What the engine's codes mean, in Chinese and English: one table per family of codes."""
