"""How dates and times are written: Django's FORMAT_MODULE_PATH, one folder for each language."""
