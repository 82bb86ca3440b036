"""Messages taken many at a time come to the same summary as messages taken one by one."""

from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import Message
from core.summaries import blocks, summarizers
from core.summaries.blocks import pieces
from core.summaries.facts import facts_of
from core.summaries.quotes import cite
from core.summaries.stretches import Single, Stretch
from core.summaries.summarizers import structural
from tests.support import assistant, calls, result, user, with_ids

TASK = "Port the importer to the new API."
USER = (
    TASK,
    "Port",  # the task begins so, too
    "Then describe the full flow.",
    "Which tests cover it?",
    "Never edit the fixtures.",
    "No, that does not work.",
    "The tests still fail.",
    "/review",
    "ok",
    "[Request interrupted by user]",
)
REPLIES = (
    "The importer is ported.",
    "All tests pass.",
    "The cache is fixed.",
    "Noted.",
    "Which one?",
    "I'll run the whole suite next.",
    "Let me look at the cache.",
    "The root cause is the cache.",
    "We decided to keep the table.",
    "You're right, the importer is not ported.",
    "The build fails.",
)
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Bash", {"command": "pytest -q"}),
    ("Bash", {"command": "make build"}),
    ("Bash", {"command": "ls"}),
    ("Read", {"file_path": "/p/a.py"}),
    ("Edit", {"file_path": "/p/b.py"}),
    ("Grep", {"pattern": "cache"}),
    ("weather", {"city": "Lisbon"}),
    ("TodoWrite", {"todos": [{"content": "port the cache", "status": "in_progress"}]}),
    ("think", {}),
)
RESULTS = (
    "ok",
    "12 passed in 1s",
    "1 failed, 11 passed",
    "Exit code 1",
    "ValueError: week",
    "The user doesn't want to",
)


def called(id: str, how: tuple[str, dict[str, Any]], text: str = "") -> Message:
    """A reply that calls a tool."""
    return assistant(text, calls(id, how[0], **how[1]))


IDS = st.sampled_from(["c1", "c2", "c3"])  # so few that calls are answered late, twice or never
PLAIN_CALLS = st.builds(called, IDS, st.sampled_from(CALLS[:7]), st.sampled_from(("", *REPLIES[:7])))
PLAIN = st.one_of(
    st.builds(user, st.sampled_from(USER[:4])),
    st.builds(assistant, st.sampled_from(REPLIES[:7])),
    PLAIN_CALLS,
    PLAIN_CALLS,
    st.builds(result, IDS, st.just("ok")),
    st.builds(result, IDS, st.just("ok")),
    st.just(Message(role="user", content="The date is today.", injected="meta")),
)
ANY = st.one_of(
    st.builds(user, st.sampled_from(USER)),
    st.builds(assistant, st.sampled_from(REPLIES)),
    st.builds(called, IDS, st.sampled_from(CALLS), st.sampled_from(("", *REPLIES))),
    st.builds(result, IDS, st.sampled_from(RESULTS)),
    st.sampled_from(
        [
            Message(role="user", content="An agent is done.", injected="agent"),
            Message(role="user", content="Its hooks ran.", injected="hook"),
            Message(role="user", content="Task: Port the exporter. [m1]", injected="summary"),
        ]
    ),
)
SESSIONS = st.lists(
    st.one_of(
        st.lists(PLAIN, min_size=4, max_size=20),
        st.lists(PLAIN, min_size=4, max_size=20),
        st.lists(ANY, min_size=1, max_size=3),
    ),
    max_size=8,
).map(lambda parts: with_ids([message for part in parts for message in part]))


def one_by_one(messages: Sequence[Message]) -> list[Single]:
    """The messages as they are taken where nothing is known of them."""
    return [Single(facts_of(message), cite(message.id)) for message in messages]


def plainly(messages: Sequence[Message], prior: str | None) -> str:
    """Their structural summary without any stretch."""
    with patch.object(summarizers, "pieces", one_by_one):
        return structural(messages, prior)


SMALL = {"BEGINS": 2, "PARTS": 12, "STEP": 4, "LONGEST": 24}
FOLDS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), min_size=1, max_size=6)


@settings(max_examples=40)
@given(SESSIONS, FOLDS)
def test_any_messages(every: list[Message], folds: list[tuple[int, int]]) -> None:
    """Whatever the messages are, and wherever folds of them begin and end, as those of a sweep do: also one behind another."""
    with patch.multiple(blocks, **SMALL):
        first = prior = plainly(every, None)
        assert structural(every) == first
        for start, size in folds:
            part, before = every[start : start + size], prior
            prior = structural(part, before)
            assert prior == plainly(part, before)
        assert structural(every) == first


@settings(max_examples=20)
@given(SESSIONS, st.integers(2, 12), st.integers(4, 30))
def test_each_fold_begins_where_the_last_one_ended(every: list[Message], step: int, width: int) -> None:
    """Settings that cut at other places share their blocks, and say what each would say without."""
    with patch.multiple(blocks, **SMALL):
        for first in range(0, width, step):
            known: str | None = None
            for start in range(first, len(every), width):
                part = every[start : start + width]
                known, before = structural(part, known), known
                assert known == plainly(part, before)


WORK = [one for n in range(40) for one in (called(f"w{n}", CALLS[1]), result(f"w{n}", "ok"))]
PASSES = [called("p", CALLS[0]), result("p", "12 passed in 1s")]
PLAN, ANNOUNCES = (  # two messages of one id
    called("t", how, text).model_copy(update={"id": "twice"})
    for how, text in ((CALLS[7], ""), (CALLS[1], "Let me look at the cache."))
)


@pytest.mark.parametrize(
    "messages",
    [
        [user(TASK), called("f", CALLS[0]), result("f", "1 failed, 11 passed"), *WORK, *PASSES, *WORK],
        [user(TASK), PLAN, *WORK[:30], ANNOUNCES, *WORK[30:]],
        [user(TASK), assistant("Done."), called("w1", CALLS[4]), *WORK, *WORK],
        [user(TASK), *WORK, assistant("It is ported."), user("Then describe it."), *WORK],
    ],
    ids=["a failing command passes", "an id comes twice", "a call id comes twice", "a turn ends behind a stretch"],
)
def test_what_stands_before_a_stretch(messages: list[Message]) -> None:
    """What a stretch comes to depends on what came before it: an open failure, a plan, a call, a request."""
    every = [m if m.id == "twice" else m.model_copy(update={"id": f"x{n}"}) for n, m in enumerate(messages)]
    with patch.multiple(blocks, **SMALL):
        assert any(isinstance(one, Stretch) for one in pieces(every))
        assert structural(every) == plainly(every, None)


def test_most_of_a_session_is_taken_in_stretches() -> None:
    """Two hundred turns of plain work are a few pieces, and known the second time."""
    turns = [
        [user("Which tests cover it?"), called(f"c{n}", CALLS[n % 7]), result(f"c{n}", "ok"), assistant("All do.")]
        for n in range(200)
    ]
    every = with_ids([message for turn in turns for message in turn])
    found = list(pieces(every))
    held = sum(len(piece.singles) for piece in found if isinstance(piece, Stretch))
    assert held > 700
    assert len(found) < 100
    assert [id(one) for one in pieces(every) if isinstance(one, Stretch)] == [
        id(one) for one in found if isinstance(one, Stretch)
    ]


@pytest.mark.parametrize("order", [range(3, 81), range(80, 2, -1)], ids=["longer and longer", "shorter and shorter"])
def test_a_block_of_which_a_fold_takes_a_part(order: range) -> None:
    """Folds that begin at one place and end at any: what is known of a shorter one, or a longer one, is gone on with."""
    every = with_ids([user(TASK), *WORK])
    assert [structural(every[:size]) for size in order] == [plainly(every[:size], None) for size in order]


@pytest.mark.parametrize("kept", [True, False])
def test_a_message_that_changed_is_read_anew(kept: bool) -> None:
    """A block holds for the messages it was made of: with another one in its middle it is worked out again."""
    every = with_ids([user(TASK), *[assistant("The cache is fixed.")] * 40])
    structural(every)
    other = [*every[:20], every[20] if kept else assistant("All tests pass."), *every[21:]]
    assert structural(other) == plainly(other, None)
