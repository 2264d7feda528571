"""From stored values to page parts and sentences."""
