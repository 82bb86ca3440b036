"""Tool calls and their results: what belongs together, what stands alone."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.llm import BrokenPair, broken_pairs, check_pairs, without_orphans
from core.llm.pairs import results_first
from core.model.errors import BrokenPairError
from core.model.session import Image, Message
from tests.llm.replies import HELLO, SYSTEM, answer, call, calling

SOUND = [SYSTEM, HELLO, calling(call("a"), call("b")), answer("b"), HELLO, answer("a"), calling(), HELLO]


def test_a_sound_window() -> None:
    """Results in any order, and other messages between call and result, are sound."""
    assert broken_pairs(SOUND) == []
    check_pairs(SOUND)
    assert without_orphans(SOUND) == SOUND
    assert broken_pairs([]) == []


def test_a_call_without_a_result() -> None:
    """It is named with its message; the other call of that message is sound."""
    asked = calling(call("a"), call("b", "read"), id="m1")
    window = [HELLO, asked, answer("a"), HELLO]
    assert broken_pairs(window) == [BrokenPair("b", "read", "result", "m1", 1, 1)]
    assert without_orphans(window) == [HELLO, asked.model_copy(update={"tool_calls": (call("a"),)}), answer("a"), HELLO]


def test_a_result_without_a_call() -> None:
    """It is left out; so is a second result of one call."""
    asked, orphan = calling(call("a")), answer("gone", name="read", id="m2")
    window = [HELLO, orphan, asked, answer("a"), answer("a", "again", id="m3")]
    assert broken_pairs(window) == [
        BrokenPair("gone", "read", "call", "m2", 1),
        BrokenPair("a", "", "call", "m3", 4),
    ]
    assert without_orphans(window) == [HELLO, asked, answer("a")]


def test_a_result_that_comes_too_late() -> None:
    """Behind a later assistant message neither half can be sent."""
    window = [HELLO, calling(call("a"), content="Look"), Message(role="assistant", content="Well"), answer("a")]
    assert [(pair.call_id, pair.missing) for pair in broken_pairs(window)] == [("a", "result"), ("a", "call")]
    assert [m.content for m in without_orphans(window)] == ["Hello", "Look", "Well"]


def test_a_message_of_nothing_but_broken_calls_goes_as_a_whole() -> None:
    """One with a text or a picture stays, with its id."""
    bare, seen = calling(call("a")), calling(call("b"), id="s").model_copy(update={"images": (Image(),)})
    left = without_orphans([HELLO, bare, seen])
    assert [(m.id, m.tool_calls) for m in left] == [(HELLO.id, ()), ("s", ())]


def test_calls_of_one_id_need_a_result_each() -> None:
    """Some servers send no ids: then results are counted."""
    window = [calling(call(""), call("", "read")), answer("")]
    assert [(pair.tool, pair.call) for pair in broken_pairs(window)] == [("read", 1)]
    assert broken_pairs([*window, answer("", "second")]) == []


def test_the_error_names_the_pair_and_everything_concerned() -> None:
    """The first broken pair, its tool, the half that is missing, and the messages that could be left out."""
    window = [answer("x", name="read", id="m1"), calling(call("a"), call("b"), id="m2")]
    with pytest.raises(
        BrokenPairError, match=r"the result of tool call 'x' \(read\) is in the window, its call"
    ) as caught:
        check_pairs(window)
    error = caught.value
    assert (error.kind, error.call_id, error.tool, error.missing) == ("broken_pair", "x", "read", "call")
    assert error.message_ids == ("m1", "m2")


def test_results_are_moved_up_to_their_calls() -> None:
    """What stood between follows them in its order; nothing else moves."""
    window = [HELLO, calling(call("a"), call("b")), SYSTEM, answer("a"), HELLO, answer("b"), calling()]
    assert results_first(window) == [window[0], window[1], window[3], window[5], window[2], window[4], window[6]]
    assert results_first(SOUND[:4]) == SOUND[:4]


IDS = st.sampled_from(["a", "b", "c", ""])
WINDOWS = st.lists(
    st.one_of(
        st.just(HELLO),
        st.just(SYSTEM),
        IDS.map(answer),
        st.tuples(st.lists(IDS, max_size=3), st.sampled_from(["", "So"])).map(
            lambda made: calling(*(call(id) for id in made[0]), content=made[1])
        ),
    ),
    max_size=12,
)


@given(WINDOWS)
def test_what_is_left_is_sound(window: list[Message]) -> None:
    """Whatever the window: without its orphans no pair is broken, and nothing else is missing."""
    left = without_orphans(window)
    assert broken_pairs(left) == []
    results = Counter(m.role for m in window)["tool"] - sum(pair.missing == "call" for pair in broken_pairs(window))
    assert Counter(m.role for m in left)["tool"] == results
    assert [m.content for m in left if m.content] == [
        m.content for place, m in enumerate(window) if m.content and place not in gone(window)
    ]
    assert sorted(m.id for m in results_first(left)) == sorted(m.id for m in left)


def gone(window: list[Message]) -> set[int]:
    """The places of results without a call."""
    return {pair.place for pair in broken_pairs(window) if pair.missing == "call"}
