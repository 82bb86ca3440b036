"""Which messages that stand in no index show a name: what compactions put in, and what was cleared in place."""

from core.entities.entity import Entity, bare
from core.entities.kinds import Names
from core.entities.search import search_of
from core.model.session import Message
from core.trace.trace import Trace
from core.why.readable import readable_added


def shows(message: Message, name: Entity) -> bool:
    """Whether a message shows a name: uses it, or a file called so in some folder."""
    used = Names().of_message(message)
    return name in used or name in map(bare, used)


def shown_in_added(trace: Trace, name: Entity) -> list[int]:
    """What was added that shows a name, by its index: a summary that has its letters. Numbers may be written with commas."""
    added = readable_added(trace)
    spelled = [name.key]
    if name.kind == "number" and name.key.isdecimal():
        spelled.append(f"{int(name.key):,}")
    return sorted({k for text in spelled for k in search_of(added).places(text, "case").places})
