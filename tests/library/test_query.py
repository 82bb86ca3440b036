"""What is typed into the search of the Library finds what it says, and only that is marked."""

from pathlib import Path

import pytest

from core.library import Index, SearchText
from core.library.bodies import holding, packed
from core.library.index import put
from core.library.query import fts_query, terms
from tests.library.test_library import a_row
from tests.support import assistant, calls, user

TEXTS = (
    "We use git-ai here.",
    "The aim: git blame, ai later",
    "Git AI, in two words",
    "git_ai and Git-AIs",
    "git-\nai",
    "We don’t, she said: “never mind”.",
    "'Tis what we don't want",
)


@pytest.fixture
def index(tmp_path: Path) -> Index:
    """A session for each of the texts, by its place."""
    made = Index(tmp_path / "library.db")
    with made.open() as connection:
        said = ((a_row(n), SearchText(text, bodies=packed([user(text)]))) for n, text in enumerate(TEXTS))
        put(connection, "f", "s", said, "")
    return made


def found(index: Index, query: str) -> list[int]:
    """The places of the texts that a query finds."""
    return sorted(row.number for row in index.listing(query).rows)


@pytest.mark.parametrize(
    ("query", "places"),
    [
        ("git-ai", [0, 3]),
        ('"git-ai"', [0]),
        ('"GIT-ai" use', [0]),
        ('"git ai"', [2]),
        ('"git ai', [2]),
        ("git_ai", [3]),
        ("(git-ai)", [0, 3]),
        ("git ai", [0, 1, 2, 3, 4]),
        ('"ai" later', [1]),
        ('"g"', []),
        ("git-ai blame", []),
        ("don't", [5, 6]),
        ("don’t", [5, 6]),
        ("don t", [5, 6]),
        ('"we don\'t want"', [6]),
        ("“we don’t want”", [6]),
        ("“never mind”", [5]),
        ("„never mind“", [5]),
        ("“mind never”", []),
        ("“git ai", [2]),
    ],
)
def test_quotes_and_words_with_a_hyphen_are_found_as_they_are_typed(
    query: str, places: list[int], index: Index
) -> None:
    """Case aside, and straight or curly; the last one may go on, unless its quotes are closed. Plain words may stand apart."""
    assert found(index, query) == places
    assert len(index.matches(query)) == len(places)
    assert index.listing(query).agents == ((("pi", len(places)),) if places else ())


@pytest.mark.parametrize(
    ("query", "places"), [("git ai", [0, 2, 3, 4]), ("ai git", []), ("git", []), ('"git ai"', []), ("git-ai x", [])]
)
def test_sessions_with_the_words_in_a_row_are_told_apart(query: str, places: list[int], index: Index) -> None:
    """Of several plain words; a text that is found as it is typed needs no such thing."""
    numbers = dict(zip(index.listing().ids, (row.number for row in index.listing().rows), strict=True))
    assert sorted(numbers[id] for id in index.with_phrase(query)) == places


@pytest.mark.parametrize(
    ("query", "counts"),
    [
        ("git-ai", {0: 1, 3: 1}),
        ('"git-ai"', {0: 1, 3: 1}),
        ("git ai", {2: 1}),
        (" GIT ai ", {2: 1}),
        ("it a", {2: 1}),
        ("“never mind”", {5: 1}),
        ("don't", {5: 1, 6: 1}),
        ("want what", {}),
        ('"git" use', {}),
        ("", {}),
        ('""', {}),
    ],
)
def test_messages_that_hold_what_is_typed_are_counted(query: str, counts: dict[int, int], index: Index) -> None:
    """As it is typed, without the quotes around it: as Find counts them, which takes a text inside a word as well."""
    numbers = {id: row.number for id, row in zip(index.listing().ids, index.listing().rows, strict=True)}
    assert {numbers[id]: n for id, n in index.holding(query, list(numbers)).items()} == counts


def test_a_text_is_counted_once_for_each_message_and_never_across_two() -> None:
    """Content, thinking and calls are searched, of any message; signs that part the messages part no text of one."""
    replied = assistant("no", calls("c", "grep", where="a tart")).model_copy(update={"thinking": "a tart"})
    messages = [
        user("TART tart"),
        replied,
        user("a ta"),
        user("rt"),
        user("red\x1etart"),
    ]
    bodies = packed(messages)
    assert [holding(bodies, query) for query in ("tart", "tart ", "a tart", "no a", "red tart", " ")] == [
        3,
        3,
        1,
        0,
        1,
        0,
    ]


@pytest.mark.parametrize(
    ("query", "place", "marked"),
    [
        ("git-ai", 0, "We use [git-ai] here."),
        ("git-ai", 3, "git_ai and [Git-AI]s"),
        ('here "git-ai"', 0, "We use [git-ai] [here]."),
        ("git ai", 1, "The [ai]m: [git] blame, [ai] later"),
        ("don't", 5, "We [don’t], she said: “never mind”."),
        ("ai git", 1, "The aim: [git] blame, [ai] later"),
        ("git ai", 2, "[Git AI], in two words"),
    ],
)
def test_only_what_was_typed_is_marked(query: str, place: int, marked: str, index: Index) -> None:
    """Of a word that goes on, its beginning."""
    listing = index.listing()
    id = next(id for id, row in zip(listing.ids, listing.rows, strict=True) if row.number == place)
    text = index.snippets(query, [id])[id].text
    assert text.replace("\ue000", "[").replace("\ue001", "]") == marked


def test_a_long_text_is_cut_around_what_was_found(tmp_path: Path) -> None:
    """At a word before it, with dots where more stands; in the output of tools if it stands only there."""
    index = Index(tmp_path / "library.db")
    text = f"{'before ' * 50}the git-ai tool{' behind' * 50}"
    with index.open() as connection:
        put(connection, "f", "s", [(a_row(0), SearchText("nothing", text))], "")
    (id,) = index.matches("git-ai")
    snippet = index.snippets("git-ai", [id])[id]
    assert snippet.part == "tools"
    assert snippet.text.startswith("…before before")
    assert "the \ue000git-ai\ue001 tool behind" in snippet.text
    assert snippet.text.endswith("…")
    assert len(snippet.text) < 200


def test_what_was_found_stands_near_the_beginning(tmp_path: Path) -> None:
    """A row of the list shows it, also of words that FTS5 shows far behind the beginning of a text."""
    index = Index(tmp_path / "library.db")
    with index.open() as connection:
        put(connection, "f", "s", [(a_row(0), SearchText(f"{'somewhere ' * 12}the tart {'behind ' * 3}"))], "")
    (id,) = index.matches("tart")
    assert index.snippets("tart", [id])[id].text.startswith("…somewhere somewhere the \ue000tart\ue001 behind")


def test_words_are_shown_where_they_stand_as_they_are_typed(tmp_path: Path) -> None:
    """Rather than where they are spelled otherwise, with a hyphen say: Find goes to what is typed."""
    index = Index(tmp_path / "library.db")
    with index.open() as connection:
        put(connection, "f", "s", [(a_row(0), SearchText(f"git-ai {'behind ' * 50}the git ai of two words"))], "")
    (id,) = index.matches("git ai")
    assert index.snippets("git ai", [id])[id].text == "…behind behind behind the \ue000git ai\ue001 of two words"


@pytest.mark.parametrize("query", ['"', '""', "-", '"-"', "\0", '"\0"', " . "])
def test_what_holds_no_word_is_no_query(query: str) -> None:
    """Then all is listed."""
    assert (terms(query), fts_query(query)) == ([], "")
