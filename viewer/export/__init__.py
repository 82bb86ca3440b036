"""One HTML file that is the debugger with a session in it, lanes side by side, or a lesson: opened from disk, no server."""
