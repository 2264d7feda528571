"""A document of plain values as a form: what fields it has, how they are shown, and what a form that came back changes."""
