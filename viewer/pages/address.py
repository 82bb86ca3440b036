"""The address bar as what a person chose. No Streamlit.

The address is read when a browser session begins; after that the browser keeps it up to date (address.js), and sends it when
Back or Forward has led to another.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from core import FoldlineError, meters, policies, policy
from viewer.sessions.sources import Source, first_source
from viewer.settings.lanes import LETTERS, PIN, RECORDED, Lane, parse_lane
from viewer.settings.query import parse_value

WHY = ("why", "why2", "why3", "why4")  # the browser's: the texts that are followed
SHOW = "show"  # the browser's: what stands in front of the step
OVERVIEW = "overview"  # the only thing that does
RESERVED = (
    "run",
    "source",
    "session",
    "lane",
    "policy",
    "meter",
    "summaries",
    "pin",
    "step",
    SHOW,
    *WHY,
    *LETTERS,
    "message",
    "base",
)

# What a browser's parameter has to be: the place of the cursor, a text, a lane's letter.
NUMBER, TEXT, LETTER = re.compile(r"\s*\d{1,9}\s*", re.ASCII), re.compile(r"(?s).*\S.*"), re.compile("[a-d]")

Settings = tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Choice:
    """What a person chose. An empty policy means that nobody has chosen yet: the source decides.

    `session` is the number or id of one session of a file of many, or the path of its file in a folder; `lane` the name of a
    sub-agent's window; `pin` the messages that no policy takes, as `core.engine.pins` reads them.
    """

    source: Source
    policy: str = ""
    settings: Settings = ()
    meter: str = ""
    summaries: str = ""
    session: str = ""
    lane: str = ""
    pin: str = ""

    @property
    def place(self) -> str:
        """Source, session and lane as one text: the key under which their settings are kept."""
        return " ".join((str(self.source), self.session, self.lane)).strip()


def from_address(query: Mapping[str, str]) -> tuple[Choice, FoldlineError | None]:
    """The choice that an address names, and an error that lists what could not be used."""
    wrong = [*_unlike(query, {"step": NUMBER, SHOW: re.compile(OVERVIEW)} | dict.fromkeys(WHY, TEXT))]
    source = Source.parse(query.get("source", ""))
    if query.get("source") and source is None:
        wrong.append(f"source={query['source']}")
    name = _known("policy", query, {RECORDED, *(p.name for p in policies())}, wrong)
    meter = _known("meter", query, {m.name for m in meters()}, wrong)
    settings = _settings(name, query, wrong) if name != RECORDED else ()
    where = (query.get("session", ""), query.get("lane", "")) if source else ("", "")
    choice = Choice(
        source or first_source(), name, settings, meter, query.get("summaries", ""), *where, query.get("pin", "")
    )
    return choice, FoldlineError(f"unknown: {', '.join(wrong)}", "the rest was applied") if wrong else None


def _unlike(query: Mapping[str, str], forms: Mapping[str, re.Pattern[str]]) -> Iterator[str]:
    """What is given and does not have its form: the browser would pass it over."""
    return (f"{key}={query[key]}" for key, form in forms.items() if query.get(key) and not form.fullmatch(query[key]))


def _known(key: str, query: Mapping[str, str], names: set[str], wrong: list[str]) -> str:
    value = query.get(key, "")
    if value and value not in names:
        wrong.append(f"{key}={value}")
        return ""
    return value


def _settings(name: str, query: Mapping[str, str], wrong: list[str]) -> Settings:
    """The parameters of an address that the policy has and accepts."""
    known = {p.name: p for p in policy(name).parameters} if name else {}
    valid: dict[str, Any] = {}
    for key, text in query.items():
        if key in RESERVED:
            continue
        try:
            valid[key] = parse_value(known[key], text)
        except (KeyError, FoldlineError):
            wrong.append(f"{key}={text}")
    return tuple(valid.items())


def lanes_from_address(query: Mapping[str, str]) -> tuple[tuple[Lane, ...], FoldlineError | None]:
    """The lanes of Compare that an address names, by their letters, and an error that lists what of it could not be used.

    A `pin` beside them, as older links have it, is of every policy among them.
    """
    lanes: list[Lane] = []
    wrong = [*_unlike(query, {"message": NUMBER, "base": LETTER})]
    for letter in LETTERS:
        try:
            lanes += [parse_lane(query[letter])] if query.get(letter) else []
        except FoldlineError as error:
            wrong.append(f"{letter}={query[letter]} ({error})")
    if query.get(PIN):
        lanes = [lane._replace(pin=lane.pin or query[PIN]) if lane.simulated else lane for lane in lanes]
    return tuple(lanes), FoldlineError(f"unknown: {', '.join(wrong)}", "the rest was applied") if wrong else None
