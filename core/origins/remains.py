"""Whether a summary still says something: word for word, in other words, or not at all."""

from core.entities.entity import Entity, bare
from core.entities.kinds import Names
from core.model.session import Message
from core.model.text import ELLIPSIS
from core.origins.common import TELLING
from core.origins.facts import Near, facts_of
from core.origins.origin import InSummary
from core.origins.said import Item
from core.origins.sentences import sentences_of
from core.origins.terms import terms

_ENOUGH = 0.6  # of the words of a sentence: with so many, another one says the same
_TELLING = frozenset(terms(" ".join(TELLING)))


class Remains:
    """What the messages that stand in for others say."""

    def __init__(self, messages: list[Message]) -> None:
        names = set[Entity]().union(*map(Names().of_message, messages)) if messages else set[Entity]()
        self._names = names | set(map(bare, names))
        self._text = "\n".join(message.content for message in messages)
        self._plain = plain(self._text)
        self._near = Near(self._text)
        self._said = [terms(one.text) for one in sentences_of(self._text)]

    def of(self, item: Item) -> InSummary:
        """What became of an item in them."""
        if item.name is not None:
            return self._of_name(item.name)
        text = plain(item.text).rstrip(f" .{ELLIPSIS}")
        if text and text in self._plain:
            return "verbatim"
        return "reworded" if self.rewords(item.text) else "gone"

    def _of_name(self, name: Entity) -> InSummary:
        if name in self._names:
            return "verbatim"
        if name.kind == "path":
            return "reworded" if bare(name) in self._names else "gone"
        return "verbatim" if name.key.casefold() in self._plain else "gone"

    def rewords(self, text: str) -> bool:
        """Whether one sentence has most of its words, and the whole its numbers."""
        names = terms(text)
        whole = _weight(names)
        if not whole or any(not self._near.places(fact) for fact in facts_of(text) if fact.sort == "number"):
            return False
        return any(_weight(names & said) >= _ENOUGH * whole for said in self._said)


def plain(text: str) -> str:
    """The text in lower case, without marks of Markdown, every run of white space one blank."""
    return " ".join(text.replace("*", "").replace("`", "").casefold().split())


def _weight(names: set[str]) -> float:
    """How much some words say: long ones more, those of telling less."""
    return sum((0.3 if name in _TELLING else 1.0) * min(1.0, len(name) / 4) for name in names)
