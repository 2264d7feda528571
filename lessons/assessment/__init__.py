"""Question types, grading, item statistics and spacing: pure functions over plain values."""
