"""The policy of a recorded run's agent acts where the record did."""

import pytest

from core import Message, Trace, meter, replay
from core.model.session import RecordedCompaction, Session
from viewer.settings.as_recorded import AsRecorded, as_recorded, grounds, words

OWN = "claude_code.auto"
TALK = " ".join(["hello world"] * 9_995)  # 19,990 tokens, and 4 for its role


def recorded(*cuts: int, prompt: int = 160_000, trigger: str = "auto", format: str = "claude-code") -> Trace:
    """Twelve messages of 19,994 tokens, and a compaction of everything before each of these, sent as such a prompt."""
    messages = [
        Message(id=f"m{k}", role="assistant" if k % 2 else "user", content=TALK, reply_id=f"r{k}") for k in range(12)
    ]
    made = [RecordedCompaction(at=k, edit="dropped", trigger=trigger, tokens_before=prompt) for k in cuts]
    session = Session(format=format, model="claude-x", messages=tuple(messages), compactions=tuple(made))
    return replay(session, meter=meter("o200k_base"))


def test_it_acts_at_the_tokens_that_the_transcript_shows() -> None:
    """At its defaults, 167,000 tokens, it would act once; set to four messages, as recorded, as often as the record."""
    found = as_recorded(recorded(4, 8), OWN)
    assert found
    assert (found.visible, found.prompt, found.recorded, found.simulated, found.at_defaults) == (
        79_976,
        160_000,
        2,
        2,
        1,
    )
    assert found.settings["window"] == 79_976 + 13_000 + 20_000
    said = (
        "cts at 79,976 tokens of what the transcript shows, as recorded; 80,024 more of the prompt, system prompt and tools "
        "among them, are not in it. Recorded 2, simulated 2"
    )
    assert words(found) == f"A{said}."
    assert grounds(found) == f"a{said}; with the defaults 1"


def test_of_several_sizes_the_one_counts_that_acts_as_often() -> None:
    """At the first one's eight messages it would act once, at the second's four twice."""
    found = as_recorded(recorded(7, 11), OWN)
    assert found
    assert (found.visible, found.recorded, found.simulated) == (79_976, 2, 2)


def test_a_compaction_that_a_person_asked_for_is_said_to_be_one() -> None:
    """Where all are, the policy acts there all the same."""
    found = as_recorded(recorded(4, trigger="manual"), OWN)
    assert found
    assert (found.by_hand, found.visible) == (True, 79_976)
    assert "where a person asked for it; 80,024 more" in words(found)


@pytest.mark.parametrize(
    ("simulated", "cleared", "prompt", "why"),
    [
        (2, 0, 900, ""),
        (
            1,
            0,
            900,
            ": what is not in the transcript differs from call to call, so that no one limit acts at the same places",
        ),
        (1, 3, 900, " (3 more only clear results): what it clears before keeps the window below that"),
        (3, 0, 0, ""),
    ],
)
def test_both_counts_are_said_and_why_they_differ(simulated: int, cleared: int, prompt: int, why: str) -> None:
    """Nothing is said where they agree, or where nobody knows."""
    found = AsRecorded({}, 800, prompt, 2, simulated, cleared, 0, False)
    assert words(found).endswith(f"Recorded 2, simulated {simulated}{why}.")


def test_another_policy_a_run_without_compaction_and_an_unknown_agent_have_none() -> None:
    """Their settings are those that suit the session."""
    assert as_recorded(recorded(4), "agentkit.memory") is None
    assert as_recorded(recorded(), OWN) is None
    assert as_recorded(recorded(4, format="openai-chat"), OWN) is None
