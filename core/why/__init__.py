"""Why a text is not in the window: where it lived, what took it, when it was needed, and what would have kept it."""
