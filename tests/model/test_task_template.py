"""The task in the prompt of a research agent."""

import pytest

from core.model.own_text import own_text
from core.model.task_template import task_in
from tests.support import user

ISSUE = "Dates are wrong\nINSTRUCTIONS are not in the manual.\n\n```\nx\n```"

PROMPTS = {
    "swe-agent": "We're currently solving the following issue within our repository. Here's the issue text:\nISSUE:\n"
    f"{ISSUE}\n\n\nINSTRUCTIONS:\nNow, you're going to solve this issue on your own.",
    "swe-agent, a challenge": "We're currently solving the following CTF challenge. It is worth 10. The description is:\n"
    f"{ISSUE}\n\nINSTRUCTIONS:\nNow, you're going to solve this challenge.",
    "openhands": "<uploaded_files>\n/workspace/x\n</uploaded_files>\nI've uploaded a C code repository. Consider the following"
    f" issue description:\n\n<issue_description>\n{ISSUE}\n</issue_description>\n\nCan you help me?",
    "mini-swe-agent": f"<pr_description>\nConsider the following PR description:\n{ISSUE}\n\n</pr_description>\n<instructions>",
    "mini-swe-agent, an issue": f"Please solve this issue: {ISSUE}\n\nYou can execute bash commands and edit files to implement"
    " the necessary changes.\n\n## Recommended Workflow",
    "terminus": "You are an AI assistant tasked with solving command-line tasks in a Linux environment.\n\nTask Description:\n"
    f"{ISSUE}\n\nCurrent terminal state:\nCurrent Terminal Screen:",
}


@pytest.mark.parametrize("prompt", PROMPTS.values(), ids=PROMPTS)
def test_the_task_is_what_stands_between_the_marks(prompt: str) -> None:
    """Whole, and only what a person wrote; it is what is quoted of the message."""
    assert task_in(prompt) == ISSUE
    assert own_text(user(prompt)) == ISSUE


def test_all_else_is_quoted_as_it_is() -> None:
    """A prompt that is cut short, one without a task, and a person who writes about such a prompt."""
    cut = PROMPTS["openhands"].partition("</issue_description>")[0]
    empty = PROMPTS["terminus"].replace(ISSUE, "")
    about = f"What does this say? {PROMPTS['swe-agent']}"
    assert [task_in(text) for text in (cut, empty, about, "")] == ["", "", "", ""]
    assert own_text(user(about)) == about
