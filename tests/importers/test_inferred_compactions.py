"""Compactions nobody recorded, by prompts that shrank."""

import pytest

from core import Message, Session, Usage, replay
from core.importers._shapes.inferred_compactions import with_inferred
from core.model.session import RecordedCompaction


def run(*prompts: int) -> Session:
    """A question of 4,000 tokens and a reply for each prompt."""
    messages = [Message(id="s", role="system", content="be kind")]
    for n, prompt in enumerate(prompts):
        messages.append(Message(id=f"u{n}", role="user", content="x" * 16_000))
        usage = Usage(input_uncached=prompt, output=10)
        messages.append(Message(id=f"a{n}", role="assistant", content="ok", usage=usage))
    return Session(messages=tuple(messages))


def test_a_prompt_that_fell_and_stayed_low_was_compacted() -> None:
    """It happened before the question that followed; the newest 55 % of the window are taken to have stayed."""
    session = with_inferred(run(180_000, 200_000, 110_000, 112_000, 114_000))
    (event,) = session.compactions
    assert (event.at, event.fidelity) == (5, "inferred")
    assert event.kept == ("a0", "u1", "a1")  # 16,004 of 32,011 characters: at most 55 %
    assert session.notes == (
        "1 compaction was inferred from prompts that shrank, because the file records none; which messages stayed is a guess",
    )
    assert replay(session).compactions[0].reason.startswith("not recorded: ")


@pytest.mark.parametrize(
    "prompts",
    [
        (90_000, 100_000, 40_000, 41_000),  # fell by less than 64,000
        (300_000, 100_000, 20_000, 20_500),  # the second fall is not from the top, the first is
        (100_000, 9_000, 90_000, 91_000),  # came back: another chain, no compaction
        (0, 0, 0),
    ],
)
def test_what_is_no_compaction(prompts: tuple[int, ...]) -> None:
    """A small fall, one from below, and one that comes back within three calls."""
    found = [event.at for event in with_inferred(run(*prompts)).compactions]
    assert found == ([3] if prompts[0] == 300_000 else [])


def test_what_is_recorded_is_not_guessed_again() -> None:
    """A session with compactions of its own is left as it is."""
    session = run(100_000, 9_000, 9_500).model_copy(update={"compactions": (RecordedCompaction(at=1),)})
    assert with_inferred(session) is session


def test_a_result_is_never_kept_without_its_call() -> None:
    """Where the cut falls between a call and its result, the result goes too."""
    session = run(180_000, 200_000, 130_000, 131_000)
    asked = Message(id="a0", role="assistant", content="z" * 8_000, usage=session.messages[2].usage)
    tool = Message(id="t", role="tool", content="y" * 16_000, tool_call_id="c")
    messages = (*session.messages[:2], asked, tool, *session.messages[3:])
    (event,) = with_inferred(session.model_copy(update={"messages": messages})).compactions
    assert event.kept == ("u1", "a1")
