"""The agent loop, and the three seed systems as libraries."""
