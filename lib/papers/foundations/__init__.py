"""The first chapter: how regular people are, what noise costs, and a first attack."""
