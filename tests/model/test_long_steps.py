"""What is done for a large transcript is done in short steps: between two, another thread of the server has its turn."""

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.holds import longest
from core import Message, ToolCall
from core.importers._files.text import parse, parse_many
from core.model import saved_messages
from core.model.gc_pause import gc_paused
from core.model.saved_messages import with_messages
from core.model.session import Session, conversation_id

MESSAGES = tuple(
    Message(
        id=f"m{i}", role="assistant", content=f"word {i} " * 40, tool_calls=(ToolCall(id=f"c{i}", name="f", raw="x"),)
    )
    for i in range(20_000)
)
SESSION = Session(messages=MESSAGES).model_dump(mode="json")
TEXT = json.dumps(SESSION)


@pytest.mark.parametrize(
    "work",
    [
        pytest.param(lambda: parse(TEXT), id="parsing one JSON value"),
        pytest.param(lambda: parse_many(TEXT), id="parsing JSON values run together"),
        pytest.param(lambda: conversation_id(MESSAGES), id="making an id from all messages"),
    ],
)
def test_no_step_takes_most_of_the_time(work: Callable[[], Any]) -> None:
    """One call into C for all of it would keep everyone else on the server waiting until it is done."""
    with gc_paused():  # as all reading is
        found = longest(work)

    assert found.seconds < found.whole / 5, found


def test_saved_messages_are_checked_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checking is one call into C, of a fifth of a second for 100,000 messages: each takes the next ones, and all are made."""
    asked: list[int] = []
    real = saved_messages._MESSAGES.validate_python

    def checked(messages: list[Any]) -> Any:
        asked.append(len(messages))
        return real(messages)

    monkeypatch.setattr(saved_messages, "_MESSAGES", SimpleNamespace(validate_python=checked))

    assert with_messages(SESSION)["messages"] == MESSAGES
    assert (max(asked), sum(asked)) == (saved_messages.PIECE, len(MESSAGES))


def test_a_long_step_is_found_with_its_place() -> None:
    """One call that parses all, between many short ones, takes nearly all of the time."""
    plain = json.JSONDecoder()

    def work() -> None:
        [abs(k) for k in range(1_000)]
        plain.raw_decode(TEXT)

    with gc_paused():
        found = longest(work)

    assert found.seconds > found.whole / 2
    assert found.inside == "raw_decode in decoder.py"
