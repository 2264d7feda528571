"""What the engine knows about a place in a scenario: facts for keys, and a picture of the cluster for the page.

Pure: the engine and lessons.assessment, nothing else.
"""
