"""Messages to pin for a simulation, as a person names them: by id, or by place."""

from collections.abc import Iterable, Sequence

from core.model.errors import ParameterError
from core.model.session import Message, Session
from core.trace.trace import conversation


def pins(session: Session, text: str) -> tuple[int, ...]:
    """The places of the messages that a text names, each by its id or its place from 0, separated by commas.

    An id that looks like a place is taken for the id. Raises ParameterError, naming it, for what is neither.
    """
    messages = conversation(session)
    places = {m.id: i for i, m in enumerate(messages)}
    names = [name for part in text.split(",") if (name := part.strip())]
    return tuple(sorted({_place(name, places, messages) for name in names}))


def pins_text(messages: Sequence[Message], places: Iterable[int]) -> str:
    """These messages as `pins` reads them back: by id, or by place where the id would not be read as one."""
    ids = {i: messages[i].id for i in sorted(places)}
    plain = {i: id for i, id in ids.items() if id == id.strip() and id and "," not in id and id.isprintable()}
    return ",".join(plain.get(i, str(i)) for i in ids)


def _place(name: str, places: dict[str, int], messages: Sequence[Message]) -> int:
    if name in places:
        return places[name]
    if name.isascii() and name.isdecimal() and len(name) < 12 and int(name) < len(messages):
        return int(name)
    shown = name if len(name) <= 80 else f"{name[:79]}…"
    raise ParameterError(
        f"there is no message {shown!r} to pin", f"give its id, or its place: 0 to {max(0, len(messages) - 1):,}"
    )
