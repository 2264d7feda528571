"""Django settings: site.py is the module Django reads, testing.py the one of the test suite."""
