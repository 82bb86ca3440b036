"""`foldline lesson`: the lessons of Learn, or one of them with its answers and what solves its tasks."""

import argparse
from collections.abc import Iterator
from typing import Any

from core.cli.terminal import print_json, print_table, safe_line
from core.lessons import lesson, lessons
from core.lessons.lesson import Lesson
from core.lessons.show import Tried, listed, shown
from core.lessons.solutions import solutions

MOST_SHOWN = 6
"""So many solutions of a task are printed without --json."""


def run(options: argparse.Namespace) -> int:
    """Print the list of lessons, or one; returns 0. Raises FoldlineError for a lesson that there is not."""
    if options.number is None:
        rows = [listed(one) for one in lessons()]
        if options.json:
            print_json(rows)
        else:
            print_table(
                ("n", "title", "minutes", "about"),
                [(row["number"], row["title"], row["minutes"], row["about"]) for row in rows],
            )
        return 0
    found = lesson(options.number)
    steps = [_with_solutions(found, number) for number in range(1, len(found.steps) + 1)]
    if options.json:
        print_json(listed(found) | {"steps": steps})
    else:
        print("\n".join(_lines(found, steps)))
    return 0


def _with_solutions(found: Lesson, number: int) -> dict[str, Any]:
    """A step as the page gets it, with the attempts at its task that pass."""
    row = shown(found, number)
    row.pop("figures")
    return row | {"solutions": [_attempt(tried) for tried in solutions(found, number)]}


def _attempt(tried: Tried) -> dict[str, Any]:
    given = {"policy": tried.policy or None, **tried.settings, "cut": tried.cut, "cached": tried.cached}
    known = {name: value for name, value in given.items() if value is not None}
    return known | ({"keep": [int(id) for id in tried.keep]} if tried.keep else {})


def _lines(found: Lesson, steps: list[dict[str, Any]]) -> Iterator[str]:
    row = listed(found)
    yield f"{row['number']}. {row['title']}: {row['about']}"
    for step in steps:
        yield ""
        yield "  " + safe_line(f"{step['step']}. {step['title']}: {step['caption'] or step['empty']}")
        lines = (*_asked(step["ask"]), *_done(step["task"], step["solutions"]))
        yield from (f"     {safe_line(line)}" for line in lines)


def _asked(ask: dict[str, Any] | None) -> Iterator[str]:
    if ask is None:
        return
    yield f"question: {ask['question']}"
    yield from (f"{one['key']}) {one['text']}" for one in ask["choices"])
    answer = f"message {ask['answer'] + 1:,}" if ask["kind"] == "message" else ask["answer"]
    yield f"answer: {answer:,}" if isinstance(answer, int) else f"answer: {answer}"
    yield f"because: {ask['because']}"


def _done(task: dict[str, Any] | None, solved: list[dict[str, Any]]) -> Iterator[str]:
    if task is None:
        return
    more = len(solved) - MOST_SHOWN
    yield f"task: {task['text']}"
    yield f"solved by: {'; '.join(map(_words, solved[:MOST_SHOWN]))}{f'; and {more:,} more' if more > 0 else ''}"
    yield f"then: {task['passed']}"


def _words(attempt: dict[str, Any]) -> str:
    """An attempt as one says it: messages by their numbers in the app, from 1."""
    return " ".join(_word(name, value) for name, value in attempt.items())


def _word(name: str, value: Any) -> str:
    if name == "cut":
        return f"a cut before message {value + 1:,}"
    if name == "keep":
        return f"messages {', '.join(f'{place + 1:,}' for place in value)} kept"
    return f"{name}={value}"
