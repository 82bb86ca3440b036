"""What is handed on: secrets masked first, then the trace again, then a file in one of the forms."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.engine.replay import replay
from core.engine.simulate import simulate
from core.engine.unbounded import unbounded
from core.exports.forms import FORMS
from core.meters import bound, meter
from core.model.errors import UnknownNameError
from core.model.session import Session
from core.policy.policy import Policy
from core.secrets.found import Found
from core.secrets.redact import redacted
from core.summaries.summarizers import summarizer
from core.trace.trace import Trace
from core.why.hits import hits_of
from viewer.export.file import export
from viewer.export.grid import Simulate
from viewer.export.handed import Handed

HTML = "html"
NAMES = (HTML, *FORMS)


@dataclass
class Data(Handed):
    """A file in another form than HTML: it holds all of what it is of."""

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
    return ".html" if form == HTML else FORMS[form].suffix


def media_type(form: str) -> str:
    """The media type of a file of this form."""
    return "text/html" if form == HTML else FORMS[form].media


def handed(
    trace: Trace,
    form: str = HTML,
    step: int | None = None,
    masked: Sequence[Found] = (),
    others: Simulate | None = None,
    texts: Sequence[str] = (),
    beside: Sequence[Trace] = (),
) -> Handed:
    """The file of a trace in a form; `masked` was masked in it, which the file says. `texts` are followed in it from the
    start, but for those that hold what is masked, and `beside` are other runs of the same session that an HTML file can show.

    With `others`, which simulates a policy, the settings of an HTML file can be turned. Raises UnknownNameError for a form that
    does not exist, and FoldlineError where the form cannot hold what there is.
    """
    if form not in NAMES:
        raise UnknownNameError("form", form, NAMES)
    if form != HTML:
        at = len(trace) - 1 if step is None else step
        return Data(FORMS[form].write(trace, at))
    said = [text for text in texts if hits_of(trace, text).match != "none"] if masked else texts
    return export(trace, as_recorded(trace), step, _notes(masked, len(texts) - len(said)), others, said, beside)


def as_recorded(trace: Trace) -> Trace:
    """The same session as recorded, under the meter of the trace."""
    return trace if trace.kind == "replay" else replay(trace.session, meter=bound(meter(trace.meter), trace.session))


def masked_trace(trace: Trace, masked: Sequence[Found]) -> Trace:
    """The same run of the session with these secrets masked, made anew, so that no summary quotes half of one."""
    return again(trace, redacted(trace.session, masked)) if masked else trace


def again(trace: Trace, session: Session) -> Trace:
    """The run of a trace over another session: replayed, simulated, or without any compaction, as the trace is."""
    counter = bound(meter(trace.meter), session)
    if trace.kind == "replay":
        return replay(session, meter=counter)
    if trace.policy is None:
        return unbounded(replay(session, meter=counter))
    return simulator_of(trace, session)(trace.policy)


def simulator_of(trace: Trace, session: Session) -> Simulate:
    """What simulates a policy over a session, with the meter, summaries and pins of a trace."""
    counter = bound(meter(trace.meter), session)
    write = summarizer(trace.summarizer or "structural", session=session)

    def simulated(rule: Policy) -> Trace:
        return simulate(session, rule, counter, write, trace.pinned)

    return simulated


def _notes(masked: Sequence[Found], dropped: int) -> tuple[str, ...]:
    count = len(masked)
    texts = "1 followed text is" if dropped == 1 else f"{dropped:,} followed texts are"
    left = f"{texts} not in this file: the masked session does not say them."
    what = "1 entry that looks" if count == 1 else f"{count:,} entries that look"
    said = f"{what} secret or personal {'was' if count == 1 else 'were'} masked before this file was written."
    return tuple([said] * bool(count) + [left] * bool(dropped))
