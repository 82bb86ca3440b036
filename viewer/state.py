"""The one user of `st.session_state`: source, policy, parameters, meter, summarizer. The rest is derived.

The address bar is read once, when a browser session begins; after that the browser keeps it in step (address.js).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from core import FoldlineError, Policy, meters, policies, policy
from core.lanes import MAIN, Lane
from core.parameters import Parameter
from viewer.sources import Loaded, Sample, Source, first_source, sample_named

RECORDED = "recorded"
RESERVED = ("run", "source", "session", "lane", "policy", "meter", "summaries", "step")
DEFAULT_POLICY, DEFAULT_METER, DEFAULT_SUMMARIES = "agentkit.memory", "o200k_base", "structural"
UNSET = "none"  # of a number, in the address
NOT_OPENED, NOT_HONOURED = "That did not open.", "Part of the address could not be used."

Settings = tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Choice:
    """What a person chose. An empty policy means that nobody has chosen yet: the source decides.

    `session` is the number or id of one session of a file of many, `lane` the sub-agent's window that is looked at.
    """

    source: Source
    policy: str = ""
    settings: Settings = ()
    meter: str = ""
    summaries: str = ""
    session: str = ""
    lane: str = ""

    @property
    def place(self) -> str:
        """What is looked at: source, session and lane, under which the settings for it are kept."""
        return " ".join((str(self.source), self.session, self.lane)).strip()


@dataclass(frozen=True)
class Failure:
    """Something that did not work: a heading of ours, and the error, whose words may be a stranger's."""

    heading: str
    error: FoldlineError


def begin() -> None:
    """Fill the state from the address, once in a browser session."""
    if "choice" in st.session_state:
        return
    query = dict(st.query_params)
    st.session_state.choice, wrong = from_address(query)
    st.session_state.start_step = query.get("step", "")
    st.session_state.failure = Failure(NOT_HONOURED, wrong) if wrong else None
    st.session_state.failures, st.session_state.kept = 0, {}
    st.session_state.shown = None


def from_address(query: Mapping[str, str]) -> tuple[Choice, FoldlineError | None]:
    """The choice an address spells out, and what of it could not be used; that stays open."""
    wrong: list[str] = []
    source = Source.parse(query.get("source", ""))
    if query.get("source") and source is None:
        wrong.append(f"source={query['source']}")
    names = {RECORDED, *(p.name for p in policies())}
    named = _known("policy", query, names, wrong)
    counted = _known("meter", query, {m.name for m in meters()}, wrong)
    settings = _settings(named, query, wrong) if named != RECORDED else ()
    where = (query.get("session", ""), query.get("lane", "")) if source else ("", "")
    choice = Choice(source or first_source(), named, settings, counted, query.get("summaries", ""), *where)
    return choice, FoldlineError(f"not known: {', '.join(wrong)}", "the rest of it was used") if wrong else None


def _known(key: str, query: Mapping[str, str], names: set[str], wrong: list[str]) -> str:
    said = query.get(key, "")
    if said and said not in names:
        wrong.append(f"{key}={said}")
        return ""
    return said


def _settings(name: str, query: Mapping[str, str], wrong: list[str]) -> Settings:
    """The parameters of an address that the policy has and can take."""
    known = {p.name: p for p in policy(name).parameters} if name else {}
    good: dict[str, Any] = {}
    for key, said in query.items():
        if key in RESERVED:
            continue
        try:
            good[key] = read(known[key], said)
        except (KeyError, FoldlineError):
            wrong.append(f"{key}={said}")
    return tuple(good.items())


def read(parameter: Parameter, said: str) -> Any:
    """The value that an address gives a parameter. Raises ParameterError on one it cannot take."""
    unset = said == UNSET and parameter.kind == "number" and (parameter.optional or parameter.session)
    return None if unset else parameter.check(said)


def spoken(rule: Policy, begun: Mapping[str, Any]) -> dict[str, str]:
    """The settings of a policy as an address holds them, for `read`.

    What is not set is left out, unless it would be set without a word: then it is said. No names at all are a comma.
    """
    said: dict[str, str] = {}
    for parameter in rule.parameters:
        value = rule.settings.get(parameter.name)
        if value is None and begun.get(parameter.name) is None:
            continue
        text = parameter.spoken(value)
        said[parameter.name] = text or (
            "," if parameter.kind == "names" else UNSET if parameter.kind == "number" else ""
        )
    return said


def choice() -> Choice:
    """What is chosen now."""
    chosen: Choice = st.session_state.choice
    return chosen


def choose_source(source: Source, session: str = "", lane: str = "") -> None:
    """Open something else; coming back to it later brings back what was set for it."""
    _keep()
    wanted = Choice(source, session=session, lane=lane)
    st.session_state.failure, st.session_state.arrive, st.session_state.listed = None, "", False
    st.session_state.choice = st.session_state.kept.get(wanted.place, wanted)


def choose_lane(name: str) -> None:
    """Look at another window of the same session."""
    choose_source(choice().source, choice().session, name)


def choose_session(number: str) -> None:
    """Look at another session of the same file."""
    choose_source(choice().source, number)


def go_back(lane: Lane) -> None:
    """Go to the window a sub-agent was started from, at the message that started it."""
    choose_lane("" if lane.parent == MAIN else lane.parent)
    st.session_state.arrive = lane.message


def simulated(spoken: Mapping[str, str]) -> None:
    """Remember the policy that was shown last, and its settings: recorded compactions are compared with it."""
    st.session_state.rival = dict(spoken)


def rival() -> dict[str, str]:
    """The policy that was shown last, as an address spells it out; empty where none was."""
    found: dict[str, str] = st.session_state.get("rival", {})
    return found


def arriving() -> str:
    """The id of the message at which the window that is gone to is first shown, if it was gone to for its sake."""
    found: str = st.session_state.get("arrive", "")
    return found


def take_session() -> None:
    """Go over to the session that was picked in the dialog."""
    number = (st.session_state.get("sessions") or {}).get("session") or ""
    if str(number).isdecimal():
        choose_session(str(number))


def take_lane() -> None:
    """Go over to the sub-agent's window that was asked for in the view."""
    name = (st.session_state.get("view") or {}).get("lane") or ""
    if isinstance(name, str) and name:
        choose_lane("" if name == MAIN else name)


def take_listed() -> None:
    """Open the session that was picked in the library: its path, and its number in a file of many."""
    said = (st.session_state.get("library") or {}).get("open") or {}
    path, number = str(said.get("path", "")), str(said.get("number", ""))
    if path:
        choose_source(Source("path", path), number if number not in ("", "0") else "")
        st.session_state.to_debug = st.session_state.listed = True


def to_be_asked() -> bool:
    """Whether nobody has chosen one session of the file: neither by its number, nor as a row of the library."""
    return not choice().session and not st.session_state.get("listed", False)


def leave_library() -> bool:
    """Whether something was picked in the library since this was last asked."""
    return bool(st.session_state.pop("to_debug", False))


def take_dropped() -> None:
    """Open what was dropped on the page: the view has sent it to the server, and says under which name it is held."""
    said = ((st.session_state.get(key) or {}).get("dropped") for key in ("view", "library"))
    source = Source.parse(str(next((text for text in said if text), "")))
    if source is not None and source.kind == "upload":
        choose_source(source)
        st.session_state.to_debug = True


def choose_policy(name: str) -> None:
    """Another policy for the same source, with the parameters it was last given here."""
    _keep()
    kept: Settings = st.session_state.kept.get((choice().place, name), ())
    st.session_state.failure = None
    st.session_state.choice = replace(choice(), policy=name, settings=kept)


def take_policy() -> None:
    """Go over to the policy that was picked in the chooser's dialog, if there is such a one."""
    name = (st.session_state.get("chooser") or {}).get("policy") or ""
    if name in {RECORDED, *(p.name for p in policies())}:
        choose_policy(name)


def moved(scope: str, said: Mapping[str, Any]) -> bool:
    """Whether the sliders of this run say something else than when this was last asked: it is to be done once."""
    now = (scope, repr(sorted(said.items())))
    new = st.session_state.get("moved") != now
    st.session_state.moved = now
    return new and bool(said)


def picked_policy() -> str:
    """The policy that was picked in the chooser's dialog, if there is such a one."""
    name = (st.session_state.get("chooser") or {}).get("policy") or ""
    return name if name in {p.name for p in policies()} else ""


def run() -> str:
    """The live run that is looked at: as chosen, else as the address says."""
    if "run" not in st.session_state:
        st.session_state.run = dict(st.query_params).get("run", "")
    name: str = st.session_state.run
    return name


def choose_run(name: str) -> None:
    """Look at another live run."""
    if name:
        st.session_state.run = name


def moved_to() -> str:
    """The run that the page has gone over to by itself, as one was begun anew."""
    return str((st.session_state.get("live") or {}).get("run") or "")


def tab() -> str:
    """What the browser's tab is called on the Live page; empty as long as it has not said."""
    return str((st.session_state.get("live") or {}).get("tab") or "")


def to_debug() -> None:
    """Go to the debugger when the page is next drawn."""
    st.session_state.to_debug = True


def choose(**changes: Any) -> None:
    """Change the meter, the summaries or the parameters."""
    st.session_state.choice = replace(choice(), **changes)


def _keep() -> None:
    chosen = choice()
    st.session_state.kept[chosen.place] = chosen
    if chosen.policy:
        st.session_state.kept[(chosen.place, chosen.policy)] = chosen.settings


def showed(loaded: Loaded) -> None:
    """Remember what is on the page: a file that does not open later leaves it standing."""
    st.session_state.shown = (choice(), loaded)


def shown() -> Loaded | None:
    """Go back to what was last on the page, with all that was set for it; None if nothing was."""
    found: tuple[Choice, Loaded] | None = st.session_state.shown
    if found is None:
        return None
    st.session_state.choice = found[0]
    return found[1]


def fail(error: FoldlineError, heading: str = NOT_OPENED) -> None:
    """Hold an error to be shown."""
    st.session_state.failure = Failure(heading, error)
    st.session_state.failures += 1


def dismiss() -> None:
    """Forget the last error."""
    st.session_state.failure = None


def failure() -> Failure | None:
    """The error to be shown, or None."""
    found: Failure | None = st.session_state.get("failure")
    return found


def failures() -> int:
    """How many errors there were: a widget named after it starts anew, so that the same file can be tried again."""
    count: int = st.session_state.get("failures", 0)
    return count


def written(stamp: str) -> bool:
    """Whether an open file has a stamp that was not seen before: one that then does not open is not tried again and again."""
    if not stamp or st.session_state.get("written") == stamp:
        return False
    st.session_state.written = stamp
    dismiss()
    return True


def uploads() -> int:
    """How many times files were uploaded."""
    count: int = st.session_state.get("uploads", 0)
    return count


def uploaded() -> None:
    """Count an upload."""
    st.session_state.uploads = uploads() + 1


def widget(key: str) -> Any:
    """What the widget of that key says, or None."""
    return st.session_state.get(key)


def start_step() -> str:
    """The step the address asked for."""
    start: str = st.session_state.get("start_step", "")
    return start


def panel_settings(scope: str, shown: str = "view") -> dict[str, Any]:
    """What the panel says, if it is that of this policy and session; `shown` is the component it speaks to."""
    said = (st.session_state.get(shown) or {}).get("settings") or {}
    return dict(said.get("values") or {}) if said.get("policy") == scope else {}


def shown_sample(source: Source) -> Sample | None:
    """The sample that is open, with the settings that show it well; None for anything else."""
    return sample_named(source.name) if source.kind == "sample" else None
