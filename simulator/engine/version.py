"""The engine's version. It changes whenever the same commands can give other decisions or another snapshot format."""

ENGINE_VERSION = "1"
SNAPSHOT_FORMAT = 1
