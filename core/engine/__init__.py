"""The engine: compact, simulate, replay, the live context, and the plan; one loop over time."""
