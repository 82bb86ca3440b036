"""What was folded that may be worth keeping: rules, decisions, files, names, numbers, commands, errors, open tasks."""

import builtins
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from core.entities.entity import Entity, bare, shortened
from core.entities.in_words import in_words
from core.entities.kinds import Names
from core.entities.lines import is_elided
from core.entities.search import search_of
from core.model.cached import cached
from core.model.give_way import give_way
from core.model.own_text import own_text
from core.model.session import Message
from core.model.text import clean, cut, sentences
from core.origins.follow import beginning, followed, whole_sentences
from core.origins.named import Named, read_of
from core.origins.origin import Kind
from core.origins.shown import shown_by_tools
from core.summaries.facts import facts_of, is_earlier_summary
from core.trace.trace import Trace
from core.window.measured import Measured

_READ_OF = 6_000  # characters of a message that are read for names
_LONGEST = 240  # characters of a row
_ERRORS, _TASKS = 4, 3  # the newest
_KIND: dict[str, Kind] = {
    "path": "file",
    "identifier": "identifier",
    "hash": "identifier",
    "url": "identifier",
    "number": "number",
}
_FILES = ("path", "url")
_ANNOUNCES = re.compile(
    r"(?:[\w']+,? ){0,3}things? to (?:keep|remember|note|not forget)\b[^.!?:]{0,20}: \w", re.IGNORECASE
)
_LIBRARIES = """
DataFrame DataFrames StringIO BytesIO ArgumentParser MagicMock SimpleNamespace assertEqual assertTrue assertRaises NumPy SymPy
addEventListener querySelector getElementById innerHTML className backgroundColor useState useEffect useRef setTimeout toString
toFixed forEach URLSearchParams ReferenceError HashMap ArrayList
"""
_KNOWN = frozenset((*dir(builtins), *_LIBRARIES.split()))
"""Names of the language and of its best known libraries: that one is gone tells nothing, as any later code has it anew."""


class Item(NamedTuple):
    """Something that was said: its kind, its words, the message that said it first, and its name where it is one."""

    kind: Kind
    text: str
    place: int
    name: Entity | None = None
    weight: float = 0.0


def items_of(trace: Trace, taken: Sequence[int], named: Named) -> list[Item]:
    """What the session's messages at these places say, each once, where it was said first."""
    own = read_of(trace.messages, taken)
    found: dict[object, Item] = {}
    for item in (*_stated(trace, own), *_named(trace, own, named), *_shown(trace, taken, named)):
        found.setdefault(item.name or (item.kind, item.text.casefold()), item)
    return list(found.values())


def _stated(trace: Trace, taken: Sequence[int]) -> Iterator[Item]:
    """Sentences of users and replies, commands, the newest errors and what was still open."""
    ran: dict[str, tuple[int, int]] = {}
    errors: list[Item] = []
    tasks: list[Item] = []
    for place in taken:
        give_way()
        message = trace.messages[place]
        if is_earlier_summary(message):
            continue
        facts = facts_of(message)
        told = (*facts.states.rules, *facts.states.told)
        yield from (_item("constraint", text, place, 3.0, message) for _, text in told)
        announced = _announced(own_text(message)) if message.typed else ()
        yield from (_item("constraint", text, place, 3.0, message) for text in announced)
        yield from (_item("decision", text, place, 2.0 + (facts.by == "user"), message) for _, text in facts.decisions)
        for call in facts.calls:
            if call.kind == "command" and not is_elided(call.targets[0]):
                first, times = ran.get(call.targets[0], (place, 0))
                ran[call.targets[0]] = (first, times + 1)
        if facts.outcome and facts.outcome.error and (facts.outcome.command_failed or message.is_error):
            errors.append(_item("error", facts.outcome.error, place, 0.0, message))
        tasks = _open(tasks, message, place)
    for text, (place, times) in ran.items():
        yield _item("command", text, place, min(3.0, times / 2), trace.messages[place])
    yield from errors[-_ERRORS:]
    yield from tasks[-_TASKS:]


def _announced(text: str) -> Iterator[str]:
    """The sentences that a user announces as things to keep: "One thing to keep: imports stay sorted."."""
    return (sentence for sentence in sentences(text) if _ANNOUNCES.match(sentence))


def _open(tasks: list[Item], message: Message, place: int) -> list[Item]:
    """The tasks that are open behind one more message: what is left of the newest plan, and the newest request."""
    facts = facts_of(message)
    if facts.plan is not None:
        left = facts.plan.rpartition(" (")[0]
        asked = [item for item in tasks if not item.weight]
        return [*asked, *(_item("task", text, place, 1.0, message) for text in left.split("; then ") if text)]
    if facts.ask and not facts.states.only:
        return [*(item for item in tasks if item.weight), _request(facts.ask, place, message)]
    closes = message.role == "assistant" and not message.tool_calls and not message.injected
    return [item for item in tasks if item.weight] if closes else tasks


def _request(ask: str, place: int, message: Message) -> Item:
    """What a user asked, as a finding and Why follow it: their counts of its words are of the same text."""
    text = beginning(own_text(message), message) if message.typed else ""
    return Item("task", text, place) if text else _item("task", ask, place, 0.0, message)


def _item(kind: Kind, text: str, place: int, weight: float, message: Message) -> Item:
    """A text as its message has it, so that Why can follow it, whatever its case; one that the message has not, cut."""
    line = clean(text)
    found = whole_sentences(followed(line, message), _LONGEST) or cut(line, _LONGEST)
    return Item(kind, line if line.casefold() == found.casefold() else found, place, None, weight)


def _named(trace: Trace, taken: Sequence[int], named: Named) -> Iterator[Item]:
    """The files, names and numbers that a person or the model wrote, heavier the more messages have them.

    What stands in a file that the model wrote is not what it said; the file itself is.
    """
    said, read = dict[Entity, list[int]](), Names()
    for place in taken:
        give_way()
        message = trace.messages[place]
        if message.role in ("user", "assistant") and not is_earlier_summary(message):
            for name in sorted(_names_in(message, read)):
                said.setdefault(name, []).append(place)
    in_folders = {bare(name) for name in said if bare(name) != name}
    for name, where in said.items():
        if name in in_folders:
            continue  # the same file is listed with its folder
        typed = any(trace.messages[place].typed for place in where[:3])
        first = next((place for place in named.where(name) if place >= taken[0]), where[0])
        text = _written(trace, name) if named.whole else name.key
        yield Item(_KIND[name.kind], text, min(first, where[0]), name, min(2.0, len(where) / 3) + 2 * typed)


def _shown(trace: Trace, taken: Sequence[int], named: Named) -> Iterator[Item]:
    """The names that tool results among what was taken showed, and that a reply wrote only behind it.

    Only under a policy: a recorded model wrote what something had told it, though the transcript may not have it.
    """
    own = set(taken) if named.whole and trace.kind == "simulate" and trace.policy is not None else set[int]()
    for name, places, call in shown_by_tools(trace) if own else ():
        if call > taken[-1] and places[-1] in own and name.kind in _KIND and not _odd(name):
            yield Item(_KIND[name.kind], _written(trace, name), places[0], name)


def _written(trace: Trace, name: Entity) -> str:
    """A name as a message writes it: a number with commas, or of a path its last part, where none writes it in full."""
    return cached(trace.measured, ("written", name), partial(_spelled, name=name))


def _spelled(measured: Measured, name: Entity) -> str:
    whole = search_of(measured.messages).places(name.key, most=1).places
    return name.key if whole else shortened(name)


def _names_in(message: Message, read: Names) -> set[Entity]:
    """The names in what a message says, also files in code that it shows, and the files that its calls read or write."""
    if message.typed and (own := own_text(message)) != message.content:
        message = message.model_copy(update={"content": own})
    words, whole = in_words(message)[:_READ_OF], message.content[:_READ_OF]
    found = {name for name in read.of_text(words) if name.kind in _KIND and not _odd(name)}
    if words != whole:
        found.update(name for name in read.of_text(whole) if name.kind in _FILES and not _odd(name))
    for call in facts_of(message).calls:
        if call.kind in ("read", "edit"):
            found.update(name for target in call.targets for name in read.of_text(target) if name.kind == "path")
    return found


def _odd(name: Entity) -> bool:
    """Whether a name is hardly one: a time, a path that is no file, or what every model knows without being told."""
    if name.kind == "identifier":
        return name.key[0].isdigit() or name.key in _KNOWN
    return name.kind == "path" and "." not in name.key.rpartition("/")[2]
