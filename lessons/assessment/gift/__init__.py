"""Moodle's GIFT text format: reading it, writing it, and telling what could not be carried over."""
