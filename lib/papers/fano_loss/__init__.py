"""Measuring Privacy Loss in Distributed Spatio-Temporal Data: reconstruction loss and its bounds."""
