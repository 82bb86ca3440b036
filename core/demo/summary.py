"""The summary that the demo agent writes: the three things that the request names, in three sentences.

The lesson's request names the goal, the results and what comes next. It does not name the rules beside the goal, so they are
lost: the demo is meant to show that. If the request quotes no messages, the summary is the structural one.
"""

import json
import re
from collections.abc import Sequence

from core.model.session import Message
from core.model.text import cut, sentences
from core.summaries.summarizers import structural

GOAL_SENTENCES = 2
MOST_RESULTS = 6
RESULT = 150  # characters of a result

_QUOTED = re.compile(r"^\[(system|user|assistant|tool)\] ", re.MULTILINE)
_NOTED = re.compile(r'-> add_note\((\{"text": "(?:[^"\\]|\\.)*"\})\)')
_OURS = re.compile(r"The goal: (.*?) Results so far: (.*?) Next: ", re.DOTALL)
_ASKED = ("summar", "condense", "compact")


def asks_for_summary(messages: Sequence[Message], tools: Sequence[object]) -> bool:
    """Whether a request without tools asks for a summary, or quotes messages."""
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
        json.loads(found)["text"] for role, text in quoted if role == "assistant" for found in _NOTED.findall(text)
    ]
    return f"The goal: {goal} Results so far: {_joined(results)}. Next: {_next(quoted)}"


def _carried(quoted: Sequence[tuple[str, str]]) -> tuple[str, list[str]]:
    """Goal and results of a quoted earlier summary, or the beginning of the typed message."""
    for _, text in quoted:
        if found := _OURS.search(text):
            return found[1], [part for part in found[2].rstrip(".").split(" | ") if part != "none yet"]
    typed = next((text for role, text in quoted if role == "user"), "")
    return " ".join([*sentences(typed)][:GOAL_SENTENCES]) or "not among these messages.", []


def _joined(results: Sequence[str]) -> str:
    kept = [cut(result.rstrip("."), RESULT) for result in results][-MOST_RESULTS:]
    return " | ".join(kept) or "none yet"


def _next(quoted: Sequence[tuple[str, str]]) -> str:
    texts = [text.split("-> ")[0].strip() for role, text in quoted if role == "assistant"]
    newest = next((text for text in reversed(texts) if text), "")
    return next(iter([*sentences(newest)][-1:]), "go on where the messages end.")
