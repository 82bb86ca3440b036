"""Sliders and their ranges, and the settings a policy starts with. No Streamlit."""
