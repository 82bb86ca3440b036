"""What the answer to a call brings: its lines, and whether it brings anything."""

import re
from collections.abc import Set

from core.measure.tool_use import Use
from core.model.call_texts import call_texts
from core.model.failure import is_failure
from core.model.session import Message, ToolCall
from core.trace.trace import Trace

_LEAST = 10  # tokens of an answer
_ECHO = 0.9  # of the words of an answer
_WORD = re.compile(r"\w+")
_SHOWS = re.compile(r"\s*(?:cd [^&;|]{1,300}&& *)?(?:cat|sed -n|head|tail|nl|grep|rg|less)\b")
_WRITES = re.compile(r"<<|(?:^|\s)>{1,2}\s*(?!/dev/null|&)\S")
_SEARCHES = re.compile(r"(?:^|[|&;])\s*(?:grep|rg)\b")
_HEAD = re.compile(
    r"(?:(?:Command|Chunk ID|Wall time|Process exited|Original token count|Total output lines|Exit code)\b.*\n)+Output:\n"
)
_REMINDER = "<system-reminder>"  # what a harness puts behind an answer
_NUMBER = re.compile(r"^\s*\d+\s*[\t→:|]")


def shows_text(command: str) -> bool:
    """Whether a command shows a text; `cat` does not where it writes one to a file."""
    return bool(_SHOWS.match(command)) and not _WRITES.search(command.lstrip().split("\n", 1)[0])


def searches(command: str) -> bool:
    """Whether a command looks for something in a text: with other words it asks something new."""
    return bool(_SEARCHES.search(command))


def brings_back(lines: Set[str], known: Set[str]) -> bool:
    """Whether half of the lines that an answer brings were known."""
    return 2 * len(lines & known) >= len(lines) > 0


def is_empty_answer(trace: Trace, use: Use) -> bool:
    """Whether a call brought nothing: what failed is no answer, nor is what repeats the call; what is small is free."""
    if use.result < 0:
        return True
    answer = trace.messages[use.result]
    small = trace.tokens[use.result] < _LEAST
    return is_failure(answer) or bool(answer.images) or small or _echoes(answer, use.call)


def lines_of_result(message: Message) -> set[str]:
    """The lines of an answer that say something, without the numbers in front of them and what the harness adds."""
    text = message.content.partition(_REMINDER)[0]
    head = _HEAD.match(text)
    return lines_of(text[head.end() :] if head else text)


def lines_of_call(call: ToolCall) -> set[str]:
    """The lines in a call, such as those of a file that it writes, without the plus of a patch."""
    return {line.removeprefix("+").strip() for text in call_texts(call) for line in lines_of(text)}


def lines_of(text: str) -> set[str]:
    """The lines of a text that say something, without the numbers in front of them."""
    lines = (_NUMBER.sub("", line).strip() for line in text.splitlines())
    return {line for line in lines if len(line) > 3}


def _echoes(answer: Message, call: ToolCall) -> bool:
    """Whether an answer gives back what the call said, as that of a to-do list does: nothing was asked."""
    words = set(_WORD.findall(answer.content))
    said = set[str]().union(*map(_WORD.findall, call_texts(call)))
    return len(words & said) >= _ECHO * len(words)
