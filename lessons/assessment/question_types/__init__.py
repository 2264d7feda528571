"""The kinds of question, one module each; ``registry`` lists them."""
