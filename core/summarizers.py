"""What writes a summary without a model: `structural`, from what the messages say, and a placeholder of a fixed size.

A summarizer is anything callable as `summarizer(messages, prior) -> text`; `name` is what a trace calls it.
"""

from collections.abc import Callable, Sequence

from core.errors import ParameterError, UnknownNameError
from core.facts import facts_of
from core.ledger import Ledger, read, write
from core.model import Frozen, Message

LARGEST, SMALLEST = 2400, 240  # characters

Summarizer = Callable[[Sequence[Message], str | None], str]


class SummarizerInfo(Frozen):
    """A summarizer's name and one line on it."""

    name: str
    about: str


class Structural:
    """Writes down the task, constraints, decisions, files, commands, results and the last error that messages name.

    Deterministic and offline. At most 2,400 characters, fewer where little is folded; never fewer than the summary
    before it took. An earlier summary, given as `prior` or standing among the messages, is read back and carried on.
    """

    name = "structural"

    def __call__(self, messages: Sequence[Message], prior: str | None = None) -> str:
        """The summary of these messages and of what the earlier one says."""
        ledger, size, before = read(prior) if prior else Ledger(), 0, len(prior or "")
        for message in messages:
            facts = facts_of(message)
            if facts.summary:
                ledger, before = _carried(ledger, facts.summary), before + len(facts.summary)
            else:
                ledger.take(facts)
                size += facts.size
        limit = min(LARGEST, max(SMALLEST, min(size // 2, 600), size // 3, before))
        return write(ledger, limit) or _nothing_to_tell(messages)


def _carried(ledger: Ledger, text: str) -> Ledger:
    """The ledger of an earlier summary; one already begun keeps what it has and takes the summary's text as prose."""
    found = read(text)
    if ledger == Ledger():
        return found
    ledger.earlier = ledger.earlier or found.earlier or found.standing
    ledger.task = ledger.task or found.task
    for name in ("rules", "decisions", "found", "requests", "files", "commands", "results"):
        kept = getattr(ledger, name)
        kept.update({key: value for key, value in getattr(found, name).items() if key not in kept})
    return ledger


def _nothing_to_tell(messages: Sequence[Message]) -> str:
    return f"{len(messages)} messages, none of which states a task, a result or a decision."


class FixedSize:
    """A placeholder of the given size, to try a policy with summaries of any length: it says that it is one."""

    def __init__(self, tokens: int) -> None:
        if tokens < 1:
            raise ParameterError(f"a summary of {tokens} tokens will not do", "the size is 1 token or more")
        self.tokens = tokens
        self.name = "fixed size"

    def __call__(self, messages: Sequence[Message], prior: str | None = None) -> str:
        """Four characters for each token; " pad" is one token to o200k_base as well."""
        said = f"[placeholder of {self.tokens:,} tokens, no summary was written]"
        return (said + " pad" * self.tokens)[: 4 * self.tokens]


structural = Structural()
_ABOUT = {
    "structural": "task, constraints, decisions, files, commands and errors, from what the messages say; offline",
    "fixed size": "a placeholder of as many tokens as you say; offline",
}


def summarizers() -> list[SummarizerInfo]:
    """What is known of every offline summarizer."""
    return [SummarizerInfo(name=name, about=about) for name, about in _ABOUT.items()]


def summarizer(name: str, *, tokens: int = 300) -> Summarizer:
    """The summarizer of that name; `tokens` is the size of a fixed one. Raises UnknownNameError, listing the known."""
    if name == "structural":
        return structural
    if name == "fixed size":
        return FixedSize(tokens)
    raise UnknownNameError("summarizer", name, _ABOUT)
