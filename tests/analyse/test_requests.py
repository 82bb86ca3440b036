"""Which of the user's requests nothing says any more."""

from collections.abc import Sequence

from core import Message, Trace
from core.analyse.requests import Requests, requests
from core.model.session import Image
from tests.analyse.events import event, run, summary
from tests.support import assistant, user, with_ids
from viewer.wire.losses import loss_list

FIRST = "Compare the attribution of git-ai with the approach of our own repository."
SECOND = "Does a rebase keep the trailers of squashed commits?"
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
    assert requests(trace("We worked on pages."), 0) == Requests((0, 2), (0, 2), 2)
    assert requests(trace(f"The user asked: {FIRST}"), 0) == Requests((0, 2), (2,), 1)
    told = (
        "They compared the attribution of git-ai with the approach here, and saw that a rebase keeps squashed trailers."
    )
    assert requests(trace(told), 0) == Requests((0, 2), (), 0, (0, 2))


def test_what_an_earlier_summary_said_can_go_with_it() -> None:
    """It counts as lost where it goes; what went before stays gone, though a later summary has some of its words."""
    both = trace(f"{FIRST} They went on.", "We looked at pages.")
    assert requests(both, 0) == Requests((0, 2), (2,), 1)
    assert requests(both, 1) == Requests((0, 2), (0, 2), 1)
    assert requests(both, 1).first_gone
    assert not requests(both, 0).first_gone
    later = trace("We looked at pages.", "They wrote of trailers and of a rebase.")
    assert requests(later, 1).gone == (0, 2)
    assert requests(trace("We looked at pages.", f"Asked: {SECOND}"), 1).gone == (0,)


def test_of_a_summary_that_nobody_can_read_no_request_is_called_gone() -> None:
    """Nor of one that was never typed as words."""
    assert requests(trace("x", unreadable="encrypted"), 0) == Requests()
    picture = user("").model_copy(update={"images": (Image(),)})
    assert requests(trace("We worked.", messages=[picture, *TALK[1:]]), 0) == Requests((2,), (2,), 1)


def test_the_wire_counts_the_requests_and_quotes_the_oldest_that_is_gone() -> None:
    """Beside how many there were, how many went here, and whether the very first is among them."""
    rows = loss_list(trace(f"{FIRST} They went on.", "We looked at pages."))["rows"]
    assert rows[0]["requests"] == {
        "of": 2,
        "gone": 1,
        "lost": 1,
        "reworded": 0,
        "first": False,
        "at": 2,
        "text": SECOND,
    }
    assert rows[1]["requests"] == {"of": 2, "gone": 2, "lost": 1, "reworded": 0, "first": True, "at": 0, "text": FIRST}


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
