"""What the window says once a compaction has made it, beside what the compaction itself put in."""

from core.entities.search import Wanted, says, search_of
from core.entities.thoughts import NEAR, thinks
from core.model.cached import cached
from core.origins.named import kept
from core.origins.origin import Kind
from core.origins.remains import Remains
from core.trace.trace import Trace


class Window:
    """The messages that stayed when compaction k made the window, and the summaries of earlier ones."""

    def __init__(self, trace: Trace, k: int) -> None:
        self._search, self._stayed = search_of(trace.messages), set(kept(trace, k))
        self._kept = [trace.messages[place] for place in sorted(self._stayed)]
        own = {message.id for message in trace.compactions[k].put_in}
        self._earlier = [
            message for message in trace.compactions[k].after if message.injected and message.id not in own
        ]
        self._remains = Remains((), self._kept)

    def says(self, text: str, kind: Kind | None = None) -> bool:
        """Whether one of them, or a thought, has a text, also within a longer one; what a person told, in other words, too."""
        text = text.rstrip(" …")
        found = self._search.places(text)
        if not self._stayed.isdisjoint(found.places):
            return True
        wanted = Wanted(text, "exact" if found.match == "none" else found.match)
        if any(says(message, wanted) for message in self._earlier) or thinks(self._kept[-NEAR:], text):
            return True
        return kind == "constraint" and self._remains.stays(text)


def window_of(trace: Trace, k: int) -> Window:
    """The window behind compaction k: read once."""
    return cached(trace, ("stayed", k), lambda trace: Window(trace, k))
