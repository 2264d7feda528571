"""Writes: publishing scenarios, giving labs commands, branching and sharing them."""
