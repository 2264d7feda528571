"""Sentences about what the engine did and found, in Chinese and English, with kube's own words beside.

`tables/` holds the sentences by code; `facts`, `scores`, `story`, `happenings`, `whys`, `goals`, `states` and `problems` choose
among them and fill in the numbers. All give `Sentence` values in the language of the page that is being made.
"""
