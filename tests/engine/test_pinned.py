"""Messages that a person pins for a simulation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import FoldlineError, Trace, policy, simulate
from core.engine.pins import pins, pins_text
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, broken, says, shown, window
from tests.support import user

KEPT = policy("agentkit.memory", budget=100, keep_recent=1)


def test_a_pinned_message_stays_where_it_stood() -> None:
    """It is no longer among what goes: it stands behind the summary, and the trace says that it is pinned."""
    session = as_session(window("s10 u40 a40 u40 a40"))
    trace = simulate(session, KEPT, meter=BY_HAND, summarizer=says("sum"), pinned=[1])
    assert shown(trace.window(len(trace) - 1)) == "s1 S u1 u2 a2"
    assert trace.pinned == (1,)
    assert trace.compactions[0].removed == ("a1",)
    assert trace.regions(len(trace) - 1)["u1"] == "system"
    assert Trace.model_validate_json(trace.model_dump_json()) == trace


def test_a_pinned_result_takes_its_call_with_it() -> None:
    """Either half of a tool pair pins both, so that no policy parts them."""
    session = as_session(window("s10 u40 a10(c1) t40(c1) a40 u10 a10"))
    for place in (2, 3):
        trace = simulate(session, KEPT, meter=BY_HAND, summarizer=says("sum"), pinned=[place])
        assert trace.pinned == (2, 3)
        assert shown(trace.window(len(trace) - 1)).startswith("s1 S a1 t1")


def test_a_pin_outlives_a_summarizer_that_fails() -> None:
    """Where aider drops everything for want of a summary, what is pinned stays all the same."""
    rule = policy("aider", max_chat_history_tokens=50)
    for pinned, expected in (((), "s1"), ((1,), "s1 u1")):
        trace = simulate(
            as_session(window("s10 u40 a40 u40 a40 u5")), rule, meter=BY_HAND, summarizer=broken, pinned=pinned
        )
        assert trace.compactions
        assert shown(trace.compactions[0].after).split()[: len(expected.split())] == expected.split()
        assert ("u1" in shown(trace.window(len(trace) - 1)).split()) == bool(pinned)


def test_a_pinned_message_is_not_cut_to_its_ends() -> None:
    """codex.remote shortens the oldest typed message that no longer fits, but never one that is pinned."""
    rule = policy("codex.remote", model_auto_compact_token_limit=100, RETAINED_MESSAGE_TOKEN_BUDGET=60)
    session = as_session(window("s10 u80 a40 u40 a40"))
    for pinned, whole in (((), False), ((1,), True)):
        trace = simulate(session, rule, meter=BY_HAND, pinned=pinned)
        assert trace.compactions
        assert any(m is session.messages[1] for m in trace.window(len(trace) - 1)) == whole


def test_what_is_not_there_cannot_be_pinned() -> None:
    """The error names the place."""
    with pytest.raises(FoldlineError, match="place 5"):
        simulate(as_session(window("s10 u40")), KEPT, meter=BY_HAND, pinned=[5])


@given(st.lists(st.text(max_size=6), max_size=6, unique=True), st.integers(0, 1), st.data())
def test_pins_are_read_back_as_they_are_written(ids: list[str], first: int, data: st.DataObject) -> None:
    """By id, or by number where an id has a comma or blanks, cannot be printed, or is empty."""
    messages = [user("text").model_copy(update={"id": f"x{id}"}) for id in ids]
    places = tuple(sorted(data.draw(st.sets(st.integers(0, len(ids) - 1))) if ids else ()))
    text = pins_text(messages, places, first)
    assert pins(as_session(messages), text, first) == places
    assert text.isprintable()


@pytest.mark.parametrize(
    ("text", "places"),
    [("", ()), (" , ", ()), ("u2", (3,)), ("3", (2,)), ("a1, 1,a1", (0, 2)), ("4", (1,)), ("5", (4,))],
)
def test_a_message_is_named_by_id_or_number(text: str, places: tuple[int, ...]) -> None:
    """Numbers count from 1, as the app shows them. Its id comes first where one looks like a number."""
    messages = window("s10 u40 a40 u40 a40")
    messages[1] = messages[1].model_copy(update={"id": "4"})
    assert pins(as_session(messages), text) == places


@pytest.mark.parametrize("text", ["u9", "0", "6", "-1", "1e3", "²", "u1;u2", "9" * 5000, "\ud800"])
def test_a_message_that_is_not_there_is_named(text: str) -> None:
    """The error says what was typed, cut short, and what would do."""
    with pytest.raises(FoldlineError) as found:
        pins(as_session(window("s10 u40 a40 u40 a40")), text)
    assert repr(text[:20])[1:8] in str(found.value)
    assert len(str(found.value)) < 200
    assert found.value.hint == "give its id, or its number: 1 to 5"


def test_an_address_counts_messages_from_0() -> None:
    """A link that somebody has kept pins what it always has; the error counts as the link does."""
    session = as_session(window("s10 u40 a40"))
    assert (pins(session, "0,2", first=0), pins_text(session.messages, (2,), first=0)) == ((0, 2), "a1")
    with pytest.raises(FoldlineError, match="'3'") as found:
        pins(session, "3", first=0)
    assert found.value.hint == "give its id, or its number: 0 to 2"
