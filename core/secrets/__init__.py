"""What of a session looks secret or personal, and the session with that masked."""
