"""Why a message of the user's is no request: one is counted where it asks for something and has words to be looked for."""

import re
from typing import Literal

from core.analyse.asks import only_states
from core.analyse.assent import only_goes_on
from core.entities.search import normalized
from core.model.cached import cached
from core.model.own_text import own_text
from core.model.session import Message
from core.model.text import is_bare_command, prose
from core.origins.follow import FOLLOWED
from core.origins.terms import TOKEN, terms

_READ = 6_000  # characters of a message that are compared: behind those much is pasted
_FEW = 3  # content words: fewer, as of "commit this", are in any summary or in none by chance
_WHOLE = 4  # words in all of a sentence that is enough with one content word less: "can you remove the checkpoint_tests again"
_SLASH = re.compile(r"/[\w:.-]+\s+(?:[-–—]\s+)?")  # a slash command in front of what it is told

NoRequest = Literal["wordless", "command", "goes_on", "stated", "short"]
"""Why a message is no request: it has no words, is a slash command alone, asks for nothing new, only states something, or is
too short to be looked for."""


def why_none(message: Message) -> NoRequest | None:
    """Why a message of the user's is no request, by its words alone; None of one that is."""
    return cached(message, "why no request", _why)


def sought(message: Message) -> str:
    """What is looked for of a message that asks or states something, of a long one without its code; "" of any other."""
    return cached(message, "sought", _sought)


def _why(message: Message) -> NoRequest | None:
    text = own_text(message)
    if not text.strip():
        return "wordless"
    if is_bare_command(text):
        return "command"
    if only_goes_on(text):
        return "goes_on"
    if only_states(text):
        return "stated"
    return None if sought(message) else "short"


def _sought(message: Message) -> str:
    text = own_text(message)
    if not text.strip() or is_bare_command(text) or only_goes_on(text):
        return ""
    line = normalized(text)  # as Why follows it
    if len(text) > FOLLOWED:
        line = prose(text)[:_READ].strip() or text[:_READ]
    command = _SLASH.match(line)
    behind = line[command.end() :] if command else line  # a summary quotes what was asked for, not by which command
    return next(filter(_says_enough, (behind, line)), "")


def _says_enough(text: str) -> bool:
    """Whether a text can be looked for: it has a few content words, or one less within a whole sentence."""
    found = len(terms(text))
    return found >= _FEW or (found == _FEW - 1 and len(TOKEN.findall(text)) >= _WHOLE)
