"""Anthropic's clearing of thinking, worked by hand: the newest turn keeps its thinking, those before it lose it."""

import pytest

from core import Message, Policy, compact, policy, simulate
from core.model.errors import ParameterError
from core.trace.trace import as_session
from tests.policies.by_hand import shown, window


class Thought:
    """A meter that counts one token a character of content and thinking."""

    def count(self, message: Message) -> int:
        """Tokens of one message."""
        return len(message.content) + len(message.thinking)


def thinks(keep: int = 1) -> Policy:
    """The policy that lets so many turns keep their thinking."""
    return policy("anthropic.clear_thinking", keep=keep)


def talk(text: str) -> list[Message]:
    """Messages of which every reply has thought ten characters."""
    return [m.model_copy(update={"thinking": "0123456789"}) if m.role == "assistant" else m for m in window(text)]


def test_older_turns_lose_their_thinking():
    """Of three turns the newest keeps it, with all its replies; contents, calls and results stay."""
    found = compact(talk("s1 u1 a1 u1 a1(c1) t1(c1) a1 u1 a1(c2) t1(c2)"), thinks(), meter=Thought())
    assert shown(found.after) == "s1 u1 a1* u2 a2* t1 a3* u3 a4 t2"
    assert [len(m.thinking) for m in found.after if m.role == "assistant"] == [0, 0, 0, 10]
    assert found.tokens_before - found.tokens_after == 30
    assert [m.content for m in found.after] == [m.content for m in found.before]
    assert found.after[4].tool_calls == found.before[4].tool_calls


def test_keep_counts_turns():
    """With two kept only the first of three turns loses its thinking; with three none does."""
    three = talk("u1 a1 u1 a1 u1 a1")
    assert compact(three, thinks(2), meter=Thought()).cleared == ("a1",)
    assert compact(three, thinks(3), meter=Thought()).status == "nothing_to_do"


def test_without_thinking_nothing_is_done():
    """Replies that did not think stay as they are."""
    assert compact(window("u1 a1 u1 a1"), thinks(), meter=Thought()).status == "nothing_to_do"


def test_turn_after_turn():
    """At the first call of each turn the turn before loses its thinking, and within a turn nothing changes."""
    trace = simulate(as_session(talk(" ".join(["u1 a1(c) t1(c) a1"] * 7))), thinks(), meter=Thought())
    assert [c.at for c in trace.compactions] == [5, 9, 13, 17, 21, 25]
    assert [c.cleared for c in trace.compactions[:2]] == [("a1", "a2"), ("a3", "a4")]
    assert trace.step(len(trace) - 1).tokens == sum(trace.tokens) - 120


def test_at_least_one_turn_is_kept():
    """The API takes no less than one."""
    with pytest.raises(ParameterError):
        thinks(0)
