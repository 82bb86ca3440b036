"""What a process of its own is told to make: a file of a run, of lanes beside each other, of a lesson, or of a list."""

from dataclasses import dataclass, field

from core.exports.columns import WRITERS
from core.model.session import Session
from core.secrets.found import Found
from core.secrets.redact import redacted
from viewer.export.listed import Listed, masked
from viewer.export.recipe import Recipe
from viewer.export.sharing import (
    COMPARE,
    ending,
    file_name,
    handed,
    handed_lanes,
    handed_lesson,
    lanes_name,
    media_type,
)
from viewer.export.telling import tell


@dataclass(frozen=True)
class Made:
    """A file that is ready: its name, its media type, the bytes of its parts, what it does not hold, and all of it."""

    name: str
    media: str
    sizes: dict[str, int]
    left_out: list[str]
    data: bytes


@dataclass(frozen=True)
class RunFile:
    """A file of a run of a session, in a form, without what is masked; other runs come along where the form can hold them."""

    session: Session
    run: Recipe
    form: str
    step: int | None = None
    masked: tuple[Found, ...] = ()
    texts: tuple[str, ...] = ()
    beside: tuple[Recipe, ...] = field(default=())
    overview: bool = False

    def make(self) -> Made:
        """The file. Raises FoldlineError where the form cannot hold what there is."""
        tell("Reading the session")
        session = redacted(self.session, self.masked) if self.masked else self.session
        trace, *beside = (run.run(session) for run in (self.run, *self.beside))
        others = self.run.simulator(session) if trace.kind == "simulate" and trace.policy else None
        made = handed(trace, self.form, self.step, self.masked, others, self.texts, beside, self.overview)
        data = b"".join(made.pieces())
        return Made(file_name(trace) + ending(self.form), media_type(self.form), made.sizes, made.left_out, data)


@dataclass(frozen=True)
class LanesFile:
    """A file of runs of a session beside each other, without what is masked."""

    session: Session
    lanes: tuple[Recipe, ...]
    masked: tuple[Found, ...] = ()
    texts: tuple[str, ...] = ()
    base: int = 0
    message: int = 0

    def make(self) -> Made:
        """The file. Raises FoldlineError for a number of lanes that there cannot be."""
        tell("Reading the session")
        session = redacted(self.session, self.masked) if self.masked else self.session
        lanes = [lane.run(session) for lane in self.lanes]
        made = handed_lanes(lanes, self.masked, self.texts, self.base, self.message)
        name = lanes_name(lanes) + ending(COMPARE)
        return Made(name, media_type(COMPARE), made.sizes, made.left_out, b"".join(made.pieces()))


@dataclass(frozen=True)
class LessonFile:
    """The file of a lesson; in its last step this session, by this meter and without what is masked, or else a sample."""

    number: int
    session: Session | None = None
    meter: str = ""
    masked: tuple[Found, ...] = ()

    def make(self) -> Made:
        """The file. Raises FoldlineError for a lesson that there is not."""
        made = handed_lesson(self.number, self.session, self.meter, self.masked)
        return Made(f"lesson-{self.number}.html", "text/html", made.sizes, made.left_out, b"".join(made.pieces()))


@dataclass(frozen=True)
class ListFile:
    """The file of what a page lists, as CSV, Parquet or JSON, without what is masked."""

    listed: Listed
    kind: str
    masked: tuple[Found, ...] = ()

    def make(self) -> Made:
        """The file."""
        tell("Writing the rows")
        writer = WRITERS[self.kind]
        data = writer.write(self.listed.columns, masked(self.listed, self.masked))
        return Made(f"{self.listed.name}.{self.kind}", writer.media, {"data": len(data)}, [], data)


Job = RunFile | LanesFile | LessonFile | ListFile
