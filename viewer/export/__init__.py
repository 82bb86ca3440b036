"""One HTML file that is the debugger with a session in it: opened from disk, without a server."""
