"""Where a user says a rule again in fewer words: "and no dependency" for "no new dependency, not even a small one".

Only what forbids is looked for: a clause of a typed message counts if it denies as the rule does, and each word of it is one of
the rule's first clause, one of them long, or two. A question asks about a rule and does not set it.
"""

import re
from collections.abc import Iterator

from core.entities.denials import DENIALS
from core.model.session import Message
from core.origins.terms import terms
from core.trace.trace import Trace
from core.why.fate import Fate

_RULE = 240  # characters: a longer text is no rule
_CLAUSE = re.compile(r"[;:.!?。；：](?:\s|$)")
_PARTS = re.compile(r"[^,;:.!?\n]+[?]?")
_LONG = 7  # letters of a word that tells by itself
_WORD = re.compile(r"\w+")
_TYPED = 4_000  # characters: in a longer message much is pasted


def restated(found: Fate) -> Iterator[tuple[int, int, int]]:
    """The messages in which the user says a text again, each by its place, and the first and last step of it in the window."""
    trace, said = found.trace, set(found.places)
    head = _CLAUSE.split(found.text, maxsplit=1)[0]
    if len(found.text) > _RULE or not said or not (terms(head) and _denies(head)):
        return
    for place in range(min(said) + 1, len(trace.messages)):
        message = trace.messages[place]
        if message.typed and place not in said and says_again(message, head):
            yield place, trace.message_step(place), _end(trace, place)


def says_again(message: Message, head: str) -> bool:
    """Whether a clause of a message says a rule, or a part of it, in words of its own alone."""
    known = terms(head)
    if len(message.content) > _TYPED:
        return False
    for part in _PARTS.findall(message.content):
        names = terms(part)
        enough = len(names) > 1 or any(len(word) >= _LONG for word in _WORD.findall(part))
        if names and names <= known and enough and _denies(part) and not part.endswith("?"):
            return True
    return False


def _denies(text: str) -> bool:
    return not DENIALS.isdisjoint(_WORD.findall(text.lower().replace("n't", " not")))


def _end(trace: Trace, place: int) -> int:
    """The last step at which the window has a message."""
    arrived = trace.message_step(place)
    for k, event in enumerate(trace.compactions):
        step = trace.compaction_step(k)
        if step > arrived and not any(a <= place < b for a, b in event.layout_after):
            return step - 1
    return len(trace) - 1
