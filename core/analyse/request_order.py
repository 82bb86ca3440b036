"""The requests that a compaction left unsaid, in the order of how much that matters."""

from collections.abc import Iterable

from core.analyse.consequence import Consequence, consequence_of
from core.analyse.losses import USED, losses
from core.entities.search import normalized
from core.model.cached import cached
from core.model.own_text import own_text
from core.model.session import Message
from core.summaries.facts import facts_of
from core.trace.trace import Trace


def by_consequence(trace: Trace, k: int, places: Iterable[int]) -> tuple[int, ...]:
    """These requests as compaction k left them, those of most consequence first, of two alike the newer one."""
    found = losses(trace, k).texts
    ranks = {loss.place: loss.rank for loss in reversed(found) if loss.kind not in USED}
    names = [loss.text for loss in found if loss.kind == "name"]
    again = _typed_behind(trace, trace.compactions[k].at)

    def rank(place: int) -> Consequence:
        text = own_text(trace.messages[place])
        own = cached(trace.messages[place], "consequence", _consequence)
        repeated = own < Consequence.SHORT and normalized(text) in again
        if repeated or any(name in text for name in names):
            return Consequence.AGAIN
        return min(own, ranks.get(place, own))

    return tuple(sorted(places, key=lambda place: (rank(place), -place)))


def _consequence(message: Message) -> Consequence:
    """Of a request by itself: one that states a rule is one."""
    return Consequence.RULE if facts_of(message).states.rules else consequence_of(own_text(message))


def _typed_behind(trace: Trace, at: int) -> set[str]:
    """What the user typed once so many messages had arrived."""
    typed = (trace.messages[place] for place in trace.measured.turn_starts if place >= at)
    return {normalized(own_text(message)) for message in typed}
