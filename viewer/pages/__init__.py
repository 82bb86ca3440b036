"""The Streamlit pages, and the one user of st.session_state."""
