"""What a summary says the task is, and what was being done."""

import pytest

from core.analyse.gist import Gist, gist, opening
from tests.analyse.events import summary
from tests.analyse.test_losses import trace
from viewer.wire.losses import loss_list

CLAUDE = """Summary:
1. Primary Request and Intent:
   - Fix the login of the admin page
   - Keep the tests as they are

8. Current Work:
   The cookie is read too late.
   Then the tests fail."""


@pytest.mark.parametrize(
    ("said", "found"),
    [
        pytest.param(
            CLAUDE, Gist("Fix the login of the admin page", "The cookie is read too late.", 2), id="Claude Code"
        ),
        pytest.param(
            "## Goal\n- Build it.\n\n### In Progress\n- [ ] Clean it up", Gist("Build it.", "Clean it up"), id="pi"
        ),
        pytest.param("<overall_goal>\n  Port the tests.\n</overall_goal>", Gist("Port the tests."), id="Gemini CLI"),
        pytest.param("**Original Task:** Say hello.\n**Current State:**", Gist("Say hello."), id="Terminus"),
        pytest.param(
            "## Goal: Build it.\nBy noon.\n\n## Current Task: Files\nThe user wants them moved.\n\n### Order",
            Gist("Build it.", "The user wants them moved."),
            id="a title",
        ),
        pytest.param("## Current Task: Move the files\n\n### Order", Gist("", "Move the files"), id="a title alone"),
        pytest.param(
            "Goal:\nThe user asked:\na. **First** this\nb. then that",
            Gist("The user asked: First this", points=2),
            id="list",
        ),
        pytest.param(
            "Current work:\nFour commits were made:\n```\nabc\n```", Gist("", "Four commits were made"), id="code"
        ),
        pytest.param(
            "## Goal\n1. Draw it:\n   - in red\n   - in blue\n\n2. Print it\nBy noon.\n3. Send it\n\n## Rules\n4. Use tabs",
            Gist("Draw it: in red", points=3),
            id="a list in a list",
        ),
        pytest.param("## Goal\nBuild it.\n- in red\n- in blue", Gist("Build it."), id="a list behind a sentence"),
        pytest.param("## Goal\n\n## Rules\n- Use tabs.", Gist(), id="an empty section"),
        pytest.param(
            "1. Primary Request and Intent:\n2. Key Concepts:\n   - Python", Gist(), id="an empty numbered one"
        ),
        pytest.param("**Goal**\n\n**Constraints**\n- Python", Gist(), id="an empty bold one"),
        pytest.param("The goal was met. Task 1: it runs.", Gist(), id="no heading"),
    ],
)
def test_a_section_of_that_name_says_it(said: str, found: Gist) -> None:
    """The first line of it, without the mark of an item; with the next one where it ends in a colon. Of a list its length."""
    assert gist(summary(said)) == found


def test_a_long_beginning_ends_with_a_sentence_or_says_that_it_is_cut() -> None:
    """At most 220 characters."""
    assert (
        gist(summary("## Goal\n" + "Write the exporter for the frames. " * 9)).goal
        == ("Write the exporter for the frames. " * 6).strip()
    )
    assert gist(summary("## Goal\n" + "write it, " * 40)).goal == "write it, " * 21 + "write it …"


def test_a_summary_without_such_sections_is_quoted_from_its_first_own_sentence() -> None:
    """Not from the frame that agents put around each."""
    said = "This session is being continued from a previous conversation.\n\n# Notes\nThe cookie is read too late. It fails."
    assert opening(summary(said)) == "The cookie is read too late. It fails."
    rows = loss_list(trace(said))["rows"] + loss_list(trace(CLAUDE))["rows"]
    assert [row["opening"] for row in rows] == ["The cookie is read too late. It fails.", ""]


def test_the_overview_has_both_of_each_compaction() -> None:
    """Without the words of a summary that nobody can read."""
    rows = loss_list(trace(CLAUDE))["rows"] + loss_list(trace(CLAUDE, unreadable="encrypted"))["rows"]
    assert [(row["goal"], row["points"], row["work"]) for row in rows] == [
        ("Fix the login of the admin page", 2, "The cookie is read too late."),
        ("", 0, ""),
    ]
