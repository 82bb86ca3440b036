"""Summarizers that need no model: structural, fixed size, recorded, failing."""
