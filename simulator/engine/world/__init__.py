"""The simulated cluster around the schedulers: objects, virtual clock, what happens in which order."""
