"""One HTML file that is the debugger with a session in it, or a lesson: opened from disk, without a server."""
