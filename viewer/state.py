"""The one user of `st.session_state`: source, policy, parameters, meter, summarizer. The rest is derived.

The address bar is read once, when a browser session begins; after that the browser keeps it in step (address.js).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core import FoldlineError, Policy, policies, policy
from viewer.sources import Sample, Source, first_source, sample_named

RECORDED = "recorded"
RESERVED = ("source", "policy", "meter", "summaries", "step")
DEFAULT_POLICY, DEFAULT_METER, DEFAULT_SUMMARIES = "agentkit.memory", "o200k_base", "structural"


@dataclass(frozen=True)
class Choice:
    """What a person chose. An empty policy means that nobody has chosen yet: the source decides."""

    source: Source
    policy: str = ""
    settings: tuple[tuple[str, Any], ...] = ()
    meter: str = ""
    summaries: str = ""


def begin() -> None:
    """Fill the state from the address, once in a browser session."""
    if "choice" in st.session_state:
        return
    query = dict(st.query_params)
    st.session_state.choice = from_address(query)
    st.session_state.start_step = query.get("step", "")
    st.session_state.error = None


def from_address(query: Mapping[str, str]) -> Choice:
    """The choice an address spells out; what it leaves open, or gets wrong, stays open."""
    source = Source.parse(query.get("source", "")) or first_source()
    known = {p.name for p in policies()}
    name = query.get("policy", "")
    settings = tuple((k, v) for k, v in query.items() if k not in RESERVED)
    return Choice(
        source=source,
        policy=name if name in known or name == RECORDED else "",
        settings=settings,
        meter=query.get("meter", ""),
        summaries=query.get("summaries", ""),
    )


def choice() -> Choice:
    """What is chosen now."""
    chosen: Choice = st.session_state.choice
    return chosen


def choose(**changes: Any) -> None:
    """Change what is chosen; a new source or policy forgets the old one's parameters."""
    kept = {**choice().__dict__, **changes}
    if "source" in changes and changes["source"] != choice().source:
        kept.update(policy="", settings=(), meter="", summaries="")
    elif "policy" in changes and changes["policy"] != choice().policy:
        kept.update(settings=changes.get("settings", ()))
    st.session_state.choice = Choice(**kept)


def widget(key: str) -> Any:
    """What the widget of that key says, or None."""
    return st.session_state.get(key)


def fail(error: FoldlineError | None) -> None:
    """Hold an error to be shown, or forget the last one."""
    st.session_state.error = error


def failure() -> FoldlineError | None:
    """The error to be shown, or None."""
    found: FoldlineError | None = st.session_state.get("error")
    return found


def last_good() -> Source | None:
    """The source that was last shown, to stay with when a new one does not open."""
    found: Source | None = st.session_state.get("last_good")
    return found


def showed(source: Source) -> None:
    """Remember that this source is on the page."""
    st.session_state.last_good = source


def take_start_step() -> str:
    """The step the address asked for."""
    start: str = st.session_state.get("start_step", "")
    return start


def slider_settings(scope: str) -> dict[str, Any]:
    """What the sliders of the panel say, if they are those of this policy and session."""
    said = (st.session_state.get("view") or {}).get("settings") or {}
    return dict(said.get("values") or {}) if said.get("policy") == scope else {}


def chosen_policy(name: str, settings: Mapping[str, Any]) -> Policy:
    """The policy with those of the settings it knows and can take; the others stay at their defaults."""
    known = {p.name: p for p in policy(name).parameters}
    good: dict[str, Any] = {}
    for key, value in settings.items():
        try:
            good[key] = known[key].check(value)
        except (KeyError, FoldlineError):
            continue
    return policy(name, **good)


def shown_sample(source: Source) -> Sample | None:
    """The sample that is open, with the settings that show it well; None for anything else."""
    return sample_named(source.name) if source.kind == "sample" else None
