"""The run as the transcript recorded it."""

from core import Message, Session, replay
from core.model.session import RecordedCompaction

SYSTEM = Message(id="s", role="system", content="be kind")
TALK = tuple(Message(id=f"m{i}", role="user" if i % 2 == 0 else "assistant", content=f"text {i}") for i in range(6))
SUMMARY = Message(id="sum", role="user", content="what was said", injected="summary")


def recorded(*compactions: RecordedCompaction) -> Session:
    """A system message, six messages and a recorded summary."""
    return Session(messages=(SYSTEM, *TALK[:4], SUMMARY, *TALK[4:]), compactions=compactions)


def test_a_recorded_compaction_is_a_step() -> None:
    """The window becomes the system message, the summary and what was kept; recorded tokens are shown as recorded."""
    event = RecordedCompaction(at=5, trigger="auto", tokens_before=900, tokens_after=80, summary="sum", kept=("m3",))
    trace = replay(recorded(event))
    found = trace.compactions[0]

    assert [m.id for m in trace.window(5)] == ["s", "sum", "m3"]
    assert (found.tokens_before, found.tokens_after, found.trigger) == (900, 80, "auto")
    assert (found.number, found.folded, found.removed) == (1, 3, ("m0", "m1", "m2"))
    assert [m.id for m in trace.window(7)] == ["s", "sum", "m3", "m4", "m5"]
    assert trace.regions(5) == {"s": "system", "sum": "summary", "m3": "message"}


def test_regions_of_a_recorded_run_are_told_with_hindsight() -> None:
    """What the next recorded compaction took is compactable, what it kept is recent; behind the last one nobody knows."""
    trace = replay(recorded(RecordedCompaction(at=5, summary="sum", kept=("m1", "m3"))))

    took, kept = "compactable", "recent"
    assert list(trace.regions(1).values()) == ["system", took]
    assert list(trace.regions(4).values()) == ["system", took, kept, took, kept]
    assert list(trace.regions(5).values()) == ["system", "summary", "message", "message"]


def test_what_a_recorded_compaction_only_emptied_is_compactable_before_it() -> None:
    """A microcompaction takes the content of what it names, and keeps the rest; of one that names nothing nobody knows."""
    emptied = RecordedCompaction(at=3, kind="microcompaction", cleared=("m1",))
    silent = RecordedCompaction(at=5, kind="microcompaction")
    trace = replay(recorded(emptied, silent))

    assert list(trace.regions(2).values()) == ["system", "recent", "compactable"]
    assert list(trace.regions(4).values()) == ["system", "message", "cleared", "message"]


def test_a_system_message_that_was_taken_was_not_pinned() -> None:
    """Where the recorded window begins without the system message, hindsight shows that it went."""
    listed = RecordedCompaction(at=3, window=("m0", "m1"))
    trace = replay(recorded(listed))

    assert list(trace.regions(2).values()) == ["compactable", "recent", "recent"]


def test_the_summary_does_not_arrive_by_itself() -> None:
    """It comes with the compaction: there are as many steps as messages without it, and one more."""
    trace = replay(recorded(RecordedCompaction(at=5, summary="sum")))

    assert len(trace) == 8
    assert [m.id for m in trace.messages] == ["s", "m0", "m1", "m2", "m3", "m4", "m5"]


def test_kept_names_only_what_is_in_the_window_behind_the_head() -> None:
    """A pinned system message, one that has not arrived and one that left earlier are not put in a second time."""
    first = RecordedCompaction(at=3, kept=("m1",))
    second = RecordedCompaction(at=5, summary="sum", kept=("s", "m0", "m1", "m5", "nobody"))
    trace = replay(recorded(first, second))

    assert [m.id for m in trace.window(trace.compaction_step(1))] == ["s", "sum", "m1"]
    assert trace.compactions[1].removed == ("m2", "m3")


def test_a_second_compaction_takes_the_first_summary_too() -> None:
    """What it folds includes the summary that stood in the window."""
    second = Message(id="sum2", role="user", content="all in all", injected="summary")
    session = Session(
        messages=(*TALK[:3], SUMMARY, *TALK[3:], second),
        compactions=(RecordedCompaction(at=3, summary="sum"), RecordedCompaction(at=6, summary="sum2")),
    )
    trace = replay(session)

    assert trace.compactions[1].removed == ("sum", "m3", "m4", "m5")
    assert [m.id for m in trace.window(len(trace) - 1)] == ["sum2"]


def test_a_microcompaction_empties_bodies_in_place() -> None:
    """The message stays where it was, cleared, and costs less; nothing is removed."""
    long = Message(id="r", role="tool", content="word " * 200, tool_call_id="c")
    session = Session(
        messages=(TALK[0], long, TALK[1]),
        compactions=(RecordedCompaction(at=2, kind="microcompaction", cleared=("r", "nobody")),),
    )
    trace = replay(session)

    assert trace.regions(2) == {"m0": "message", "r": "cleared"}
    assert trace.window(2)[1].content == "[cleared]"
    assert trace.compactions[0].cleared == ("r",)
    assert trace.compactions[0].removed == ()
    assert trace.compactions[0].window_after < trace.compactions[0].window_before


def test_a_recorded_run_survives_json() -> None:
    """Saved and read again, the windows are the same."""
    trace = replay(recorded(RecordedCompaction(at=5, summary="sum", kept=("m3",))))
    again = type(trace).model_validate_json(trace.model_dump_json())

    assert again == trace
    assert [again.window(i) for i in range(len(again))] == [trace.window(i) for i in range(len(trace))]


def test_a_lone_surrogate_made_in_code_is_replaced() -> None:
    """A message made by hand can be saved whatever its text holds; a pair of surrogates is the character it means."""
    from core import ToolCall

    call = ToolCall(id="c", name="f", arguments={"\ud800": ["\ud83d\ude00"]})
    message = Message(role="user", content="a\udfffb", tool_calls=[call])

    assert message.content == "a\ufffdb"
    assert message.tool_calls[0].arguments == {"\ufffd": ["\U0001f600"]}
    assert Message.model_validate_json(message.model_dump_json()) == message


def test_the_first_of_the_kept_may_stand_before_the_summary() -> None:
    """Codex puts its summary last, opencode behind the message that asked for it: `lead` says how many come first."""
    event = RecordedCompaction(at=5, summary="sum", kept=("m0", "m2", "m3"), lead=2)
    trace = replay(recorded(event))
    assert [m.id for m in trace.window(5)] == ["s", "m0", "m2", "sum", "m3"]
    assert trace.compactions[0].removed == ("m1",)


def test_which_stand_before_the_summary_is_said_by_the_order_of_the_kept() -> None:
    """opencode's marker, the newest message, comes first; the tail, older than it, behind the summary."""
    event = RecordedCompaction(at=5, summary="sum", kept=("m3", "m1", "m2"), lead=1)
    assert [m.id for m in replay(recorded(event)).window(5)] == ["s", "m3", "sum", "m1", "m2"]


def test_what_went_without_a_summary_was_dropped() -> None:
    """A truncation removes messages and puts nothing in: they are not said to be summarized."""
    trace = replay(recorded(RecordedCompaction(at=5, edit="dropped", kept=("m2", "m3"))))
    assert [m.id for m in trace.window(5)] == ["s", "m2", "m3"]
    assert [edit.action for edit in trace.compactions[0].edits] == ["dropped"]


def test_where_recorded_numbers_come_from_goes_along() -> None:
    """The compaction of the trace says what the recorded one says: how long it took, that its summary cannot be read."""
    told = {
        "before_from": "preTokens",
        "after_from": "usage of the next reply",
        "duration_ms": 42,
        "unreadable": "encrypted",
    }
    found = replay(recorded(RecordedCompaction(at=5, summary="sum", **told))).compactions[0]
    assert found.model_dump(include=set(told)) == told
