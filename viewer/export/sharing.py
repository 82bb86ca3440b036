"""What is handed on: secrets masked first, then the trace again, then a file in one of the forms."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.engine.replay import replay
from core.exports.forms import FORMS
from core.meters import bound, meter
from core.model.errors import UnknownNameError
from core.model.session import Session
from core.secrets.found import Found
from core.secrets.redact import redacted
from core.trace.trace import Trace
from core.why.hits import hits_of
from viewer.export.file import export
from viewer.export.grid import Simulate
from viewer.export.handed import Handed
from viewer.export.lanes import export_lanes
from viewer.export.lesson import export_lesson, own_session

HTML, COMPARE = "html", "compare"
NAMES = (HTML, *FORMS)
"""The forms of one run; that of lanes is none of them."""


@dataclass
class Data(Handed):
    """A file in another form than HTML."""

    data: bytes
    left_out: list[str] = field(default_factory=list)

    @property
    def sizes(self) -> dict[str, int]:
        """Its bytes."""
        return {"data": len(self.data)}

    def pieces(self) -> Iterator[bytes]:
        """The file, in one piece."""
        yield self.data


def ending(form: str) -> str:
    """How the name of a file of this form ends."""
    return FORMS[form].suffix if form in FORMS else ".html"


def media_type(form: str) -> str:
    """The media type of a file of this form."""
    return FORMS[form].media if form in FORMS else "text/html"


def handed(
    trace: Trace,
    form: str = HTML,
    step: int | None = None,
    masked: Sequence[Found] = (),
    others: Simulate | None = None,
    texts: Sequence[str] = (),
    beside: Sequence[Trace] = (),
    overview: bool = False,
) -> Handed:
    """The file of a trace in a form; `masked` was masked in it, which the file says. `texts` are followed in it from the
    start, but for those that hold what is masked, and `beside` are other runs of the same session that an HTML file can show.
    With `overview` an HTML file opens with the overview at a step too.

    With `others`, which simulates a policy, the settings of an HTML file can be turned. Raises UnknownNameError for a form that
    does not exist, and FoldlineError where the form cannot hold what there is.
    """
    if form not in NAMES:
        raise UnknownNameError("form", form, NAMES)
    said, notes = _texts_and_notes(trace, masked, texts)
    if form != HTML:
        return Data(FORMS[form].write(trace, step, said), FORMS[form].left_out(trace))
    return export(trace, as_recorded(trace), step, notes, others, said, beside, overview)


def handed_lanes(
    lanes: Sequence[Trace], masked: Sequence[Found] = (), texts: Sequence[str] = (), base: int = 0, message: int = 0
) -> Handed:
    """The file of lanes beside each other, as `export_lanes` makes it; what `masked` and `texts` are is as for `handed`."""
    said, notes = _texts_and_notes(lanes[0], masked, texts)
    return export_lanes(lanes, as_recorded(lanes[0]), said, base, message, notes)


def handed_lesson(
    number: int, session: Session | None = None, counted_by: str | None = None, masked: Sequence[Found] = ()
) -> Handed:
    """The file of a lesson; its last step is about this session, of which `masked` is masked here, or else about a sample."""
    if session is None:
        return export_lesson(number)
    yours = own_session(redacted(session, masked) if masked else session, counted_by or None)
    return export_lesson(number, yours, _notes(masked, 0))


def file_name(trace: Trace) -> str:
    """What a file of the trace is called, without its ending: the session's title, and the policy that is simulated."""
    name = _in_letters(trace.session.title)
    return f"{name}-{trace.policy.name.replace('.', '-')}" if trace.kind == "simulate" and trace.policy else name


def lanes_name(lanes: Sequence[Trace]) -> str:
    """What a file of lanes is called, without its ending."""
    return f"{_in_letters(lanes[0].session.title)}-compare"


def _in_letters(title: str) -> str:
    """A title in letters that every file system takes."""
    words = re.findall(r"[A-Za-z0-9]+", title.replace("'", ""))
    return "-".join(words).lower()[:48].strip("-") or "session"


def as_recorded(trace: Trace) -> Trace:
    """The same session as recorded, under the meter of the trace."""
    return trace if trace.kind == "replay" else replay(trace.session, meter=bound(meter(trace.meter), trace.session))


def _texts_and_notes(
    trace: Trace, masked: Sequence[Found], texts: Sequence[str]
) -> tuple[Sequence[str], tuple[str, ...]]:
    """The texts without those that hold what is masked, and what the file says of both."""
    said = [text for text in texts if hits_of(trace, text).match != "none"] if masked else texts
    return said, _notes(masked, len(texts) - len(said))


def _notes(masked: Sequence[Found], dropped: int) -> tuple[str, ...]:
    count = len(masked)
    texts, they = ("1 followed text is", "it") if dropped == 1 else (f"{dropped:,} followed texts are", "them")
    left = f"{texts} not in this file: the masked session does not say {they}."
    what = "1 entry that looks" if count == 1 else f"{count:,} entries that look"
    said = f"{what} secret or personal {'was' if count == 1 else 'were'} masked before this file was written."
    return tuple([said] * bool(count) + [left] * bool(dropped))
