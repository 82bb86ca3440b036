"""The ledger, the overview, the findings and Why tell the same of a text: one verdict, one need, one list of missing names."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core import Trace, load, meter, policy, replay, simulate
from core.analyse import findings_at
from core.analyse.losses import losses
from core.analyse.requests import requests
from core.entities.in_words import uses_name
from core.entities.kinds import whole_name
from core.entities.search import normalized
from core.model.own_text import own_text
from core.origins.follow import FOLLOWED
from core.origins.ledger import ledger, missing
from core.origins.origin import LedgerRow
from viewer.wire.fate import fate_body

SAMPLES = Path("sample_sessions")
SHARED = (
    "claude-code/6113e919-67d3-417b-b525-c63700228d19.jsonl",
    "claude-code/6c0a282a-886f-458d-a426-93d95104b4a6.jsonl",
    "pi/before-compaction.jsonl",
    "opencode/ses_277daa810ffePOBsdfS6gm8uA2.json",
)


def simulated() -> Trace:
    """A day in a small repository under the policy that the app opens it with."""
    rule = policy("agentkit.memory", budget=16_000, keep_recent=8)
    return simulate(load(SAMPLES / "openai-chat/coding-session.json"), rule, meter=meter("o200k_base"))


def rows_of(trace: Trace) -> Iterator[tuple[LedgerRow, int]]:
    """Every row of every ledger, with the step of its compaction."""
    for k in range(len(trace.compactions)):
        yield from ((row, trace.compaction_step(k)) for row in ledger(trace, k)[0])


def why_says(trace: Trace, text: str, step: int) -> tuple[str, int | None]:
    """The verdict and the need behind a step, read off what the page of Why gets."""
    body = fate_body(trace, text)
    verdict = verdict_in(body, step)
    later = [event for event in body["events"] if event["step"] > step]
    needed = [event["step"] for event in later if event["kind"] == "needed"]
    if verdict == "gone":
        told = [e["step"] for e in later if e["kind"] in ("said", "read_again") and e["match"] != "words"]
        return verdict, needed[0] if needed and needed[0] < min(told, default=len(trace)) else None
    wrote = [e["step"] for e in later if e["kind"] == "said" and e["match"] != "words" and _wrote(trace, text, e)]
    return verdict, min([*needed, *wrote, *(e["step"] for e in body["uses"] if e["step"] > step)], default=None)


def verdict_in(body: dict[str, Any], step: int) -> str:
    """The verdict of Why at a step; where a summary has every sentence word for word, verbatim."""
    here = next(row for row in body["lane"] if row["from"] <= step <= row["to"])
    if here.get("reworded"):
        return "verbatim" if "all of its" in here["title"] else "reworded"
    return "verbatim" if here["state"] in ("verbatim", "summary") else "gone"


def requests_that_differ(trace: Trace) -> list[tuple[int, int, str, str]]:
    """The requests, as short as Why follows a text, of which the overview says something else than Why, and what both say."""
    found: list[tuple[int, int, str, str]] = []
    for k in range(len(trace.compactions)):
        known, step = requests(trace, k), trace.compaction_step(k)
        for place in known.asked:
            text = normalized(own_text(trace.messages[place]))
            some = known.reworded + known.partly
            told = "gone" if place in known.gone else "reworded" if place in some else "verbatim"
            if len(text) <= FOLLOWED and (why := verdict_in(fate_body(trace, text), step)) != told:
                found.append((k, place, told, why))
    return found


def _wrote(trace: Trace, text: str, event: dict[str, Any]) -> bool:
    """Whether the model wrote the text there, a name outside code that it only shows."""
    message, name = trace.pool.message(event["at"]), whole_name(text)
    return message.role == "assistant" and not message.injected and (name is None or uses_name(message, name))


def differing(trace: Trace) -> list[tuple[str, object, object]]:
    """The rows of which Why says something else, with what the ledger and Why say."""
    told = [
        (row.text, (row.in_summary, row.needed_at), why_says(trace, row.text, step)) for row, step in rows_of(trace)
    ]
    assert len(told) >= 7
    return [one for one in told if one[1] != one[2]]


def test_why_agrees_with_every_row_of_the_samples() -> None:
    """A day in a small repository, simulated; the same with a model's summaries; the run that the app opens with."""
    assert differing(simulated()) == []
    assert differing(replay(load(SAMPLES / "foldline/forgotten-rule.json"))) == []
    assert differing(replay(load(SAMPLES / "foldline/broken-rule.json"))) == []


@pytest.mark.parametrize("name", SHARED)
def test_why_agrees_with_every_row_of_real_sessions(shared: Path, name: str) -> None:
    """Sessions of three agents, as recorded."""
    trace = replay(load(shared / "transcripts" / name))
    assert differing(trace) == []
    assert requests_that_differ(trace) == []


def test_why_says_of_each_request_what_the_overview_counts(shared: Path) -> None:
    """Of a recorded session of 34 requests: quoted or still there, in other words, or nowhere; and of the samples."""
    trace = replay(load(shared / "transcripts" / SHARED[0]))
    found = (requests(trace, k) for k in range(3))
    counts = [(len(one.asked), len(one.reworded), len(one.partly), len(one.gone)) for one in found]
    assert counts == [(10, 2, 0, 0), (19, 1, 3, 7), (34, 2, 9, 17)]
    for name in ("forgotten-rule", "broken-rule"):
        assert requests_that_differ(replay(load(SAMPLES / f"foldline/{name}.json"))) == []


def test_a_finding_and_the_overview_name_the_same_missing_names() -> None:
    """Of that day: a file that two summaries name is lost with the third; what only a tool showed, with the first."""
    trace = simulated()
    found = [[loss.text for loss in losses(trace, k).texts if loss.kind == "name"] for k in range(3)]
    assert found == [["monthly_report", "test_an_empty_book_has_no_months"], [], ["pocketbook/__init__.py"]]
    assert found == [[row.text for row in missing(trace, k)] for k in range(3)]
    named = [[one for one in findings_at(trace, k) if one.kind == "lost_reference"] for k in range(3)]
    assert [[one.text for one in some] for some in named] == [
        [
            "What named monthly_report and test_an_empty_book_has_no_months was replaced by summary #1, and nothing in the "
            "window names them. The model used them at message 73 and later."
        ],
        [],
        [
            "What named pocketbook/__init__.py was replaced by summary #3, and nothing in the window names it. "
            "The model used it at message 175."
        ],
    ]


def test_a_finding_the_ledger_and_why_count_the_words_of_one_text(shared: Path) -> None:
    """Of a long request of a recorded session that is its beginning; the finding also counts all of it."""
    trace = replay(load(shared / "transcripts" / SHARED[0]))
    (found,) = findings_at(trace, 2, "last_user_message_summarised")
    (row,) = (row for row in ledger(trace, 2)[0] if row.kind == "task" and row.message == found.messages[0])
    assert row.text == found.subject
    assert 0 < row.kept < row.words < found.numbers["words"]
    begin = f"{row.kept} of the {row.words} content words of its beginning"
    whole = f"20 of the {found.numbers['words']} of the whole"
    assert found.text.endswith(f"In the sentences nearest to the request the summary has {begin}, and {whole}.")
    lane = fate_body(trace, found.subject)["lane"]
    assert any(
        f"has {row.kept} of its {row.words} content words in the sentences nearest to it"
        in part["title"] + part["text"]
        for part in lane
    )


def test_what_survived_has_its_need_too() -> None:
    """Of that day every summary keeps the rule word for word; the replies at steps 78 and 185 act by its words."""
    rows = [
        (row.in_summary, row.needed_at) for row, _ in rows_of(simulated()) if row.text.startswith("No new dependency")
    ]
    assert rows == [("verbatim", 78), ("verbatim", 185), ("verbatim", 185)]
