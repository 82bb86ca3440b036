"""The agent loop, and three small systems as libraries."""
