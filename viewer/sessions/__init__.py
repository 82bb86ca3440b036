"""What this server has open: sessions, traces and live runs; and the sources that sessions are loaded from."""
