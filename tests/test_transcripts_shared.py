"""Every real transcript of a format that is read opens with what is known of it; needs FOLDLINE_SHARED."""

from collections import Counter
from pathlib import Path

import pytest

from core.importers import load
from core.model import Session

# file: messages by role (user, assistant, tool, system), turns, compactions, microcompactions, sub-agents
KNOWN = {
    "claude-code/12f1f541-2a05-4a60-a551-14b836a1ad82.jsonl": (22, 82, 88, 0, 6, 1, 0, 2),
    "claude-code/130d7b7e-5801-4345-9bd6-f32fd9b8429b.jsonl": (6, 42, 41, 0, 5, 0, 0, 1),
    "claude-code/14a06f45-59eb-4cf3-9674-471df5841135.jsonl": (12, 69, 72, 0, 9, 0, 9, 3),
    "claude-code/198393f2-22db-477b-ac77-1825bea883ae.jsonl": (6, 13, 10, 0, 2, 1, 0, 0),
    "claude-code/30530d66-37fb-4f3b-aa5f-d92b6a8afae2.jsonl": (3, 15, 25, 0, 1, 0, 0, 0),
    "claude-code/5c0375b4-57a5-4f26-b12d-d022ee4e51b7.jsonl": (2, 10, 13, 0, 0, 0, 0, 2),
    "claude-code/6113e919-67d3-417b-b525-c63700228d19.jsonl": (54, 226, 206, 0, 42, 3, 0, 4),
    "claude-code/6878eb98-fd0b-43e6-82a0-ab8b38b612dc.jsonl": (23, 151, 146, 0, 5, 0, 0, 1),
    "claude-code/6c0a282a-886f-458d-a426-93d95104b4a6.jsonl": (74, 208, 214, 0, 11, 1, 0, 17),
    "claude-code/a318ad73-17a2-4575-845d-8952a1e5958b.jsonl": (9, 20, 13, 0, 8, 0, 0, 0),
    "claude-code/b3a7bd3c-5a10-4e7b-8ff0-7fc0cd6d1093.jsonl": (1, 2, 4, 0, 1, 0, 0, 4),
    "claude-code/b3a7bd3c-5a10-4e7b-8ff0-7fc0cd6d1093/subagents/agent-a775a67.jsonl": (1, 2, 1, 0, 1, 0, 0, 0),
    "claude-code/b3a7bd3c-5a10-4e7b-8ff0-7fc0cd6d1093/subagents/agent-aa9d784.jsonl": (1, 2, 1, 0, 1, 0, 0, 0),
    "claude-code/b3a7bd3c-5a10-4e7b-8ff0-7fc0cd6d1093/subagents/agent-ac47f8c.jsonl": (1, 2, 1, 0, 1, 0, 0, 0),
    "claude-code/b3a7bd3c-5a10-4e7b-8ff0-7fc0cd6d1093/subagents/agent-ae52dab.jsonl": (1, 2, 1, 0, 1, 0, 0, 0),
    "claude-code/dfbb4922-3529-4eab-a5dc-3c8d30b7c660.jsonl": (37, 139, 155, 0, 6, 1, 0, 4),
    "claude-code/fe5e1c67-53e7-4862-81ae-d0e013e3270b.jsonl": (3, 9, 11, 0, 1, 0, 0, 5),
    "opencode/ses_22ad70d7effe1qT1xIQJx4wolF.json": (2, 12, 12, 0, 2, 0, 0, 0),
    "opencode/ses_277daa810ffePOBsdfS6gm8uA2.json": (5, 69, 72, 0, 3, 1, 0, 0),
    "opencode/ses_280fa301bffe2Zdl8q96YxhFwJ.json": (1, 14, 23, 0, 1, 0, 0, 0),
    "opencode/ses_2bef25635ffe8EzID0I1Oeymal.json": (1, 3, 14, 0, 1, 0, 0, 0),
    "pi/2026-04-24T06-07-34_019dbe19-ca83-74b3-b3ca-230160eb3875.jsonl": (36, 91, 107, 0, 35, 1, 0, 0),
    "pi/2026-05-20T10-00-33_019e44d4-6ecf-7c1d-96ab-582effc13411.jsonl": (11, 132, 143, 0, 11, 0, 0, 0),
    "pi/before-compaction.jsonl": (60, 484, 448, 0, 55, 2, 0, 0),
    "openai-chat/litellm_proxy__anthropic__claude-sonnet-4-20250514-1757015036.544.json": (1, 4, 3, 1, 1, 0, 0, 0),
    "openai-chat/litellm_proxy__anthropic__claude-sonnet-4-20250514-1757015046.707.json": (1, 6, 5, 1, 1, 0, 0, 0),
    "openai-chat/multiple_agent_tool_calls.request.json": (2, 3, 2, 0, 2, 0, 0, 0),
    "openai-chat/nonfncall-llm-message.json": (1, 4, 4, 1, 1, 0, 0, 0),
    "anthropic-messages/anthropic-code-execution-20250825.pptx-skill.json": (0, 1, 61, 0, 0, 0, 0, 0),
    "anthropic-messages/anthropic-compaction.1.json": (0, 2, 0, 0, 0, 1, 0, 0),
    "anthropic-messages/compaction_end_to_end.request.json": (2, 2, 0, 1, 2, 1, 0, 0),
    "anthropic-messages/compaction_end_to_end.response.json": (0, 2, 0, 0, 0, 1, 0, 0),
    "anthropic-messages/tool_search_eval.request.json": (1, 3, 3, 0, 1, 0, 0, 0),
}
FOLDERS = ("claude-code", "opencode", "pi", "openai-chat", "anthropic-messages")


def counts(session: Session) -> tuple[int, ...]:
    """What KNOWN says of a session."""
    roles = Counter(m.role for m in session.messages)
    kinds = Counter(c.kind for c in session.compactions)
    by_role = (roles["user"], roles["assistant"], roles["tool"], roles["system"])
    return (*by_role, session.turns, kinds["compaction"], kinds["microcompaction"], session.subagents)


@pytest.mark.parametrize("name", KNOWN)
def test_a_real_transcript_opens_with_what_is_known_of_it(shared: Path, name: str) -> None:
    """Messages, turns, compactions and sub-agents are those counted by hand; ids and tool pairs hold."""
    session = load(shared / "transcripts" / name)
    calls = {call.id for m in session.messages for call in m.tool_calls}
    assert counts(session) == KNOWN[name]
    assert session.format == name.split("/")[0]
    assert len({m.id for m in session.messages}) == len(session.messages)
    assert all(m.tool_call_id in calls for m in session.messages if m.role == "tool")


def test_no_transcript_of_these_formats_is_forgotten(shared: Path) -> None:
    """Every file in the folders of the formats that are read stands in the table."""
    root = shared / "transcripts"
    found = {str(p.relative_to(root)) for f in FOLDERS for p in (root / f).rglob("*") if p.is_file()}
    assert found == set(KNOWN)


def test_usage_counts_each_reply_once(shared: Path) -> None:
    """The last line of a reply has its usage; adding up all lines would count most replies several times."""
    folder = shared / "transcripts" / "claude-code"
    used = [load(next(folder.glob(f"{name}-*.jsonl"))).usage for name in ("6c0a282a", "12f1f541")]
    assert [u.output for u in used if u] == [218_001, 10_034]


# file: for each compaction: messages before it, kept, tokens before, first and last kept message, the summary's length
CUTS = {
    "pi/2026-04-24T06-07-34_019dbe19-ca83-74b3-b3ca-230160eb3875.jsonl": [
        (212, 43, 99_908, "acbad315", "e406d023", 10_327),
    ],
    "pi/before-compaction.jsonl": [
        (354, 66, 175_004, "entry-293", "entry-358", 4_291),
        (622, 77, 185_014, "entry-551", "entry-627", 3_649),
    ],
    "opencode/ses_277daa810ffePOBsdfS6gm8uA2.json": [(91, 0, 112_579, "", "", 4_494)],
}


@pytest.mark.parametrize("name", CUTS)
def test_a_recorded_compaction_kept_what_the_file_says(shared: Path, name: str) -> None:
    """Counted off the files: what stayed runs from the first kept entry to the compaction; no call is cut from its result."""
    session = load(shared / "transcripts" / name)
    said = {m.id: m for m in session.messages}
    found = []
    for cut in session.compactions:
        ends = (cut.kept[0], cut.kept[-1]) if cut.kept else ("", "")
        found.append((cut.at, len(cut.kept), cut.tokens_before, *ends, len(said[cut.summary or ""].content)))
        calls = {call.id for id in cut.kept for call in said[id].tool_calls}
        assert all(said[id].tool_call_id in calls for id in cut.kept if said[id].role == "tool")
        assert (cut.fidelity, cut.tokens_after) == ("exact", None)
    assert found == CUTS[name]
