"""Sessions and sub-agents' windows as rows to choose from."""

from core.model.agent_windows import agent_windows
from core.model.session import Message, RecordedCompaction, Session, SubAgent
from tests.support import assistant, lesson_session, scaled_session, user
from viewer.wire.lists import file_row, lane_title, meter_title, session_rows, size_text, started_here


def run(id: str, *children: SubAgent, title: str = "", said: str = "x") -> Session:
    """A session of one message."""
    return Session(id=id, title=title, messages=(Message(id="m0", role="user", content=said),), children=children)


def test_a_session_is_a_row_of_plain_facts() -> None:
    """Number, title, messages, tokens by o200k_base, compactions, address; its id where it has no title."""
    thought = assistant("y" * 10).model_copy(update={"thinking": "z" * 6})
    long = Session(title="A\nlong one", messages=(user("x" * 24), thought), compactions=(RecordedCompaction(at=1),))

    assert session_rows((long, run("s-2", said="abcdefg"))) == [
        (0, "A long one", 2, 17, 1, "0", ""),
        (1, "s-2", 1, 6, 0, "1", ""),
    ]


def test_a_file_that_was_not_read_is_a_row_of_its_path_and_size() -> None:
    """Or of why it gives no session, on one line."""
    assert file_row("a/b.json", 54_000_000, "", "./a/b.json") == (
        *(None, "a/b.json", 0, 0, 0, "./a/b.json"),
        "54.0 MB, not read yet",
    )
    assert (
        file_row("b.json", 1, "line 1:\nthe JSON ends early", "./b.json")[6] == "left out: line 1: the JSON ends early"
    )
    sizes = (0, 1, 999, 1000, 999_499, 999_500, 1_200_000_000)
    assert [size_text(size) for size in sizes] == [
        *("0 bytes", "1 byte", "999 bytes", "1 KB", "999 KB", "1.0 MB", "1,200.0 MB")
    ]


def test_a_lane_is_called_by_its_number_its_name_and_its_task() -> None:
    """Those that a sub-agent started stand further in; a name that is its title already is said once; 60 characters at most,
    isolated from the direction of the rest.
    """
    deep = SubAgent(id="b1", name="Explore", session=run("b1", title="Who uses\nthe totals"))
    same = SubAgent(id="c", name="Plan", session=run("c", title="Plan"))
    wide = SubAgent(id="d", name="x" * 90, session=run("d"))
    parent = run("p", SubAgent(id="b", session=run("b", deep)), same, wide)

    titles = [lane_title(one) for one in agent_windows(parent)]
    assert titles[:4] == [
        "main · 1 message",
        "1 · \u2068b\u2069 · 1 message",
        "\u20031.1 · \u2068Explore: \u2069\u2068Who uses the totals\u2069 · 1 message",
        "2 · \u2068Plan\u2069 · 1 message",
    ]
    assert len(titles[4]) == len("3 · \u2068\u2069 · 1 message") + 60


def test_a_message_lists_the_sub_agents_it_started() -> None:
    """By the message's id, with the number that is their lane below this one's."""
    first, second = (SubAgent(id=name, message="m4", session=run(name, title=f"do {name}")) for name in "ab")
    third = SubAgent(id="c", name="Plan", message="m9", session=run("c"))

    assert started_here(run("p", first, second, third)) == {
        "m4": [(1, "a: do a", 1), (2, "b: do b", 1)],
        "m9": [(3, "Plan", 1)],
    }
    assert started_here(run("p")) == {}


def test_meters_are_listed_with_their_errors() -> None:
    """Those of calibrated and o200k_base stand beside each other, so that neither is chosen blindly; without usage none.

    A tokenizer counts the tokens of its own models, and estimates those of others.
    """
    names = ("agentkit", "calibrated", "o200k_base", "reported")
    assert [meter_title(name, scaled_session(1.25)) for name in names] == [
        "agentkit · estimated",
        "calibrated · off by 2.4 %",
        "o200k_base · off by 8.0 %",
        "reported · recorded",
    ]
    assert meter_title("o200k_base", lesson_session()) == "o200k_base · estimated"
    assert meter_title("o200k_base", lesson_session().model_copy(update={"model": "gpt-4o"})) == "o200k_base · counted"
