"""A check for a build: whether a policy still keeps what must be kept, within its limits, on recorded sessions."""
