"""The text that Why follows: as its message has it, and whole sentences of it."""

import pytest

from core import fate
from core.analyse import findings_at
from core.model.text import cut
from core.origins.follow import followed, whole_sentences
from core.trace.trace import Trace
from tests.analyse.events import event, run, summary
from tests.support import assistant, calls, user, with_ids

RULE = "And no new dependency, not even a small one; the exporter runs on a machine without an index."
WRAPPED = "Fix it. And no new dependency, not even a\nsmall one; the exporter runs\noffline. Thank you."


@pytest.mark.parametrize(
    ("line", "most", "whole"),
    [
        ("Short.", 400, "Short."),
        ("The first sentence is here. The second one is cut", 40, "The first sentence is here."),
        ("One sentence that is much longer than what fits", 30, "One sentence that is much"),
        ("Donaudampfschifffahrtsgesellschaft", 10, "Donaudampf"),
        ("Yes. And this is a long second sentence that does not fit", 30, "Yes. And this is a long second"),
        ("Use e.g. tabs for every file here. Then go on", 40, "Use e.g. tabs for every file here."),
    ],
)
def test_a_long_text_ends_with_a_sentence(line: str, most: int, whole: str) -> None:
    """Or behind a word, where the first sentence is too long or says next to nothing."""
    assert whole_sentences(line, most) == whole


@pytest.mark.parametrize(
    ("text", "said", "found"),
    [
        (RULE, f"Fix it. {RULE}", RULE),
        ("no new dependency, not even a small one…", f"Fix it. {RULE}", RULE.removeprefix("And ")),
        (
            "And no new dependency, not even a",
            WRAPPED,
            "And no new dependency, not even a small one; the exporter runs offline.",
        ),
        (
            "Put it on Rule. It must be off.",
            "Put it on Rule. And it must be off.",
            "Put it on Rule. And it must be off.",
        ),
        ("It must be green.", "It must be red.", ""),
        ("use tabs in every file of it", "Use tabs in every\nfile of it.", "Use tabs in every file of it"),
        ("allowHTTP", "AllowHTTP sets allowHTTP", "allowHTTP"),
        ("Put it on Rule. It must be off.", f"Put it on Rule. {'x' * 60}. It must be off.", ""),
    ],
    ids=["as it is", "cut", "wrapped", "joined", "not there", "case", "its own case first", "too far apart"],
)
def test_a_text_is_followed_as_its_message_has_it(text: str, said: str, found: str) -> None:
    """What was cut goes on to the end of its sentence, also over the end of a line."""
    assert followed(text, user(said)) == found


def test_a_command_is_followed_to_the_end_of_its_line() -> None:
    """Not beyond: the next line is another command."""
    ran = assistant(
        "", calls("c1", "bash", command="cd /w\npython -m report statements/main.csv --rules rules.txt\nls")
    )
    assert (
        followed("python -m report statements/main.csv…", ran)
        == "python -m report statements/main.csv --rules rules.txt"
    )


def test_a_rule_over_two_lines_is_told_whole() -> None:
    """The finding quotes it, and Why finds what it follows."""
    trace = _lost(WRAPPED)
    (found,) = [one for one in findings_at(trace, 0) if one.kind == "instruction_gone"]
    assert found.subject == "no new dependency, not even a small one; the exporter runs offline."
    assert fate(trace, found.subject).places == [0]


def test_a_long_request_is_followed_to_the_end_of_a_sentence() -> None:
    """Of some 600 characters as many sentences as fit into 400."""
    sentence = "show the balance of every account at the end of the month. "
    asked = "".join(
        f"{k} of all: {sentence}" for k in ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh")
    )
    trace = _lost(asked)
    (found,) = [one for one in findings_at(trace, 0) if one.kind == "first_user_message_lost"]
    assert (
        found.subject
        == "".join(f"{k} of all: {sentence}" for k in ("First", "Second", "Third", "Fourth", "Fifth")).strip()
    )
    assert cut(found.subject, 400) == found.subject


def _lost(asked: str) -> Trace:
    """What was asked became a summary that says nothing of it."""
    talk = with_ids([user(asked), assistant("Yes."), user("Go on."), assistant("Done.")])
    n = len(talk)
    return run(
        talk, event(3, [(0, 3)], [(n, n + 1), (2, 3)], ("summarised", (0, 2)), put=[summary("Hello.")], number=1)
    )
