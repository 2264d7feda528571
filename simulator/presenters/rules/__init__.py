"""Rules that learners write, as pages show them."""
