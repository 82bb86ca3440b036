"""Lesson 6: one compaction as a game."""

from itertools import compress, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.lessons import lesson
from core.lessons.game import Game, _best
from core.lessons.run import Yours, run_of
from core.lessons.show import Row, Tried, checked, shown
from core.trace.trace import as_session
from tests.lessons.attempts import answer, step
from tests.support import assistant, user

SCORES = {
    3: [
        ("anthropic.clear_tool_uses", 8),
        ("agentkit.memory", 10),
        ("langchain.trim", 11),
        ("strands.sliding_window", 13),
    ],
    5: [("anthropic.clear_tool_uses", 1), ("langchain.trim", 1), ("agentkit.memory", 2), ("strands.sliding_window", 4)],
    6: [("anthropic.clear_tool_uses", 3), ("agentkit.memory", 6), ("langchain.trim", 8), ("strands.sliding_window", 8)],
}


def game(number: int = 1) -> Game:
    """The game of a step."""
    return Game(run_of(lesson(6).scene_of(lesson(6).steps[number - 1])))


def kept(number: int, *groups: int) -> Row:
    """What the check says of these groups."""
    return checked(lesson(6), number, Tried(keep=tuple(map(str, groups))))


def test_the_board_is_that_of_the_lesson() -> None:
    """16,258 tokens, of which 27 groups with 14,972 are the past; 2,800 may stay beside 54 and 1,232."""
    board = step(6, 1)["figures"]
    assert "and the newest 8 may go: 14,972 tokens in 27 groups." in step(6, 1)["caption"]
    assert (board["past"], board["room"], len(board["groups"])) == (14_972, 2_800, 27)
    assert board["stays"] == {"system": 54, "recent": 1_232}
    assert [group["tokens"] for group in board["groups"]][:4] == [122, 1_681, 248, 433]


def test_the_first_two_steps_tell_no_score() -> None:
    """Neither what is needed later, nor who misses how much."""
    for board in (step(6, 1)["figures"], step(6, 2)["figures"], kept(2, 6)["figures"]):
        assert (board["scores"], board["missed"], board["seen"]) == (None, [], [])
        assert {group["later"] for group in board["groups"]} == {None}


def test_what_is_kept_has_to_fit() -> None:
    """Nothing is no choice: before anything is done no condition holds. Too much, and a group that fits."""
    assert [kept(number)["conditions"][0]["passed"] for number in (2, 3, 5, 6)] == [False] * 4
    assert kept(2)["missing"] == ["Keep one group or more, 2,800 tokens at most. These are 0."]
    assert kept(2, 2, 13)["missing"] == ["Keep one group or more, 2,800 tokens at most. These are 3,391."]
    assert kept(2, 6)["passed"]


@pytest.mark.parametrize("number", [3, 5, 6])
def test_four_policies_are_scored_on_the_same_window(number: int) -> None:
    """By what their windows show of the names that were needed."""
    rows = kept(number, 22)["figures"]["scores"]
    assert [(row["name"], row["misses"]) for row in rows[1:5]] == SCORES[number]


@pytest.mark.parametrize(("number", "misses"), [(3, 2), (5, 0), (6, 0)])
def test_the_best_choice_beats_every_policy_and_a_rule_alone_none(number: int, misses: int) -> None:
    """It misses fewer than each of the four, or the lesson would show nothing; the user's rule alone holds no name."""
    best = game(number).best
    found = kept(number, *(group.id for group in best.groups))
    assert (found["passed"], best.exact) == (True, True)
    assert found["figures"]["scores"][0]["misses"] == found["figures"]["scores"][-1]["misses"] == misses
    assert misses < min(fewer for _, fewer in SCORES[number])
    rule = 15 if number == 5 else 22
    assert kept(number, rule)["missing"][0].endswith("That beats 0 of the four policies; 2 are asked for.")


def test_every_combination_of_the_small_window_was_tried() -> None:
    """By looking at all 8,192 of them one by one, some that fit miss none."""
    board = game(5)
    fewest = len(board.needs)
    gets = [{need.name for need in board.needs if need.shown & set(group.places)} for group in board.groups]
    for picks in product((0, 1), repeat=len(board.groups)):
        if sum(compress((group.tokens for group in board.groups), picks)) <= board.room:
            fewest = min(fewest, len(board.needs) - len(set().union(*compress(gets, picks))))
    assert fewest == 0


@given(st.lists(st.tuples(st.integers(1, 9), st.lists(st.booleans(), min_size=70, max_size=70)), max_size=6))
def test_the_search_finds_the_best_that_fits(groups: list[tuple[int, list[bool]]]) -> None:
    """Also where the names take more than one word of bits; of equal ones the smallest."""

    def worth(picks: tuple[int, ...]) -> tuple[int, int]:
        rows = list(compress((row for _, row in groups), picks))
        return sum(map(any, zip(*rows, strict=True))), -sum(compress((size for size, _ in groups), picks))

    fitting = [picks for picks in product((0, 1), repeat=len(groups)) if -worth(picks)[1] <= 12]
    found = _best([size for size, _ in groups], [row for _, row in groups], 12)
    assert worth(tuple(int(k in found) for k in range(len(groups)))) == max(map(worth, fitting))


def test_names_are_not_duties() -> None:
    """The message with the user's rule shows none of the thirteen names."""
    assert answer(6, 4) == 0
    assert step(6, 4)["ask"]["question"].startswith("Message 23 holds a rule of the user. How many of the 13 names")


def test_a_miss_says_where_it_stood_and_where_it_was_needed() -> None:
    """The newest message of the past with the name, and the step of the reply."""
    missed = kept(3, 6, 13)["figures"]["missed"]
    assert missed[1:] == [
        {"name": "Booked (UTC)", "was": 51, "at": 69},
        {"name": "pocketbook/cli.py", "was": 44, "at": 119},
    ]


def test_a_session_without_a_compaction_has_no_game() -> None:
    """It says so."""
    small = as_session([user("Hello."), assistant("Hi.")])
    found = shown(lesson(6), 7, Yours("path:/x", small, "agentkit", lambda name: {"budget": 1000}))
    assert found["empty"].startswith("This session never fills its window: 2 messages.")


def test_the_best_choice_is_shown_as_nobodys() -> None:
    """Its groups are kept on the board, and there is no row for the person, who chose something else."""
    board = step(6, 4)["figures"]
    assert board["kept"] == [6, 13, 38]
    assert [row["name"] for row in board["scores"] if row.get("you")] == []
    assert board["scores"][0]["about"] == "no summary · window 4,247"


def test_the_best_choice_is_compared_with_a_summary_by_what_each_keeps() -> None:
    """It misses fewer names and keeps more tokens than the summary has."""
    writer = next(rival for rival in game().rivals if rival.policy == "agentkit.memory")
    chosen = sum(group.tokens for group in game().best.groups)
    assert writer.summary < chosen
    assert step(6, 4)["caption"] == (
        f"The best choice there is keeps {chosen:,} tokens of this past and misses 2 of 13 names. agentkit.memory keeps"
        f" less, a summary of {writer.summary}, and misses {len(writer.missed)}."
    )


def test_a_round_is_scored_when_it_is_asked_for() -> None:
    """Of its conditions only that on misses tells how good a choice is; the first choice is made without any score."""
    assert [step(6, number)["task"]["blind"] for number in (2, 3, 5, 6, 7)] == [False, True, True, True, True]
    assert [row["scores"] for row in kept(5, 2)["conditions"]] == [False, True]
