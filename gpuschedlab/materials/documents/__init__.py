"""A document of plain values as a form: its fields, how they are shown, what a form that came back changes."""
