"""Knock Knock, Who's There? (Pyrgelis, Troncoso and De Cristofaro, NDSS 2018)."""
