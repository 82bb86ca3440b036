"""What goes to the browser: sessions, traces and findings as bytes and plain rows. No Streamlit."""
