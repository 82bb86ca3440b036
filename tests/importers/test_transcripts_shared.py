"""Every real transcript opens with what is known of it; needs FOLDLINE_SHARED.

`tests/data/known/<format>.json` holds, for each file of that folder, what was counted by hand: messages by role, turns,
compactions, microcompactions and sub-agents (what is not named is 0). Of a file of many sessions these are sums, and
`sessions` says how many there are; of a folder that opens as one, the folder is named, with a slash behind it.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from core.importers import load, load_all
from core.model.session import Session

KNOWN = {
    f"{path.stem}/{name}": counted
    for path in sorted((Path(__file__).parents[1] / "data" / "known").glob("*.json"))
    for name, counted in json.loads(path.read_text(encoding="utf-8")).items()
}


def counts(session: Session) -> Counter[str]:
    """What KNOWN says of a session."""
    roles = Counter(m.role for m in session.messages)
    kinds = Counter(f"{c.kind}s" for c in session.compactions)
    return Counter({**roles, **kinds, "turns": session.turns, "subagents": session.subagents})


@pytest.mark.parametrize("name", KNOWN)
def test_a_real_transcript_opens_with_what_is_known_of_it(shared: Path, name: str) -> None:
    """Messages, turns, compactions and sub-agents are those counted by hand; ids and tool pairs hold."""
    found, known = list(load_all(shared / "transcripts" / name)), Counter(KNOWN[name])
    assert sum(map(counts, found), Counter({"sessions": len(found) if "sessions" in known else 0})) == +known
    for session in found:
        calls = {call.id for m in session.messages for call in m.tool_calls}
        assert session.format == name.split("/")[0]
        assert len({m.id for m in session.messages}) == len(session.messages)
        assert all(m.tool_call_id in calls for m in session.messages if m.role == "tool")


def test_no_transcript_is_forgotten(shared: Path) -> None:
    """Every file stands in the tables, or lies in a folder that does."""
    root = shared / "transcripts"
    files = {str(p.relative_to(root)) for p in root.rglob("*") if p.is_file() and p.name != "SOURCES.md"}
    folders = tuple(name for name in KNOWN if name.endswith("/"))
    assert {f for f in files if not f.startswith(folders)} == {n for n in KNOWN if n not in folders}


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
    # what asked for the compaction stands before the summary
    "opencode/ses_277daa810ffePOBsdfS6gm8uA2.json": [
        (92, 1, 105_534, "msg_d883a0c31001dEGEKLIhS9Zboq", "msg_d883a0c31001dEGEKLIhS9Zboq", 4_494)
    ],
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
        assert (cut.fidelity, cut.after_from) == ("exact", "prompt of the model call after")
    assert found == CUTS[name]
