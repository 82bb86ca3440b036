"""A prompt that shrank without a recorded compaction."""

from core import Message, Session, Usage, replay
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


def test_a_run_that_was_sent_its_window_has_none() -> None:
    """Growing prompts, and no prompts at all."""
    assert call_findings(replay(session(100, 300, 500), meter=Hundred())) == {}
    assert call_findings(replay(Session(messages=(Message(role="user", content="x"),)))) == {}
