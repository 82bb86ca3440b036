"""Where the sentences of a summary come from: verdicts, sources, and the way through earlier summaries."""

from collections.abc import Iterator

import pytest

from core import Message, load, meter, policy, provenance, replay, simulate
from core.model.session import RecordedCompaction
from core.origins.marks import left_out
from core.origins.origin import Traced
from core.origins.provenance import provenances
from core.trace.trace import Trace, as_session
from tests.support import assistant, calls, result, system, user, with_ids

RUN = with_ids(
    [
        system("You are a coder."),
        user("The report is wrong for Berlin. Do not change the public API."),
        assistant("", calls("c1", "read_file", path="src/app/report.py")),
        result("c1", "def month(): return utc"),
        assistant("The report took 3.5 s before and 0.6 s after. All 18 tests pass now."),
        user("Identify a booking by account, date, amount and reference, never by its description."),
        assistant("Bookings are identified now."),
        user("Thanks, go on."),
        assistant("Done."),
    ]
)


def _traced(sentence: str, *summaries: str) -> Traced:
    """A sentence looked for behind the last compaction of the run, whose summaries say this."""
    trace = _trace(*(summaries or ("A summary.",)))
    return provenance(trace, len(trace.compactions) - 1, [sentence]).sentences[0]


def _trace(*summaries: str) -> Trace:
    said: Iterator[str] = iter(summaries)
    rule = policy("agentkit.memory", budget=60 if len(summaries) > 1 else 100, keep_recent=1)
    trace = simulate(
        as_session(RUN), rule, meter=meter("agentkit"), summarizer=lambda messages, prior: next(said, "End.")
    )
    return trace.model_copy(update={"compactions": trace.compactions[: len(summaries)]}).over(trace.pool)


@pytest.mark.parametrize(
    ("sentence", "verdict", "source"),
    [
        ("The report took 3.5 s before and 0.6 s after.", "supported", "m5"),
        ("The report takes 0.6 s now, it took 3.5 s.", "supported", "m5"),
        ("The report took 3.5 s before and 0.8 s after.", "partly", "m5"),
        ("All 16 tests pass.", "partly", "m5"),
        ("All 18 tests fail.", "partly", "m5"),
        ("The public API may be changed: do change the public API.", "partly", "m2"),
        ("`src/app/report.py` was read.", "supported", "m3"),
        ("`src/app/budget.py` was read.", "partly", "m3"),
        ("Bookings are identified by account, date and amount.", "supported", "m6"),
    ],
)
def test_every_exact_thing_must_stand_beside_what_is_said_of_it(sentence: str, verdict: str, source: str) -> None:
    """A wrong number, file or outcome is at most partly supported; other words for the same are."""
    found = _traced(sentence)
    assert (found.verdict, found.sources[0].message) == (verdict, source)


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("Create `parse.py` is step WP2.", "supported"),
        ("Create `render.py` is step WP2.", "partly"),
        ("Step WP3: create `render.py`.", "supported"),
        ("Step WP3: create `parse.py`.", "partly"),
        ("`render.py` has 1508 lines.", "supported"),
        ("`render.py` has 885 lines.", "partly"),
        ("Agent lines are 885 and human lines 40, of 925 in all.", "supported"),
        ("Agent lines are 40 and human lines 885, of 925 in all.", "supported"),
        ("The server never sees the plaintext folderKey.", "supported"),
        ("The server never sees the plaintext publicKey.", "partly"),
        ("The user lives in Europe/Berlin and calls `parse()`.", "supported"),
        ("The user lives in Europe/London and calls parse().", "partly"),
        ("The user lives in Europe/Berlin and calls render().", "partly"),
        ('Colours are mixed in HCL, by the "gemini-cli".', "supported"),
        ('Colours are mixed in RGB, by the "gemini-cli".', "partly"),
        ('Colours are mixed in HCL, by the "claude-code".', "partly"),
    ],
)
def test_another_exact_thing_may_not_stand_where_the_sentence_has_this_one(sentence: str, verdict: str) -> None:
    """A file, number or name that the source has, but beside something else; of numbers alike in all, either may be meant."""
    said = (
        "Step WP2: create parse.py\nStep WP3: create render.py\n  885 src/parse.py\n  1508 src/render.py\n",
        "The server never sees the plaintext folderKey. Each user has a publicKey.",
        "agent lines=885, human lines=40, all=925",
        "The user lives in Europe/Berlin and calls parse().",
        "Colours are mixed in HCL, by the gemini-cli.",
    )
    run = with_ids([user("Go on."), *map(assistant, said), user("Thank you! " * 30), assistant("Done.")])
    rule = policy("agentkit.memory", budget=120, keep_recent=1)
    trace = simulate(as_session(run), rule, meter=meter("agentkit"), summarizer=lambda messages, prior: "So far.")
    assert trace.compactions[0].at == 7
    assert provenance(trace, 0, [sentence]).sentences[0].verdict == verdict


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("The user asked for blue buttons in every dialog.", "supported"),
        ("The agent asked for blue buttons in every dialog.", "partly"),
        ("The agent suggested green links.", "supported"),
        ("The user suggested green links.", "partly"),
        ("The user chose round corners with thin grey borders.", "supported"),
        ("The agent suggested green links, and the user asked for blue buttons in every dialog.", "supported"),
        ("The user suggested green links, and the agent asked for blue buttons in every dialog.", "partly"),
    ],
)
def test_what_one_said_the_other_did_not_say(sentence: str, verdict: str) -> None:
    """Each clause is held against those who say it; an answer to a question of the agent is the user's word."""
    run = with_ids(
        [
            user("Make blue buttons in every dialog, please."),
            assistant("I suggest green links.", calls("c1", "AskUserQuestion", question="Corners?")),
            result("c1", 'Your questions have been answered: "Corners?"="round corners with thin grey borders"'),
            user("Thank you! " * 30),
            assistant("Done."),
        ]
    )
    rule = policy("agentkit.memory", budget=80, keep_recent=1)
    trace = simulate(as_session(run), rule, meter=meter("agentkit"), summarizer=lambda messages, prior: "So far.")
    assert provenance(trace, 0, [sentence]).sentences[0].verdict == verdict


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("Signup waits for user verification by mail.", "supported"),
        ("Signup queues user notifications until midnight.", "supported"),
        ("Signup logs each user creation in audit.log.", "supported"),
        ("Signup keeps the user identifier in a cookie.", "supported"),
        ("Signup encrypts the user address at rest.", "supported"),
        ("Signup validates the user's additional fields twice.", "supported"),
        ("Signup counts user requests per minute.", "supported"),
        ("The user notes are in a table of Postgres.", "supported"),
        ("The agent state survives a restart of Redis.", "supported"),
        ("The user verified the signup in Safari.", "partly"),
        ("The user adds a captcha to the signup.", "partly"),
        ("Goal: User requests a darker signup page.", "partly"),
        ("The user then updates the signup terms yearly.", "partly"),
    ],
)
def test_a_noun_that_begins_like_a_verb_is_nothing_the_user_did(sentence: str, verdict: str) -> None:
    """Verification, notifications and an address are things; verified, adds and requests are what the user is said to do."""
    agent = sentence.startswith("The agent")
    run = with_ids(
        [
            user(sentence if agent else "Go on."),
            assistant("Right." if agent else sentence),
            user("Thank you! " * 30),
            assistant("Done."),
        ]
    )
    rule = policy("agentkit.memory", budget=60, keep_recent=1)
    trace = simulate(as_session(run), rule, meter=meter("agentkit"), summarizer=lambda messages, prior: "So far.")
    assert provenance(trace, 0, [sentence]).sentences[0].verdict == verdict


def test_what_nothing_says_has_no_source() -> None:
    """An invented sentence shares no words worth the name with any message."""
    found = _traced("Telemetry goes to a vendor overseas.")
    assert (found.verdict, found.sources) == ("no_source", ())


def test_an_item_that_the_sentence_dropped_is_named() -> None:
    """Of a list the sentence has three items of four: the fourth is marked in the quote and named in a note."""
    found = _traced("Bookings are identified by account, date and amount.")
    source = found.sources[0]
    assert [source.quote[a:b] for a, b in source.missing] == ["reference"]
    assert found.note == "A source also says reference."
    assert "account" in [source.quote[a:b] for a, b in source.marks]


def test_an_item_is_missed_behind_an_article_too() -> None:
    """Of "the dashboard, the tax exporter and the mailer" the sentence has the first and the last."""
    quote = "Do not change it: the dashboard, the tax exporter and the mailer import it."
    (span,) = left_out(quote, "It must stay: the dashboard and the mailer import it.")
    assert quote[slice(*span)] == "the tax exporter"


def test_a_sentence_is_followed_through_an_earlier_summary_to_its_message() -> None:
    """The earlier summary is a source itself, and the message behind it another one, which names it as the way."""
    trace = _trace("The report took 3.5 s before and 0.6 s after. Zebras sing.", "Speed: 0.6 s.", "End.")
    k = 1
    found = provenance(trace, k, ["The report took 3.5 s before and 0.6 s after."]).sentences[0]
    summary = trace.compactions[0].summary
    assert summary
    ways = {source.message: [trace.pool.message(place).id for place in source.via] for source in found.sources}
    assert ways == {summary.id: [], "m5": [summary.id]}
    assert found.verdict == "supported"
    lone = provenance(trace, k, ["Zebras sing."]).sentences[0]
    assert lone.note == "Only an earlier summary says it; no message behind that does."
    assert lone.verdict == "partly"


def test_a_summary_that_the_file_begins_with_has_nothing_behind_it_here() -> None:
    """Where a file begins with a summary, what only that says may have its source before the file."""
    begins = Message(id="s", role="user", content="The parser lost every tab.", injected="summary")
    trace = simulate(
        as_session([begins, *RUN]),
        policy("agentkit.memory", budget=60, keep_recent=1),
        meter=meter("agentkit"),
        summarizer=lambda messages, prior: "x",
    )
    found = provenance(trace, 0, ["The parser lost every tab.", "All 18 tests pass now."])
    assert [one.verdict for one in found.sentences] == ["before_file", "supported"]
    assert found.sentences[0].note == "Its source may lie before this file, which begins in the middle of the session."


def test_a_compaction_without_a_summary_says_why_there_is_nothing_to_compare() -> None:
    """One that clears in place or drops has no sentences, and says so."""
    rule = policy("langchain.trim", max_tokens=60)
    trace = simulate(as_session(RUN), rule, meter=meter("agentkit"))
    assert (provenance(trace, 0).sentences, provenance(trace, 0).unreadable) == ((), "it wrote no summary")


@pytest.mark.parametrize("content", ["", "\ud83d", "مرحبا " * 50, "字" * 5000, "a" * 100_000, "* " * 5000, "[" * 3000])
def test_odd_text_does_no_harm(content: str) -> None:
    """Empty, huge, right to left, without blanks, unpaired: an answer, never an error."""
    messages = [user(content or " "), assistant(content), user("go on"), assistant("ok")]
    rule = policy("agentkit.memory", budget=1, keep_recent=1)
    trace = simulate(
        as_session(messages), rule, meter=meter("agentkit"), summarizer=lambda messages, prior: content[:3000]
    )
    for k in range(len(trace.compactions)):
        provenance(trace, k)


def test_a_structural_summary_is_traced_to_the_messages_it_cites(shared_sample: Trace) -> None:
    """The id at the end of a line names the source, and comes first."""
    found = provenance(shared_sample, 0)
    rule = next(one for one in found.sentences if one.text.startswith("No new dependency"))
    assert (rule.verdict, rule.sources[0].message) == ("supported", "m-26554b062da9")


@pytest.fixture
def shared_sample() -> Trace:
    """The sample of a coding session under the policy that the app opens it with."""
    session = load("sample_sessions/openai-chat/coding-session.json")
    rule = policy("agentkit.memory", budget=16_000, keep_recent=8)
    return simulate(session, rule, meter=meter("o200k_base"))


def test_a_recorded_run_without_compactions_has_no_provenance() -> None:
    """Asking for a compaction that is not there is an IndexError."""
    with pytest.raises(IndexError):
        provenance(replay(as_session(RUN)), 0)


def test_of_a_summary_that_a_file_begins_with_all_sources_lie_before_the_file() -> None:
    """Where nothing was before the compaction, no sentence can have a source here."""
    summary = Message(id="s", role="user", content="The parser lost every tab. Zebras sing.", injected="summary")
    session = as_session([summary, user("Go on."), assistant("Yes.")]).model_copy(
        update={"compactions": (RecordedCompaction(at=0, summary="s"),)}
    )
    found = provenance(replay(session), 0)
    assert {one.verdict for one in found.sentences} == {"before_file"}


def test_what_the_first_summary_of_a_file_that_starts_midway_says_may_stand_before_the_file() -> None:
    """No sentence of it is without a source, and what is found in part may come from there too; a later summary may not."""
    before, rest = (f"{words}, which begins in the middle of the session." for words in (_BEFORE, _REST))
    assert _of_two_summaries(starts_midway=True) == [
        [("before_file", before), ("partly", rest), ("supported", "")],
        [("before_file", before), ("no_source", "")],
    ]
    assert _of_two_summaries(starts_midway=False) == [
        [("no_source", ""), ("partly", ""), ("supported", "")],
        [("partly", "Only an earlier summary says it; no message behind that does."), ("no_source", "")],
    ]


_BEFORE, _REST = "Its source may lie before this file", "The rest may come from before this file"


def _of_two_summaries(starts_midway: bool) -> list[list[tuple[str, str]]]:
    """The verdicts and notes on what two recorded summaries say: the second repeats the first one's first sentence."""
    texts = ("Zebras sing. All 16 tests pass. All 18 tests pass now.", "Zebras sing. Owls knit scarves.")
    first, second = (Message(id=f"s{k}", role="user", content=text, injected="summary") for k, text in enumerate(texts))
    session = as_session([*RUN[1:5], first, *RUN[5:], second]).model_copy(
        update={
            "compactions": (RecordedCompaction(at=4, summary="s0"), RecordedCompaction(at=8, summary="s1")),
            "starts_midway": starts_midway,
        }
    )
    trace = replay(session)
    return [[(one.verdict, one.note) for one in provenance(trace, k).sentences] for k in (0, 1)]


def test_of_a_summary_that_cannot_be_read_nothing_is_said_to_be_gone() -> None:
    """An encrypted summary may hold anything: there are no sentences, and no ledger."""
    hidden = Message(id="s", role="user", content="(encrypted)", injected="summary")
    recorded = RecordedCompaction(at=2, summary="s", unreadable="encrypted")
    session = as_session([user("Never use tabs in main.py."), assistant("Right."), hidden]).model_copy(
        update={"compactions": (recorded,)}
    )
    found = provenance(replay(session), 0)
    assert (found.sentences, found.ledger, found.unreadable) == ((), (), "the summary cannot be read: encrypted")


def test_summaries_together_come_from_where_each_comes_from_alone() -> None:
    """Messages read once for several compactions give the sources that they give one by one, through earlier summaries too."""
    trace = _trace(*(f"The report took 3.5 s before. Summary {k} of utc and the public API." for k in range(2)))
    count = len(trace.compactions)
    together = list(provenances(trace, count))

    assert count == 2
    assert together == [provenance(trace, k) for k in range(count)]
    assert any(source.via for source in together[1].sentences[0].sources)
    assert list(provenances(trace, 1)) == together[:1]
