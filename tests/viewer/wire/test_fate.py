"""The fate of a text, as the page gets it."""

from starlette.applications import Starlette
from starlette.testclient import TestClient

from core import meter, policy, simulate
from core.trace.trace import Trace, as_session
from core.window.ranges import ADDED
from tests.support import assistant, system, user, with_ids
from viewer.api import why as api
from viewer.sessions.registry import TRACES
from viewer.wire.fate import fate_body


def _trace(*summaries: str, told: str = "Fix the parser, and add no new dependency.") -> Trace:
    """A run of nine messages that is compacted twice; these are what its summaries say."""
    said = iter(summaries)
    messages = [
        system("You are a coder."),
        user(told),
        assistant("I will."),
        user("Which file is it in?"),
        assistant("It is in parser.py, I think."),
        user("Then look there."),
        assistant("I looked there: it was a tab."),
        user("What did I forbid?"),
        assistant("You said: add no new dependency."),
    ]
    rule = policy("agentkit.memory", budget=46, keep_recent=2)
    session = as_session(with_ids(messages))
    return simulate(session, rule, meter=meter("agentkit"), summarizer=lambda messages, prior: next(said))


def test_the_body_answers_at_each_step_in_words() -> None:
    """A rule that the first summary keeps and the second leaves out is gone, and needed when the model writes it."""
    body = fate_body(_trace("Add no new dependency.", "A tab was found."), "no new  dependency")
    assert [(s["from"], s["to"], s["state"], s["at"], s["title"]) for s in body["lane"]] == [
        (0, 0, "before", [], "Not said yet."),
        (
            1,
            5,
            "verbatim",
            [1],
            "In the window until compaction 1; then only in summary #1, and gone from compaction 2 to message 9.",
        ),
        (6, 8, "summary", [ADDED], "Kept: summary #1 says it word for word."),
        (9, 9, "gone", [], "Gone since compaction 2: summary #2 left it out."),
        (10, 10, "verbatim", [8], "In the window, in 1 of its 2 places."),
    ]
    assert body["lane"][3]["text"] == "Needed at message 9, when nothing in the window said it."
    assert [(e["step"], e["kind"], e["at"], e["k"], e["number"], e["words"]) for e in body["events"]] == [
        (1, "said", 1, -1, "", "Said by the user"),
        (6, "taken", 1, 0, "#1", "Compaction 1 summarized what said it"),
        (6, "in_summary", ADDED, 0, "#1", "Summary #1 says it word for word"),
        (9, "taken", ADDED, 1, "#2", "Compaction 2 summarized what said it"),
        (9, "left_out", ADDED + 1, 1, "#2", "Gone: summary #2 left it out"),
        (10, "needed", 8, -1, "", "Needed: the assistant wrote it"),
    ]
    assert [reason["k"] for reason in body["reasons"]] == [0, 1]
    assert "message 2 was" in body["reasons"][0]["text"]
    assert body["reasons"][1]["text"].startswith("Summary #1 carried it, but ")


def test_a_summary_may_say_it_in_other_words() -> None:
    """What is gone word for word is so from the first step; where a summary has most of its words, that is told."""
    trace = _trace("The parser was to be fixed, with no new dependency added.", "A tab was found.")
    body = fate_body(trace, "fix the parser, and add no new dependency")
    assert [(s["from"], s["to"], s["state"], s.get("reworded"), s["title"]) for s in body["lane"]] == [
        (0, 0, "before", None, "Not said yet."),
        (
            1,
            5,
            "verbatim",
            None,
            "In the window until compaction 1; then only in other words in summary #1, and gone from compaction 2 on.",
        ),
        (6, 8, "gone", [ADDED], "Only in other words since compaction 1: summary #1 has most of its words."),
        (9, 10, "gone", None, "Gone since compaction 2: until then summary #1 said it in other words."),
    ]


def test_what_a_summary_quotes_sentence_by_sentence_is_only_in_the_summary() -> None:
    """The band and the panel have one verdict: kept word for word, neither gone nor in other words."""
    trace = _trace(
        "And add no new dependency.\nFix the parser.", "A tab.", told="Fix the parser. And add no new dependency."
    )
    body = fate_body(trace, "the parser. And add no new")
    kept = body["lane"][2]
    assert (kept["from"], kept["state"], kept["at"], "reworded" in kept) == (6, "summary", [ADDED], False)
    assert (
        kept["title"] == "Sentence by sentence since compaction 1: summary #1 has all of its 2 sentences word for word."
    )
    assert [e["kind"] for e in body["events"]][:3] == ["said", "taken", "in_summary"]


def test_of_a_name_there_are_no_other_words() -> None:
    """A text of one or two words that a summary does not have is gone."""
    body = fate_body(_trace("The parsers were fixed.", "A tab was found."), "the parser")
    assert [(s["from"], s["state"], s.get("reworded")) for s in body["lane"][2:]] == [(6, "gone", None)]


def test_every_change_of_state_has_a_row() -> None:
    """Also where a summary that said it in other words gives way to one that does not, which takes no message with it."""
    trace = _trace("The parser was to be fixed, with no new dependency added.", "A tab was found.")
    body = fate_body(trace, "fix the parser, and add no new dependency")
    told = [(event["step"], event["number"], event["words"]) for event in body["events"] if event["kind"] == "left_out"]
    assert told == [(6, "#1", "Summary #1 says it in other words"), (9, "#2", "Gone: summary #2 left it out")]


def test_a_common_word_is_not_followed() -> None:
    """A word that most of many messages have: one stretch says so, and there are no events."""
    trace = simulate(
        as_session([user(f"the {i}") for i in range(60)]), policy("agentkit.memory", budget=50, keep_recent=2)
    )
    body = fate_body(trace, "the")
    assert body["common"]
    assert [(s["from"], s["to"], s["title"]) for s in body["lane"]] == [
        (0, len(trace) - 1, "Too common to follow: 60 messages have it.")
    ]
    assert body["events"] == []


def test_the_route_answers_for_a_trace_and_refuses_what_it_cannot_follow() -> None:
    """The body for a text; 400 with a hint for a blank one, 404 for a trace that is not open."""
    client = TestClient(Starlette(routes=api.ROUTES))
    TRACES.put("t-fate", _trace("Add no new dependency.", "A tab was found."))
    assert client.get("/api/fate/t-fate", params={"text": "parser.py"}).json()["total"] == 1
    blank = client.get("/api/fate/t-fate", params={"text": " "})
    assert (blank.status_code, blank.json()["error"]) == (400, "there is no text to follow")
    assert client.get("/api/fate/unknown", params={"text": "x"}).status_code == 404
