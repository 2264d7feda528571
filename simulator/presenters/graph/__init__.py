"""The cluster as a drawing: cards for nodes, marks of the moment on them, places where they stand.

The same data make the picture and its equal, the outline.
"""
