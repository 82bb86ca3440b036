"""Where a summary comes from: its sentences beside what was folded, and a ledger of what it kept. No model is asked."""
