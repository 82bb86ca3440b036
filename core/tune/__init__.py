"""Sweeps: what every setting of a policy would have cost and lost over recorded sessions."""
