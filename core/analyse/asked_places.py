"""What was asked for again, one file after the other: where its text stood before, and where it was asked for again."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from core.analyse.finding import in_lines, quoted
from core.measure.read_again import is_same_file, named_file
from core.measure.tool_use import Repeat, Use, tool_uses
from core.model.session import ToolCall
from core.model.text import clean, cut
from core.trace.trace import Trace

_FILES = 3  # that are named
_PLACES = 4  # messages that are named of each
_NAME = 60  # characters of a file's name


@dataclass
class AskedAgain:
    """A file, or a call that names none; the places of the calls that read and wrote its text before, and that asked again."""

    name: str
    file: tuple[str, ...] = ()
    read: set[int] = field(default_factory=set)
    written: set[int] = field(default_factory=set)
    again: list[int] = field(default_factory=list)

    @property
    def before(self) -> list[int]:
        """Where its text stood: in what read it, or, where nothing did, in what wrote it."""
        return sorted(self.read or self.written)

    @property
    def words(self) -> str:
        """In a sentence: "a.py: read in message 12, again in 140 and 171"."""
        verb = "read" if self.file else "asked"
        how, again = (verb, "again") if self.read else ("written", verb)
        messages = "message" if len(self.before) == 1 else "messages"
        return f"{self.name}: {how} in {messages} {_numbers(self.before)}, {again} in {_numbers(self.again)}"


def asked_by_file(trace: Trace, some: Iterable[Repeat]) -> list[AskedAgain]:
    """The repeats of one compaction by what they ask for, in the order in which each was first asked for again."""
    uses = {use.result: use.at for use in tool_uses(trace) if use.result >= 0}
    found: list[AskedAgain] = []
    for repeat in some:
        one = _group(found, repeat.use)
        for place in repeat.sources:
            known = one.read if place in uses else one.written
            known.add(uses.get(place, place))
        if repeat.use.at not in one.again:
            one.again.append(repeat.use.at)
    return found


def places_list(asked: Sequence[AskedAgain]) -> str:
    """What was asked for again as a list in text, a file on each line; behind the first few a line counts the others."""
    more = [f"{len(asked) - _FILES:,} more"] if len(asked) > _FILES else []
    return in_lines([*(one.words for one in asked[:_FILES]), *more])


def _group(found: list[AskedAgain], use: Use) -> AskedAgain:
    """The group of a call; a new one where no call before it asked for the same."""
    named, file = named_file(use)
    name = _file_name(named) if file else _call_name(use.call)
    same = (one for one in found if (is_same_file(one.file, file) if file and one.file else one.name == name))
    if (known := next(same, None)) is None:
        found.append(known := AskedAgain(name, file))
    return known


def _numbers(places: Sequence[int]) -> str:
    """ "12, 140 and 171", as people count messages."""
    said = [f"{place + 1:,}" for place in places[:_PLACES]]
    said += [f"{len(places) - _PLACES:,} more"] if len(places) > _PLACES else []
    return " and ".join(filter(None, (", ".join(said[:-1]), said[-1])))


def _file_name(path: str) -> str:
    """The name of a file and of the folder it is in: the rest of a path is alike for most."""
    return cut(clean("/".join(path.replace("\\", "/").split("/")[-2:])), _NAME)


def _call_name(call: ToolCall) -> str:
    """A call in a sentence: the tool, and its first text."""
    text = next((value for value in call.arguments.values() if isinstance(value, str) and value.strip()), "")
    return f"{call.name} {quoted(text)}" if text else call.name
