"""Where a summary comes from, as the page gets it."""

from starlette.applications import Starlette
from starlette.testclient import TestClient

from core import meter, policy, simulate
from core.trace.trace import Trace, as_session
from tests.support import assistant, system, user
from viewer.api import provenance as api
from viewer.sessions.registry import TRACES
from viewer.wire.provenance import provenance_body

SUMMARY = "😀 The parser crashed in main.py on line 12. Zebras sang."


def _trace() -> Trace:
    """A run whose one summary is `SUMMARY`."""
    messages = [
        system("You are a coder."),
        user("Why did the parser crash?"),
        assistant("The parser crashed in src/main.py on line 12 because of a tab."),
        user("Thanks. Anything else?"),
        assistant("No."),
    ]
    rule = policy("agentkit.memory", budget=40, keep_recent=1)
    return simulate(as_session(messages), rule, meter=meter("agentkit"), summarizer=lambda messages, prior: SUMMARY)


def test_places_count_utf16_units_as_the_browser_does() -> None:
    """A sentence and the words of a quote are named by places in UTF-16, in which the face takes two."""
    trace = _trace()
    first, second = provenance_body(trace, 0)["sentences"]
    event = trace.compactions[0]
    assert event.summary
    in_browser = event.summary.content.encode("utf-16-le")
    assert in_browser[first["from"] * 2 : first["to"] * 2].decode("utf-16-le").endswith("on line 12.")
    assert (first["sources"][0]["at"], first["sources"][0]["step"]) == (2, 2)
    assert second["sources"] == []
    assert second["verdict"] == "no_source"


def test_the_route_answers_for_a_trace_and_refuses_what_is_not_there() -> None:
    """The body of compaction 0; 404 for a compaction that does not exist, and for a trace that is not open."""
    client = TestClient(Starlette(routes=api.ROUTES))
    TRACES.put("t-provenance", _trace())
    assert client.get("/api/provenance/t-provenance/0").json()["counts"] == {
        "supported": 1,
        "partly": 0,
        "no_source": 1,
        "before_file": 0,
    }
    assert client.get("/api/provenance/t-provenance/9").status_code == 404
    assert client.get("/api/provenance/unknown/0").status_code == 404
