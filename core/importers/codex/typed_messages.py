"""Which messages of a Codex session a person typed: events repeat those, and no other user messages."""

from dataclasses import dataclass, field

from core.importers._shapes.blocks import MessageParts
from core.importers.codex.context import sayings


@dataclass
class TypedMessages:
    """Messages that may have been typed, and what events say was. `beside` is the message that an event would follow."""

    beside: str = ""
    _ways: dict[str, list[str]] = field(default_factory=dict)
    _typed: set[str] = field(default_factory=set)
    _followed: set[str] = field(default_factory=set)

    def message(self, id: str, parts: MessageParts) -> None:
        """A message in a person's role that does not look as Codex put it in."""
        self.beside = id
        self._ways[id] = sayings(parts)

    def event(self, text: str) -> None:
        """A person typed this: the message before, or one that says the same."""
        self._typed.add(text.strip())
        self._followed.add(self.beside)
        self.beside = ""

    def put_in(self) -> set[str]:
        """The messages that nobody typed; none where the file has no such events."""
        if not self._typed:
            return set()
        return {i for i, ways in self._ways.items() if i not in self._followed and self._typed.isdisjoint(ways)}
