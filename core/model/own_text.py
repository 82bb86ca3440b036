"""What a person typed, a model answered, or a command printed, without what the agent writes around it.

Above a request the apps of Codex list the files that it mentions; above what a command printed Codex writes the command again,
times and counts: https://github.com/openai/codex/blob/main/codex-rs/core/src/tools/mod.rs. What other agents put around a
request is in `put_around.py`, the prompts of research agents are in `task_template.py`. The message stays whole; this is for
what names it: turns, rows, titles, quotes.
"""

import json
import re

from core.model.put_around import without_put_around
from core.model.session import Message
from core.model.task_template import task_in
from core.model.text import command_as_typed

_ABOVE = ("# Files mentioned by the user:", "# Context from my IDE setup:")
_COMMAND = ("<command-message>", "<command-name>")  # Claude Code's, around a slash command
_HEAD = 60  # characters in which such a list or command begins
_REQUEST = "## My request for Codex:"
_BEGINNING = 2_000  # characters that are read of a result
_HEADER = re.compile(
    r"(?:Command: [^\n]*\n)?(?:Chunk ID: \S+\n)?(?:Exit code: (?P<exit>-?\d+)\n)?Wall time: [^\n]*\n"
    r"(?:Process (?:exited with code (?P<code>-?\d+)|running with session ID \d+)\n)?"
    r"(?:Original token count: \d+\n)?(?:Total output lines: \d+\n)?Output:\n?"
    r"(?:Warning: truncated output [^\n]*\n)?(?:Total output lines: \d+\n)?\s*"
)
_JSON = re.compile(r'\{"output":("(?:[^"\\]|\\.)*)')


def own_text(message: Message) -> str:
    """The text of a message as far as its own author wrote it; of a reply that says more than its final answer, that."""
    if message.role == "tool":
        return shell_output(message.content)
    return request_of(message.content) if message.role == "user" else _answer_of(message)


def _answer_of(message: Message) -> str:
    """The final answer, where one is marked and still begins a line: what masks secrets or empties content moves it."""
    before, answer = message.content[: message.answer], message.content[message.answer :]
    return answer if before.endswith("\n") and answer else message.content


def request_of(text: str) -> str:
    """What a person asked for, without what an app or an agent put around it, a command as typed; any other text as it is."""
    if text[:_HEAD].lstrip().startswith(_COMMAND):
        return command_as_typed(text) or text
    text = task_in(text) or without_put_around(text)
    if not text[:_HEAD].lstrip().startswith(_ABOVE):
        return text
    asked = text.partition(f"\n{_REQUEST}")[2].strip()
    return asked or text


def shell_output(result: str) -> str:
    """The beginning of what was printed, "exit 1: " in front of it where the command failed; any other text as it is."""
    beginning = result[:_BEGINNING]
    if header := _HEADER.match(beginning):
        code = header["exit"] or header["code"] or "0"
        printed = beginning[header.end() :] or "(no output)"
        return printed if code == "0" else f"exit {code}: {printed}"
    if encoded := _JSON.match(beginning):
        return _decoded(encoded[1]) or result
    return result


def _decoded(text: str) -> str:
    """A JSON string that may be cut short, as text; "" for one that is damaged."""
    try:
        return str(json.loads(f'{text}"'))
    except ValueError:
        return ""
