"""The tabs under the lab's drawing. A tab is one entry of `registry.TABS`: a name, a template, and what it is given."""
