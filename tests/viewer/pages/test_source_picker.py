"""The ways to a transcript: which one the sidebar shows."""

from streamlit.testing.v1 import AppTest


def script() -> None:
    """A page at each of three moments: with a sample, while a path opens, and once it has failed."""
    import streamlit as st

    from core import FoldlineError
    from viewer.pages import state
    from viewer.pages.source_picker import source_picker
    from viewer.sessions.sources import Source

    state.begin()
    phase = st.session_state.get("phase", "sample")
    if phase == "opens":
        state.update_choice(source=Source("path", "/no/such/file.jsonl"))
    if phase == "failed":
        state.update_choice(source=Source("sample", "foldline/broken-rule.json"))
        state.fail(FoldlineError("no such file"), path="/no/such/file.jsonl")
    source_picker(local=True)


def test_a_path_that_fails_late_can_be_mended() -> None:
    """While it opens, its own picker is drawn; the one of what stays on the page then shows the path in its field."""
    app = AppTest.from_function(script)
    for phase in ("sample", "opens", "failed"):
        app.session_state["phase"] = phase
        app.run()
    assert not app.exception
    assert [field.value for field in app.text_input] == ["/no/such/file.jsonl"]
