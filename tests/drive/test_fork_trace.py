"""Forks of transcripts: a live run begins with the window that a trace has at a step, message for message and in tokens."""

from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from core import Trace, load, meter, policy, replay, simulate
from core.drive import Drive, Store
from core.drive.fork_trace import forked_trace
from core.drive.recorder import line_of
from core.drive.restore import Restored, restored
from core.drive.start import begun_with
from core.model.errors import StepError
from core.model.session import Session
from core.trace.events import ANY_EVENT, Began, RunSettings
from tests.drive.parts import Scripted, events_of, says
from tests.drive.recorded import same_bodies
from tests.drive.test_fork import parent_of

SAMPLES = Path(__file__).parents[2] / "sample_sessions"
FOLDERS = ("claude-code", "codex", "pi", "foldline-run", "openai-chat")
RULES = {
    "agentkit.memory": {"budget": 3000, "keep_recent": 4},
    "openhands.llm_summarizing": {"max_size": 20},
    "claude_code.microcompact": {},
    "anthropic.clear_tool_uses": {"trigger": [{"input_tokens": 3000}]},
    "swe_agent.last_n": {},
    "strands.sliding_window": {},
}


def settings_for(trace: Trace, meter_name: str = "") -> RunSettings:
    """Those of a run of the demo agent, under the policy of the trace."""
    rule = trace.policy or policy("agentkit.memory")
    known = {"policy": rule.name, "parameters": dict(rule.settings), "summaries": "structural"}
    return RunSettings(**known, meter=meter_name or trace.meter)


NAMES = [f"{folder} {rule}" for folder in FOLDERS for rule in ("recorded", *RULES)]


@cache
def sample(folder: str) -> Session:
    """The first sample of a format."""
    return load(next(path for path in sorted((SAMPLES / folder).iterdir()) if path.suffix.startswith(".json")))


@cache
def trace_of(name: str) -> Trace:
    """A sample as it was recorded, or under a policy: with compactions that summarize, drop and clear."""
    folder, rule = name.split()
    counter = meter("o200k_base")
    if rule == "recorded":
        return replay(sample(folder), meter=counter)
    return simulate(sample(folder), policy(rule, **RULES[rule]), meter=counter)


def taken_up(trace: Trace, step: int, meter_name: str = "") -> Restored:
    """The fork as its file gives it back."""
    lines = [line_of(event) for event in forked_trace(trace, step, settings_for(trace, meter_name))]
    return restored(ANY_EVENT.validate_json(line) for line in lines)


def test_the_samples_compact() -> None:
    """Something is summarized, something is cleared in place, and something was recorded: the test below sees each."""
    edits = {edit.action for trace in map(trace_of, NAMES) for found in trace.compactions for edit in found.edits}
    assert {"summarised", "cleared"} <= edits
    assert any(trace.kind == "replay" and trace.compactions for trace in map(trace_of, NAMES))


@pytest.mark.parametrize("name", NAMES)
def test_a_fork_begins_with_the_window_of_the_step(name: str) -> None:
    """At every compaction, at the steps beside it, and at the two ends: the same messages and tokens."""
    trace = trace_of(name)
    near = ({k - 1, k, k + 1} for k in (trace.compaction_step(k) for k in range(min(4, len(trace.compactions)))))
    for step in sorted({0, len(trace) - 1, *chain(*near)} & set(range(len(trace)))):
        context = taken_up(trace, step).context
        assert same_bodies(context.messages(), trace.window(step)), f"step {step}"
        assert context.tokens() == trace.step(step).tokens, f"step {step}"
        assert context.steps == step + 1
        assert [c.number for c in context.compactions] == [
            c.number for c in trace.compactions[: len(context.compactions)]
        ]


def test_another_meter_counts_everything_anew() -> None:
    """The window of the fork is what its own meter makes of the messages, summaries included."""
    trace = next(trace for folder in FOLDERS if (trace := trace_of(f"{folder} agentkit.memory")).compactions)
    context = taken_up(trace, len(trace) - 1, "agentkit").context
    assert context.tokens() == sum(map(meter("agentkit").count, trace.window(len(trace) - 1)))


def begun(trace: Trace, step: int, folder: Path) -> Drive:
    """The fork, opened, under a policy that does not act."""
    roomy = settings_for(trace).model_copy(update={"policy": "agentkit.memory", "parameters": {"budget": 1_000_000}})
    return begun_with(forked_trace(trace, step, roomy), Store(folder))


def test_the_fork_names_the_transcript_and_goes_on(tmp_path: Path) -> None:
    """Its file says what it was forked from; nothing is sent by itself, and a message typed there is sent behind the window."""
    trace = trace_of(NAMES[0])
    step = next(i for i in range(3, len(trace)) if trace.window(i)[-1].role == "tool")
    drive = begun(trace, step, tmp_path)
    assert (drive.state.status, drive.unfinished, drive.state.calls) == ("stopped", True, 0)
    llm = Scripted([says("Done.")])
    drive._turns.loop.llm = llm
    drive.resume()
    assert drive.wait() == "ended"
    window = trace.window(step)  # calls of it that had no result yet are answered behind it
    assert same_bodies(llm.sent[0][: len(window)], window)
    drive.close()
    began = events_of(drive)[0]
    assert isinstance(began, Began)
    assert began.fork is not None
    assert (began.id, began.fork.run, began.fork.step) == (drive.id, trace.session.id, step)
    assert began.fork.title
    again = load(tmp_path / f"{drive.id}.jsonl")
    assert again.notes == ()


def test_a_fork_behind_an_answer_waits_for_a_message(tmp_path: Path) -> None:
    """There is nothing to continue where the turn was over."""
    session = load(name="a.json", data=b'[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"}]')
    drive = begun(replay(session), 1, tmp_path)
    assert (drive.state.status, drive.unfinished) == ("ended", False)
    drive.close()


def test_what_a_person_pinned_is_pinned_in_the_fork(tmp_path: Path) -> None:
    """Of a recorded run that foldline drove."""
    parent = parent_of(tmp_path)
    parent.pin([1])
    parent.close()
    trace = replay(load(tmp_path / f"{parent.id}.jsonl"))
    assert taken_up(trace, len(trace) - 1).context.pinned == frozenset({1})
    assert taken_up(trace, 0).context.pinned == frozenset()


def test_a_step_outside_the_trace_is_refused() -> None:
    """The error names the steps there are."""
    trace = replay(load(name="a.json", data=b'[{"role":"user","content":"hi"}]'))
    with pytest.raises(StepError, match="outside"):
        forked_trace(trace, 5, settings_for(trace))


def test_the_system_prompt_is_that_of_the_transcript() -> None:
    """A run that starts over from the fork has it too; none where the window has none."""
    trace = replay(
        load(name="a.json", data=b'[{"role":"system","content":"Be brief."},{"role":"user","content":"hi"}]')
    )
    began = forked_trace(trace, 1, settings_for(trace))[0]
    assert isinstance(began, Began)
    assert began.settings.system == "Be brief."
