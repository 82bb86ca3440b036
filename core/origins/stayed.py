"""What the window says once a compaction has made it, beside what the compaction itself put in."""

from functools import lru_cache

from core.entities.search import Wanted, begun, normalized, says, search_of
from core.entities.texts import texts
from core.entities.thoughts import NEAR, thinks
from core.model.cached import cached
from core.origins.named import kept
from core.origins.origin import Kind
from core.origins.remains import Remains
from core.trace.trace import Trace

_FEW = 50  # messages that stayed: so many are looked through at once, while the search over a session takes seconds to make


class Window:
    """The messages that stayed when compaction k made the window, and the summaries of earlier ones."""

    def __init__(self, trace: Trace, k: int) -> None:
        self._messages, self._places = trace.messages, kept(trace, k)
        self._kept = [trace.messages[place] for place in self._places]
        own = {message.id for message in trace.compactions[k].put_in}
        self._earlier = [
            message for message in trace.compactions[k].after if message.injected and message.id not in own
        ]
        self._remains = Remains((), self._kept)

    def says(self, text: str, kind: Kind | None = None) -> bool:
        """Whether one of them, or a thought, has a text, also within a longer one; what a person told, in other words, too.

        So has it what somebody decided.
        """
        text = text.rstrip(" …")
        if self._shows(text) or thinks(self._kept[-NEAR:], text):
            return True
        return kind in ("constraint", "decision") and self._remains.stays(text)

    def _shows(self, text: str) -> bool:
        """Whether one has a text as it is written; where nothing in the session has it so, without regard to case."""
        if len(self._kept) > _FEW:
            found = search_of(self._messages).places(text)
            wanted = Wanted(text, "exact" if found.match == "none" else found.match)
            stayed = set(self._places)
            return not stayed.isdisjoint(found.places) or any(says(message, wanted) for message in self._earlier)
        plain, (here, summaries) = normalized(text), _written(self)
        if not plain:
            return False
        if plain in here or begun(plain) in summaries:
            return True
        other = plain.casefold() in here.casefold()
        return other and search_of(self._messages).places(text, most=1).match == "case"

    def written(self) -> tuple[str, str]:
        """What all of them say, each text on a line of its own, and what the summaries among them do."""
        here = (*self._kept, *self._earlier)
        said, told = (
            "\n".join(normalized(text) for message in some for text in texts(message))
            for some in (here, [message for message in here if message.injected == "summary"])
        )
        return said, told


@lru_cache(maxsize=2)
def _written(window: Window) -> tuple[str, str]:
    """The texts of a window while its rows are looked for: those of many windows would take much room."""
    return window.written()


def window_of(trace: Trace, k: int) -> Window:
    """The window behind compaction k: read once."""
    return cached(trace, ("stayed", k), lambda trace: Window(trace, k))
