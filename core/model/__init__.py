"""What comes in: a session and its messages, frozen; the errors a user can see; plain text helpers."""
