"""The web kit: what every page, command, job and socket of the site shares. Knows nothing of the lab or the lessons."""
