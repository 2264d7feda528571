"""The scheduler framework: extension points, statuses, profiles and the machinery that runs plugins."""
