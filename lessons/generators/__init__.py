"""Questions the engine makes, without end: a seed becomes a cluster, the cluster a question, the engine its key.

Pure: the engine, lessons.assessment and lessons.situations. The same seed gives the same question.
"""
