"""What the user said and the window no longer has: a finding, and the first of all where it was needed again."""

import pytest

from core import Message
from core.analyse import Finding, findings_at
from core.analyse.finding import worst_first
from core.origins import named
from tests.analyse.events import event, of_kind, run, summary
from tests.support import assistant, calls, result, user, with_ids

STATED = "Keep in mind that the exporter writes to the ledger of the bank, not to ours."
RULE = "Never delete an original photo: the printed catalogue links to them."


def talk(*said: str) -> list[Message]:
    """Requests that are folded into a summary with their answers, and work that goes on behind it."""
    asked = [one for text in said for one in (user(text), assistant("Yes."))]
    late = assistant(
        "Nothing links to the large ones, so I delete each original photo.", calls("c1", "run", command="ls")
    )
    return [*asked, user("go on"), late, result("c1", "done")]


def gone(*said: str, summed: str = "We worked on the page.") -> tuple[Finding, ...]:
    """The findings of the compaction that took what was said."""
    messages = talk(*said)
    n, cut = len(messages), 2 * len(said)
    taken = event(
        cut + 1, [(0, cut + 1)], [(n, n + 1), (cut, cut + 1)], ("summarised", (0, cut)), put=[summary(summed)]
    )
    return findings_at(run(with_ids(messages), taken), 0)


def test_a_statement_that_the_summary_leaves_out_is_a_finding() -> None:
    """It says what was said, that nobody can tell from that alone what came of it, and why it has the level it has."""
    (one,) = of_kind("statement_gone", gone("Fix the page.", STATED))
    assert (one.title, one.severity, one.subject) == ("A statement of the user is gone", "warning", STATED)
    assert one.text.startswith(f"“{STATED}”, which the user said, was ")
    assert one.text.endswith(
        "says it any more. Judging by the words alone, nothing later needed it. "
        "Its words say it for good, so this is a warning."
    )
    assert of_kind("statement_gone", gone("Fix the page.", STATED, summed=f"The user said: {STATED}")) == []


def test_of_what_only_a_summary_said_it_says_that_the_summary_went() -> None:
    """The message itself had left the window before."""
    messages = talk("Fix the page.", STATED)
    n, cut = len(messages), 4
    first, second = summary(f"The user said: {STATED}"), summary("We worked on the page.")
    trace = run(
        with_ids(messages),
        event(cut + 1, [(0, cut + 1)], [(n, n + 1), (cut, cut + 1)], ("summarised", (0, cut)), put=[first]),
        event(
            cut + 1,
            [(n, n + 1), (cut, cut + 1)],
            [(n + 1, n + 2), (cut, cut + 1)],
            ("summarised", (n, n + 1)),
            put=[second],
        ),
    )
    (one,) = of_kind("statement_gone", findings_at(trace, 1))
    assert one.text.startswith(f"“{STATED}”, which the user said, was only in a summary, which was replaced by ")


def test_in_a_session_too_long_to_read_whole_it_does_not_say_that_nothing_needed_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nobody looked there."""
    monkeypatch.setattr(named, "WHOLE", 0)
    (one,) = of_kind("statement_gone", gone("Fix the page.", STATED))
    assert one.text.endswith("nothing in the window says it any more. Its words say it for good, so this is a warning.")


def test_a_rule_has_a_finding_of_its_own() -> None:
    """It is told once."""
    found = gone(f"Fix the page. And {RULE[0].lower()}{RULE[1:]}")
    assert [one.kind for one in found if one.kind in ("instruction_gone", "statement_gone")] == ["instruction_gone"]


def test_a_rule_that_was_needed_comes_first_and_says_where() -> None:
    """Among several the one that was needed is told of, by the verdict that the overview has."""
    found = gone("Do not touch the public API.", RULE)
    first = found[0]
    assert (first.kind, first.title) == ("instruction_gone", "A rule of the user is gone, and was needed")
    assert first.subject == RULE
    assert "1 more rule went with it. By a word match it was needed at message 6:" in first.text
    plain = Finding(kind="a", concern="lost", severity="error", title="", text="")
    needed = plain.model_copy(update={"severity": "info", "numbers": {"needed_at": 3}})
    assert worst_first([plain, needed]) == (needed, plain)


def test_a_short_decision_comes_before_background_that_was_answered() -> None:
    """What was told beside a question matters less once that is answered; told alone it holds on."""
    decided = "I think a table by file is too much"
    beside = f"Can you list the exporters? {STATED}"
    first = of_kind("statement_gone", gone("Fix the page.", beside, decided))[0]
    assert (first.subject, first.numbers["statements"], first.severity) == (decided, 2, "info")
    assert first.text.endswith("Its words may be about that moment alone, so this is info.")
    alone = of_kind("statement_gone", gone("Fix the page.", STATED, decided))[0]
    assert alone.subject == STATED
