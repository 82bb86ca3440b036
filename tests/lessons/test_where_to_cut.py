"""Lesson 3: safe places, turn boundaries, the rolling summary."""

from hypothesis import given

from core import Session, compact, meter, policy
from core.analyse.findings import findings
from core.lessons import lesson
from core.lessons.cuts import Cuts
from core.lessons.run import Yours, sample
from core.lessons.show import Row, Tried, checked, shown
from core.trace.trace import as_session
from tests.lessons.attempts import answer, step, tried
from tests.support import assistant, sessions, user

SAFE = [2, 6, 9, 12, 13, 14, 17]


def cut_at(place: int | None) -> Row:
    """What the check says of a cut."""
    return checked(lesson(3), 3, Tried(cut=place))


def test_seven_of_sixteen_places_are_safe() -> None:
    """As a policy finds that cuts there and is asked for its findings."""
    session, counter = sample("anthropic-messages/parallel-tools.json"), meter("o200k_base")

    def whole(cut: int) -> bool:
        rule = policy("agentkit.memory", keep_recent=len(session.messages) - cut)
        made = compact(session.messages, rule, counter, force=True)
        return not [found for found in findings(made) if found.kind.startswith("orphaned_")]

    assert [cut for cut in range(2, 18) if whole(cut)] == SAFE
    found = step(3, 2)
    assert (found["ask"]["answer"], found["figures"]["safe"]) == (7, SAFE)
    assert "Between the 17 behind it are 16 places to cut." in found["ask"]["question"]
    assert found["ask"]["because"].startswith("They lie before messages 3, 7, 10, 13, 14, 15 and 18.")


@given(sessions(max_turns=4))
def test_the_safe_places_are_those_that_part_no_pair(session: Session) -> None:
    """In one walk as by looking at every pair for every place."""
    cuts = Cuts(session.messages, [1] * len(session.messages))
    assert cuts.safe == [place for place in cuts.places if not cuts.parted(place)]


def test_the_first_step_tells_neither_safe_places_nor_boundaries() -> None:
    """Nine results of four replies, in arcs."""
    figures = step(3, 1)["figures"]
    assert (figures["safe"], figures["boundaries"], len(figures["pairs"])) == (None, [], 9)
    assert step(3, 1)["caption"].endswith("Here 4 replies ask for 9 results.")


def test_a_cut_is_checked_where_it_stands() -> None:
    """As it begins, one that parts three pairs, one that parts none; one outside counts as the nearest inside."""
    assert cut_at(None)["missing"] == ["This cut parts pairs: 3."]
    assert cut_at(3)["missing"] == ["This cut parts pairs: 3."]
    assert cut_at(3)["figures"]["parted"] == [(2, 3), (2, 4), (2, 5)]
    assert [cut for cut in range(2, 18) if cut_at(cut)["passed"]] == SAFE
    assert cut_at(99)["figures"]["cut"] == 17
    assert step(3, 3)["task"]["ranges"] == {"cut": [2, 17, 1]}


def test_one_boundary_lies_among_the_safe_places() -> None:
    """Message 13, where the user speaks again."""
    assert answer(3, 4) == 13
    assert "1 of the 7 safe places. The other 6" in step(3, 4)["ask"]["because"]


def test_keeping_one_turn_passes() -> None:
    """None keeps nothing whole, two and more summarize nothing."""
    assert tried(3, 5, keep_recent_turns=1)["passed"]
    assert tried(3, 5, keep_recent_turns=0)["missing"] == ["No turn stays whole: the newest has to."]
    assert tried(3, 5, keep_recent_turns=2)["missing"] == ["Nothing is summarized: every turn is kept."]
    kept = [tried(3, 5, keep_recent_turns=turns)["conditions"][1] for turns in (1, 2, 3)]
    assert [one["figure"] for one in kept] == ["1 turn kept", "2 turns kept", "2 turns kept"]  # there are no more


def test_compact_by_hand_is_the_rolling_summary_that_keeps_no_turn() -> None:
    """17 messages go, 657 tokens become what the engine counts; with one turn kept 12 go."""
    messages, counter = sample("anthropic-messages/parallel-tools.json").messages, meter("o200k_base")
    asked = compact(messages, policy("minimal_agent.compact"), counter, force=True)
    rolling = compact(messages, policy("minimal_agent.rolling", keep_recent_turns=0), counter, force=True)
    assert [message.content for message in asked.after] == [message.content for message in rolling.after]
    assert (len(asked.removed), asked.tokens_before, asked.tokens_after) == (17, 657, 245)
    assert step(3, 5)["task"]["passed"].startswith(
        "Try to keep none: that is what its command /compact does. 17 messages go, ~657 tokens become ~245"
    )


def test_the_last_window_of_a_day() -> None:
    """23 messages behind three compactions, the system message and their summary in front; half of the places are safe."""
    found = step(3, 6)
    assert (
        found["caption"]
        == "Under agentkit.memory with a budget of 16,000 tokens, the window at the end of a sample session"
        " holds 23 messages, the first 2 pinned, 10 tool pairs."
    )
    assert (found["ask"]["question"], found["ask"]["answer"]) == (
        "At how many of its 20 places to cut is no pair parted?",
        10,
    )


def test_a_session_without_tools_says_so() -> None:
    """There is nothing to part."""
    chat = as_session([user("Hello."), assistant("Hi."), user("Bye.")])
    found = shown(lesson(3), 6, Yours("path:/x", chat, "agentkit", lambda name: {}))
    assert found["empty"].startswith("The window at the end of this session has no tool calls")


def test_nothing_tells_where_a_turn_begins_before_it_is_asked() -> None:
    """The steps before show safe places at most, also once a cut is safe; the step that asks draws the turn."""
    drawn = [step(3, number)["figures"] for number in (1, 2, 3)]
    drawn.append(checked(lesson(3), 3, Tried(cut=13))["figures"])
    assert [figure["boundaries"] for figure in drawn] == [[], [], [], []]
    assert drawn[-1]["safe"] == [2, 6, 9, 12, 13, 14, 17]
    assert step(3, 4)["figures"]["boundaries"] == [13]
