"""A Django app for tests only: a page that starts jobs and provokes errors."""
