"""Scenarios as their authors see them: the form, what is wrong, what differs."""
