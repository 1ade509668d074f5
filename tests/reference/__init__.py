"""Plain implementations, with loops, as the text reads: slow, and easy to check by eye."""
