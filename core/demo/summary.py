"""The summary the demo agent writes when it is asked for one: what the request names, in three sentences, and no more.

The lesson's request names the goal, the results and what comes next. Rules that stand beside the goal are not named, and so
are not carried: that is what a class is to see. Where nothing can be read off the request, the structural summary stands in.
"""

import json
import re
from collections.abc import Sequence

from core.model import Message
from core.summarizers import structural
from core.text import cut, sentences

GOAL_SENTENCES = 2
MOST_RESULTS = 6
RESULT = 150  # characters of a result

_QUOTED = re.compile(r"^\[(system|user|assistant|tool)\] ", re.MULTILINE)
_NOTED = re.compile(r'-> add_note\((\{"text": "(?:[^"\\]|\\.)*"\})\)')
_OURS = re.compile(r"The goal: (.*?) Results so far: (.*?) Next: ", re.DOTALL)
_ASKED = ("summar", "condense", "compact")


def asks_for_summary(messages: Sequence[Message], tools: Sequence[object]) -> bool:
    """Whether a request is for a summary: without tools, and its last message says so at the beginning or quotes messages."""
    if tools or not messages:
        return False
    text = messages[-1].content
    return any(word in text[:400].lower() for word in _ASKED) or len(_QUOTED.findall(text)) > 1


def summary_of(messages: Sequence[Message]) -> str:
    """The summary asked for."""
    text = messages[-1].content
    parts = _QUOTED.split(text)[1:]
    quoted = list(zip(parts[::2], (part.strip() for part in parts[1::2]), strict=True))
    if not quoted:
        return structural(list(messages), None)
    goal, results = _carried(quoted)
    results += [
        json.loads(found)["text"] for role, said in quoted if role == "assistant" for found in _NOTED.findall(said)
    ]
    return f"The goal: {goal} Results so far: {_joined(results)}. Next: {_next(quoted)}"


def _carried(quoted: Sequence[tuple[str, str]]) -> tuple[str, list[str]]:
    """Goal and results of the earlier summary among what is quoted, or the beginning of what the user typed."""
    for _, said in quoted:
        if found := _OURS.search(said):
            return found[1], [part for part in found[2].rstrip(".").split(" | ") if part != "none yet"]
    typed = next((said for role, said in quoted if role == "user"), "")
    return " ".join([*sentences(typed)][:GOAL_SENTENCES]) or "not among these messages.", []


def _joined(results: Sequence[str]) -> str:
    kept = [cut(result.rstrip("."), RESULT) for result in results][-MOST_RESULTS:]
    return " | ".join(kept) or "none yet"


def _next(quoted: Sequence[tuple[str, str]]) -> str:
    said = [said.split("-> ")[0].strip() for role, said in quoted if role == "assistant"]
    newest = next((text for text in reversed(said) if text), "")
    return next(iter([*sentences(newest)][-1:]), "go on where the messages end.")
