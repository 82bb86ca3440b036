"""What would have kept a text, as the page gets it."""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core import Trace, load, meter, policy, replay, simulate
from core.cli import main
from core.engine.default_meter import default_meter
from core.summaries.summarizers import FixedSize
from core.trace.trace import as_session
from core.why.fixes import Fixes
from tests.serving import ROOT
from tests.support import assistant, system, user
from viewer.api import fixes as api
from viewer.pages.address import from_address
from viewer.sessions.registry import TRACES
from viewer.wire.fixes import fix_lines

RULE = "No new dependency."
SAMPLES = ROOT / "sample_sessions"


@pytest.fixture
def trace() -> Trace:
    """A rule, and work that pushes it out of a small window."""
    work = [made(f"part {k} " * 30) for k in range(30) for made in (assistant, user)]
    rule = policy("agentkit.memory", budget=900, keep_recent=3)
    return simulate(as_session([system("s"), user(RULE), *work]), rule, meter("agentkit"), FixedSize(300))


def lines(trace: Trace, text: str = RULE) -> list[dict[str, Any]]:
    """Each line read back."""
    return [json.loads(line) for line in fix_lines(Fixes(trace, text))]


def test_each_row_comes_with_the_address_that_shows_it(trace: Trace) -> None:
    """Read as an address, its query is the policy, the settings, the summaries and the pins that were simulated."""
    found = lines(trace)
    rows = {line["row"]["change"]: line["row"] for line in found if "row" in line}
    assert (found[0]["row"]["now"], found[0]["row"]["kept"]) == (True, False)
    assert rows["as it is"]["query"] == {
        "policy": "agentkit.memory",
        "budget": "900",
        "keep_recent": "3",
        "summaries": "fixed size",
    }
    budget, pin = rows["budget"], rows["pin message 2"]
    assert budget["query"] == {**rows["as it is"]["query"], "budget": str(budget["value"])}
    assert (pin["value"], pin["text"]) == ("~8 tokens", "Pin message 2 (~8 tokens)")
    assert rows["codex.local"]["value"] == "at its defaults, with the same budget of 900 tokens"
    others = {name for name, row in rows.items() if row["other"]}
    assert others == {name for name, row in rows.items() if "at its defaults" in row["text"]}
    assert "codex.local" in others
    assert pin["query"] == {**rows["as it is"]["query"], "pin": trace.messages[1].id}
    for row in rows.values():
        choice, wrong = from_address({"source": "path:/a.jsonl", **row["query"]})
        assert wrong is None, row["query"]
        assert choice.policy == row["query"]["policy"]
        again = simulate(
            trace.session, policy(choice.policy, **dict(choice.settings)), meter("agentkit"), FixedSize(300)
        )
        if not choice.pin and choice.summaries == "fixed size":
            assert [c.at for c in again.compactions] == row["compacted_at"]


def test_the_last_line_says_that_it_is_done(trace: Trace) -> None:
    """With a note; before it, how many of all ideas have been tried."""
    *_, before, last = lines(trace)
    assert before["progress"][0] == before["progress"][1]
    assert last["done"] is True
    assert "no model wrote any for other settings" in last["note"]


CLAUDE_CODE = "transcripts/claude-code"
COUNTED = [
    ("foldline/broken-rule.json", "Never delete an original in photos/", (), 6),
    (
        "openai-chat/coding-session.json",
        "no new dependency, not even a small one",
        ("--policy", "agentkit.memory", "--set", "budget=16000", "--set", "keep_recent=8", "--meter", "o200k_base"),
        6,
    ),
    (f"{CLAUDE_CODE}/6113e919-67d3-417b-b525-c63700228d19.jsonl", "I think by file is to much", (), 6),
    (f"{CLAUDE_CODE}/6c0a282a-886f-458d-a426-93d95104b4a6.jsonl", "config/segment.go", (), 5),
]


@pytest.mark.parametrize(("name", "text", "settings", "count"), COUNTED)
def test_the_command_line_counts_the_changes_that_the_page_counts(
    name: str, text: str, settings: tuple[str, ...], count: int, capsys: pytest.CaptureFixture[str], request: Any
) -> None:
    """What it prints above the table, what its JSON says, and the rows that the page is sent: one number."""
    folder = request.getfixturevalue("shared") if name.startswith(CLAUDE_CODE) else SAMPLES
    asked = ("fate", str(folder / name), "--text", text, "--fix", *settings)
    assert main(list(asked)) == 0
    found = re.search(r"^what would have kept it  (\d+) changes, to the end$", capsys.readouterr().out, re.M)
    assert found
    assert main([*asked, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)["fixes"]
    sent = [line["row"] for line in lines(trace_of(folder / name, settings), text) if "row" in line]
    told = [[row["text"] for row in rows if row["cure"]] for rows in (printed, sent)]
    assert [int(found[1]), *map(len, told)] == [count] * 3
    assert [row["drawbacks"] for row in printed] == [[text for text, _ in row["drawbacks"]] for row in sent]


def trace_of(path: Path, settings: tuple[str, ...]) -> Trace:
    """The run that these options of the command line name."""
    session = load(path)
    if not settings:
        return replay(session, meter=meter(default_meter(session)))
    return simulate(session, policy("agentkit.memory", budget=16_000, keep_recent=8), meter("o200k_base"))


def test_what_the_next_compaction_takes_is_said_to_be_kept_only_so_long() -> None:
    """In the sample a window of forty messages loses none of the first sixteen before the run ends."""
    trace = trace_of(SAMPLES / "foldline" / "broken-rule.json", ())
    rows = {line["row"]["change"]: line["row"] for line in lines(trace, COUNTED[0][1]) if "row" in line}
    sliding = rows["strands.sliding_window"]
    assert (sliding["cure"], sliding["helps"]) == (False, True)
    assert sliding["drawbacks"] == [
        [
            "only until the next compaction",
            "The run ends before that: one more compaction by the same rule would take it.",
        ]
    ]
    assert rows["summaries"]["drawbacks"][0][0] == "only quoted"
    assert rows["budget"]["drawbacks"][0][0] == "never compacts"
    assert (rows["pin message 16"]["cure"], rows["pin message 16"]["drawbacks"]) == (True, [])


def test_the_route_streams_and_refuses_what_is_not_there(trace: Trace) -> None:
    """JSON Lines; 404 for a trace that is not open, 400 for a step beyond it."""
    client = TestClient(Starlette(routes=api.ROUTES))
    TRACES.put("t-fixes", trace)

    def asked(tid: str = "t-fixes", **query: Any) -> Any:
        return client.get(f"/api/fixes/{tid}?{urlencode(query)}")

    answer = asked(text=RULE, step=2)
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    assert json.loads(answer.text.splitlines()[0])["row"]["kept"] is True
    assert json.loads(asked(text=RULE).text.splitlines()[0])["row"]["kept"] is False
    assert asked("unknown", text=RULE).status_code == 404
    assert asked(text=RULE, step=9999).status_code == 400
    for odd in ("", "\x00", "\ud800".encode("utf-8", "surrogatepass")):
        assert asked(text=odd, step="x").status_code == 200
