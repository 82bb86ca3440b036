"""Which of the user's requests nothing says any more."""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from core import Compaction, Message, Trace
from core.analyse import findings_at
from core.analyse.losses import losses
from core.analyse.no_request import why_none
from core.analyse.requests import Requests, requests
from core.model.session import Image
from core.origins.remains import Remains
from tests.analyse.events import event, run, summary
from tests.support import assistant, calls, result, user, with_ids
from viewer.wire.losses import loss_list

FIRST = "Compare the attribution of git-ai with the approach of our own repository."
SECOND = "Does a rebase keep the trailers of squashed commits?"
LONGER = (
    f"{FIRST} Draw a timeline of all releases with their authors and sponsors. "
    "Measure how long each benchmark runs on the smallest machine."
)
TALK = [
    user(FIRST),
    assistant("Done."),
    user(SECOND),
    assistant("Yes."),
    user("go on"),
    assistant("I do."),
    user("thanks"),
]


def trace(first: str, second: str = "", messages: Sequence[Message] = TALK, **known: object) -> Trace:
    """A trace in which the first four messages became a summary, and that and the next two another one."""
    n = len(messages)
    one = event(4, [(0, 4)], [(n, n + 1)], ("summarised", (0, 4)), put=[summary(first, id="s1")], number=1, **known)
    two = event(
        6,
        [(n, n + 1), (4, 6)],
        [(n + 1, n + 2)],
        ("summarised", (n, n + 1)),
        ("summarised", (4, 6)),
        put=[summary(second, id="s2")],
    )
    return run(with_ids(messages), one, *([two] if second else []))


def test_a_request_that_neither_the_window_nor_the_summary_says() -> None:
    """Enough of its words in one sentence keep it, in other words; a reply of a word or two is looked for nowhere."""
    assert requests(trace("We worked on pages."), 0) == Requests((0, 2), (0, 2), (0, 2), answered=(0, 2))
    assert requests(trace(f"The user asked: {FIRST}"), 0) == Requests((0, 2), (2,), (2,), answered=(2,))
    told = (
        "They compared the attribution of git-ai with the approach here, and saw that a rebase keeps squashed trailers."
    )
    assert requests(trace(told), 0) == Requests((0, 2), reworded=(0, 2))
    part = requests(trace(FIRST, messages=[user(LONGER), *TALK[1:]]), 0)
    assert part == Requests((0, 2), (2,), (2,), partly=(0,), answered=(2,))


def test_what_an_earlier_summary_said_can_go_with_it() -> None:
    """It counts as lost where it goes; what went before stays gone, though a later summary has some of its words."""
    both = trace(f"{FIRST} They went on.", "We looked at pages.")
    assert requests(both, 0) == Requests((0, 2), (2,), (2,), answered=(2,))
    assert requests(both, 1) == Requests((0, 2), (0, 2), (0,), answered=(0, 2))
    later = trace("We looked at pages.", "They wrote of trailers and of a rebase.")
    assert requests(later, 1).gone == (0, 2)
    assert requests(trace("We looked at pages.", f"Asked: {SECOND}"), 1).gone == (0,)


READS = [assistant("", calls("c1", "read_file", path="a.py")), result("c1", "a = 1")]


def folded_at(at: int, messages: Sequence[Message], *more: Compaction) -> Trace:
    """A trace in which all but what arrived later became a summary that says nothing of it."""
    n = len(messages)
    put = [summary("We worked on pages.", id="s1")]
    one = event(at, [(0, at)], [(n, n + 1)], ("summarised", (0, at)), put=put, number=1)
    return run(with_ids(messages), one, *more)


def one_by_one(at: int, n: int) -> Iterator[Compaction]:
    """Compactions behind that one, each of which folds the summary before it and the next message."""
    for j in range(n - at):
        went, put = [(n + j, n + j + 1), (at + j, at + j + 1)], [summary("We worked on pages.", id=f"s{j + 2}")]
        edits = [("summarised", part) for part in went]
        yield event(at + j + 1, went, [(n + j + 1, n + j + 2)], *edits, put=put, number=j + 2)


def told(messages: Sequence[Message], summaries: Sequence[str]) -> Trace:
    """A trace in which each message is folded alone, with the summary before it, into the next of these summaries."""
    n, made = len(messages), list[Compaction]()
    for j, text in enumerate(summaries):
        went = [*([(n + j - 1, n + j)] if j else []), (j, j + 1)]
        edits = [("summarised", part) for part in went]
        put = [summary(text, id=f"s{j}")]
        made.append(event(j + 1, went, [(n + j, n + j + 1)], *edits, put=put, number=j + 1))
    return run(with_ids(messages), *made)


REWORDED = "They compared the attribution of git-ai with the approach here."


def test_a_request_that_many_compactions_left_unsaid_comes_back_only_in_its_own_words() -> None:
    """Behind eight in a row a summary has others by chance. Clearing results counts as none of these."""
    nothing, talk = ["We worked on pages."], [user(FIRST), *[assistant("Yes.")] * 10]
    for count, gone in ((7, ()), (8, (0,))):
        assert requests(told(talk, [*nothing * count, REWORDED]), count).gone == gone
    assert requests(told(talk, [*nothing * 8, f"The user asked: **{FIRST}**"]), 8).gone == ()
    cleared = [event(3, [(2, 3)], [], ("cleared", (2, 3)))] * 8
    made = told(talk, [*nothing * 3, REWORDED]).compactions
    assert requests(run(with_ids(talk), *made[:3], *cleared, made[3]), 11).gone == ()
    again = [*talk[:9], user(FIRST), *talk[9:]]
    assert requests(told(again, [*nothing * 9, REWORDED]), 9).gone == ()


def test_however_many_compactions_there_are_each_request_is_looked_for_a_few_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Twice as many of both are twice the work."""
    sought, of = list[str](), Remains.of
    monkeypatch.setattr(Remains, "of", lambda remains, text: (sought.append(text), of(remains, text))[1])
    counts = []
    for n in (30, 60):
        talk = [user(f"Compare attribution number {k} with the approach of page {k}.") for k in range(n)]
        assert len(requests(told(talk, ["We looked around."] * n), n - 1).gone) == n
        counts.append(len(sought))
        sought.clear()
    assert counts == [8 * 30 - 28, 8 * 60 - 28]


def test_what_goes_within_its_turn_was_open_and_what_goes_behind_its_reply_was_answered() -> None:
    """It stays so: a later compaction, behind the reply, does not make what went before harmless."""
    talk = [user(FIRST), *READS, assistant("Done."), user(SECOND), *READS, assistant("Yes."), user("go on")]
    within = requests(folded_at(6, talk), 0)
    assert (within.gone, within.open, within.answered) == ((0, 4), (4,), (0,))
    behind = requests(folded_at(8, talk), 0)
    assert (behind.gone, behind.open, behind.answered) == ((0, 4), (), (0, 4))
    n = len(talk)
    later = event(8, [(n, n + 1)], [(n + 1, n + 2)], put=[summary("Pages.", id="s2")])
    assert requests(folded_at(6, talk, later), 1).open == (4,)


STOP = user("[Request interrupted by user]").model_copy(update={"injected": "interruption"})


def test_a_request_that_the_user_stopped_is_never_answered() -> None:
    """Neither open nor answered where the agent is stopped, it stays so behind the next reply, and at the end of a file."""
    talk = [user(FIRST), *READS, STOP, user(SECOND), *READS, assistant("Yes.")]
    found = requests(folded_at(6, talk), 0)
    assert (found.open, found.answered, found.stopped) == ((4,), (), (0,))
    note = assistant("No response requested.").model_copy(update={"injected": "note"})
    after = requests(folded_at(9, [*talk, note, user("go on")]), 0)
    assert (after.open, after.answered, after.stopped) == ((), (4,), (0,))
    ends = requests(folded_at(4, talk[:4]), 0)
    assert (ends.open, ends.answered, ends.stopped) == ((), (), (0,))
    within = requests(folded_at(3, talk), 0)
    assert (within.open, within.stopped) == ((0,), ()), "the agent was at work on it when it went"


def test_a_later_reply_answers_a_request_to_which_the_user_added_something() -> None:
    """So where a person adds something while the agent works, and where one who stopped it says to go on."""
    added = [user(FIRST), *READS, user(SECOND), *READS, assistant("Yes.")]
    assert requests(folded_at(7, [*added, user("thanks")]), 0).answered == (0, 3)
    resumed = [user(FIRST), *READS, STOP, user("go on"), assistant("Done."), user("thanks")]
    found = requests(folded_at(6, resumed), 0)
    assert (found.answered, found.stopped) == ((0,), ())
    stopped = [user(FIRST), *READS, user(SECOND), STOP, user("thanks, but no")]
    assert requests(folded_at(5, stopped), 0).stopped == (0, 3)


def test_the_wire_counts_and_lists_what_the_user_stopped_apart() -> None:
    """A count of its own beside those that were answered, of what went here, too, and a kind of its own in the list."""
    talk = [user(FIRST), STOP, user(SECOND), assistant("Yes.")]
    found = loss_list(folded_at(4, talk))["rows"][0]["requests"]
    assert (found["open"], found["answered"], found["stopped"], found["here"]) == (0, 1, 1, [2, 0, 1, 1])
    assert [(row["at"], row["kind"]) for row in found["listed"]] == [(0, "stopped"), (2, "answered")]
    assert found["took"] == found["listed"]


def test_a_summary_need_not_name_the_slash_command_of_a_request() -> None:
    """What was asked for stands word for word, without the command and its dash in front of it."""
    tags = f"<command-name>/look</command-name>\n<command-args>- {FIRST}</command-args>"
    found = requests(trace(f'All user messages: "{FIRST}"', "", [user(tags), *TALK[1:]]), 0)
    assert (0 in found.asked, 0 in found.gone, found.reworded, found.partly) == (True, False, (), ())


def test_the_wire_lists_what_each_compaction_took() -> None:
    """Not what an earlier one had taken; one request alone, too."""
    more = [user("Draw a timeline of all releases."), STOP, user("Measure each benchmark on this machine.")]
    talk = [user(FIRST), assistant("Done."), user(SECOND), STOP, *more, assistant("Yes.")]
    n = len(talk)
    later = event(8, [(n, n + 1), (4, 8)], [(n + 1, n + 2)], put=[summary("Pages.", id="s2")])
    first, second = (row["requests"] for row in loss_list(folded_at(4, talk, later))["rows"])
    assert [(row["at"], row["kind"]) for row in first["took"]] == [(0, "answered"), (2, "stopped")]
    assert [(row["at"], row["kind"]) for row in second["took"]] == [(4, "stopped"), (6, "answered")]
    alone = loss_list(folded_at(2, talk))["rows"][0]["requests"]
    assert [(row["at"], row["kind"]) for row in alone["took"]] == [(0, "answered")]


def test_the_wire_says_where_a_request_that_was_answered_was_needed_again() -> None:
    """A reply names what it asked for once nothing says it; of a request that nothing needed there is no such step."""
    talk = [user("Add a command report_totals_as_json for the dashboard."), assistant("Done."), *TALK[2:5]]
    talk += [assistant("I run report_totals_as_json now."), user("thanks")]
    took = loss_list(trace("Nothing.", "Nothing.", talk))["rows"][0]["requests"]["took"]
    assert [(row["kind"], row.get("needed_at")) for row in took] == [("answered", 6), ("answered", None)]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("can you remove the checkpoint_tests again", None),
        ("can you summarize the contents of what will you do?", None),
        ("is the pencil mcp down?", None),
        ("what's the best appraoch", None),
        ('why " not skill destination."', None),
        ("remove the checkpoint tests", None),
        ("删除检查点测试", None),
        ("no remove this again, the risk someone assumes it's a stable link is to big", None),
        ("ok, do nothing, can we add some tests?", None),
        ("I think we should also keep agent lines at each prompt start", None),
        ("Never push to main. Can you rename the module?", None),
        ("the squash in GitHub keeps trailers", "stated"),
        ("but you couldn't detect if a user edited a single file", "stated"),
        ("Never push to main.", "stated"),
        ("it crashes", "stated"),
        ("push", "short"),
        ("commit this", "short"),
        ("can leave it", "short"),
        ("proceed update it", "short"),
        ("is it down?", "short"),
        ("yes", "goes_on"),
        ("1", "goes_on"),
        ("okay do 2 first", "goes_on"),
        ("ok, let's implement this", "goes_on"),
        ("proceed with all recommendations", "goes_on"),
        ("hello", "goes_on"),
        ("/systematic-debugging", "command"),
        ("", "wordless"),
    ],
)
def test_a_whole_sentence_is_a_request_and_what_is_not_counted_has_a_reason(text: str, why: str | None) -> None:
    """Most are what people wrote in real sessions: a sentence of four words needs two content words, another text three."""
    assert why_none(user(text)) == why


def test_a_short_request_is_gone_unless_one_sentence_has_both_its_words() -> None:
    """Words that two sentences have, or one that denies it, do not keep it; "the not so useful" denies nothing."""
    talk = [user("can you remove the checkpoint_tests again"), STOP, *TALK[2:4]]
    n = len(talk)

    def found(said: str) -> Requests:
        put = [summary(f"{SECOND} {said}", id="s1")]
        return requests(
            run(with_ids(talk), event(n, [(0, n)], [(n, n + 1)], ("summarised", (0, n)), put=put, number=1)), 0
        )

    assert (found("We worked.").gone, found("We worked.").stopped) == ((0,), (0,))
    assert found("They removed a page. The checkpoint_tests ran.").gone == (0,)
    assert found("Do not remove the checkpoint_tests.").gone == (0,)
    assert found("They removed some of the checkpoint_tests.").reworded == (0,)
    assert found("Asked: remove the not so useful checkpoint_tests.").reworded == (0,)


def test_every_message_that_is_no_request_is_listed_with_its_reason() -> None:
    """Requests and these come to all that the user typed; what states in few words is a statement, not too short."""
    picture = user("").model_copy(update={"images": (Image(),)})
    asked = [FIRST, "go on", "never push", "/init", "commit this", SECOND]
    talk = [one for text in asked for one in (user(text), assistant("Done."))] + [picture, assistant("Nice.")]
    found = loss_list(folded_at(len(talk), talk))["rows"][0]
    said = [(row["at"], row["kind"], row["text"]) for row in found["requests"]["others"]]
    assert said == [
        (2, "goes_on", "go on"),
        (4, "stated", "never push"),
        (6, "command", "/init"),
        (8, "short", "commit this"),
        (12, "wordless", ""),
    ]
    assert found["requests"]["of"] + sum(found["requests"]["uncounted"].values()) == found["typed"][1] == 7


BOTH = "no, remove the link again, somebody may take it for a stable one"
ONLY = "the squash in GitHub keeps the trailers of commits"


def test_a_message_that_asks_and_states_counts_as_both_and_one_that_only_states_is_no_request() -> None:
    """In the sums and lists of the compaction that took it and of the next ones; what is gone of it is told once."""
    talk = [
        user(FIRST),
        assistant("Done."),
        user(BOTH),
        assistant("Yes."),
        user(ONLY),
        assistant("Yes."),
        user("go on"),
    ]
    n = len(talk)
    went = [("summarised", (n, n + 1)), ("summarised", (4, 6))]
    later = event(6, [(n, n + 1), (4, 6)], [(n + 1, n + 2)], *went, put=[summary("Pages.", id="s2")])
    rows = loss_list(folded_at(4, talk, later))["rows"]
    assert [[loss["text"] for loss in row["told"] if loss["kind"] == "said"] for row in rows] == [[BOTH], [ONLY]]
    assert [row["rules"][0] for row in rows] == [1, 1]
    sums = [{name: row["requests"][name] for name in ("of", "uncounted", "gone", "here")} for row in rows]
    assert sums == [
        {"of": 2, "uncounted": {}, "gone": 2, "here": [2, 0, 2, 0]},
        {"of": 2, "uncounted": {"stated": 1}, "gone": 2, "here": [0, 0, 0, 0]},
    ]
    assert [row["at"] for row in rows[1]["requests"]["listed"]] == [0, 2]
    assert [(row["at"], row["kind"]) for row in rows[1]["requests"]["others"]] == [(4, "stated")]


def test_a_finding_counts_the_statements_that_the_overview_counts() -> None:
    """Those that ask for something beside, and those that do not."""
    talk = [user(FIRST), assistant("Done."), user(BOTH), assistant("Yes."), user(ONLY), assistant("Yes.")]
    folded = folded_at(6, talk)
    (finding,) = findings_at(folded, 0, "statement_gone")
    assert finding.numbers["statements"] == len(losses(folded, 0).texts) - 1 == 2, "beside the first request"


def test_what_only_states_is_gone_until_something_says_it() -> None:
    """One that a summary has, or a message that stayed, is no loss."""
    talk = [user(FIRST), assistant("Done."), user(ONLY), assistant("Yes.")]
    n = len(talk)
    for said, stated in ((f"{FIRST} {ONLY}", ()), (FIRST, (2,))):
        put = [summary(said, id="s1")]
        one = event(n, [(0, n)], [(n, n + 1)], ("summarised", (0, n)), put=put, number=1)
        assert requests(run(with_ids(talk), one), 0).stated == stated


def test_the_first_message_and_what_the_agent_was_working_on_are_requests_whatever_they_state() -> None:
    """The first is the task of the session."""
    talk = [user(ONLY), assistant("Done."), user("the monthly report is wrong in December"), *READS, assistant("Yes.")]
    found = loss_list(folded_at(4, talk))["rows"][0]["requests"]
    assert (found["uncounted"], found["open"], [row["at"] for row in found["listed"]]) == ({}, 1, [0, 2])
    behind = loss_list(folded_at(6, talk))["rows"][0]["requests"]
    assert (behind["uncounted"], [row["at"] for row in behind["listed"]]) == ({"stated": 1}, [0])


def test_the_list_has_every_request() -> None:
    """Those that are there word for word stand apart from those that are gone or changed; with them they are all."""
    talk = [
        user(FIRST),
        assistant("Done."),
        user(SECOND),
        assistant("Yes."),
        user("Write the changelog of this release."),
    ]
    found = loss_list(folded_at(4, talk))["rows"][0]["requests"]
    assert ([row["at"] for row in found["listed"]], found["kept"]) == ([0, 2], [])
    n = len(talk)
    put = [summary(f"Asked: {SECOND}", id="s1")]
    one = event(5, [(0, 5)], [(n, n + 1), (4, 5)], ("summarised", (0, 4)), put=put, number=1)
    found = loss_list(run(with_ids(talk), one))["rows"][0]["requests"]
    assert ([row["at"] for row in found["listed"]], [row["at"] for row in found["kept"]]) == ([0], [2, 4])
    assert {row["kind"] for row in found["kept"]} == {"kept"}


def test_findings_and_overview_may_ask_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever comes second waits for the first: each compaction is read once."""
    talk = [user(f"Compare attribution number {k} with the approach of page {k}.") for k in range(12)]
    trace, of = told(talk, ["We looked around."] * 12), Remains.of
    monkeypatch.setattr(Remains, "of", lambda remains, text: (time.sleep(0.001), of(remains, text))[1])
    requests(trace, 0)  # both have the same reading
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: [len(requests(trace, k).asked) for k in range(12)], range(4)))
    assert found == [list(range(1, 13))] * 4


def test_thousands_of_compactions_are_opened_far_in() -> None:
    """Each took the summary before it: the last is asked first."""
    talk = [user(FIRST), assistant("Done."), user(BOTH), assistant("Yes."), *[assistant("I do.")] * 1_000]
    trace = folded_at(4, talk, *one_by_one(4, len(talk)))
    assert [row["index"] for row in loss_list(trace, 1_000)["rows"]] == [1_000]


def test_a_file_that_ends_within_a_turn_leaves_its_request_open() -> None:
    """One that ends with a reply does not, nor where a server answered what the reply called."""
    assert requests(folded_at(3, [user(FIRST), *READS]), 0).open == (0,)
    assert requests(folded_at(4, [user(FIRST), *READS, assistant("Done.")]), 0).open == ()
    searched = assistant("Found it.", calls("c2", "web_search", query="trailers"))
    assert requests(folded_at(2, [user(FIRST), searched]), 0).answered == (0,)
    aborted = assistant("Let me read it.", calls("c2", "read_file", path="a.py"))
    assert requests(folded_at(2, [user(FIRST), aborted]), 0).open == (0,)


def test_the_wire_counts_and_quotes_what_the_agent_was_working_on_first() -> None:
    """The list says of each whether it was answered when it went, or open, or neither."""
    talk = [user(FIRST), assistant("Done."), user(SECOND), *READS, assistant("Yes.")]
    found = loss_list(folded_at(4, talk))["rows"][0]["requests"]
    assert (found["open"], found["answered"], found["here"], found["text"]) == (1, 1, [2, 1, 1, 0], SECOND)
    assert [(row["at"], row["kind"]) for row in found["listed"]] == [(0, "answered"), (2, "open")]
    resumed = [user(FIRST), *READS, STOP, user("go on"), assistant("Done.")]
    (neither,) = loss_list(folded_at(4, resumed))["rows"][0]["requests"]["listed"]
    assert neither["kind"] == "gone", "at a stop behind which the user says to go on"


def test_of_a_summary_that_nobody_can_read_no_request_is_called_gone() -> None:
    """Nor of one that was never typed as words."""
    assert requests(trace("x", unreadable="encrypted"), 0) == Requests()
    picture = user("").model_copy(update={"images": (Image(),)})
    assert requests(trace("We worked.", messages=[picture, *TALK[1:]]), 0) == Requests((2,), (2,), (2,), answered=(2,))


def test_the_wire_counts_the_requests_and_quotes_one_that_went_here() -> None:
    """Beside how many there were: how many are gone, of these open and answered ones, and the same of what went here."""
    rows = loss_list(trace(f"{FIRST} They went on.", "We looked at pages."))["rows"]
    assert rows[0]["requests"] == {
        "of": 2,
        "uncounted": {},
        "gone": 1,
        "open": 0,
        "answered": 1,
        "stopped": 0,
        "here": [1, 0, 1, 0],
        "reworded": 0,
        "at": 2,
        "text": SECOND,
        "took": [{"at": 2, "kind": "answered", "text": SECOND, "followed": True}],
        "listed": [],
        "kept": [],
        "others": [],
    }
    assert rows[1]["requests"] == {
        "of": 2,
        "uncounted": {"goes_on": 1},
        "gone": 2,
        "open": 0,
        "answered": 2,
        "stopped": 0,
        "here": [1, 0, 1, 0],
        "reworded": 0,
        "at": 0,
        "text": FIRST,
        "took": [{"at": 0, "kind": "answered", "text": FIRST, "followed": True}],
        "listed": [
            {"at": 0, "kind": "answered", "text": FIRST, "followed": True},
            {"at": 2, "kind": "answered", "text": SECOND, "followed": True},
        ],
        "kept": [],
        "others": [{"at": 4, "kind": "goes_on", "text": "go on", "followed": False}],
    }


def listed(summarized: str, asked: str = FIRST, **known: object) -> list[dict[str, object]]:
    """The list of requests on the wire, the first of them another one."""
    rows = loss_list(trace(summarized, messages=[user(asked), *TALK[1:]], **known))["rows"]
    found: list[dict[str, object]] = rows[0]["requests"]["listed"]
    return found


def test_the_list_names_each_request_that_went_with_what_became_of_it() -> None:
    """They stand in the order in which they were made; of an unreadable summary none is known."""
    assert [(row["at"], row["kind"]) for row in listed(FIRST, LONGER)] == [(0, "partly"), (2, "answered")]
    told = "They saw that a rebase keeps squashed trailers."
    assert [(row["at"], row["kind"]) for row in listed(told)] == [(0, "answered"), (2, "reworded")]
    assert listed("x", unreadable="encrypted") == []


def test_a_long_request_is_listed_by_its_first_sentences() -> None:
    """One without an end behind a word, with an ellipsis; Why cannot follow text that its message has in another form."""
    rest = " Then write what you found, with an example of each, and tell me where the two of them differ at all." * 2
    assert listed("We worked.", f"{FIRST}{rest}")[0]["text"] == FIRST
    endless = "compare the attribution of git-ai " * 8
    assert listed("We worked.", endless)[0]["text"] == f"{endless[:159]}…"
    hidden = listed("We worked.", FIRST.replace("git", "git\u200b"))[0]
    assert (hidden["text"], hidden["followed"]) == (FIRST, False)


def test_the_list_has_forty_requests() -> None:
    """The rest is a count."""
    talk = [
        made
        for k in range(50)
        for made in (user(f"Compare chapter{k} with drawing{k} and with table{k}."), assistant("Yes."))
    ]
    n = len(talk)
    folded = event(n, [(0, n)], [(n, n + 1)], ("summarised", (0, n)), put=[summary("We worked.", id="s1")], number=1)
    asked = loss_list(run(with_ids(talk), folded))["rows"][0]["requests"]
    assert (asked["gone"], len(asked["listed"])) == (50, 40)


def test_the_last_of_many_compactions_is_asked_first() -> None:
    """The list from a late one on: what those before it left out is worked out from the first on, however many they are."""
    n = len(TALK)
    first = event(
        4, [(0, 4)], [(n, n + 1)], ("summarised", (0, 4)), put=[summary("We looked at pages.", id="s0")], number=1
    )
    later = [
        event(4, [(n + k, n + k + 1)], [(n + k + 1, n + k + 2)], put=[summary("Pages again.", id=f"s{k + 1}")])
        for k in range(600)
    ]
    rows = loss_list(run(with_ids(TALK), first, *later), start=595)["rows"]
    assert rows[-1]["requests"]["gone"] == 2
