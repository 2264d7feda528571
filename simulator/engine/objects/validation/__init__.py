"""Validation of new objects: which function checks which kind.

All functions take a defaulted mapping and add what is wrong to `Errors`.
"""
