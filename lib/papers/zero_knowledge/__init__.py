"""A Zero Auxiliary Knowledge Membership Inference Attack (Guan et al., PoPETs 2024)."""
