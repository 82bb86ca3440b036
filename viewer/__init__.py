"""The debugger in the browser: traces in, a page out. `core` knows nothing of it."""
