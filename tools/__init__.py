"""Tools for those who work on the site; nothing here runs in it."""
