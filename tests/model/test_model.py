"""The nouns: what is made without being checked is the same as what is."""

import pickle
from typing import Any

import pytest

from core.model.cached import cached
from core.model.errors import TranscriptError, format_error
from core.model.session import Frozen, Message, ToolCall, Usage, construct_unchecked
from core.trace.trace import as_session

CALL = {"id": "c", "name": "read", "arguments": {"path": "a.py"}, "raw": None}
USAGE = {"input_uncached": 1, "cache_read": 2, "cache_write": 3, "output": 4}
MESSAGE: dict[str, Any] = {
    "id": "m", "role": "assistant", "content": "é", "tool_calls": (ToolCall(**CALL),), "tool_call_id": None, "name": None,
    "reply_id": "r", "thinking": "", "images": (), "usage": Usage(**USAGE), "model": "x", "timestamp": "", "line": 3,
    "injected": "", "is_error": False,
}  # fmt: skip


@pytest.mark.parametrize(("kind", "fields"), [(ToolCall, CALL), (Usage, USAGE), (Message, MESSAGE)])
def test_what_is_built_is_what_is_checked(kind: type[Frozen], fields: dict[str, Any]) -> None:
    """A noun built from sound values equals the checked one, writes the same JSON and copies as it does."""
    made, checked = construct_unchecked(kind, **fields), kind(**fields)
    assert (made, made.model_dump_json()) == (checked, checked.model_dump_json())
    assert made.model_fields_set == set(kind.model_fields) == made.model_copy(update={}).model_fields_set


def test_what_is_built_stays_frozen() -> None:
    """A noun that was built cannot be changed, and a copy of it that differs leaves it as it is."""
    made = construct_unchecked(Usage, **USAGE)
    with pytest.raises(ValueError, match="frozen"):
        made.output = 5  # type: ignore[misc]
    assert (made.model_copy(update={"output": 5}).output, made.output) == (5, 4)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (TranscriptError("a.json is empty", "choose another"), "a.json is empty"),
        (TranscriptError(""), "an unexpected error (TranscriptError), without further details"),
        (ValueError("no such day"), "ValueError: no such day"),
        (TimeoutError(), "no answer in time, without further details"),
        (Exception(), "an unexpected error (Exception), without further details"),
    ],
)
def test_an_error_is_told_in_words(error: Exception, words: str) -> None:
    """Never as the bare name of a class, and never as nothing."""
    assert format_error(error) == words


def test_a_pickle_holds_nothing_that_was_worked_out() -> None:
    """What is kept beside a session, or one of its messages, may be large, and need not be anything that can be pickled."""
    session = as_session([Message(id="m1", role="user", content="Hello.")])
    assert cached(session, "odd", lambda of: lambda: of.title)() == ""
    assert cached(session.messages[0], "odd", lambda of: lambda: of.content)() == "Hello."
    again = pickle.loads(pickle.dumps(session))
    assert again == session
    assert cached(again, "odd", lambda of: "anew") == "anew"
