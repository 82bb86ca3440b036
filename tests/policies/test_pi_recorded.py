"""What pi and opencode really kept, against the policies that model them: on recorded sessions and on a small one made by hand.

The window is the one just before the recorded compaction; the policy is asked to compact it. They agree where the first message
that stays is the recorded one. The real sessions need FOLDLINE_SHARED.
"""

import json
from math import ceil
from pathlib import Path
from typing import Any

import pytest

from core import Message, Policy, Session, compact, meter, policy, replay
from core.importers import load
from core.meters import Meter, bound
from core.meters.counted import arguments_text
from tests.policies.by_hand import says


class Pi:
    """pi's own estimate: a quarter of the characters in UTF-16 units, rounded up; of a reply its thinking and calls too."""

    def count(self, message: Message) -> int:
        """Tokens of one message; a picture is 4,800 characters."""
        texts = [message.content, message.thinking, *(c.name + arguments_text(c) for c in message.tool_calls)]
        units = sum(len(text.encode("utf-16-le", "surrogatepass")) // 2 for text in texts)
        return ceil((units + 4_800 * len(message.images)) / 4)


def kept_by(session: Session, chosen: Policy, number: int, counted: Meter) -> tuple[str, ...]:
    """The ids that stay where the policy compacts the window as it was just before the recorded compaction."""
    counted = bound(counted, session)
    trace = replay(session, meter=counted)
    window = trace.window(trace.compaction_step(number) - 1)
    found = compact(window, chosen, meter=counted, summarizer=says("sum"), force=True)
    assert found.acted
    return found.kept


APRIL = "2026-04-24T06-07-34_019dbe19-ca83-74b3-b3ca-230160eb3875.jsonl"  # version 3
DECEMBER = "before-compaction.jsonl"  # version 1, of December 2025: another rule made its cuts
SINCE, OLD = "pi.compaction", "pi.compaction_2025"
REPORTED = meter("reported")

# file, number of the compaction, policy, meter; the first id that stays as recorded, and by the policy
FIRST_KEPT = [
    (APRIL, 0, SINCE, Pi(), "acbad315", "acbad315"),
    (APRIL, 0, SINCE, meter("agentkit"), "acbad315", "acbad315"),
    (DECEMBER, 0, OLD, REPORTED, "entry-293", "entry-293"),
    (DECEMBER, 1, OLD, REPORTED, "entry-551", "entry-551"),
    (APRIL, 0, OLD, REPORTED, "acbad315", "d0befc58"),  # each rule on the other's session: they can be told apart
    (DECEMBER, 0, SINCE, Pi(), "entry-293", "entry-260"),
    (DECEMBER, 1, SINCE, Pi(), "entry-551", "entry-534"),
]


@pytest.mark.parametrize(("file", "number", "name", "counted", "recorded", "ours"), FIRST_KEPT)
def test_what_stays_of_a_real_session_of_pi(
    shared: Path, file: str, number: int, name: str, counted: Meter, recorded: str, ours: str
) -> None:
    """With its defaults the rule of the time keeps exactly what pi kept, the other rule does not."""
    session = load(shared / "transcripts" / "pi" / file)
    kept, known = kept_by(session, policy(name), number, counted), session.compactions[number].kept
    assert (known[0], kept[0]) == (recorded, ours)
    assert (kept == known) == (recorded == ours)


def test_what_stays_of_a_real_session_of_opencode(shared: Path) -> None:
    """opencode 1.4.3 kept nothing; the rule of version 2 keeps the newest exchange as text. They differ, as they should."""
    session = load(shared / "transcripts" / "opencode" / "ses_277daa810ffePOBsdfS6gm8uA2.json")
    trace = replay(session, meter=meter("agentkit"))
    window = trace.window(trace.compaction_step(0) - 1)
    found = compact(window, policy("opencode.v2"), meter=meter("agentkit"), summarizer=says("sum"), force=True)
    asked = session.compactions[0].kept  # the message that asked for it alone
    assert [m.injected for m in session.messages if m.id in asked] == ["compaction"]
    assert (len(window), found.folded) == (92, 82)
    recent = found.after[-1].content.partition("<recent-context>\n")[2]
    assert recent.startswith("[User]: ")


# A session made by hand: every text is some tokens of four characters, every usage says what the reply before it had not.


def entry(place: int, role: str, tokens: int, total: int = 0, calls: str = "", answers: str = "") -> dict[str, Any]:
    """An entry of version 1 with a message of so many tokens by pi's estimate; `total` is the reported size of all up to it."""
    text = {"type": "text", "text": f"{place:04}" * tokens}
    message: dict[str, Any] = {"role": role, "content": [text], "timestamp": place}
    if calls:  # "read" and "{}" are six characters: two of the tokens are the call's
        call = {"type": "toolCall", "id": calls, "name": "readit", "arguments": {}}
        message["content"] = [{"type": "text", "text": f"{place:04}" * (tokens - 2)}, call]
    if total:
        message["usage"] = {"input": total - tokens, "output": tokens, "cacheRead": 0, "cacheWrite": 0}
    if answers:
        message |= {"toolCallId": answers, "toolName": "readit"}
    return {"type": "message", "timestamp": "2026-01-01T00:00:00.000Z", "message": message}


def by_hand(first_kept: int) -> Session:
    """A session of version 1 with one compaction, which kept everything from this place on."""
    entries = [
        {"type": "session", "id": "s", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/w", "provider": "p"},
        entry(1, "user", 30),
        entry(2, "assistant", 40, 1_000),
        entry(3, "user", 20),
        entry(4, "assistant", 10, 1_100, calls="c1"),
        entry(5, "toolResult", 90, answers="c1"),
        entry(6, "assistant", 30, 1_250),
        {
            "type": "compaction",
            "timestamp": "2026-01-01T00:00:00.000Z",
            "summary": "sum",
            "firstKeptEntryIndex": first_kept,
            "tokensBefore": 1_250,
        },
        entry(8, "user", 5),
    ]
    return load(name="s.jsonl", data="\n".join(map(json.dumps, entries)))


@pytest.mark.parametrize(
    ("name", "counted", "keep", "first_kept"),
    [
        (SINCE, Pi(), 100, 6),  # 30 and 90 reach 100 at the result: forward to the reply behind it, the turn is split
        (SINCE, Pi(), 125, 4),  # 30, 90 and 10 reach 125 at the call
        (SINCE, Pi(), 145, 3),  # 20 more: the turn's own beginning
        (OLD, REPORTED, 150, 3),  # 1,250 less 1,100 are 150: the reply at 6, which answers 3
        (OLD, REPORTED, 151, 3),  # 1,250 less 1,000 are 250: the reply at 4, which answers 3 too
        (OLD, REPORTED, 30, 3),
    ],
)
def test_what_stays_of_a_session_made_by_hand(name: str, counted: Meter, keep: int, first_kept: int) -> None:
    """The first message that stays is the one worked out on paper, which the transcript records."""
    session = by_hand(first_kept)
    kept = kept_by(session, policy(name, keepRecentTokens=keep), 0, counted)
    assert kept == session.compactions[0].kept
    assert kept[0] == f"entry-{first_kept}"
