"""Chapter 1: how regular people are, what noise costs, and a first attack."""
