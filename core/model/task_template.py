"""The task that a person gave, out of the prompt that a research agent writes around it.

Of SWE-agent, mini-swe-agent, OpenHands and Terminus, whose prompts say how to work behind the issue, or in front of it:
https://github.com/SWE-agent/SWE-agent/tree/main/config https://github.com/SWE-agent/mini-swe-agent/tree/main/src/minisweagent/config
https://github.com/OpenHands/OpenHands/tree/main/evaluation/benchmarks
"""

import re
from typing import NamedTuple


class _Template(NamedTuple):
    """How a prompt begins, and what stands around the task in it."""

    begins: tuple[str, ...]
    before: re.Pattern[str]
    behind: re.Pattern[str]


_TEMPLATES = (
    _Template(
        ("We're currently solving the following issue",), re.compile(r"\nISSUE:\n"), re.compile(r"\n\s*INSTRUCTIONS:\n")
    ),
    _Template(
        ("We're currently solving the following CTF challenge",),
        re.compile(r"The description is:\n"),
        re.compile(r"\n\s*INSTRUCTIONS:\n"),
    ),
    _Template(
        ("<uploaded_files>", "<pr_description>", "I've uploaded a "),
        re.compile(r"<(?:issue|pr)_description>\s*(?:Consider the following (?:PR|issue) description:\n)?"),
        re.compile(r"</(?:issue|pr)_description>"),
    ),
    _Template(
        ("Please solve this issue:",),
        re.compile(r"Please solve this issue:"),
        re.compile(r"\n\s*You can execute bash commands and edit files to implement the necessary changes\."),
    ),
    _Template(
        ("You are an AI assistant tasked with solving command-line tasks",),
        re.compile(r"\nTask Description:\n"),
        re.compile(r"\n\s*Current terminal state:\n"),
    ),
)
_BEGINS = tuple(words for template in _TEMPLATES for words in template.begins)


def task_in(text: str) -> str:
    """The task in such a prompt; empty where a text is none of them, or its task is not found between its marks."""
    start = text[:80].lstrip()
    if not start.startswith(_BEGINS):
        return ""
    template = next(known for known in _TEMPLATES if start.startswith(known.begins))
    before = template.before.search(text)
    behind = template.behind.search(text, before.end()) if before else None
    return text[before.end() : behind.start()].strip() if before and behind else ""
