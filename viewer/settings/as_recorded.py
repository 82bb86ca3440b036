"""What is said of the policy of a recorded run's agent, set to come nearest to the record. No Streamlit."""

from collections.abc import Sequence
from dataclasses import dataclass

from core import Trace, meter, simulate
from core.engine.compare_recorded import compare_recorded
from core.engine.policies_used import agent_policy
from core.meters import bound
from core.model.cached import cached
from core.model.text import counted
from core.summaries.summarizers import summarizer
from core.why.fitted import Fitted, fitted
from core.window.ranges import size
from viewer.settings.suggest import Settings

BECAUSE = "so that the policy acts as near to the record as it can"
_LISTED = 5  # places of compactions
# What is beside the messages wherever they begin; `besideWords` of frontend/run/midway.js says the same.
_ALWAYS = ["tools", "what the agent added"]


@dataclass(frozen=True)
class Shown(Fitted):
    """The same with the summaries of a page. It takes `kept_alone` messages that the first recorded compaction kept."""

    kept_alone: int = 0


def as_recorded(trace: Trace, name: str, summaries: str = "structural", pinned: tuple[int, ...] = ()) -> Shown | None:
    """How the policy with this name acts beside the record, where a page shows it with these summaries and pinned messages.

    None where it is not that of the run's agent.
    """
    rule = agent_policy(trace.session)
    if not rule or rule.name != name:
        return None
    return cached(trace, f"as recorded, {summaries}, {pinned}", lambda trace: _as_shown(trace, summaries, pinned))


def _as_shown(trace: Trace, summaries: str, pinned: tuple[int, ...]) -> Shown | None:
    found = fitted(trace)
    if found is None:
        return None
    write = summarizer(summaries, session=trace.session)
    made = simulate(trace.session, found.policy, meter(trace.meter), write, pinned).compactions
    places = tuple(event.at for event in made if event.ranges_of("summarised", "dropped"))
    first = next(k for k, event in enumerate(trace.compactions) if event.kind == "compaction" and event.window_before)
    beside = compare_recorded(trace, first, found.policy, bound(meter(trace.meter), trace.session))
    made_here = {"simulated": places, "cleared": len(made) - len(places), "kept_alone": size(beside.recorded_alone)}
    return Shown(**vars(found) | made_here)


def settings(found: Shown) -> Settings:
    """What is set: the parameters that make it act there, the others as the policy has them."""
    return {**found.policy.with_settings({}).settings, **found.changed}


def note(found: Shown) -> str:
    """Where the policy and the record compact, as one sentence; `grounds` says why the places differ."""
    return f"{_places(found)}."


def _words(found: Shown) -> str:
    """Where the policy acts, where it and the record compact, and why the places differ."""
    acts = f"Acts at {found.acts_at:,} tokens of the transcript{_nearest(found)}."
    return f"{acts} {_places(found)}.{_why(found)}{_kept(found)}"


def grounds(found: Shown) -> str:
    """Behind the settings it is about: where it acts and compacts, why there, and what the policy does at its defaults."""
    times = {0: "never", 1: "once", 2: "twice"}.get(found.at_defaults, f"{found.at_defaults:,} times")
    return f"{_words(found)} With the defaults it compacts {times}."


def _nearest(found: Shown) -> str:
    return "" if found.exact else ", the limit nearest to the record"


def _places(found: Shown) -> str:
    """After which messages both compact."""
    how = " on request" if found.by_hand else ""
    cleared = f" ({found.cleared:,} more only clear results)" if found.cleared else ""
    if found.exact:
        return f"Compacts after the same messages as recorded{how}: {_listed(found.recorded)}{cleared}"
    acts = f"Compacts after {_messages(found.simulated)}{cleared}" if found.simulated else _never(found.cleared)
    asked = ", on request," if found.by_hand else ""
    return f"{acts}; the record does{asked} after {_messages(found.recorded)}"


def _never(cleared: int) -> str:
    """That no message goes, and how often results are cleared."""
    return f"Never compacts, and clears results {counted(cleared, 'time')}" if cleared else "Never compacts"


def _messages(places: Sequence[int]) -> str:
    return f"{'message' if len(places) == 1 else 'messages'} {_listed(places)}"


def _kept(found: Shown) -> str:
    """What the record kept that the policy does not."""
    if not found.kept_alone:
        return ""
    noun = "message" if found.kept_alone == 1 else "messages"
    return f" The first recorded compaction kept {found.kept_alone:,} {noun} that this policy takes."


def _listed(numbers: Sequence[int]) -> str:
    """Numbers in a row, the first few of many: "116, 276 and 472"."""
    said = [f"{number:,}" for number in numbers[:_LISTED]]
    said += [f"{len(numbers) - _LISTED:,} more"] if len(numbers) > _LISTED else []
    return " and ".join(filter(None, (", ".join(said[:-1]), said[-1])))


def _why(found: Shown) -> str:
    """What the transcript does not show of the prompts, and that one limit cannot fit where that differs."""
    unseen = found.unseen
    if not unseen or max(unseen) <= 0:
        return ""
    of = "the prompt before the recorded one" if len(found.recorded) == 1 else "the prompts before the recorded ones"
    least, most = max(0, min(unseen)), max(unseen)
    tokens = f"~{most:,}" if least == most else f"~{least:,} to ~{most:,}"
    first = ["earlier messages"] if found.starts_midway else []
    what = ", ".join(first + ([] if found.has_system_prompt else ["system prompt"]) + _ALWAYS)
    rest = ", so no one limit fits all" if not found.exact and least != most else ""
    return f" Of {of}, {tokens} tokens ({what}) are not in the transcript{rest}."
