"""Why a text was not kept: a sentence for every policy, whose numbers are those of the window."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from core import Compaction, Message, Policy, Trace, fate, load, policies, policy, replay, simulate
from core.trace.trace import as_session
from core.why.reasons import reasons, why_taken
from core.why.taking import ordinal
from core.window.ranges import ADDED, SPACE
from tests.policies.by_hand import BY_HAND, says, window
from tests.serving import ROOT
from tests.support import terse, tight
from tests.why.test_fixes import COUNTED, RULE, history

_LAST = re.compile(r"message ([\d,]+) was ([\d,]+)(?:st|nd|rd|th) from the end")
_FRONT = re.compile(r"message ([\d,]+) was ([\d,]+)(?:st|nd|rd|th) of ([\d,]+) in the window")
_TOKENS = re.compile(r"message ([\d,]+) was ([\d,]+) tokens from the end")
_KEEPS = re.compile(r"(?:keeps|leaves) (?:at least )?the newest ([\d,]+) (message|token|turn|tool result|tool group)s?")
RECORDED = [*ROOT.glob("sample_sessions/*/*.json*")]


def whole(text: str) -> int:
    """A number as it is written."""
    return int(text.replace(",", ""))


def taken(trace: Trace) -> Iterator[tuple[int, Compaction, int]]:
    """Every message that a compaction took or emptied, with the compaction and its number."""
    for k, found in enumerate(trace.compactions):
        for edit in found.edits:
            for part in edit.ranges:
                yield from ((k, found, place) for place in range(*part))


def looked_at(trace: Trace, rules: Policy, found: Compaction) -> list[Message]:
    """What the policy looked at: the window before, of a view all that had arrived."""
    return list(trace.messages[: found.at]) if rules.effect == "view" else found.before


@pytest.mark.parametrize("rules", [tight(rule) for rule in policies()], ids=lambda rules: rules.name)
def test_every_message_that_goes_has_a_reason_with_true_numbers(rules: Policy) -> None:
    """It names the policy and what set it off; places and tokens are those of the window, counted message by message."""
    trace = simulate(history(), rules, COUNTED, terse)
    for k, found, place in taken(trace):
        told = why_taken(trace, k, place)
        assert rules.name in told
        assert found.reason in told or found.reason == "looked at"
        if ADDED <= place < SPACE:
            assert "carried it" in told
            continue
        there, id = looked_at(trace, rules, found), trace.messages[place % SPACE].id
        index = next(i for i, m in enumerate(there) if m.id == id)
        assert f"message {place % SPACE + 1:,} was" in told
        if rules.grouping == "none" and (seen := _LAST.search(told)):
            assert whole(seen[2]) == len(there) - index, told
        if seen := _FRONT.search(told):
            assert (whole(seen[2]), whole(seen[3])) == (index + 1, len(there)), told
        if (seen := _TOKENS.search(told)) and rules.effect == "replace":
            assert whole(seen[2]) == sum(map(COUNTED.count, there[index:])), told
        if (kept := _KEEPS.search(told)) and ", but" not in told and " or " not in told:
            unit = {"message": _LAST, "token": _TOKENS}.get(kept[2])
            if unit and (seen := unit.search(told)) and rules.grouping == "none":
                assert whole(seen[2]) > whole(kept[1]), told


@pytest.mark.parametrize("rules", [tight(rule) for rule in policies()], ids=lambda rules: rules.name)
def test_a_text_has_a_reason_at_each_compaction_that_took_it(rules: Policy) -> None:
    """As many as there are compactions whose edits name a message that says it."""
    trace = simulate(history(), rules, COUNTED, terse)
    for text in (RULE, "line 5 of it"):
        named = sorted({k for k, _, place in taken(trace) if text in trace.pool.message(place).content})
        assert [found.k for found in reasons(fate(trace, text))] == named


def test_the_sentences_worked_out_by_hand() -> None:
    """The newest two stay: u1 was fifth from the end; then its summary is summarized with the rest."""
    session = as_session(window("s10 u20 a20 u20 a20 u20 a20 u20 a20"))
    trace = simulate(session, policy("agentkit.memory", budget=70, keep_recent=2), BY_HAND, says("u1 again"))
    assert [found.text for found in reasons(fate(trace, "u1"))] == [
        "agentkit.memory keeps the newest 2 messages (keep_recent); message 2 was 5th from the end. "
        "What set it off: 110 tokens > 70.",
        "Summary #1 carried it, but with agentkit.memory a summary is summarized again like any other message. "
        "What set it off: 101 tokens > 70.",
    ]


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_recorded_compaction_says_what_the_record_says(path: Path) -> None:
    """For every sample with one: the message, the tokens where they are recorded, and no policy that nobody named."""
    trace = replay(load(path))
    for k, found, place in taken(trace):
        told = why_taken(trace, k, place)
        assert told.endswith(".")
        assert ": recorded:" not in told
        if trace.policy is None and found.size_before is not None and found.size_after is not None:
            assert f"from {found.size_before:,} to {found.size_after:,} tokens" in told


def test_ordinals() -> None:
    """Eleven to thirteen end alike in every hundred."""
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 57, 112, 1_003)] == [
        *("1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "57th", "112th", "1,003rd")
    ]
