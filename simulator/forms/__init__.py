"""What pages send: steps and commands."""
