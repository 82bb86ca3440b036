"""What would have kept a text, as the page gets it."""

import json
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core import Trace, meter, policy, simulate
from core.summaries.summarizers import FixedSize
from core.trace.trace import as_session
from core.why.fixes import Fixes
from tests.support import assistant, system, user
from viewer.api import fixes as api
from viewer.pages.address import from_address
from viewer.sessions.registry import TRACES
from viewer.wire.fixes import fix_lines

RULE = "No new dependency."


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
