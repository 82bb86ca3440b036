"""A summary that says nothing, or an error in its place."""

import pytest

from core.analyse import findings
from core.analyse.summary import summary_body
from tests.analyse.events import LONG, cut_out, event, found_in, kinds_of, of_kind, run, summary
from tests.support import system, user

TALK = [system("s"), user(LONG), user("b")]


@pytest.mark.parametrize("text", ["", "   ", "(no summary returned)", "N/A", "None", "…"])
def test_an_empty_summary(text: str) -> None:
    """A summary that says nothing is an error, whatever stands for nothing."""
    assert "empty_summary" in kinds_of(found_in(*TALK, keep=1, text=text))


@pytest.mark.parametrize(
    "head",
    [
        "[summary #2 of 9 earlier messages]\n",
        "Here is a summary of the conversation to date:\n\n",
        "<conversation_summary>\n\n</conversation_summary>",
        "<summary>Summary of what came before:</summary>",
    ],
)
def test_a_head_with_nothing_behind_it_is_empty(head: str) -> None:
    """The words a policy puts around every summary are no summary."""
    (empty,) = of_kind("empty_summary", findings(cut_out(TALK, 1, 2, summary(head))))
    assert (empty.severity, empty.messages, empty.numbers) == ("error", ("summary",), {"removed": 1})
    assert empty.text == "1 message was removed, and the summary says nothing."


@pytest.mark.parametrize(
    "text",
    [
        "Here is a summary of the conversation to date:\n\nThe user wants a parser.",
        "None of the tests failed.",
        "- the parser is done",
        "[encrypted item, 12,345 bytes; a summary of earlier messages]",
    ],
)
def test_a_short_summary_is_not_empty(text: str) -> None:
    """A few words are a summary; an item whose content cannot be known is none that says nothing."""
    assert "empty_summary" not in kinds_of(findings(cut_out(TALK, 1, 2, summary(text))))


def test_no_summary_where_there_was_to_be_one() -> None:
    """A pass that folds and puts nothing in is an error; one that drops, or was only recorded, is not."""
    (none,) = of_kind("empty_summary", findings(cut_out(TALK, 1, 2)))
    assert none.text == "1 message was to be summarized, and nothing took their place."
    assert "empty_summary" not in kinds_of(findings(cut_out(TALK, 1, 2, action="dropped")))
    assert "empty_summary" not in kinds_of(findings(cut_out(TALK, 1, 2, recorded=True)))
    opaque = summary("").model_copy(update={"injected": "opaque"})
    assert "empty_summary" not in kinds_of(findings(cut_out(TALK, 1, 2, opaque)))


@pytest.mark.parametrize(
    "text",
    [
        "Error: 429 rate limit",
        "APIConnectionError: no route",
        '{"error": {"message": "x"}}',
        "Request timed out.",
        "Prompt is too long",
        "I'm sorry, but I can't help with that.",
        "Traceback (most recent call last):\n  File",
        "500 Internal Server Error",
        "Error: cannot summarize a conversation of this length:\n201,337 tokens",
    ],
)
def test_an_error_in_place_of_a_summary(text: str) -> None:
    """A summary that begins like a failure is an error, also behind the words a policy puts in front."""
    assert "error_shaped_summary" in kinds_of(found_in(*TALK, keep=1, text=text))
    behind = summary(f"Here is a summary of the conversation to date:\n\n{text}")
    assert "error_shaped_summary" in kinds_of(findings(cut_out(TALK, 1, 2, behind)))


@pytest.mark.parametrize("text", ["Error handling was moved to a.py.", "Failed tests: none. Last error: KeyError"])
def test_a_summary_about_errors_is_no_error(text: str) -> None:
    """A summary that speaks of errors is not taken for one."""
    assert "error_shaped_summary" not in kinds_of(found_in(*TALK, keep=1, text=text))


def test_a_summarizer_that_failed() -> None:
    """A pass left undone because no summary came is a warning that says why; one not needed is none."""
    failed = event(3, [(0, 3)], [(0, 3)], status="failed", reason="the summarizer failed: timeout")
    (found,) = findings(run(TALK, failed).compactions[0])
    assert (found.kind, found.severity) == ("summarizer_failed", "warning")
    assert "the summarizer failed: timeout" in found.text
    assert findings(failed.model_copy(update={"status": "nothing_to_do"})) == ()


def test_what_a_summary_says() -> None:
    """Heads, tags and leading lines are taken off; the words stay."""
    assert (
        summary_body("[summary #1 of 4 earlier messages]\n<summary>\nHistory so far:\nall done\n</summary>")
        == "all done"
    )
    assert summary_body("Next: the summary of a.py") == "Next: the summary of a.py"
