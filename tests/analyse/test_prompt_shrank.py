"""A prompt that shrank without a recorded compaction."""

from pathlib import Path

from core import Message, Session, Usage, load, meter, replay
from core.analyse import call_findings, trace_findings
from core.model.session import RecordedCompaction


class Hundred:
    """Every message is a hundred tokens."""

    def count(self, message: Message) -> int:
        """A hundred."""
        return 100


def session(*prompts: int, compactions: tuple[RecordedCompaction, ...] = ()) -> Session:
    """A question and a reply for each prompt."""
    said = (
        message
        for k, prompt in enumerate(prompts)
        for message in (
            Message(id=f"u{k}", role="user", content="go on"),
            Message(id=f"a{k}", role="assistant", content="ok", usage=Usage(input_uncached=prompt)),
        )
    )
    return Session(messages=tuple(said), compactions=compactions)


def test_it_is_a_warning_at_the_step_of_the_reply() -> None:
    """With the sizes of both prompts and of the window, and the replies of both calls."""
    found = call_findings(replay(session(100, 300, 200, 400), meter=Hundred()))
    ((step, (finding,)),) = found.items()
    assert (step, finding.kind, finding.severity) == (5, "prompt_shrank", "warning")
    assert finding.concern == "record"  # no API rejects the window for it
    assert finding.title == "Prompt shrank without a recorded compaction"
    assert (finding.messages, finding.numbers) == (("a2", "a1"), {"before": 300, "prompt": 200, "window": 500})
    assert "from 300 to 200 tokens" in finding.text


def test_steps_count_the_compactions_before() -> None:
    """Behind a compaction the reply's step is one further on; findings of compactions stay what they were."""
    trace = replay(
        session(100, 300, 100, 300, 150, compactions=(RecordedCompaction(at=4, edit="dropped"),)), meter=Hundred()
    )
    assert list(call_findings(trace)) == [10]
    assert trace.step(10).message == "a4"
    assert all(f.kind != "prompt_shrank" for some in trace_findings(trace).values() for f in some)


def test_what_left_may_stand_beside_the_window() -> None:
    """Where the window with half of the system prompt fits, the transcript does not say whether messages left."""
    found = call_findings(replay(session(1_100, 1_300, 1_000), meter=Hundred()))
    ((step, (finding,)),) = found.items()
    assert (step, finding.messages) == (5, ("a2", "a1"))
    assert finding.text == (
        "The recorded prompt fell from 1,300 to 1,000 tokens, by 300. The transcript does not say what left: "
        "messages of the window, or system prompt, tools and what the agent had added."
    )


def test_a_real_session_went_on_after_exit(shared: Path) -> None:
    """Its next prompt is smaller by 13,638 tokens, as the file records: the finding names the command, and is the only one."""
    path = shared / "transcripts" / "claude-code" / "6113e919-67d3-417b-b525-c63700228d19.jsonl"
    ((step, (finding,)),) = call_findings(replay(load(path), meter=meter("calibrated"))).items()
    assert step == 50
    assert finding.text.startswith(
        "The recorded prompt fell from 127,707 to 114,069 tokens, by 13,638, when the session went on after /exit. "
    )


def test_a_run_that_was_sent_its_window_has_none() -> None:
    """Growing prompts, and no prompts at all."""
    assert call_findings(replay(session(100, 300, 500), meter=Hundred())) == {}
    assert call_findings(replay(Session(messages=(Message(role="user", content="x"),)))) == {}
