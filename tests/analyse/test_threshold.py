"""Automatic compactions of one session that fired at different thresholds."""

from typing import Any

from core import Session, replay
from core.analyse import Finding, trace_findings
from core.model.session import RecordedCompaction
from tests.support import replies_to


def threshold_findings(
    prompts: tuple[int, ...], *compactions: tuple[int, int], models: tuple[str, ...] = (), **known: Any
) -> list[Finding]:
    """The findings of this kind: a reply to each prompt, compactions behind so many replies at so many tokens."""
    messages = replies_to(*prompts, model="claude-opus-4-5", models=dict(enumerate(models)))
    events = (
        RecordedCompaction(at=2 * replies, tokens_before=tokens, **({"trigger": "auto"} | known))
        for replies, tokens in compactions
    )
    trace = replay(Session(messages=messages, compactions=tuple(events)))
    return [f for some in trace_findings(trace).values() for f in some if f.kind == "threshold_differs"]


HIGHER = (150_000, 50_000, 186_000, 40_000)


def test_a_larger_prompt_was_sent_before_the_second() -> None:
    """The first came at 78 % of the window, the second only at 95 %, behind a prompt that lies above the first threshold."""
    (finding,) = threshold_findings(HIGHER, (1, 155_829), (3, 190_000))
    assert (finding.severity, finding.numbers["first"], finding.numbers["second"]) == ("info", 0, 1)
    assert finding.text.startswith(
        "This one came at 190,000 tokens (95 % of 200,000), the automatic one before it at 155,829 tokens (78 % of 200,000). "
        "A prompt of 186,000 tokens was sent without compacting"
    )


def test_a_larger_prompt_was_sent_before_the_first() -> None:
    """The threshold may have been lowered too."""
    (finding,) = threshold_findings((186_000, 50_000, 100_000), (1, 190_000), (3, 120_000))
    assert (finding.numbers["before"], finding.numbers["after"], finding.numbers["prompt"]) == (
        190_000,
        120_000,
        186_000,
    )


def test_a_window_that_one_long_result_filled_proves_nothing() -> None:
    """Where no prompt above the threshold was sent, the second may have been carried over it; nor do a few per cent count."""
    assert not threshold_findings((150_000, 50_000, 150_000), (1, 155_829), (3, 190_000))
    assert not threshold_findings((150_000, 50_000, 160_000), (1, 155_829), (3, 190_000))


def test_only_automatic_compactions_of_one_model_are_compared() -> None:
    """A person compacts when they like, a microcompaction has other rules, and another model another window."""
    assert not threshold_findings(HIGHER, (1, 155_829), (3, 190_000), trigger="manual")
    assert not threshold_findings(HIGHER, (1, 155_829), (3, 190_000), trigger="")
    assert not threshold_findings(HIGHER, (1, 155_829), (3, 190_000), kind="microcompaction")
    assert not threshold_findings(
        HIGHER, (1, 155_829), (3, 190_000), models=("claude-opus-4-5", *3 * ("claude-sonnet-5",))
    )
