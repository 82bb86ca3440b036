"""The findings of a trace as the page is sent them: a list that leads to steps, marks along the compactions, a route."""

import json
import time
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import Any, NoReturn

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core import Trace, Usage, meter, policy, replay, simulate
from core.trace.trace import as_session
from tests.support import LESSON_SUMMARY, assistant, calls, lesson_session, result, system, user
from viewer.api import debugger
from viewer.api.debugger import ROUTES
from viewer.sessions.registry import TRACES
from viewer.wire.card import compaction_card
from viewer.wire.findings import PAGE, finding_list, finding_marks


def lesson() -> Trace:
    """The lesson's run with the compaction it prints."""
    rule = policy("agentkit.memory", budget=100, keep_recent=3)
    return simulate(lesson_session(), rule, meter=meter("agentkit"), summarizer=lambda ms, prior: LESSON_SUMMARY)


def always_over() -> Trace:
    """Thirty turns under a budget that nothing fits: each pass ends over the limit."""
    texts = [m for i in range(30) for m in (user(f"question {i} " * 40), assistant(f"answer {i}"))]
    rule = policy("agentkit.memory", budget=20, keep_recent=3)
    return simulate(as_session([system("s"), *texts]), rule, meter=meter("agentkit"), summarizer=lambda m, p: "short")


def failing(good: int = 0) -> Trace:
    """Six turns under a policy whose summarizer answers `good` times and breaks from then on."""
    texts = [m for i in range(6) for m in (user(f"question {i} " * 20), assistant(f"answer {i}"))]
    rule = policy("agentlib.summarizing", active_window_tokens=150)
    answers = ["short"] * good

    def write(messages: Any, prior: Any) -> str:
        if not answers:
            raise RuntimeError("the line is down")
        return answers.pop()

    return simulate(as_session(texts), rule, meter=meter("agentlib"), summarizer=write)


def test_the_lessons_findings() -> None:
    """Three, what was lost before what is out of order, with the step to jump to, counted by severity, concern and kind."""
    found = finding_list(lesson())
    assert (found["total"], found["counts"]) == (3, {"error": 1, "warning": 1, "info": 1})
    assert found["matching"] == {"lost": 1, "summary": 0, "record": 0, "structure": 2, "cost": 0}
    assert [(f["first"], f["step"], f["severity"], f["kind"], f["messages"]) for f in found["findings"]] == [
        (0, 10, "info", "first_user_message_lost", [1]),
        (0, 10, "error", "orphaned_tool_result", [7, 6]),
        (0, 10, "warning", "leading_assistant", [7, 1]),
    ]
    assert found["kinds"] == [
        {"kind": "first_user_message_lost", "severity": "info", "total": 1},
        {"kind": "orphaned_tool_result", "severity": "error", "total": 1},
        {"kind": "leading_assistant", "severity": "warning", "total": 1},
    ]
    assert json.loads(json.dumps(found)) == found


def test_one_kind_alone() -> None:
    """A kind that is named is all that is listed; the counts stay those of all."""
    found = finding_list(lesson(), "leading_assistant")
    assert [f["kind"] for f in found["findings"]] == ["leading_assistant"]
    assert (found["kind"], found["total"], len(found["kinds"])) == ("leading_assistant", 3, 3)
    assert found["matching"] == {"lost": 0, "summary": 0, "record": 0, "structure": 1, "cost": 0}
    assert finding_list(lesson(), "nothing_of_this_kind")["findings"] == []


def test_what_compactions_in_a_row_all_have_is_one_row() -> None:
    """Passes that each end over the limit are one row, from the first of them to the last."""
    trace = always_over()
    over = [event.status == "still_over_budget" for event in trace.compactions]
    rows = finding_list(trace, "still_over_budget")["findings"]
    assert sum(row["times"] for row in rows) == sum(over) > 20
    assert len(rows) < 5
    first, last = rows[0]["first"], rows[0]["last"]
    assert first == over.index(True)
    assert (rows[0]["step"], rows[0]["last_step"]) == (trace.compaction_step(first), trace.compaction_step(last))
    assert all(row["last"] - row["first"] + 1 == row["times"] for row in rows)


def test_rows_are_in_order_and_come_in_pages() -> None:
    """By concern, the worst first, then by step; what is asked for from a place on is the same list from there."""
    found = finding_list(always_over())["findings"]
    concerns, severities = ("lost", "summary", "record", "structure", "cost"), ("error", "warning", "info")
    order = [(concerns.index(f["concern"]), severities.index(f["severity"])) for f in found]
    assert [(bad, f["step"]) for bad, f in zip(order, found, strict=True)] == sorted(
        (bad, f["step"]) for bad, f in zip(order, found, strict=True)
    )
    rest = finding_list(always_over(), start=2)
    assert (rest["from"], rest["findings"]) == (2, found[2:])
    assert finding_list(always_over(), start=10_000)["findings"] == []
    assert PAGE == 200


def test_a_failed_attempt_is_in_the_list() -> None:
    """It is no step: the row leads to the step just before it, and is marked as failed."""
    trace = failing()
    (row,) = finding_list(trace)["findings"]
    attempt = trace.failed[0]
    assert (row["kind"], row["severity"], row["failed"], row["first"]) == ("summarizer_failed", "warning", True, 0)
    assert "the line is down" in row["text"]
    assert (row["step"], trace.step(row["step"]).messages) == (attempt.at - 1, attempt.at)


def test_the_findings_of_a_failed_attempt_have_a_route() -> None:
    """Its card asks for them; an attempt that there is not is said to be gone."""
    TRACES.put("breaking", failing())
    (found,) = client().get("api/attempt/breaking/0").json()["findings"]
    assert (found["kind"], found["concern"]) == ("summarizer_failed", "summary")
    assert [client().get(f"api/attempt/{name}").status_code for name in ("breaking/1", "nowhere/0")] == [404, 404]


def test_a_failed_attempt_after_a_compaction() -> None:
    """The compactions before it count as steps."""
    trace = failing(good=1)
    (row,) = finding_list(trace, "summarizer_failed")["findings"]
    step = trace.step(row["step"])
    assert len(trace.compactions) == 1
    assert (step.kind, step.messages) == ("message", trace.failed[0].at)


def test_wherever_an_attempt_failed_the_row_leads_to_its_newest_message() -> None:
    """Before, at and after a compaction: the step is that of the last message that had arrived."""
    trace = failing(good=1)
    for at in range(1, len(trace.messages) + 1):
        moved = trace.model_copy(update={"failed": (trace.failed[0].model_copy(update={"at": at}),)})
        step = trace.step(finding_list(moved, "summarizer_failed")["findings"][0]["step"])
        assert (step.kind, step.messages) == ("message", at)


def test_a_prompt_that_shrank_is_a_row_that_leads_to_its_reply() -> None:
    """Each is a row of its own, also where two follow one another, and a mark at its step; no compaction has a mark for it."""
    messages = [
        m
        for k, prompt in enumerate([500, 900, 300, 250])
        for m in (
            user(f"{k}" * 800),
            assistant(f"{k}").model_copy(update={"id": f"a{k}", "usage": Usage(input_uncached=prompt)}),
        )
    ]
    trace = replay(as_session(messages), meter=meter("agentkit"))
    rows = finding_list(trace, "prompt_shrank")["findings"]
    assert [(r["step"], r["last_step"], r["first"], r["times"], r["call"], r["failed"]) for r in rows] == [
        (5, 5, 5, 1, True, False),
        (7, 7, 7, 1, True, False),
    ]
    assert [trace.step(r["step"]).message for r in rows] == ["a2", "a3"]
    assert rows[0]["messages"] == [5, 3]
    marks = finding_marks(trace)
    assert (marks["at"], marks["calls"]) == ([], {"at": [5, 7], "first": [[0], [0]]})
    assert marks["titles"] == [[1, "Prompt shrank without a recorded compaction"]]


def test_a_finding_names_at_most_twelve_messages_in_the_list() -> None:
    """Twenty orphans and their call are 21 messages on the card, each once, and the first twelve of them in the list."""
    asked = assistant("", *(calls(f"c{i}", "read") for i in range(20)))
    answers = [result(f"c{i}", "x" * i) for i in range(20)]
    rule = policy("agentkit.memory", budget=1, keep_recent=20)
    session = as_session([user("go " * 200), asked, *answers, assistant("done")])
    trace = simulate(session, rule, meter=meter("agentkit"))
    j = next(j for j, event in enumerate(trace.compactions) if "m" in event.removed[0] and len(event.before) == 22)
    orphans = finding_list(trace, "orphaned_tool_result")["findings"]
    row = next(f for f in orphans if f["first"] == j and not f["failed"])
    named = (row["numbers"], row["messages"][:2], len(row["messages"]), row["messages_total"])
    assert named == ({"pairs": 20}, [2, 1], 12, 21)
    (own,) = (f for f in compaction_card(trace, j)["findings"] if f["kind"] == "orphaned_tool_result")
    assert len(own["messages"]) == 21


def test_the_marks() -> None:
    """One for each compaction that has findings: which, its first titles with how bad each is, how many there are."""
    titles = [
        [0, "Orphaned tool result"],
        [1, "The conversation begins with a tool result"],
        [2, "First user message in part"],
    ]
    assert finding_marks(lesson()) == {
        "titles": titles,
        "at": [0],
        "first": [[0, 1, 2]],
        "count": [3],
        "calls": {"at": [], "first": []},
    }
    assert finding_marks(failing())["at"] == []


def test_the_marks_of_many_compactions() -> None:
    """Each is that of its compaction's card, whichever of them have one."""
    trace = always_over()
    marks, j = finding_marks(trace), 0
    assert len(marks["at"]) == len(marks["first"]) == len(marks["count"]) > 20
    for delta, first, count in zip(marks["at"], marks["first"], marks["count"], strict=True):
        j += delta
        found = compaction_card(trace, j)["findings"]
        assert marks["titles"][first[0]][0] == min(("error", "warning", "info").index(f["severity"]) for f in found)
        assert count == len(found)


def client() -> TestClient:
    """The API alone."""
    return TestClient(Starlette(routes=ROUTES))


def test_the_route() -> None:
    """The first page of all kinds comes with the marks, others without; a trace that is not held is said to be gone."""
    TRACES.put("a-lesson", lesson())
    whole = client().get("api/findings/a-lesson").json()
    assert (whole["total"], len(whole["findings"]), whole["marks"]["at"]) == (3, 3, [0])
    one = client().get("api/findings/a-lesson?kind=leading_assistant").json()
    assert (one["matching"]["structure"], one["marks"]) == (1, None)
    assert client().get("api/findings/a-lesson?from=1").json()["marks"] is None
    gone = client().get("api/findings/nowhere")
    assert (gone.status_code, "no longer open" in gone.json()["error"]) == (404, True)


@pytest.mark.parametrize("start", ["-1", "x", "²", "1e9", "9" * 5000])
def test_a_start_that_is_no_number(start: str) -> None:
    """A strange `from` in the address never breaks the answer."""
    TRACES.put("a-lesson", lesson())
    assert client().get("api/findings/a-lesson", params={"from": start}).status_code == 200


def test_findings_of_one_session_are_worked_out_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ask for an index of the session: the second finds it made. Another session does not wait for it."""
    session = lesson_session()
    one, other = (simulate(session, policy("agentkit.memory", budget=100, keep_recent=k)) for k in (2, 3))
    apart = always_over()
    begun, going = {id(trace): Event() for trace in (one, other, apart)}, Event()

    def slowly(trace: Trace, *rest: Any) -> dict[str, Any]:
        begun[id(trace)].set()
        assert going.wait(60)
        return finding_list(trace, *rest)

    monkeypatch.setattr(debugger, "finding_list", slowly)
    client = TestClient(Starlette(routes=ROUTES))
    for name, trace in (("one", one), ("other", other), ("apart", apart)):
        TRACES.put(name, trace)
    with ThreadPoolExecutor(3) as pool:
        answers = [pool.submit(client.get, "api/findings/one")]
        assert begun[id(one)].wait(60)
        answers += [pool.submit(client.get, f"api/findings/{name}") for name in ("other", "apart")]
        assert begun[id(apart)].wait(60)
        assert not begun[id(other)].is_set()
        going.set()
        assert [answer.result().status_code for answer in answers] == [200, 200, 200]


def test_what_compactions_lost_is_worked_out_before_the_other_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    """The overview stands on the first screen: asked about later, it waits for the findings of one compaction, not of all."""
    trace, done, client = always_over(), list[str](), TestClient(Starlette(routes=ROUTES))
    TRACES.put("over", trace)
    turns = debugger._turns(trace)

    with ThreadPoolExecutor(2) as pool:
        answers = list[Future[Any]]()

        def found(trace: Trace, k: int) -> None:
            done.append(f"findings {k}")
            if k == 0:
                answers.append(pool.submit(client.get, "api/losses/over"))
                until = time.monotonic() + 20
                while not turns.waited_for and time.monotonic() < until:
                    time.sleep(0.001)

        monkeypatch.setattr(debugger, "findings_at", found)
        monkeypatch.setattr(debugger, "loss_list", lambda *_: {"after": done.append("losses")})
        client.get("api/findings/over")
        assert answers[0].result(20).status_code == 200

    assert done == ["findings 0", "losses", *(f"findings {k}" for k in range(1, len(trace.compactions)))]


def test_a_card_of_a_long_session_waits_for_no_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a compaction did is told at once; its findings are asked for apart, and are in the card once they are known."""
    trace = always_over()
    TRACES.put("long", trace)
    monkeypatch.setattr(debugger, "LONG", len(trace.messages))
    monkeypatch.setattr("viewer.wire.card.findings_at", never)
    early = client().get("api/compaction/long/1").json()
    monkeypatch.undo()
    found = client().get("api/compaction/long/1/findings").json()["findings"]

    assert early["findings"] is None
    assert early | {"findings": found} == compaction_card(always_over(), 1)
    monkeypatch.setattr(debugger, "LONG", len(trace.messages))
    assert client().get("api/compaction/long/1").json()["findings"] == found, "they are known now"
    assert client().get("api/compaction/long/99/findings").status_code == 404


def never(*_: object) -> NoReturn:
    """What is not to be looked for."""
    raise AssertionError("the card waits for its findings")
