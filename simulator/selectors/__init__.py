"""Reads: scenarios and labs with their viewer, and every moment of a lab as immutable values."""
