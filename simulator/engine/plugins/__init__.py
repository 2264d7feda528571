"""The plugins: one file each, named after kube's plugin. A module docstring's headings make the reference page."""
