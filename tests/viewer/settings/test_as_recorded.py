"""The policy of a recorded run's agent acts as near to where the record did as one limit can."""

from dataclasses import replace

import pytest

from core import Message, Trace, meter, policy, replay
from core.model.session import RecordedCompaction, Session
from core.why.fitted import distance
from viewer.settings.as_recorded import Shown, as_recorded, grounds, note, settings

OWN = "claude_code.auto"
BESIDE = "; the record does after message 5."
HIDDEN = "tokens (system prompt, tools, what the agent added) are not in the transcript"
TALK = " ".join(["hello world"] * 9_995)  # 19,990 tokens, and 4 for its role


def recorded(
    *cuts: int, prompt: int = 160_000, trigger: str = "auto", format: str = "claude-code", summary: str = ""
) -> Trace:
    """Twelve messages of 19,994 tokens, and a compaction of everything before each of these, sent as such a prompt."""
    messages = [
        Message(id=f"m{k}", role="assistant" if k % 2 else "user", content=TALK, reply_id=f"r{k}") for k in range(12)
    ]
    how = {"edit": "dropped", "trigger": trigger, "tokens_before": prompt, "summary": summary}
    made = [RecordedCompaction(at=k, **how) for k in cuts]
    session = Session(format=format, model="claude-x", messages=tuple(messages), compactions=tuple(made))
    return replay(session, meter=meter("o200k_base"))


def without_defaults(found: Shown) -> str:
    """What is said behind the settings, without what the defaults do."""
    return grounds(found).rpartition(" With the defaults")[0]


def test_where_it_acts_after_the_same_messages_that_is_said() -> None:
    """At its defaults, 167,000 tokens, it would act once; at the five messages of the record it acts where that did."""
    found = as_recorded(recorded(5, 11), OWN)
    assert found
    assert (found.acts_at, found.recorded, found.simulated, found.at_defaults) == (99_970, (5, 11), (5, 11), 1)
    assert settings(found)["window"] == 99_970 + 13_000 + 20_000
    said = "Acts at 99,970 tokens of the transcript. Compacts after the same messages as recorded: 5 and 11."
    assert note(found) == "Compacts after the same messages as recorded: 5 and 11.", "the sidebar has this alone"
    assert grounds(found) == f"{said} With the defaults it compacts once."


def test_where_it_acts_elsewhere_both_places_are_said_and_never_as_recorded() -> None:
    """A call comes after each odd message; the policy acts before calls alone."""
    found = as_recorded(recorded(4, 8), OWN)
    assert found
    assert note(found) == "Compacts after messages 5 and 9; the record does after messages 4 and 8."
    assert without_defaults(found) == (
        "Acts at 79,976 tokens of the transcript, the limit nearest to the record. "
        "Compacts after messages 5 and 9; the record does after messages 4 and 8."
    )


def test_the_places_are_those_of_the_run_that_the_page_shows() -> None:
    """Longer summaries fill the window sooner, and so do messages that stay in it."""
    trace = recorded(4, 8, summary=f"{TALK} {TALK} {TALK}")
    quoted, as_written, pinned = (
        as_recorded(trace, OWN, *given) for given in ((), ("recorded",), ("structural", (0, 1, 2)))
    )
    assert quoted
    assert as_written
    assert pinned
    assert (quoted.policy, quoted.simulated) == (as_written.policy, (5, 9))
    assert (as_written.simulated, pinned.simulated) == ((5, 9), (5, 7, 9, 11))


def test_places_count_and_not_how_many_there_are() -> None:
    """At the size of the four messages behind the first it would act twice as well, but after 5 and 9."""
    found = as_recorded(recorded(7, 11), OWN)
    assert found
    assert (found.recorded, found.simulated) == ((7, 11), (5, 11))
    assert found.acts_at < 99_970


def test_a_compaction_that_a_person_asked_for_is_said_to_be_one() -> None:
    """Where all are, the policy acts there all the same."""
    found = as_recorded(recorded(5, trigger="manual"), OWN)
    assert found
    assert (found.by_hand, found.acts_at) == (True, 99_970)
    assert "Compacts after messages 5 and 11; the record does, on request, after message 5." in without_defaults(found)


@pytest.mark.parametrize(
    ("simulated", "cleared", "unseen", "said"),
    [
        ((7,), 0, (900,), f"Compacts after message 7{BESIDE} Of the prompt before the recorded one, ~900 {HIDDEN}."),
        ((), 3, (), f"Never compacts, and clears results 3 times{BESIDE}"),
        ((), 0, (-5,), f"Never compacts{BESIDE}"),
    ],
)
def test_what_the_transcript_does_not_show_is_said(
    simulated: tuple[int, ...], cleared: int, unseen: tuple[int, ...], said: str
) -> None:
    """In tokens of the last prompt, where it is known."""
    found = Shown(policy(OWN), {}, 800, (5,), simulated, unseen, cleared, 0, False)
    assert without_defaults(found).endswith(f"the limit nearest to the record. {said}")


def test_what_the_record_kept_and_the_policy_takes_is_said() -> None:
    """Of the first recorded compaction, where it is anything."""
    kept = Shown(policy(OWN), {}, 800, (5,), (5,), (), 0, 0, False, kept_alone=12)
    assert without_defaults(kept).endswith(
        ": 5. The first recorded compaction kept 12 messages that this policy takes."
    )
    session = Session(format="claude-code", messages=recorded(5).session.messages)
    event = RecordedCompaction(at=5, trigger="auto", kept=("m3", "m4"), tokens_before=160_000)
    found = as_recorded(replay(session.model_copy(update={"compactions": (event,)}), meter=meter("o200k_base")), OWN)
    assert found
    assert found.kept_alone == 2


def test_where_that_differs_no_one_limit_fits_and_long_lists_are_cut() -> None:
    """Of more than five places the first five are named."""
    found = Shown(policy(OWN), {}, 800, tuple(range(1, 8)), (9,), (900, 1_200), 0, 0, False)
    said = without_defaults(found)
    assert "Compacts after message 9; the record does after messages 1, 2, 3, 4, 5 and 2 more." in said
    assert said.endswith(f"~900 to ~1,200 {HIDDEN}, so no one limit fits all.")
    midway = without_defaults(replace(found, starts_midway=True))
    assert "~1,200 tokens (earlier messages, system prompt, tools, what the agent added) are not" in midway
    assert "~1,200 tokens (tools, what the agent added) are not" in without_defaults(
        replace(found, has_system_prompt=True)
    )


@pytest.mark.parametrize(
    ("recorded", "simulated", "far"),
    [((10, 20), (10, 20), 0), ((10, 20), (12, 19), 3), ((10, 20), (10,), 5), ((10, 20), (), 10), ((), (3,), 1)],
)
def test_how_far_compactions_are_from_the_recorded_ones(
    recorded: tuple[int, ...], simulated: tuple[int, ...], far: float
) -> None:
    """Moved ones count the messages between, one too few or too many half of those from one recorded to the next."""
    assert distance(recorded, simulated) == far


def test_another_policy_a_run_without_compaction_and_an_unknown_agent_have_none() -> None:
    """Their settings are those that suit the session."""
    assert as_recorded(recorded(4), "agentkit.memory") is None
    assert as_recorded(recorded(), OWN) is None
    assert as_recorded(recorded(4, format="openai-chat"), OWN) is None
