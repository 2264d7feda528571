"""What the lab's editor shows: the selection with its facts and actions, the palette, the dialogs of single edits."""
