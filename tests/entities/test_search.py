"""Search over a session: equal to looking into every message, and carried on as the session grows."""

import pickle
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import Message, ToolCall
from core.entities.search import Found, Match, TextSearch, Wanted, says, search_of
from core.entities.texts import texts
from core.trace.trace import as_session
from tests.support import assistant, calls, user


def test_as_written_first_then_without_case() -> None:
    """A text that stands somewhere as written is found there alone; another is found in any case."""
    search = TextSearch([user("Use Python."), user("use python."), user("USE PYTHON, please")])

    assert search.places("use python") == Found("exact", [1])
    assert search.places("Use PYTHON") == Found("case", [0, 1, 2])
    assert search.places("use ruby") == Found("none", ())


def test_white_space_is_one_space() -> None:
    """Line ends, tabs and runs of spaces are the same, within a text and at the ends of what is sought."""
    search = TextSearch([user("  No new\n\n\tdependency,\u3000not even\xa0a small one ")])

    assert search.places("\nnew dependency,  not\teven a small\n").places == [0]


def test_a_text_is_not_found_across_two_values() -> None:
    """Content and each argument stand alone."""
    search = TextSearch([assistant("one", calls("c", "t", a="two", b="three")), user("four")])

    assert [search.places(text).match for text in ("one two", "two three", "three four", "onetwo")] == ["none"] * 4
    assert search.places("three").places == [0]


@pytest.mark.parametrize(
    ("said", "sought"), [("Правило ОДНО", "правило одно"), ("ÉCOLE", "école"), ("ΣΊΣΥΦΟΣ", "σίσυφοσ")]
)
def test_letters_beyond_a_to_z_have_case_as_well(said: str, sought: str) -> None:
    """Between messages of other letters, which keep their places when these change their length."""
    search = TextSearch([user("First 你好 — ÷"), user("Maß"), user(said), user("Last one")])

    assert search.places(sought) == Found("case", [2])
    assert search.places("MASS") == Found("case", [1])
    assert search.places("FIRST 你好 — ÷") == Found("case", [0])
    assert search.places("LAST") == Found("case", [3])


def test_what_was_found_once_is_found_among_fewer_and_among_more_messages() -> None:
    """A text asked about before is looked for in the messages that came since; none behind those asked about is told."""
    said = [user("one rule"), user("no"), user("one rule"), user("One rule"), user("one rule")]
    few, some = search_of(said[:2]), search_of(said[:4])

    assert [some.places("one rule").places for _ in range(2)] == [[0, 2], [0, 2]]
    assert few.places("one rule").places == [0]
    assert search_of(said).places("one rule").places == [0, 2, 4]
    assert (few.places("rule no"), some.places("ONE RULE")) == (Found("none"), Found("case", [0, 2, 3]))


def test_a_part_of_the_places_is_given_one_after_the_other() -> None:
    """From a message on, or from it up to another; where one message has the text as written, no other in any case."""
    search = TextSearch(
        [user("Use Python."), user("use python."), user("go"), user("Use Python."), user("Use Python.")]
    )

    assert list(search.among("Use Python", 1)) == [3, 4]
    assert list(search.among("Use Python", 1, 4)) == [3]
    assert list(search.among("USE PYTHON", 1, 4)) == [1, 3]
    assert list(search.among("Use Python", 4, 2)) == list(search.among("ruby", 0)) == list(search.among(" ", 0)) == []


@pytest.mark.parametrize("blank", ["", "  ", "\n\t", "\u3000"])
def test_a_blank_text_stands_nowhere(blank: str) -> None:
    """Nothing is found of nothing, in a message or a session."""
    message = user("a b")

    assert TextSearch([message]).places(blank) == Found("none", ())
    assert not says(message, Wanted(blank))


def test_says_as_the_search_does() -> None:
    """One message is asked by the same rule, in the way that the session matched."""
    message = assistant("The Straße is\nlong", calls("c", "t", a="retry_limit"))

    assert says(message, Wanted("Straße  is long"))
    assert not says(message, Wanted("STRASSE"))
    assert says(message, Wanted("STRASSE", "case"))
    assert says(message, Wanted("retry_limit"))
    assert not says(message, Wanted("retry_limit", "none"))
    assert not says(message, Wanted("long retry_limit"))


def test_a_session_is_read_once_and_carried_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list that begins with the messages of another one reads those that follow; the shorter one finds none of them."""
    read = list[str]()

    def noted(message: Message) -> list[str]:
        read.append(message.content)
        return list(texts(message))

    monkeypatch.setattr("core.entities.kinds.texts", noted)
    one, two, three = user("said here"), user("and said there"), user("never said")
    before = search_of([one, two])
    after = search_of(as_session([one, two, three]))

    assert (before.places("said").places, after.places("said").places) == ([0, 1], [0, 1, 2])
    assert search_of((one,)).places("SAID") == Found("case", [0])
    assert read == ["said here", "and said there", "never said"]
    assert (len(before), len(after)) == (2, 3)


def test_a_fork_is_a_session_of_its_own() -> None:
    """Sessions that begin alike and part are searched apart, one after the other and again."""
    shared, one, other = user("shared"), user("left"), user("right")

    for _ in range(2):
        assert search_of([shared, one]).places("left").places == [1]
        assert search_of([shared, other]).places("left").match == "none"


def test_an_empty_session_says_nothing() -> None:
    """Nothing is found in nothing."""
    assert search_of(()).places("x") == search_of(as_session([])).places("x") == Found("none", ())


PIECES = st.sampled_from([*"aAbßİé字😀\x00\ud83d\ude00\n\x1c\u2028 ", "SS", "漢字", "  "])
TEXTS = st.lists(PIECES, max_size=6).map("".join)
MESSAGES = st.builds(
    lambda content, values: Message.model_construct(
        id="m", role="assistant", content=content, tool_calls=(ToolCall.model_construct(name="a", arguments=values),)
    ),
    TEXTS,
    st.dictionaries(TEXTS, TEXTS, max_size=2),
)


def naive(messages: Sequence[Message], wanted: str) -> Found:
    """The same by looking into each text of each message."""
    said = [[" ".join(text.split()) for text in (m.content, *m.tool_calls[0].arguments.values())] for m in messages]
    wanted = " ".join(wanted.split())
    exact = [i for i, some in enumerate(said) if wanted and any(wanted in text for text in some)]
    case = [i for i, some in enumerate(said) if wanted and any(wanted.casefold() in text.casefold() for text in some)]
    found: tuple[Match, Sequence[int]] = ("exact", exact) if exact else ("case", case) if case else ("none", ())
    return Found(*found)


@given(st.lists(MESSAGES, max_size=5), TEXTS, st.integers(0, 5))
def test_equal_to_looking_into_every_message(messages: list[Message], wanted: str, first: int) -> None:
    """Any text: CJK, NULs, lone surrogates, letters that grow when folded; read at once, or in two parts."""
    search_of(messages[:first]).places("x")
    found = search_of(messages).places(wanted)

    assert found == naive(messages, wanted) == TextSearch(messages).places(wanted)
    if found.match != "none":
        assert [says(m, Wanted(wanted, found.match)) for m in messages] == [
            i in found.places for i in range(len(messages))
        ]


def test_many_messages_of_another_script() -> None:
    """Case is folded in blocks: one with other letters in it does not move the places of those around."""
    messages = [user(f"Number {i}{' ẞ' if i == 100 else ''}") for i in range(300)]

    assert search_of(messages).places("number 299") == Found("case", [299])
    assert search_of(messages).places("NUMBER 100 ss") == Found("case", [100])


def test_a_message_is_written_without_its_search() -> None:
    """What can be made anew is no part of a message that is pickled, compared or saved."""
    one, other = user("said"), user("said")
    assert search_of([one]).places("said").places == [0]
    assert one == other == pickle.loads(pickle.dumps(one))
    assert one.model_dump_json() == other.model_dump_json()
    assert search_of([pickle.loads(pickle.dumps(one))]).places("said").places == [0]
