"""Messages to pin for a simulation, as a person names them: by id, or by number."""

from collections.abc import Iterable, Sequence

from core.model.errors import ParameterError
from core.model.session import Message, Session
from core.trace.trace import conversation


def pins(session: Session, text: str, first: int = 1) -> tuple[int, ...]:
    """The places of the messages that a text names, each by its id or its number, separated by commas.

    The `first` message has number 1, as everywhere that a person reads one; 0 reads the numbers of an address. An id that
    looks like a number is taken for the id. Raises ParameterError, naming it, for what is neither.
    """
    messages = conversation(session)
    places = {m.id: i for i, m in enumerate(messages)}
    names = [name for part in text.split(",") if (name := part.strip())]
    return tuple(sorted({_place(name, places, len(messages), first) for name in names}))


def pins_text(messages: Sequence[Message], places: Iterable[int], first: int = 1) -> str:
    """These messages as `pins` reads them back: by id, or by number where the id would not be read as one."""
    ids = {i: messages[i].id for i in sorted(places)}
    plain = {i: id for i, id in ids.items() if id == id.strip() and id and "," not in id and id.isprintable()}
    return ",".join(plain.get(i, str(i + first)) for i in ids)


def _place(name: str, places: dict[str, int], count: int, first: int) -> int:
    if name in places:
        return places[name]
    if name.isascii() and name.isdecimal() and len(name) < 12 and 0 <= int(name) - first < count:
        return int(name) - first
    shown = name if len(name) <= 80 else f"{name[:79]}…"
    last = max(0, count - 1) + first
    raise ParameterError(f"there is no message {shown!r} to pin", f"give its id, or its number: {first} to {last:,}")
