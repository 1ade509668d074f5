"""Measuring Privacy Loss in Distributed Spatio-Temporal Data: reconstruction and its bounds."""
