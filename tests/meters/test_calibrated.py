"""The meter calibrated: o200k_base times a scale learned from the model calls before, one for each model."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import Message, Session, Usage, meter, policy, replay, simulate
from core.meters import bound, measured, notes_of
from core.meters.learned_scale import TRUST, learned_scales
from core.model.errors import ParameterError
from core.model.session import Image, RecordedCompaction

WORDS = "hello world"  # 2 tokens


def question(id: str, words: int) -> Message:
    """A question of 2 tokens for each `words`, and 4 for its frame."""
    return Message(id=id, role="user", content=" ".join([WORDS] * words))


def reply(id: str, prompt: int, model: str = "") -> Message:
    """A reply of 2 + 4 tokens whose prompt was recorded."""
    return Message(id=id, role="assistant", content=WORDS, model=model, usage=Usage(input_uncached=prompt, output=2))


def chat(prompts: Sequence[int], models: Sequence[str] = (), words: int = 245, **known: object) -> Session:
    """Questions of 494 tokens, each with a reply of 6: 500 tokens from one call to the next."""
    pairs = [(question(f"q{k}", words), reply(f"a{k}", p, (*models, *[""] * 99)[k])) for k, p in enumerate(prompts)]
    return Session(messages=tuple(m for pair in pairs for m in pair), **known)


def tokens(session: Session, name: str = "calibrated") -> list[int]:
    """The size of every message of the conversation."""
    return list(measured(session, bound(meter(name), session)).tokens)


def test_counts_are_scaled_by_the_growth_of_the_prompts_before() -> None:
    """The prompt grew by 1,000 for our 500, to which 500 at a scale of 1 are added: from the second reply on it is 1.5."""
    session = chat([5000, 6000, 7000])
    assert tokens(session, "o200k_base") == [494, 6, 494, 6, 494, 6]
    assert TRUST == 500
    assert [round(scale, 2) for scale in learned_scales(session, measured(session, meter("o200k_base"))).at] == [
        *(1.0, 1.0, 1.0),
        *(1.5, 1.5),
        *(1.67, 1.67),
    ]
    assert tokens(session) == [494, 6, 494, 9, 741, 10]


def test_a_prompt_that_did_not_grow_teaches_nothing() -> None:
    """It was cut somewhere. The next one that grows does."""
    assert tokens(chat([5000, 4000, 5000])) == [494, 6, 494, 6, 494, 9]


def test_nothing_is_learned_across_a_compaction() -> None:
    """The prompt after it is of another window."""
    session = chat([5000, 6000], compactions=(RecordedCompaction(at=2, edit="dropped"),))
    assert tokens(session) == [494, 6, 494, 6]


def test_one_models_scale_is_no_others() -> None:
    """A new model begins at 1, and learns from its own calls; the old one goes on where it was."""
    session = chat([5000, 6000, 9000, 9250, 9900], ["a", "a", "b", "b", "a"])
    assert tokens(session) == [494, 6, 494, 9, 741, 6, 494, 4, 370, 9]


def test_without_usage_it_cannot_count() -> None:
    """The error names the meter that can; a message on its own is no session either."""
    silent = Session(messages=(question("q", 1),))
    for ask in (lambda: bound(meter("calibrated"), silent), lambda: meter("calibrated").count(question("q", 1))):
        with pytest.raises(ParameterError) as error:
            ask()
        assert "o200k_base" in error.value.hint


def test_what_a_compaction_puts_in_is_scaled_by_what_was_known_then() -> None:
    """Summaries of the same 10 tokens count 10 before the second call and 15 after it; at the end of time nothing differs."""
    session = chat([5000, 6000, 7000, 8000])
    own = bound(meter("calibrated"), session)
    summary = Message(id="new", role="user", content=" ".join([WORDS] * 3))
    assert meter("o200k_base").count(summary) == 10
    trace = simulate(
        session,
        policy("agentkit.memory", budget=700, keep_recent=1),
        meter=own,
        summarizer=lambda messages, prior: " ".join([WORDS] * 3),
    )
    plain = meter("o200k_base")
    put_in = [(c.at, c.added_tokens, tuple(map(plain.count, c.added))) for c in trace.compactions]
    assert [at for at, _, _ in put_in] == [3, 5, 7]
    scales = learned_scales(session, measured(session, plain))
    assert [known for _, known, _ in put_in] == [
        tuple(round(scales.before(at) * t) for t in counts) for at, _, counts in put_in
    ]


def test_a_recorded_summary_has_the_scale_of_its_compaction() -> None:
    """It was put in after two calls: 1.5 times its 10 tokens; whatever is learned later."""
    said = chat([5000, 6000, 2000, 9000]).messages
    summary = Message(id="s", role="user", content=" ".join([WORDS] * 3), injected="summary")
    event = RecordedCompaction(at=4, summary="s", edit="summarised")
    session = Session(messages=(*said[:4], summary, *said[4:]), compactions=(event,))
    [found] = replay(session, meter=meter("calibrated")).compactions
    assert found.added_tokens == (15,)


def test_a_summary_of_the_transcript_costs_the_same_in_a_simulation() -> None:
    """Put in after one call, where a text costs 10, or after three, where it costs 17: its message of the record costs 15."""
    said = chat([5000, 6000, 7000, 8000]).messages
    summary = Message(id="s", role="user", content=" ".join([WORDS] * 3), injected="summary")
    event = RecordedCompaction(at=4, summary="s", edit="summarised")
    own = bound(meter("calibrated"), Session(messages=(*said[:4], summary, *said[4:]), compactions=(event,)))
    again = summary.model_copy(update={"id": "summary#1"})
    other = again.model_copy(update={"content": " ".join([WORDS, WORDS, "hello you"])})
    assert [put_in.count(again) for put_in in (own, own.after(1), own.after(6))] == [15, 15, 15]
    assert own.after(1).count(other) == 10


def test_an_emptied_message_keeps_its_scale() -> None:
    """What is left of it is counted as it was when it arrived."""
    session = chat([5000, 6000, 7000])
    own = bound(meter("calibrated"), session)
    assert own.count(session.messages[4].model_copy(update={"content": WORDS})) == 9
    assert own.count(session.messages[0].model_copy(update={"content": WORDS})) == 6


def test_the_notes_are_those_of_the_count_that_is_scaled() -> None:
    """Of pictures, say."""
    picture = Message(id="p", role="user", images=(Image(width=10, height=10),))
    session = Session(messages=(*chat([5000, 6000]).messages, picture))
    own = bound(meter("calibrated"), session)
    assert notes_of(session, own) == notes_of(session, meter("o200k_base"))
    assert notes_of(session, own) == ("1 picture counted by size, not by o200k_base",)


@given(st.lists(st.integers(1, 100_000), min_size=1, max_size=8), st.integers(0, 8), st.data())
def test_later_usage_never_changes_earlier_counts(prompts: list[int], first: int, data: st.DataObject) -> None:
    """Whatever the calls from the k-th on recorded: everything before its reply counts the same."""
    k = min(first, len(prompts) - 1)
    other = data.draw(st.lists(st.integers(1, 100_000), min_size=len(prompts) - k, max_size=len(prompts) - k))
    one, two = chat(prompts, words=20), chat([*prompts[:k], *other], words=20)
    assert tokens(one)[: 2 * k + 1] == tokens(two)[: 2 * k + 1]
    assert all(t >= 0 for t in tokens(one))
