"""The least a Streamlit app can do: the floor that the browser figures are measured against."""

import streamlit as st

value = st.slider("Budget", 0, 1000, 500, key="budget")
st.html(f'<div id="echo" data-value="{value}">{value}</div>')
