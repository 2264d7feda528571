"""The pages of materials."""
