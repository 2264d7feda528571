"""What instructors write: drafts of every kind, the form of a document, the workbench. Kinds come from above."""
