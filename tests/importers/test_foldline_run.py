"""foldline's own live runs: every event of the file in the session, every window as the model was sent it."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core import Message, Policy, load, replay
from core.model.errors import TranscriptError
from core.model.session import Session, Usage
from tests.drive.recorded import RecordedContext, loosely, same_bodies, written
from tests.engine.test_chains import SHAPES
from tests.support import tight_over

SAMPLE = Path(__file__).parents[2] / "sample_sessions" / "foldline-run" / "bell-tower.jsonl"
LINES = SAMPLE.read_bytes().split(b"\n")[:-1]


def opened(lines: list[bytes]) -> Session:
    """The session of these lines."""
    return load(name="run.jsonl", data=b"\n".join(lines) + b"\n")


def test_a_breakpoint_that_there_cannot_be_leaves_its_line_out() -> None:
    """A damaged breakpoint: the run opens without that line."""
    damaged = b'{"kind":"breakpoints","seq":99,"points":[{"kind":"error","value":"strange"}]}'
    session = opened([*LINES, damaged])
    assert len(session.messages) == len(load(SAMPLE).messages)
    assert session.notes == (f"1 event could not be understood: line {len(LINES) + 1}",)


def test_the_messages_of_a_run() -> None:
    """What arrived, in order, with the time and the line; what a summary is stands where it came in."""
    session = load(SAMPLE)
    assert (session.id, session.title, session.model) == (
        "2026-06-03-181204-7c1e",
        "The open Sundays of June",
        "bellringer-1",
    )
    letters = {"system": "s", "user": "u", "assistant": "a", "tool": "t"}
    assert "".join(letters[m.role] for m in session.messages) == "suattattatatttuattatauattatatata"
    assert [m.injected for m in session.messages][14] == "summary"
    asked = session.messages[1]
    assert (asked.line, asked.timestamp) == (3, "2026-06-03T18:12:06.710Z")
    assert (session.turns, session.records, session.malformed_lines) == (2, 85, 0)


def test_what_the_calls_cost() -> None:
    """The tokens of every reply and of the summary, each once."""
    assert load(SAMPLE).usage == Usage(input_uncached=9193, output=614)


def test_the_compactions_of_a_run() -> None:
    """Who acted, why, by how much; what the window then held, message by message, and what was put in."""
    by_model, by_hand = load(SAMPLE).compactions
    assert (by_model.at, by_model.trigger, by_model.policy) == (14, "auto", "langchain.summarization")
    assert (by_model.reason, by_model.tokens_before, by_model.tokens_after) == ("662 tokens ≥ 620", 662, 466)
    assert (by_model.summary, by_model.added, by_model.edit) == ("summary#1", ("summary#1",), "summarised")
    assert (len(by_model.window), by_model.window[0], by_model.left) == (7, "summary#1", ())
    assert (by_hand.at, by_hand.trigger, by_hand.policy) == (20, "manual", "by hand")
    assert (by_hand.summary, by_hand.added, by_hand.edit) == (None, (), "dropped")
    assert by_hand.window[:7] == by_model.window
    assert (by_hand.line, by_hand.timestamp, by_hand.fidelity) == (57, "2026-06-03T18:12:31.882Z", "exact")
    assert (by_hand.before_from, by_hand.after_from) == ("counted by o200k_base", "counted by o200k_base")


def test_the_windows_of_a_run() -> None:
    """The replay's window behind a compaction is the one that was counted when it happened."""
    trace = replay(load(SAMPLE))
    assert [c.tokens_after for c in trace.compactions] == [c.window_after for c in trace.compactions] == [466, 620]
    dropped = trace.compactions[1]
    assert [m.role for m in dropped.before if m.id in dropped.removed] == ["assistant", "tool", "tool"]


def test_what_else_a_run_says_is_counted() -> None:
    """Events that are no messages and no compactions: how many of each kind."""
    assert load(SAMPLE).other == {"call": 14, "changed": 1, "ended": 2, "error": 1, "phase": 4, "tool": 16}


def test_a_lost_line_takes_the_compactions_behind_it() -> None:
    """Their places are those of messages that are not all there: they are left out, and it is said so."""
    lost = next(i for i in range(10, 20) if LINES[i].startswith(b'{"kind":"message"'))
    session = opened([*LINES[:lost], *LINES[lost + 1 :]])
    assert [c.at for c in session.compactions] == []
    assert session.notes == ("2 compactions left out, because earlier records are missing: lines 37, 56",)


def test_half_a_line_at_the_end_did_not_happen() -> None:
    """A run that was cut off in the middle of an event is that up to the event before."""
    whole, cut = opened(LINES[:20]), load(name="run.jsonl", data=b"\n".join(LINES[:20]) + b"\n" + LINES[20][:40])
    assert cut.messages == whole.messages
    assert len(whole.messages) > 5


def test_an_event_that_cannot_be_is_noted() -> None:
    """A line that is JSON and no event is counted as damaged, the others are read."""
    session = opened([*LINES, b'{"kind":"usage","seq":86,"time":"2026-06-03T18:14:00.000Z","number":"many"}'])
    assert (session.malformed_lines, len(session.messages)) == (1, 32)
    assert session.notes == ("1 event could not be understood: line 86",)


def test_a_run_without_its_first_line_opens() -> None:
    """An event with its place in a run is enough to know the format."""
    session = opened(LINES[1:])
    assert (session.format, session.title, session.compactions[0].at) == (
        "foldline-run",
        "Fill the open Sundays of June, please. Say who fetches the key.",
        14,
    )


def test_a_run_from_the_future_is_refused() -> None:
    """A newer version is not read as if it were this one."""
    newer = LINES[0].replace(b'"version":1', b'"version":3')
    with pytest.raises(TranscriptError, match="is a run of version 3; this one reads up to 2"):
        opened([newer, *LINES[1:]])


@tight_over(*SHAPES.values())
def test_the_file_has_every_window_of_every_policy(
    rules: Policy, history: Callable[[int], Iterator[Message]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a policy does to the window, the replay of the file shows it as the run had it, region by region."""
    loosely(monkeypatch)
    told = RecordedContext(rules)
    for message in history(15):
        told.arrive(message)
    session = load(name="run.jsonl", data=written(told.events))
    run, again = told.context.trace(), replay(session, meter=told.context.meter)
    assert (session.notes, len(again)) == ((), len(run))
    for step in range(len(run)):
        assert same_bodies(again.window(step), run.window(step)), f"step {step}"
        if not any(found.left for found in session.compactions):
            assert again.region_list(step) == run.region_list(step), f"step {step}"


def test_a_line_whose_tokens_no_float_holds_is_left_out() -> None:
    """It is counted among the damaged lines, and the rest opens."""
    place = max(k for k, line in enumerate(LINES) if b'"kind":"message"' in line)
    large = re.sub(rb'"tokens": ?\d+', b'"tokens": 1' + b"0" * 400, LINES[place])
    session = opened([*LINES[:place], large, *LINES[place + 1 :]])
    assert session.malformed_lines == 1
    assert len(session.messages) == len(load(SAMPLE).messages) - 1


@pytest.mark.parametrize(
    "parameters", ['{"budget": 1' + "0" * 400 + "}", '{"keep":' * 100 + "1" + "}" * 100, '{"no": 1}', '{"name": 1}']
)
def test_a_policy_that_is_not_known_is_none(parameters: str) -> None:
    """The run opens, and is shown under no policy; it can be saved."""
    began = json.loads(LINES[0])
    began["settings"] |= {"policy": "agentkit.memory", "parameters": json.loads(parameters)}
    session = opened([json.dumps(began).encode(), *LINES[1:]])
    assert session.driven is None
    assert Session.model_validate_json(session.model_dump_json()) == session
    assert opened(LINES).driven is not None
