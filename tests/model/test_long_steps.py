"""What is done for a large transcript is done in short steps: between two, another thread of the server has its turn."""

import json
from collections.abc import Callable
from functools import cache
from types import FrameType, SimpleNamespace
from typing import Any

import pytest

from benchmarks.holds import longest, profiled
from core import Message, ToolCall
from core.importers._files.text import parse, parse_many
from core.model import saved_messages
from core.model.gc_pause import gc_paused
from core.model.saved_messages import with_messages
from core.model.session import Session, conversation_id

MANY = 20_000


@cache
def messages() -> tuple[Message, ...]:
    """Those of a long session, each with a call of a tool."""
    call = ToolCall(id="c", name="f", raw="x")
    return tuple(
        Message(id=f"m{i}", role="assistant", content=f"word {i} " * 40, tool_calls=(call,)) for i in range(MANY)
    )


@cache
def saved() -> dict[str, Any]:
    """The session as a file of foldline has it."""
    return Session(messages=messages()).model_dump(mode="json")


@cache
def text() -> str:
    """That file."""
    return json.dumps(saved())


def calls_of(name: str, work: Callable[[], Any]) -> int:
    """How often Python calls the function of this name during some work: each time another thread may have its turn."""
    count = 0

    def step(frame: FrameType, event: str, _: Any) -> None:
        nonlocal count
        count += event == "call" and frame.f_code.co_name == name

    profiled(work, step)
    return count


@pytest.mark.parametrize("read", [parse, parse_many])
def test_parsing_gives_others_a_turn_at_each_object(read: Callable[[str], Any]) -> None:
    """One call into C for all of it would keep everyone else on the server waiting until it is done."""
    assert calls_of("_as_it_is", lambda: read(text())) == text().count("{")


def test_an_id_is_made_message_by_message() -> None:
    """Not by one call that writes all of them as JSON."""
    assert calls_of("encode", lambda: conversation_id(messages())) == MANY


def test_saved_messages_are_checked_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checking is one call into C, of a fifth of a second for 100,000 messages: each takes the next ones, and all are made."""
    asked: list[int] = []
    real = saved_messages._MESSAGES.validate_python

    def checked(messages: list[Any]) -> Any:
        asked.append(len(messages))
        return real(messages)

    monkeypatch.setattr(saved_messages, "_MESSAGES", SimpleNamespace(validate_python=checked))

    assert with_messages(saved())["messages"] == messages()
    assert (max(asked), sum(asked)) == (saved_messages.PIECE, MANY)


def test_a_long_step_is_found_with_its_place() -> None:
    """One call that parses all, between many short ones, takes nearly all of the time."""
    plain = json.JSONDecoder()

    text()

    def work() -> None:
        [abs(k) for k in range(1_000)]
        plain.raw_decode(text())

    with gc_paused():
        found = longest(work)

    assert found.seconds > found.whole / 2
    assert found.inside == "raw_decode in decoder.py"
