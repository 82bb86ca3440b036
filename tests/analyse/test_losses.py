"""What a compaction lost, most important first."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core import Message, Trace, fate, load, meter, policy, replay, simulate
from core.analyse.carried import carried_at
from core.analyse.losses import USED, Loss, Losses, losses
from core.origins import named, story
from core.origins.ledger import ledger
from core.origins.reworded import reworded
from core.summaries.summarizers import summarizer
from scripts.forgotten_rule import SAMPLE
from tests.analyse.events import event, run, summary
from tests.support import assistant, calls, result, system, user, with_ids
from viewer.api.debugger import ROUTES
from viewer.sessions.registry import TRACES
from viewer.wire.card import compaction_card
from viewer.wire.losses import loss_list, with_ellipsis

RULE = "Never print to stdout from the exporter module."
FILE = "src/frames/exporter_writer.py"
TALK = [
    system("You are a coder."),
    user(f"Write the exporter for our five quarterly report frames. {RULE}"),
    assistant("", calls("c1", "read_file", path=FILE)),
    result("c1", "class ExporterWriter: pass  # holds the frames of a report"),
    user("now do the same for the monthly report please"),
    assistant("", calls("c2", "read_file", path="src/monthly.py")),
    result("c2", "monthly = 12"),
    assistant(f"I will change {FILE} next."),
    *[
        assistant("", calls("c3", "read_file", path=FILE)),
        result("c3", "class ExporterWriter: pass  # holds the frames of a report"),
    ],
]
AT = 7  # messages had arrived when the compaction took all but the system message


def trace(said: str = "They work on frames.", messages: Sequence[Message] = TALK, **known: object) -> Trace:
    """A trace in which everything typed so far became a summary that says so."""
    n = len(messages)
    taken = event(AT, [(0, AT)], [(0, 1), (n, n + 1)], ("summarised", (1, AT)), put=[summary(said)], number=1, **known)
    return run(with_ids(messages), taken)


def texts_lost(found: Losses) -> list[tuple[str, str, int, int | None]]:
    """Kind, beginning, place and first use of each text."""
    return [(loss.kind, loss.text[:24], loss.place, loss.used_at) for loss in found.texts]


def test_what_the_user_said_comes_before_names() -> None:
    """The first request with the rule in it, the one at work, the name the next reply writes; two results, one asked again."""
    found = losses(trace(), 0)
    assert (found.step, found.taken, found.results, found.result_tokens) == (7, 6, 2, 20)
    assert texts_lost(found) == [
        ("newest", "now do the same for the ", 4, None),
        ("first", "Write the exporter for o", 1, None),
        ("name", "frames/exporter_writer.p", 2, 8),
    ]
    assert (found.again, found.again_tokens, found.unseen) == ((9,), 10, 0)
    assert (found.texts[1].kept, found.texts[1].words) == (1, 10)


def test_what_a_summary_says_is_not_lost() -> None:
    """A summary with the requests, the rule and the file leaves nothing but results, which are made again all the same."""
    quoted = f"{TALK[1].content}\n{TALK[4].content}\nThey read {FILE}."
    found = losses(trace(quoted), 0)
    assert (found.texts, found.results, found.again) == ((), 2, (9,))


def test_of_a_summary_that_nobody_can_read_only_what_was_asked_again_is_known() -> None:
    """No text is called lost; the results are still gone."""
    found = losses(trace(unreadable="encrypted"), 0)
    assert (found.unreadable, found.texts, found.results, found.again) == ("encrypted", (), 2, (9,))
    assert found.typed == (0, 2, 0), "both requests went into it"


def test_of_a_summary_that_nobody_can_read_it_is_known_which_requests_stayed() -> None:
    """Codex sends what was typed again, word for word, in front of what nobody can read."""
    n, taken = len(TALK), [("summarised", (2, 4)), ("summarised", (5, AT))]
    left = event(AT, [(0, AT)], [(0, 2), (4, 5), (n, n + 1)], *taken, put=[summary("?")], unreadable="encrypted")
    one = run(with_ids(TALK), left)
    assert losses(one, 0).typed == (2, 2, 0)
    assert loss_list(one)["rows"][0]["typed"] == [2, 2, 0]
    assert compaction_card(one, 0)["typed"] == [2, 2, 0]
    assert compaction_card(trace(), 0)["typed"] == [0, 0, 0], "of one that can be read it is not asked"


def test_of_a_summary_that_nobody_can_read_it_is_known_which_replies_stayed() -> None:
    """A reply in words that stayed is counted; a call alone says nothing, and a note that the client wrote is no reply."""
    n, taken = len(TALK), [("summarised", (3, 4)), ("summarised", (5, AT))]
    left = event(
        AT + 1, [(0, AT + 1)], [(0, 3), (4, 5), (7, 8), (n, n + 1)], *taken, put=[summary("?")], unreadable="absent"
    )
    assert losses(run(with_ids(TALK), left), 0).typed == (2, 2, 1)
    note = TALK[7].model_copy(update={"injected": "note"})
    assert losses(run(with_ids([*TALK[:7], note, *TALK[8:]]), left), 0).typed == (2, 2, 0)


def test_a_rule_stands_once_though_two_ways_find_it() -> None:
    """The finding and the ledger know the same sentence; the request that states it is whole."""
    talk = [*TALK[:4], user("Write a draft."), *TALK[5:]]
    talk[1] = user(RULE)
    rules = [loss for loss in losses(trace(messages=talk), 0).texts if "stdout" in loss.text]
    assert [(loss.kind, loss.text) for loss in rules] == [("first", RULE)]


def test_what_stands_within_something_longer_is_not_lost() -> None:
    """A name that the summary has within another word, as Why would find it."""
    found = losses(trace("They read old-frames/exporter_writer.py2."), 0)
    assert [loss.text for loss in found.texts if loss.kind == "name"] == []


def test_where_a_person_clears_the_conversation_no_name_is_missing() -> None:
    """They begin anew, and what the model uses then it was told anew; what they had said is gone all the same."""
    for trigger, lost in (("manual", []), ("auto", [FILE.removeprefix("src/")])):
        taken = event(AT, [(0, AT)], [(0, 1)], ("dropped", (1, AT)), recorded=True, trigger=trigger)
        found = losses(run(with_ids(TALK), taken), 0)
        assert [loss.text for loss in found.texts if loss.kind == "name"] == lost
        assert [loss.kind for loss in found.texts if loss.kind != "name"] == ["newest", "first"]


def test_what_a_message_that_stays_thinks_is_not_lost() -> None:
    """Its thoughts are in the window, too."""
    talk = [*TALK]
    talk.insert(1, assistant("I begin.").model_copy(update={"thinking": f"Then {FILE}."}))
    n = len(talk)
    known = {"put": [summary("They work on frames.")], "number": 1}
    for kept, lost in (([(0, 2)], []), ([(0, 1)], [FILE.removeprefix("src/")])):
        taken = event(AT + 1, [(0, AT + 1)], [*kept, (n, n + 1)], ("summarised", (kept[0][1], AT + 1)), **known)
        found = losses(run(with_ids(talk), taken), 0)
        assert [loss.text for loss in found.texts if loss.kind == "name"] == lost


def test_what_a_person_told_may_stand_in_other_words_in_a_message_that_stays() -> None:
    """The result that tells it, too, keeps it; one that tells of another person does not."""
    told = "Note that the bank of the treasurer Jennifer Miller is Alpine Credit."
    for answer, lost in (("The treasurer Jennifer Miller: bank Alpine Credit.", 0), ("The treasurer: not known.", 1)):
        talk = [user("Pay the invoices."), assistant("Whom?"), user(told), user("Go on.")]
        talk += [assistant("", calls("c1", "look_up", who="treasurer")), result("c1", answer), assistant("I pay.")]
        taken = event(6, [(0, 6)], [(7, 8), (3, 6)], ("summarised", (0, 3)), put=[summary("They pay.")], number=1)
        found = losses(run(with_ids(talk), taken), 0)
        assert sum(loss.text == told for loss in found.texts) == lost


def test_a_decision_of_the_users_that_is_gone_is_told_as_the_ledger_tells_it() -> None:
    """The user's, no reply's: the overview counts it where the ledger has it as gone, and not where the summary says it."""
    decided = "Okay, I decided that boats without a berth are listed on the last page."
    talk = [user("List the boats."), assistant("Where do I list those without?"), user(decided)]
    talk += [assistant("I decided to sort the harbour by depth instead of names."), user("Go on."), assistant("Done.")]
    for said, lost in (("They list boats.", [decided]), (decided, [])):
        taken = event(5, [(0, 5)], [(6, 7), (4, 5)], ("summarised", (0, 4)), put=[summary(said)], number=1)
        one = run(with_ids(talk), taken)
        rows = [row for row in ledger(one, 0)[0] if row.kind == "decision" and row.in_summary == "gone"]
        assert [row.text for row in rows if row.place == 2] == lost
        assert [row.place for row in rows if row.place != 2] == [3]
        assert [loss.text for loss in losses(one, 0).texts if loss.kind == "said"] == lost


def test_what_only_the_quotes_of_a_stand_in_keep_is_told() -> None:
    """Simulated, quotes keep the rule that the recorded summary leaves out: the overview counts it, and Why says so."""
    session = load(SAMPLE.parent / "broken-rule.json")
    rule, text = policy("agentkit.memory", budget=1600, keep_recent=6), "Never delete an original in photos/"
    quoting, recorded = (
        simulate(session, rule, meter("o200k_base"), write) for write in (None, summarizer("recorded", session=session))
    )
    assert (losses(quoting, 0).quoted, losses(recorded, 0).quoted) == ((2, 2, 1), (0, 0, 0))
    step = quoting.compaction_step(0)
    told = "Only a quote that stands in for a summary keeps it: a summary that a model writes may leave it out."
    assert told in story.answer(fate(quoting, text), step, ())[1]
    assert told not in story.answer(fate(recorded, text), step, ())[1]
    known = fate(quoting, session.messages[4].content)
    assert story.answer(known, step, reworded(known))[0].startswith("Only in other words")
    assert told in story.answer(known, step, reworded(known))[1]


def test_behind_the_last_recorded_summary_a_quote_is_told_as_a_quote() -> None:
    """Quotes stand in there: the overview prints no lines of them as a summary's own, and Why says what keeps the text."""
    session = load(SAMPLE.parent / "broken-rule.json")
    rule, write = policy("agentkit.memory", budget=800, keep_recent=4), summarizer("recorded", session=session)
    one = simulate(session, rule, meter("o200k_base"), write)
    rows = loss_list(one)["rows"]
    assert [bool(row["work"]) for row in rows] == [True, True, True, False]
    assert (rows[3]["goal"], rows[3]["opening"]) == ("", "")
    told = "Only a quote that stands in for a summary keeps it: a summary that a model writes may leave it out."
    for text, k, begins, quoted in (
        ("The six new pots, numbers 41 to 46", 2, "Kept: summaries", False),
        ("the gallery takes ten seconds on her phone", 3, "Kept: summary", True),
        ("index.html and contact.html show the summer hours now", 2, "Only in other words", False),
        ("index.html and contact.html show the summer hours now", 3, "Only in other words", True),
    ):
        known = fate(one, text)
        title, more = story.answer(known, one.compaction_step(k), reworded(known))
        assert title.startswith(begins)
        assert (told in more) is quoted


@pytest.mark.parametrize(
    "name", ["claude-code/6113e919-67d3-417b-b525-c63700228d19.jsonl", "pi/before-compaction.jsonl"]
)
def test_why_says_of_each_text_that_it_is_gone(shared: Path, name: str) -> None:
    """In real sessions, as recorded: at the step of its compaction nothing says it, nor does in other words."""
    one = replay(load(shared / "transcripts" / name))
    found = [(loss, losses(one, k).step) for k in range(len(one.compactions)) for loss in losses(one, k).texts]
    assert len(found) >= 2
    for loss, step in found:
        known = fate(one, loss.followed)
        assert known.lane.state(step) == "gone"
        assert not any(row.start <= step <= row.end for row in reworded(known))


def test_of_the_sample_one_rule_is_forgotten_at_a_time() -> None:
    """What a summary says in other words or in part is not; a rule counts once, where its last summary leaves it out."""
    one = replay(load(SAMPLE))
    found = [
        (k, loss.text[:26], loss.used_at) for k in range(3) for loss in losses(one, k).texts if loss.kind not in USED
    ]
    assert found == [
        (1, "no new dependency, not eve", 185),
        (1, "Never the description, the", None),
        (1, "For banks without a refere", None),
        (2, "Keep Transaction.month as ", None),
        (2, "One thing to keep: if some", None),
    ]


def test_commands_that_the_model_ran_again_are_those_of_the_ledger() -> None:
    """What the ledger counts as needed without it is told here as well: of the sample a command and an error, beside names."""
    one = replay(load(SAMPLE))
    told = [
        [(loss.kind, loss.used_at) for loss in losses(one, k).texts if loss.kind not in ("newest", "first")]
        for k in range(3)
    ]
    assert [[pair for pair in found if pair[0] in ("command", "error", "task")] for found in told] == [
        [("error", 107)],
        [],
        [("command", 185)],
    ]
    others = loss_list(one)["rows"][2]["others"]
    assert [(row["kind"], row["text"], row["used_at"]) for row in others] == [("command", "python -m pytest -q", 185)]


def test_the_wire_groups_texts_and_pages_compactions() -> None:
    """What the user said and names, at most six each with their totals; -1 for no step; the next page begins where asked."""
    one = trace()
    found = loss_list(one)
    (row,) = found["rows"]
    assert (found["total"], found["from"], row["index"], row["step"]) == (1, 0, 0, 7)
    assert [text["kind"] for text in row["told"]] == ["newest", "first"]
    assert (row["told"][0]["used_at"], row["names"][0]["used_at"], row["names_total"]) == (-1, 8, 1)
    assert row["told"][0]["said_again_at"] == -1
    assert (row["told"][0]["used"], row["told"][0]["said_again"]) == ("", "")
    assert (row["again"], row["again_steps"], row["again_tokens"], row["unseen"], row["unreadable"]) == (
        1,
        [9],
        10,
        0,
        "",
    )
    assert (row["timestamp"], row["instructions"]) == ("", "")
    assert loss_list(one, 1)["rows"] == []
    assert loss_list(one, 0, most=0)["rows"] == []


def test_the_route_answers_for_a_trace_that_is_open() -> None:
    """The page from a number on; 404 for a trace that is not there."""
    client = TestClient(Starlette(routes=ROUTES))
    TRACES.put("t-losses", trace())
    assert len(client.get("/api/losses/t-losses").json()["rows"]) == 1
    assert client.get("/api/losses/t-losses?from=1").json() == {
        "total": 1,
        "from": 1,
        "rows": [],
        "limits": [],
        "unsought": False,
    }
    assert client.get("/api/losses/unknown").status_code == 404


def test_a_text_that_outlived_its_message_says_where_the_message_went() -> None:
    """Compaction 1 took the message of the rule, its summary still said it; what stood in its message until then has none."""
    one = replay(load(SAMPLE))
    told = [loss for loss in losses(one, 1).texts if loss.kind != "name" and loss.used_at]
    assert [(loss.text[:17], loss.carried_at) for loss in told] == [("no new dependency", 65)]
    assert [loss.carried_at for loss in losses(trace(), 0).texts] == [None, None, None]


def test_the_wire_says_where_nobody_looked_when_sentences_were_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a session too long to read whole a statement has no need: the page must not say that nothing needed it."""
    assert loss_list(trace())["unsought"] is False
    monkeypatch.setattr(named, "WHOLE", 0)
    assert loss_list(trace())["unsought"] is True


def test_only_what_was_needed_is_followed_through_earlier_summaries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody reads it of another text, which costs a search each; in a session too long to read whole none is followed."""
    (rule,) = [loss for loss in losses(replay(load(SAMPLE)), 2).texts if loss.kind == "rule"]
    assert (rule.text[:28], rule.used_at, rule.carried_at) == ("Keep Transaction.month as it", None, None)
    monkeypatch.setattr(named, "WHOLE", 0)
    (needed,) = [loss for loss in losses(replay(load(SAMPLE)), 1).texts if loss.kind == "rule"]
    assert (needed.used_at, needed.carried_at) == (185, None)


def test_a_summary_with_a_part_of_a_text_did_not_carry_it() -> None:
    """Only one that says all of it, word for word or in other words, said it still."""
    rule = "Never print to stdout from the exporter module; write reports through the ledger gateway with a checksum."
    messages = with_ids([user(rule), assistant("Yes."), user("go on"), assistant("Done."), user("and now?")])

    def carried(said: str) -> int | None:
        first = event(2, [(0, 2)], [(5, 6)], ("summarised", (0, 2)), put=[summary(said, id="s1")])
        second = event(4, [(5, 6), (2, 4)], [(6, 7)], ("summarised", (2, 4)), put=[summary("They went on.", id="s2")])
        return carried_at(run(messages, first, second), rule, 0, 1)

    said = (
        "The exporter module must never print to stdout: it writes reports with a checksum through the ledger gateway."
    )
    assert carried(said) == 2
    assert carried("It writes reports with a checksum through the gateway.") is None


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Always use tabs in Go files.\nAlways use tabs\nThanks", "Always use tabs"),
        ("Always use tabs in Go files, always.", "Always use tabs…"),
        ("Always use tabs in Go. And: Always use tabs, please", "Always use tabs…"),
    ],
)
def test_a_text_is_quoted_as_a_part_only_if_its_message_never_has_it_alone(said: str, text: str) -> None:
    """The loss may be of any place where the message has it."""
    one = run(with_ids([user(said)]))
    loss = Loss(kind="rule", place=0, text="Always use tabs")
    assert with_ellipsis(one, loss) == text


def test_a_whole_sentence_is_quoted_without_a_sign_that_it_goes_on() -> None:
    """Also where its message says more behind it."""
    told = [loss["text"] for row in loss_list(replay(load(SAMPLE)))["rows"] for loss in row["told"]]
    assert "Keep Transaction.month as it is, the mailer uses it." in [text[-52:] for text in told]
    assert not [text for text in told if text.endswith("…")]
