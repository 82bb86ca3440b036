"""The sessions of a file with their sizes: read once, in a process of its own, before a sweep over them is proposed."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.engine.counts import counts_of
from core.engine.default_meter import session_meter
from core.engine.policies_used import model_of
from core.engine.replay import replay
from core.importers import formats
from core.meters.context_windows import limits_of
from core.model.session import Session
from core.tune.files import File, sessions_of
from core.tune.sizes import SessionSize, size_of


@dataclass(frozen=True)
class Sized:
    """One session: the `number` of it in its file, from 0, and `file.name` of several with its id behind it, as its name.

    It has so many `tokens` by this `meter`, as the Library and the header of Debug say. `seconds` is what reading and counting
    it took here, by which the time of a sweep can be foretold. `limited` says whether the context window of its model is
    known, `others` whether its file holds sessions that were not asked for.
    """

    file: File
    number: int
    name: str
    title: str
    agent: str
    model: str
    meter: str
    tokens: int
    size: SessionSize
    seconds: float
    limited: bool = True
    others: bool = False


def read_sizes(file: File, meter: str, number: int | None = None) -> list[Sized]:
    """Each session of a file, or the one of this number, counted by a meter. Raises TranscriptError.

    The meter "" is each session's own: the one that counts it on every page where nobody has chosen another.
    """
    if number is None:
        return list(_sized(file, 0, sessions_of(file), meter))
    found = sessions_of(file, number or None)  # behind the first there may be others
    one = next(_sized(file, number, found, meter))
    return [replace(one, others=number > 0 or next(found, None) is not None)]


def _sized(file: File, first: int, found: Iterator[tuple[str, Session]], meter: str) -> Iterator[Sized]:
    """Sessions of a file with their sizes, numbered from the first."""
    begun = time.process_time()
    for number, (name, session) in enumerate(found, first):
        trace = replay(session, meter=session_meter(meter, session))
        tokens = counts_of(trace).tokens
        size = size_of(trace.measured, tokens - trace.measured.running[-1], model_of(session).window or 0)
        spent = time.process_time() - begun
        yield Sized(
            file=file,
            number=number,
            name=name,
            title=session.title or session.id,
            agent=_agents().get(session.format, session.format),
            model=session.model,
            meter=trace.meter,
            tokens=tokens,
            size=size,
            seconds=spent,
            limited=limits_of(session.model) is not None,
        )
        begun = time.process_time()


def _agents() -> dict[str, str]:
    """The agent or the label of each format by its name."""
    return {known.name: known.agent or known.label for known in formats()}


def models_of(sized: Sequence[Sized]) -> list[str]:
    """The models of some sessions, the most frequent first, "" left out."""
    names = [one.model for one in sized if one.model]
    return sorted(set(names), key=lambda name: (-names.count(name), name))
