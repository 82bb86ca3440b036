"""What Compare fetches: a trace as packed for a view, and the figures of its whole run."""

import base64
import json
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core import Trace, load, meter, policy, replay, simulate
from core.engine.unbounded import unbounded
from core.model.session import RecordedCompaction, Usage
from core.summaries.summarizers import summarizer
from core.trace.trace import as_session
from core.tune.row import row_of
from tests.support import assistant, system, user
from viewer.api import compare as api
from viewer.sessions.registry import TRACES
from viewer.wire.findings import finding_rows
from viewer.wire.pack import view_payload
from viewer.wire.totals import MOST, total_lines

CLIENT = TestClient(Starlette(routes=api.ROUTES))


@pytest.fixture
def trace() -> Trace:
    """A run of a small window that is compacted again and again."""
    work = [made(f"part {k} of src/parser.py " * 20) for k in range(30) for made in (assistant, user)]
    rule = policy("agentkit.memory", budget=900, keep_recent=3)
    return simulate(as_session([system("s"), user("Go on."), *work]), rule, meter("agentkit"))


def test_a_view_is_what_debug_would_be_sent(trace: Trace) -> None:
    """The same packed columns, as bytes, under the trace's own id."""
    TRACES.put("t", trace)
    answer = CLIENT.get("/api/view/t")
    assert base64.b64decode(view_payload("", "t", trace, {})["z"]) == answer.content
    assert answer.headers["cache-control"] == "no-store"


def test_the_figures_are_those_of_a_sweep_findings_last(trace: Trace) -> None:
    """All that a row of `foldline tune` says, lost rules, how many findings Debug lists; the same again."""
    TRACES.put("t", trace)
    row = row_of(trace, "", findings=False).model_dump(
        mode="json", exclude={"session", "policy", "settings", "findings"}
    )
    findings = len(finding_rows(trace))
    for _ in range(2):
        first, rules, last = (json.loads(line) for line in CLIENT.get("/api/totals/t").text.splitlines())
        beside = {"usage": None, "summaries": "structural", "unread": False, "later": 0, "stand_ins": 0}
        assert first == row | {"limit": 900, "prices": ""} | beside
        assert rules == {"rules_lost": 0, "rules_needed": 0, "rules_quoted": 0, "needed_quoted": 0}
        assert last == {"findings": findings}
    assert first["compactions"] > 2


def test_without_compaction_every_message_stays(trace: Trace) -> None:
    """The unbounded run has every message in its last window, no compaction and no limit."""
    none = unbounded(trace)
    assert none.window(len(none) - 1) == list(trace.messages)
    TRACES.put("u", none)
    figures = json.loads(CLIENT.get("/api/totals/u").text.splitlines()[0])
    assert (figures["compactions"], figures["misses"], figures["limit"]) == (0, 0, None)
    assert figures["peak_tokens"] == trace.measured.running[-1]


def test_figures_come_with_the_recorded_usage_and_who_wrote_the_summaries(trace: Trace) -> None:
    """Of the run as recorded they are the model's; one that cannot be read is said to be. The largest window on record may be
    that which the agent says it compacted.
    """
    reply = assistant("yes").model_copy(update={"usage": Usage(input_uncached=700, cache_read=300)})
    summary = user("a summary").model_copy(update={"id": "sum", "injected": "summary"})
    for unread in ("", "encrypted"):
        event = RecordedCompaction(at=2, summary="sum", unreadable=unread, tokens_before=1_400)
        messages = [user("Go on."), reply, summary, user("more"), reply.model_copy(update={"id": "r2"})]
        TRACES.put(
            "r", replay(as_session(messages).model_copy(update={"compactions": (event,)}), meter=meter("agentkit"))
        )
        first = json.loads("".join(total_lines(TRACES.get("r"))).splitlines()[0])
        assert first["usage"] == {"sent": 2_000, "calls": 2, "peak": 1_400}
        assert (first["summaries"], first["unread"]) == ("recorded", bool(unread))


def test_the_largest_window_on_record_may_be_that_of_the_last_prompt() -> None:
    """As of what the transcript shows it is the largest of the whole run, also where no compaction follows it."""
    replies = [
        assistant("yes " * words).model_copy(update={"id": f"r{words}", "usage": Usage(input_uncached=size)})
        for words, size in ((2, 900), (500, 1_000))
    ]
    summary = user("a summary").model_copy(update={"id": "sum", "injected": "summary"})
    event = RecordedCompaction(at=2, summary="sum", tokens_before=950)
    messages = [user("Go on."), replies[0], summary, user("more"), replies[1]]
    run = replay(as_session(messages).model_copy(update={"compactions": (event,)}), meter=meter("agentkit"))
    first = json.loads("".join(total_lines(run)).splitlines()[0])
    assert (first["usage"]["peak"], first["peak_tokens"]) == (1_000, run.step(len(run) - 1).tokens)


def test_lost_rules_are_those_of_the_ledgers() -> None:
    """The sample's one rule is lost and needed; pinned it is not; of an unreadable summary, or of many, nobody can tell."""
    session = load(Path(__file__).parents[3] / "sample_sessions" / "foldline" / "broken-rule.json")
    rule = policy("agentkit.memory", budget=1600, keep_recent=6)
    lost = json.loads([*total_lines(replay(session, meter=meter("o200k_base")))][1])
    kept = json.loads([*total_lines(simulate(session, rule, meter=meter("o200k_base"), pinned=(15,)))][1])
    assert (lost, kept) == (
        {"rules_lost": 1, "rules_needed": 1, "rules_quoted": 0, "needed_quoted": 0},
        {"rules_lost": 0, "rules_needed": 0, "rules_quoted": 1, "needed_quoted": 0},
    )
    event = RecordedCompaction(at=1, unreadable="encrypted")
    unread = as_session([user("Never push."), assistant("yes")]).model_copy(update={"compactions": (event,)})
    many = [made(f"Never touch file {n}.") for n in range(200) for made in (user, assistant)]
    runs = (
        replay(unread, meter=meter("agentkit")),
        simulate(as_session(many), policy("agentkit.memory", budget=60, keep_recent=2), meter=meter("agentkit")),
    )
    assert len(runs[1].compactions) > MOST
    for run in runs:
        assert json.loads([*total_lines(run)][1]) == {
            "rules_lost": None,
            "rules_needed": None,
            "rules_quoted": 0,
            "needed_quoted": 0,
        }


def test_what_only_quotes_keep_is_told_apart() -> None:
    """The rule that the agent breaks is needed. Of recorded summaries it is counted which came later, and which are missing."""
    session = load(Path(__file__).parents[3] / "sample_sessions" / "foldline" / "broken-rule.json")
    by = meter("o200k_base")
    rule = policy("agentkit.memory", budget=1600, keep_recent=6)
    assert json.loads([*total_lines(simulate(session, rule, by))][1]) == {
        "rules_lost": 0,
        "rules_needed": 0,
        "rules_quoted": 2,
        "needed_quoted": 1,
    }
    own = summarizer("recorded", session=session)
    for budget, (later, stand_ins) in ((1600, (0, 0)), (800, (3, 1))):
        run = simulate(session, rule.with_settings({"budget": budget, "keep_recent": 4}), by, own)
        first, rules = (json.loads(line) for line in [*total_lines(run)][:2])
        assert (first["later"], first["stand_ins"]) == (later, stand_ins)
        assert rules["rules_lost"] == rules["rules_needed"] == 1


@pytest.mark.parametrize("path", ["/api/view/gone", "/api/totals/gone"])
def test_a_trace_that_is_no_longer_open_is_said_to_be(path: str) -> None:
    """404 with a way out."""
    answer = CLIENT.get(path)
    assert (answer.status_code, answer.json()["hint"]) == (404, "reload the page")
