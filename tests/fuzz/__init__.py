"""Hostile input by the thousand: nothing but clear errors, no hang, the same answer twice."""
