"""Sub-optimal Learning in Meta-classifier Attacks (2024): threshold attacks and the DP bound."""
