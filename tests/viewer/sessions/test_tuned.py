"""The sessions of a sweep."""

from viewer.sessions.tuned import SessionSet, Wanted, find_sessions


def test_the_open_session_is_called_what_the_other_pages_call_it() -> None:
    """A sample has a title of its own, which its file does not say."""
    wanted = Wanted("this", "o200k_base", source="sample:openai-chat/coding-session.json")
    *_, found = find_sessions(wanted, local=False)
    assert isinstance(found, SessionSet)
    assert [one.title for one in found.sessions] == ["A day in a small repository"]
