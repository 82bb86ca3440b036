"""The issue in the first message of a SWE-agent or mini-swe-agent run: in a template, under a heading or a tag."""

import re

from core.importers._shapes.blocks import label

_WHERE = re.compile(r"(?:^|\n)(?:ISSUE:|<(?:pr_description|issue|task|problem_statement)>)[ \t]*\n")
_LEAD = re.compile(r"\s*(?:Consider the following PR description:|<[\w-]+>|Please solve this issue:)[ \t]*")


def task_title(text: str) -> str:
    """The first line of the issue; of a template unknown here, its first line that is no tag."""
    found = _WHERE.search(text)
    rest = text[found.end() : found.end() + 2000] if found else text[:2000]
    while lead := _LEAD.match(rest):
        rest = rest[lead.end() :]
    return label(rest) or label(text)
