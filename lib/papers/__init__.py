"""The replication: one folder a paper, over experiments, stored results, claims and figures."""
