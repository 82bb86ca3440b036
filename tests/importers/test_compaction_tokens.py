"""Tokens before and after a compaction, read off the prompts around it: one meaning for every format."""

import pytest

from core import Message, Session, Usage
from core.importers._shapes.compaction_tokens import with_compaction_tokens
from core.model.session import RecordedCompaction, SubAgent


def session(text: str, *compactions: RecordedCompaction) -> Session:
    """One message a word: a number is a reply with that prompt, 7 of it uncached, and 900 tokens of output."""
    messages = []
    for place, word in enumerate(text.split()):
        if word.isdigit():
            usage = Usage(input_uncached=7, cache_read=int(word) - 10, cache_write=3, output=900)
            messages.append(Message(id=f"m{place}", role="assistant", content="ok", usage=usage))
        else:
            injected = "summary" if word == "S" else ""
            messages.append(Message(id=f"m{place}", role="user", content=word, injected=injected))
    return Session(messages=tuple(messages), compactions=compactions)


def cut(at: int, **known: object) -> RecordedCompaction:
    """A compaction after so many messages."""
    return RecordedCompaction(at=at, **known)


def tokens(given: Session) -> list[tuple[int | None, int | None]]:
    """The tokens before and after each."""
    return [(c.tokens_before, c.tokens_after) for c in with_compaction_tokens(given).compactions]


def test_the_prompts_of_the_calls_around_it() -> None:
    """The whole prompt, cached or not, and nothing of the reply; the source of each number is named."""
    (found,) = with_compaction_tokens(session("u 100 u 200 u S 30 u 40", cut(5))).compactions
    assert (found.tokens_before, found.before_from) == (200, "prompt of the model call before")
    assert (found.tokens_after, found.after_from) == (30, "prompt of the model call after")


def test_what_the_format_records_wins() -> None:
    """A number of the format's own stays, and keeps its source; the other one is filled in."""
    known = cut(2, tokens_before=5, before_from="its own count")
    (found,) = with_compaction_tokens(session("u 100 u 30", known)).compactions
    assert (found.tokens_before, found.before_from, found.tokens_after) == (5, "its own count", 30)


@pytest.mark.parametrize("own", [13_290, 16_000])
def test_tokens_after_are_the_next_prompt_for_every_agent(own: int) -> None:
    """The provider's count of the next prompt is shown, whatever the agent counted; its own count where no call follows."""
    event = cut(2, tokens_after=own, after_from="the agent's own count right after")
    (found,) = with_compaction_tokens(session("u 100 u 16560 u 17000", event)).compactions
    assert (found.tokens_after, found.prompt_after, found.size_after) == (own, 16_560, 16_560)
    (last,) = with_compaction_tokens(session("u 100 u", event)).compactions
    assert (last.prompt_after, last.size_after) == (None, own)


def test_a_count_that_is_the_next_prompt_itself_or_of_the_runs_own_meter_stays() -> None:
    """A provider that compacts in a call counts what it was left with; foldline's runs count both sides by one meter."""
    of_reply = cut(2, tokens_after=20, after_from="prompt of the reply itself (`usage.iterations`)")
    driven = cut(2, tokens_after=20, after_from="counted by agentkit", policy="agentkit.memory")
    for event in (of_reply, driven):
        (found,) = with_compaction_tokens(session("u 100 u 30", event)).compactions
        assert (found.prompt_after, found.size_after) == (None, 20)


@pytest.mark.parametrize(
    ("text", "cuts", "expected"),
    [
        ("u u u", [1], [(None, None)]),  # no usage recorded
        ("u 100 u u 30", [2, 3], [(100, None), (None, 30)]),  # no call between the two
        ("u 100 u 90 u 30", [2, 4], [(100, 90), (90, 30)]),
        ("u 100 u 30", [0], [(None, 100)]),
        ("u 100 u 30", [4], [(30, None)]),
    ],
)
def test_a_call_behind_another_compaction_had_another_window(
    text: str, cuts: list[int], expected: list[tuple[int | None, int | None]]
) -> None:
    """Its prompt is none of this compaction's."""
    assert tokens(session(text, *map(cut, cuts))) == expected


def test_a_summarys_own_usage_is_no_prompt_of_the_agent() -> None:
    """The call that wrote the summary is neither the last before nor the first after."""
    summary = Message(id="s", role="assistant", content="S", injected="summary", usage=Usage(input_uncached=150))
    given = session("u 100 u 30", cut(2, summary="s"))
    messages = (*given.messages[:2], summary, *given.messages[2:])
    assert tokens(given.model_copy(update={"messages": messages})) == [(100, 30)]


def test_a_call_that_compacted_tells_nothing_of_the_window_after() -> None:
    """Where a provider compacts inside a call, the next one's prompt counts."""
    assert tokens(session("u 100 u 500 u 30", cut(3, in_reply=True))) == [(100, 30)]


def test_a_microcompaction_is_measured_only_where_prompts_showed_it() -> None:
    """A recorded one has its own numbers or none, and ends no window for the compactions around it."""
    small, seen = cut(2, kind="microcompaction"), cut(2, kind="microcompaction", fidelity="inferred")
    assert tokens(session("u 100 u 30", small)) == [(None, None)]
    assert tokens(session("u 100 u 30", seen)) == [(100, 30)]
    assert tokens(session("u 100 u u 30", small, cut(3))) == [(None, None), (100, 30)]


def test_sub_agents_too() -> None:
    """The compactions of a sub-agent are measured as those of the session are."""
    parent = Session(children=(SubAgent(id="a", session=session("u 100 u 30", cut(2))),))
    (child,) = with_compaction_tokens(parent).children
    assert [(c.tokens_before, c.tokens_after) for c in child.session.compactions] == [(100, 30)]


def test_a_session_with_nothing_to_fill_in_is_left_as_it_is() -> None:
    """The same object comes back."""
    given = session("u 100 u 30")
    assert with_compaction_tokens(given) is given


def test_a_prompt_is_put_beside_a_doubtful_count_once() -> None:
    """What took the place of a number that is missing is no count in doubt: the numbers are the same when filled again."""
    event = cut(1, tokens_before=23_016, before_from="the agent's own count (`preTokens`)", doubtful=True)
    once = with_compaction_tokens(session("u 30", event))
    assert (once.compactions[0].tokens_after, once.compactions[0].prompt_after) == (30, None)
    assert with_compaction_tokens(once) == once
