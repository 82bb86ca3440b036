"""A long session is read for summaries once, before a slider asks for them."""

from unittest.mock import patch

from core import Message, policy
from core.model.give_way import giving_way
from core.summaries import facts
from core.summaries.blocks import pieces, read_ahead
from core.trace.trace import as_session
from viewer.sessions.read_ahead import LONG, read_when_idle
from viewer.sessions.registry import opened
from viewer.sessions.simulated import trace_of


def talk(count: int) -> list[Message]:
    """So many messages of a conversation in which nobody says anything twice."""
    return [Message(id=f"m{i}", role=("user", "assistant")[i % 2], content=f"Item {i} is done.") for i in range(count)]


def test_the_fold_after_it_reads_nothing_more() -> None:
    """Every message has been read, also those that the run on screen has not folded; it is begun once."""
    session = opened("read-ahead", as_session(talk(LONG)), "agentkit")
    reader = read_when_idle(session)
    assert reader is not None
    assert read_when_idle(session) is reader
    reader.join()
    with patch.object(facts, "_facts", wraps=facts._facts) as reads:
        trace = trace_of(session, "agentkit.memory", policy("agentkit.memory", budget=2_000), "structural")
    assert len(trace.compactions) > 3
    assert {read.args[0].injected for read in reads.call_args_list} == {"summary"}


def test_a_short_session_is_left_alone() -> None:
    """Its messages are read in the time of one move."""
    assert read_when_idle(opened("short", as_session(talk(LONG - 1)), "agentkit")) is None


def test_it_gives_way_between_two_blocks() -> None:
    """So a move waits for one block of messages at most."""
    waits = []
    with giving_way(lambda: waits.append(1)):
        read_ahead(talk(600))
    assert len(waits) == len(list(pieces(talk(600)))) > 2
