"""Texts of the catalogue (lessons, glossary, quizzes) to checked values, every fault with its file and line."""
