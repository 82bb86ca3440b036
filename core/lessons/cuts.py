"""Where a window may be cut: which tool pairs each place would part, and which places are turn boundaries."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

from core.model.session import Message
from core.model.tool_pairs import tool_pairs
from core.window.measured import Measured


class PlacedPair(NamedTuple):
    """The places of a call and of the message that answers it."""

    call: int
    result: int

    def parted_at(self, cut: int) -> bool:
        """Whether the call goes and its answer stays, where the messages before the cut go."""
        return self.call < cut <= self.result


class Cuts:
    """The places at which a window may be cut: what stands before one goes, except for the system messages in front.

    At least one message goes, and one stays.
    """

    def __init__(self, messages: Sequence[Message], tokens: Sequence[int]) -> None:
        self.base = Measured(list(messages), list(tokens))
        self.first, self.last = self.base.leading_systems + 1, len(messages) - 1

    @cached_property
    def pairs(self) -> list[PlacedPair]:
        """Every tool pair of the window."""
        return [PlacedPair(pair.call_at, pair.result_at) for pair in tool_pairs(enumerate(self.base.messages))]

    @cached_property
    def places(self) -> range:
        """Every place to cut at."""
        return range(self.first, self.last + 1)

    @cached_property
    def safe(self) -> list[int]:
        """The places that part no pair. One walk: a pair opens behind its call and closes behind its answer."""
        change = [0] * (len(self.base.messages) + 2)
        for pair in self.pairs:
            change[pair.call + 1] += 1
            change[pair.result + 1] -= 1
        open_pairs, found = 0, []
        for place in range(self.last + 1):
            open_pairs += change[place]
            if not open_pairs and place >= self.first:
                found.append(place)
        return found

    @cached_property
    def boundaries(self) -> list[int]:
        """The places at which a turn begins."""
        return [place for place in self.base.turn_starts if place in self.places]

    def parted(self, cut: int) -> list[PlacedPair]:
        """The pairs that a cut would part."""
        return [pair for pair in self.pairs if pair.parted_at(cut)]

    def drawn(self, cut: int | None = None, safe: bool = False, turns: bool = False) -> dict[str, Any]:
        """The picture of the window with its pairs, at a cut; with the `safe` places, and where `turns` begin, if asked for."""
        rows = zip(self.base.messages, self.base.tokens, strict=True)
        return {
            "kind": "cuts",
            "messages": [{"role": message.role, "tokens": tokens} for message, tokens in rows],
            "pairs": self.pairs,
            "boundaries": self.boundaries if turns else [],
            "pinned": self.base.leading_systems,
            "first": self.first,
            "last": self.last,
            "cut": cut,
            "parted": [] if cut is None else self.parted(cut),
            "safe": self.safe if safe else None,
        }
