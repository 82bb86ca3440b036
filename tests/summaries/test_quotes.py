"""A quote keeps the id of its message: compact, within any room, and through one compaction after the other."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import Message, Session
from core.summaries.quotes import Exchange, Quote, cite, parse_exchange, parse_quote
from core.summaries.reading import read
from core.summaries.summarizers import structural
from tests.support import assistant, calls, result, sessions, user, with_ids


@pytest.mark.parametrize(
    ("id", "told"),
    [
        ("m12", "m12"),
        ("line-1937-result", "line-1937-result"),
        ("290f05b5-d14f-4e85-95eb-b1ce79820b2f", "290f…820b2f"),
        ("98b30b64-9492-42d4-bee3-0503a112fa53-1", "98b3…12fa53-1"),
        ("toolu_01GdvrKcANJw63niKbzQGwQ-result-2", "tool…bzQGwQ-result-2"),
        ("a b]→c", "a_b__c"),
    ],
)
def test_how_an_id_is_cited(id: str, told: str) -> None:
    """Whole where it is short, else by its two ends; the parts of one reply stay apart; nothing in it ends the brackets."""
    assert cite(id) == told


@given(text=st.text(max_size=80), id=st.text(min_size=1, max_size=50), room=st.integers(0, 120))
def test_a_quote_fits_and_is_read_back(text: str, id: str, room: int) -> None:
    """In any room: at most that long, and with its id or not there at all."""
    one = Quote(text, cite(id))
    fitted = one.fit(room)
    assert len(fitted) <= max(0, room)
    assert fitted == "" or fitted.endswith(f"[{cite(id)}]")
    assert len(Exchange(one, Quote(text, "m2")).fit(room)) <= max(0, room)
    assert parse_quote(Quote("said", cite(id)).fit(100)) == Quote("said", cite(id))


def test_an_answer_without_its_message_is_not_read_back() -> None:
    """Summaries in saved files may pair a request with an answer that is not its own; those with ids are carried on."""
    assert parse_exchange("Is it? → The fix applies.") == Exchange(Quote("Is it?"))
    assert parse_exchange("Is it? [m3] → No. [m4]") == Exchange(Quote("Is it?", "m3"), Quote("No.", "m4"))


def test_a_summary_written_before_ids_is_read() -> None:
    """Of an old text the task, the rules and the work are carried on; what stood or came next by no message is not."""
    old = (
        "Task: Fix the parser → All pass.\nConstraints:\n- Never edit the fixtures.\n- … and 3 more\n"
        "Files: a.py (edited 2×), b.py (read)\nCommands: pytest -q (2×: 1 failed; then 12 passed)\n"
        "Where things stand: All pass.\nNext: Commit it."
    )
    assert structural([], old) == (
        "Task: Fix the parser\nConstraints: Never edit the fixtures. (… and 3 more)\n"
        "Files: a.py (edited 2×), b.py (read)\nCommands: pytest -q (2×: 1 failed; then 12 passed)"
    )


def test_ids_are_carried_through_twenty_compactions() -> None:
    """A line of the first turn names its message for as long as it is told."""
    first = [user("Port the importer. Never touch the fixtures."), assistant("It is ported.")]
    rounds = [
        message
        for i in range(200)
        for message in (
            user(f"Look at module {i} too, please."),
            assistant("", calls(f"c{i}", "Read", file_path=f"/home/u/module_{i}.py")),
            result(f"c{i}", "x" * 400),
            assistant(f"Module {i} is short."),
        )
    ]
    messages, prior = with_ids([*first, *rounds]), ""
    for place in range(0, len(messages), 40):
        prior = structural(messages[place : place + 40], prior or None)
        assert "Task: Port the importer. Never touch the fixtures. [m1]" in prior
        assert "Constraints: Never touch the fixtures. [m1]" in prior.split("\n")
    assert "[m802]" in prior


@given(session=sessions())
def test_every_line_ends_with_its_source(session: Session) -> None:
    """No line of a summary of messages is without the id of one of them, but for headings and counts of what is left out."""
    messages = [m for m in session.messages if not m.injected and "summary" not in m.content]
    ids = {cite(m.id) for m in messages}
    for line in structural(messages).split("\n"):
        if line.endswith((" more", "result or a decision.")) or re.fullmatch(r"[A-Z][a-z ]+:", line):
            continue
        found = re.search(r" \[([^\[\]]+)\](?: \(… and ~?[\d,]+ more\))?$", line)
        assert found, line
        assert set(found[1].split("–")) <= ids


def test_what_is_gathered_names_the_first_and_the_last_message() -> None:
    """A line on many messages gives the span, which grows with each compaction."""
    read_one = [assistant("", calls("a", "Read", file_path="/p/a.py")), result("a", "x")]
    once = structural(with_ids([user("Read them."), *read_one]))
    assert "Files: /p/a.py (read) [m2]" in once
    later = Message(id="m9", role="assistant", tool_calls=(calls("b", "Read", file_path="/p/b.py"),))
    assert "Files: /p/b.py (read), /p/a.py (read) [m2–m9]" in structural([later], once)
    assert read(once).spans["files"].source == "m2"


@given(st.text(st.sampled_from("ab1 [].…–\n")))
def test_only_an_id_in_brackets_at_the_end_is_a_source(line: str) -> None:
    """As one pattern for the whole line would find it."""
    found = re.fullmatch(r"(.*?) \[([\w.:+@/#~…–-]{1,50})\]", line, re.DOTALL)
    assert parse_quote(line) == (Quote(found[1], found[2]) if found else Quote(line))
