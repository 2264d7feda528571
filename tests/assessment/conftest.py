"""Property tests have no deadline: they run on busy machines."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("assessment", deadline=None)
settings.load_profile("assessment")
