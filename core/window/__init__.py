"""A window as ranges over a pool of measured messages, and how a policy partitions it."""
