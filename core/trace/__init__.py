"""What comes out: steps, compactions, edits and events, in versioned JSON."""
