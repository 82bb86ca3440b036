"""Recorded prompts that shrank with nothing on record that made the window smaller."""

from pathlib import Path

import pytest

from core import Message, Session, Trace, load, meter, policy, replay, simulate
from core.model.session import RecordedCompaction
from core.trace.prompt_falls import PromptFalls, prompt_falls
from core.trace.prompt_overhead import unseen
from core.trace.trace import conversation
from tests.support import replies_to


class Hundred:
    """Every message is a hundred tokens."""

    def count(self, message: Message) -> int:
        """A hundred."""
        return 100


def replayed(*prompts: int, compactions: tuple[RecordedCompaction, ...] = (), **known: object) -> Trace:
    """The replay of a session with these prompts: call k was sent 2k + 1 messages of a hundred tokens."""
    return replay(Session(messages=replies_to(*prompts, **known), compactions=compactions), meter=Hundred())  # type: ignore[arg-type]


def falls_of(*prompts: int, **known: object) -> PromptFalls:
    """Its falls."""
    return prompt_falls(replayed(*prompts, **known))  # type: ignore[arg-type]


def test_a_prompt_too_small_for_the_window_is_a_fall() -> None:
    """The third call was sent 200 tokens where five messages of 100 had arrived: uncertain from its reply on."""
    falls = falls_of(100, 300, 200, 400)
    assert [(f.before.prompt, f.call.prompt, f.call.seen, f.call.at) for f in falls.falls] == [(300, 200, 500, 5)]
    assert falls.uncertain == ((5, 8),)
    assert [falls.uncertain_from(step) for step in (0, 4, 5, 7)] == [None, None, 5, 5]


def test_each_fall_is_one_and_the_window_stays_uncertain_from_the_first() -> None:
    """What grew after the first fall is gone again at the second."""
    falls = falls_of(100, 300, 200, 400, 150, 350)
    assert [f.call.at for f in falls.falls] == [5, 9]
    assert falls.uncertain == ((5, 12),)


def test_growing_prompts_are_no_fall() -> None:
    """Whether our count is right, a little too high, or far too high."""
    assert falls_of(100, 300, 500, 700) == falls_of(90, 270, 450, 630) == falls_of(10, 30, 50, 70) == PromptFalls()


def test_what_no_transcript_shows_may_go() -> None:
    """A prompt that fell by a third still holds every message, and the 1,000 tokens of a system prompt."""
    assert falls_of(1_100, 2_700, 1_800, 2_400) == PromptFalls()


def test_half_of_what_every_prompt_held_beyond_its_messages_is_taken_to_stay() -> None:
    """Of 1,000 tokens 500 stay: 800 do not hold them and five messages, 1,000 do."""
    assert len(falls_of(1_100, 1_300, 800).falls) == 1
    assert falls_of(1_100, 1_300, 1_000) == PromptFalls()


def test_a_small_difference_is_no_fall() -> None:
    """A twentieth less than before, or than the window, is within what counts differ by."""
    assert falls_of(100, 500, 480) == falls_of(100, 510, 478) == PromptFalls()
    assert len(falls_of(100, 510, 470).falls) == 1


def test_a_count_that_is_too_high_does_not_hide_a_fall() -> None:
    """Prompts of 85 for each 100 of ours: until one is clearly smaller they are taken to hold the window."""
    assert [f.call.at for f in falls_of(85, 255, 425, 595, 240).falls] == [9]
    assert falls_of(85, 255, 425, 595, 765) == PromptFalls()


def test_where_usage_leaves_out_what_was_cached_nothing_is_said() -> None:
    """No prompt holds the window there, nor what arrived since the one before, so a smaller one tells nothing."""
    assert falls_of(20, 5, 30, 4) == falls_of(100, 20, 5, 30, 4) == PromptFalls()


def test_another_model_may_count_otherwise() -> None:
    """Calls of two models are not compared; where the model is not recorded it is taken to be the same."""
    assert falls_of(100, 300, 200, models={0: "a", 1: "a", 2: "b"}) == PromptFalls()
    assert len(falls_of(100, 300, 200, models={0: "a", 1: "a"}).falls) == 1


def test_a_recorded_compaction_explains_a_smaller_prompt() -> None:
    """With one between, our window is smaller too; one later on makes the window known again."""
    event = RecordedCompaction(at=4, edit="dropped")
    assert falls_of(100, 300, 120, compactions=(event,)) == PromptFalls()
    later = RecordedCompaction(at=8, edit="dropped")
    assert falls_of(100, 300, 200, 400, 100, compactions=(later,)).uncertain == ((5, 8),)


def test_emptied_results_do_not_make_the_window_known_again() -> None:
    """A microcompaction leaves what is uncertain so."""
    event = RecordedCompaction(at=8, kind="microcompaction")
    assert falls_of(100, 300, 200, 400, 600, compactions=(event,)).uncertain == ((5, 11),)


def test_a_prompt_that_holds_the_window_again_ends_it() -> None:
    """Seven messages were sent again: what was left out has come back."""
    assert falls_of(100, 300, 200, 700, 900).uncertain == ((5, 7),)


def test_what_is_unseen_is_not_measured_where_the_window_is_uncertain() -> None:
    """Of the four calls the two before the fall tell that nothing is unseen; all four were recorded."""
    sent = unseen(replayed(110, 310, 120, 320))
    assert (len(sent.calls), [c.unseen for c in sent.certain], sent.typical) == (4, [10, 10], 10)


def test_a_simulated_run_was_never_sent() -> None:
    """Its windows are not held against prompts that another run was sent."""
    session = Session(messages=replies_to(100, 300, 200))
    assert prompt_falls(simulate(session, policy("agentkit.memory"), meter=meter("agentkit"))) == PromptFalls()


@pytest.mark.parametrize("name", ["o200k_base", "agentkit", "reported"])
def test_a_compaction_that_was_not_recorded_is_found(shared: Path, name: str) -> None:
    """A real session of two compactions, with both taken off the record: a fall at the first call after each, no other."""
    recorded = load(shared / "transcripts" / "pi" / "before-compaction.jsonl")
    bare = recorded.model_copy(update={"messages": tuple(conversation(recorded)), "compactions": ()})
    trace = replay(bare, meter=meter(name))
    falls = prompt_falls(trace)
    assert [f.call.at for f in falls.falls] == [357, 623]
    assert falls.uncertain == ((357, len(trace)),)
    assert prompt_falls(replay(recorded, meter=meter(name))) == PromptFalls()


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("atif/terminus_2_hello-world-context-summarization-linear-history.trajectory.json", [12]),
        ("codex/rollout-2026-04-08T12-55-32-019d6d29-8cf7-7fe3-adc9-8c3e4d9d5603.jsonl", []),
        ("opencode/ses_277daa810ffePOBsdfS6gm8uA2.json", []),
        ("cline/session.messages.json", []),
        ("langfuse/claude-agent-2025-12-22.trace.json", []),
    ],
)
def test_real_prompts_that_fell(shared: Path, name: str, steps: list[int]) -> None:
    """Reasoning that was left out, another model, usage without what was cached: only the first sent less than the window."""
    trace = replay(load(shared / "transcripts" / name))
    assert [trace.message_step(f.call.at) for f in prompt_falls(trace).falls] == steps
