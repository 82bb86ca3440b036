"""What would have kept a text: the smallest change of the settings, a pin, other summaries, other policies.

Each is found and proved by simulation, and comes with the price of its whole run beside today's. A text is kept where the
window of the moment that is asked about has it: in a message, or in a summary that says it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Literal, NamedTuple

from core.engine.pins import pins_text
from core.engine.policies_used import agent_policy
from core.engine.removal import with_pairs
from core.meters import Meter
from core.model.errors import FoldlineError
from core.model.text import counted
from core.policies import policies
from core.policy.parameters import Parameter
from core.policy.policy import Policy
from core.summaries.summarizers import Summarizer, has_recorded, structural, summarizer
from core.trace.places import names_of
from core.trace.trace import Trace
from core.why.agent import AgentInquiry
from core.why.inquiry import Inquiry
from core.why.knobs import Knob, knobs
from core.why.price import Price, price, sent_on_record
from core.why.runs import Runs, TooLongError
from core.why.trial import Question, Trial
from core.why.turned import Turned

Proved = Literal["", "all", "next"]


class Progress(NamedTuple):
    """How many of all ideas have been tried; 0 of 0 while it is not known how many there are."""

    done: int
    total: int


class Drawback(NamedTuple):
    """Why a change that keeps a text is not counted: in a few words, and what that means."""

    text: str
    meaning: str


_QUOTED = Drawback(
    "only quoted",
    "No message of the window has it there: a quote that stands in for a summary says it. "
    "A summary that a model writes may leave it out.",
)
_IN_SUMMARY = Drawback(
    "in a summary", "No message of the window has it there: a summary says it. Another summary may not."
)
_NEXT = Drawback(
    "only until the next compaction",
    "The run ends before that: one more compaction by the same rule would take it.",
)
_OVER = Drawback(
    "over the budget", "A compaction of that run leaves more tokens than the budget, or more than it found."
)
_NEVER = Drawback(
    "never compacts", "With it nothing is ever compacted, so nothing is lost: as if the window had no limit."
)


@dataclass(frozen=True)
class Fix:
    """One row: a change, whether it keeps the text, and the price of the whole run.

    `change` is the parameter's name, "pin", "summaries" or "policy", and "as it is" in the first row; `text` says it in
    words, `parts` in two: what is changed, and how. `policy` (None: as recorded), `summaries` and `pinned` are what the run
    is made with. `proved` says of a parameter which values nearer to today's are known not to keep the text: "all" of them, or
    the "next" one. With `in_summary` no message of the window has it, but a summary. `of` is the policy whose setting is
    changed, where that is not today's: of a recorded run it is its agent's. `main` says that a person changes it first:
    a pin, how much stays at the end, or when the policy acts. `other` says that it is another policy altogether. `baseline`
    is the run of a recorded agent's policy without a change: what all prices stand beside. `until` is the
    compaction of that run behind the moment which leaves nothing of the text, "compaction 11": it is kept only for a while.
    With `over` a compaction of that run leaves more than the budget, or more than it found. With `falls_next` it
    is kept only because the run ends: the next compaction would take it.
    """

    change: str
    value: Any
    text: str
    kept: bool
    price: Price
    policy: Policy | None
    summaries: str
    pinned: tuple[int, ...] = ()
    now: bool = False
    proved: Proved = ""
    in_summary: bool = False
    of: Policy | None = None
    main: bool = False
    other: bool = False
    baseline: bool = False
    until: str = ""
    over: bool = False
    falls_next: bool = False

    @property
    def cure(self) -> bool:
        """Whether a change is counted: a message has the text for good, in a run that compacts, and within its budget."""
        return self.kept and not (self.now or self.baseline or self.drawbacks)

    @property
    def helps(self) -> bool:
        """Whether it is better than nothing: the text is not lost again, and the run compacts."""
        return self.kept and not (self.now or self.baseline or self.until) and self.price.compactions > 0

    @property
    def drawbacks(self) -> tuple[Drawback, ...]:
        """Why a change is not counted; none of a row that is no change."""
        if self.now or self.baseline:
            return ()
        quoted = self.summaries == "structural"
        for_a_while = Drawback(
            f"only until {self.until}", f"From {self.until} of that run on nothing in the window says it."
        )
        found = (
            (self.in_summary, _QUOTED if quoted else _IN_SUMMARY),
            (bool(self.until), for_a_while),
            (self.falls_next, _NEXT),
            (self.over, _OVER),
            (not self.price.compactions, _NEVER),
        )
        return tuple(one for holds, one in found if holds)

    @property
    def full_text(self) -> str:
        """The change in words, behind the name of the policy where that is not today's."""
        return f"{self.of.name}: {self.text}" if self.of else self.text

    @property
    def shown(self) -> str | int | float:
        """The value as a number or a text, as the command line takes it."""
        if isinstance(self.value, int | float) and not isinstance(self.value, bool):
            return self.value
        known = {p.name: p for p in self.policy.parameters} if self.policy else {}
        return known[self.change].to_text(self.value) if self.change in known else str(self.value)

    @property
    def about(self) -> str:
        """What the setting that is changed, or another policy, does: its description up to where that tells its source."""
        if self.other and self.policy:
            return self.policy.about
        known = {p.name: p.about for p in self.policy.parameters} if self.policy else {}
        return known.get(self.change, "").partition(";")[0]

    @property
    def parts(self) -> tuple[str, str | int | float]:
        """What is changed, and how: ("keep_recent", 39), ("pin message 2", "~122 tokens"), ("goose", "at its defaults")."""
        if self.change == "pin":
            name, _, size = self.text.partition(" (")
            return f"p{name[1:]}", size.removesuffix(")")
        if self.change.startswith("policy"):
            return str(self.value), self.text.removeprefix(f"{self.value} ")
        return self.change, self.shown


class Fixes:
    """What would have kept a text in the window of a step, row by row; without a step, and at the last, at every step.

    Iterating yields `Fix` and `Progress` as they are found, and stops work when it is stopped. `note` says what stands in
    for summaries that no model wrote. `meter` and `write` are for a trace that was made with some of one's own;
    `runs` is shared by several questions about one session, so that each change is simulated once.
    Raises StepError for a step outside the trace.
    """

    def __init__(
        self,
        trace: Trace,
        text: str,
        step: int | None = None,
        meter: Meter | None = None,
        write: Summarizer | None = None,
        runs: Runs | None = None,
    ) -> None:
        self.inquiry, self.trace = Inquiry(trace, text, step, meter, write, runs), trace
        self._agent = agent_policy(trace.session) if trace.policy is None else None
        self._counted = meter
        self._idle = 0  # policies that would never compact this session
        self._long = 0  # policies that compact too often to wait for
        self._large = 0  # changes that the model's context window is too small for
        self._unproved: list[str] = []  # parameters of which not every nearer value was tried

    @property
    def note(self) -> str:
        """The notes, one behind the other."""
        return " ".join(self.notes)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the rows do not say, a sentence or two each: what stands in for summaries, and what was left out."""
        changed = "The policy was changed on the way: rows are runs under its last settings from the start on."
        changed = changed if self.trace.policy_changes else ""
        told = (*self._of_agent(), self._stand_in(), changed, self._not_tried(), self._left_out(), self._on_record())
        return tuple(filter(None, told))

    def _of_agent(self) -> tuple[str, ...]:
        """What the rows of the agent's own policy mean, or why there are none."""
        asked = self._turnable if self._lost and self.inquiry.said else self.inquiry
        if not isinstance(asked, AgentInquiry):
            return ()
        for _ in asked.seek():
            pass
        name = asked.rule.name
        if asked.unlike_record:
            return (
                f"{name}, the policy of this agent, keeps the text in a simulation, but the recorded run lost it: "
                "the two differ.",
            )
        if asked.policy is None:
            return ()
        return _set_to(asked), f"With {name} only what stays word for word counts as kept."

    def _stand_in(self) -> str:
        if self.inquiry.question.verbatim:
            return "No model wrote summaries for other settings, so only what stays word for word counts as kept."
        if self.trace.policy is None and self.inquiry.summaries == "structural":
            return "The summaries of other policies are quotes (structural), as no model wrote any for them."
        return f"Summaries are {self.inquiry.summaries}, as no model wrote any for other settings."

    def _not_tried(self) -> str:
        names = " and ".join(self._unproved)
        return f"Not every value of {names} was tried: one nearer to today's may keep it, too." if names else ""

    def _left_out(self) -> str:
        told = [
            (self._idle, ("policy", "policies"), "never compact this session"),
            (self._long, ("policy", "policies"), "compact at nearly every call"),
            (self._large, ("change", "changes"), "need a larger context window than the model has"),
        ]
        return " ".join(
            f"{count} {nouns[count > 1]} would {what} and {'is' if count == 1 else 'are'} left out."
            for count, nouns, what in told
            if count
        )

    def _on_record(self) -> str:
        """What was sent as the usage records have it: rows count only what the transcript shows."""
        sent, calls = sent_on_record(self.trace.session)
        if not calls:
            return ""
        return (
            "All tokens are of the part that this transcript shows. "
            f"Its usage records say that {sent:,} tokens were sent in {counted(calls, 'call')}."
        )

    def __iter__(self) -> Iterator[Fix | Progress]:
        yield self._as_it_is()
        if not self._lost or not self.inquiry.said:
            return
        if isinstance(self._turnable, AgentInquiry):
            for _ in self._turnable.seek():
                yield Progress(0, 0)
            if self._turnable.policy:
                yield self._unchanged(self._turnable, self._turnable.policy)
        ideas = [*self._pins(), *self._settings(), *self._other_summaries(), *self._others()]
        for done, idea in enumerate(ideas, start=1):
            try:
                found = idea()
            except (TooLongError, FoldlineError):  # a policy may refuse a setting that another of its settings forbids
                found = None
            if found:
                yield found
            yield Progress(done, len(ideas))

    @cached_property
    def _lost(self) -> bool:
        """Whether the window of that moment does not have it, or only as a quote that stands in for a summary."""
        return self.inquiry.quoted or not self.inquiry.kept

    def _as_it_is(self) -> Fix:
        trace, kept = self.trace, self.inquiry.kept
        text = "As it is" if trace.kind == "simulate" else "As recorded"
        paid = price(trace.compactions, self.inquiry.base)
        return Fix(
            *("as it is", "", text, kept, paid, trace.policy, trace.summarizer, trace.pinned),
            now=True,
            in_summary=kept and not self.inquiry.kept_verbatim,
        )

    def _fix(
        self,
        change: str,
        value: Any,
        text: str,
        trial: Trial,
        asked: Question,
        summaries: str = "",
        proved: Proved = "",
    ) -> Fix:
        """A row that keeps the text, of a trial that was `asked` so."""
        lost, strict = trial.until(asked), replace(asked, verbatim=True)
        in_summary = not trial.answers(strict)
        return Fix(
            change,
            value,
            text,
            kept=True,
            price=trial.price,
            policy=trial.policy,
            summaries=summaries or self.inquiry.summaries,
            pinned=tuple(sorted(trial.pinned)),
            proved=proved,
            in_summary=in_summary,
            until="" if lost is None else names_of(trial.compactions)[lost],
            over=any(c.status in ("still_over_budget", "inflated") for c in trial.compactions),
            falls_next=lost is None and not in_summary and trial.falls_next(strict),
        )

    # Settings of today's policy, or of the one that reproduces the agent of a recorded run

    @cached_property
    def _turnable(self) -> Inquiry:
        """The question that is asked of those settings."""
        if self._agent is None:
            return self.inquiry
        asked = self.inquiry
        return AgentInquiry(self.trace, asked.text, asked.step, self._counted, self._agent, asked.runs)

    def _settings(self) -> Iterator[Callable[[], Fix | None]]:
        policy = self._turnable.policy
        done: set[str] = set()
        for knob in knobs(policy, self.inquiry.base) if policy else ():
            yield partial(self._turned, knob, done)
        if isinstance(self._turnable, AgentInquiry) and self._turnable.by_hand:
            yield self._without_commands

    def _unchanged(self, asked: AgentInquiry, rule: Policy) -> Fix:
        """The simulation of the agent's policy without a change: the record compacted elsewhere, so it is no measure."""
        text = f"{rule.name} simulated, without a change"
        found = self._fix("as it is", "", text, asked.trial(rule, pinned=()), asked.question, asked.summaries)
        return replace(found, kept=False, until="", in_summary=False, falls_next=False, baseline=True)

    def _without_commands(self) -> Fix | None:
        """That nobody asks for a compaction, where only such were recorded."""
        assert isinstance(self._turnable, AgentInquiry)
        asked, rule = self._turnable, self._turnable.alone
        if rule is None or not (trial := asked.trial(rule, pinned=())).keeps(asked.question):
            return None
        return self._of_turnable("policy", rule.name, f"{rule.name} alone, without a compaction by hand", trial)

    def _turned(self, knob: Knob, done: set[str]) -> Fix | None:
        """The value nearest to today's that keeps the text; None where there is none, or the other direction had one."""
        if knob.name in done:
            return None
        assert self._turnable.policy is not None
        found = Turned(self._turnable, self._turnable.policy, knob).search()
        if found is None:
            return None
        value, trial = knob.values[found.nearest], found.trial
        if not self._fits(trial, knob.name):
            return None
        done.add(knob.name)
        self._unproved += [] if found.proved else [knob.name]
        old, new = (_setting_text(trial.policy, knob.name, one) for one in (knob.now, value))
        told = f"{knob.name} {old} → {new}"
        fix = self._of_turnable(knob.name, value, told, trial, proved="all" if found.proved else "next")
        return replace(fix, main=knob.main)

    def _fits(self, trial: Trial, change: str) -> bool:
        """Whether the windows of a run fit into the context window of a recorded agent's model."""
        fits = not isinstance(self._turnable, AgentInquiry) or self._turnable.fits(trial, change)
        self._large += not fits
        return fits

    def _of_turnable(self, change: str, value: Any, text: str, trial: Trial, proved: Proved = "") -> Fix:
        """A row of the policy whose settings are turned."""
        asked = self._turnable
        found = self._fix(change, value, text, trial, asked.question, asked.summaries, proved)
        return replace(found, of=asked.policy, in_summary=False) if asked is not self.inquiry else found

    # Pins

    def _pins(self) -> Iterator[Callable[[], Fix | None]]:
        """In a run as its agent recorded it a pin stands for what the user can do: it shows what the advice to a user does."""
        asked = self._turnable
        arrived = asked.question.target.arrived
        by_user = any(asked.base.messages[place].typed for place in asked.question.places if place < arrived)
        if asked.policy and (by_user or not isinstance(asked, AgentInquiry)):
            yield self._pin

    def _pin(self) -> Fix | None:
        """Pinning the message that has it and, with those it must stand with, counts fewest tokens: a user's, if one has it.

        A result that only repeats the user's words may be smaller, but nobody would think of pinning that.
        """
        asked = self._turnable
        assert asked.policy is not None
        base, arrived = asked.base, asked.question.target.arrived
        places = [place for place in asked.question.places if place < arrived]
        typed = [place for place in places if base.messages[place].typed]
        tokens, place = min((sum(base.tokens[i] for i in with_pairs(base, (p,))), p) for p in typed or places)
        trial = asked.trial(asked.policy, pinned=(*self.trace.pinned, place))
        if not trial.keeps(asked.question):
            return None
        told = f"Pin message {place + 1:,} (~{tokens:,} tokens)"
        return replace(self._of_turnable("pin", pins_text(base.messages, (place,)), told, trial), main=True)

    # Summaries

    def _other_summaries(self) -> Iterator[Callable[[], Fix | None]]:
        policy, session = self.trace.policy, self.trace.session
        if policy is None or not policy.writes_summaries:
            return
        recorded = has_recorded(session) and session.driven is None
        for name in ("structural", "recorded") if recorded else ("structural",):
            if name != self.trace.summarizer and not (name == "structural" and self.inquiry.write is structural):
                yield partial(self._summarized, name)

    def _summarized(self, name: str) -> Fix | None:
        assert self.trace.policy is not None
        trial = self.inquiry.trial(self.trace.policy, summarizer(name, session=self.trace.session))
        asked = self.inquiry.now
        return self._fix("summaries", name, f"Summaries: {name}", trial, asked, name) if trial.keeps(asked) else None

    # Other policies

    def _others(self) -> Iterator[Callable[[], Fix | None]]:
        now, budget = self.trace.policy or self._agent, self._budget
        for rule in policies():
            if rule.trigger.phase != "manual" and (now is None or rule.name != now.name):
                yield partial(self._other, rule, budget)

    def _other(self, rule: Policy, budget: int | None) -> Fix | None:
        """A policy at its defaults, with today's budget where it has one in tokens."""
        chosen = _with_budget(rule, budget)
        asked, trial = self.inquiry, self.inquiry.trial(chosen, pinned=())
        try:
            # The guess is made in any case, or shared runs would find more. A run that is there already tells sooner.
            if asked.runs is None and not self._guessed(chosen):
                return None
            if not trial.keeps(asked.question) or (asked.runs is not None and not self._guessed(chosen)):
                return None
            if not trial.price.compactions:
                self._idle += 1
                return None
            if not self._fits(trial, "policy"):
                return None
        except TooLongError:
            self._long += 1
            return None
        same = chosen.settings != rule.settings
        told = f", with {self._room(budget)}" if same and budget else ""
        change = "policy, same budget" if same else "policy"
        return replace(
            self._fix(change, rule.name, f"{rule.name} at its defaults{told}", trial, asked.question), other=True
        )

    @property
    def _simulated(self) -> Policy | None:
        """The agent's policy as it is simulated where that has a limit: all changes are compared with it."""
        policy = self._turnable.policy if isinstance(self._turnable, AgentInquiry) else None
        return policy if policy and policy.ceiling else None

    @property
    def _budget(self) -> int | None:
        """Today's budget in tokens: the policy's, or the simulated agent's; else the largest window that was compacted."""
        if rule := self.trace.policy or self._simulated:
            return rule.ceiling
        return max((c.window_before for c in self.trace.compactions), default=None)

    def _room(self, budget: int) -> str:
        """What another policy is given: a record has no budget that anybody set, but a window that was full."""
        if self.trace.policy:
            return f"the same budget of {budget:,} tokens"
        if self._simulated:
            return f"the room of {self._simulated.name} as it is simulated (~{budget:,} tokens of messages)"
        return (
            f"the recorded run's room (~{budget:,} tokens of messages, the most its window held when it was compacted)"
        )

    def _guessed(self, rule: Policy) -> bool:
        """Whether a guess has it that a policy keeps the text; where a run is quick none is made."""
        asked = self.inquiry
        return asked.quick(rule) or asked.trial(rule, asked.late, ()).keeps(asked.question)


def _set_to(asked: AgentInquiry) -> str:
    """How the agent's policy is set, and why so."""
    if not asked.settled or asked.policy is None:
        return ""
    acts = f"acts at ~{asked.policy.ceiling:,} tokens of the transcript ({asked.settled})"
    begin = f"The rows of {asked.rule.name} begin where it {acts}"
    if not asked.elsewhere:
        return f"{begin}, the limit that comes nearest to where the record compacted."
    nearest = (
        f"The limit of What if and Compare, {asked.elsewhere}, comes nearer to the whole record, but keeps the text."
    )
    return f"{begin}, the size of a recorded window. {nearest}"


def _with_budget(rule: Policy, budget: int | None) -> Policy:
    """The policy at its defaults, its limit at this budget where it is one in tokens."""
    limit = next((p for p in rule.parameters if p.name == rule.limit_name), None)
    value = _as_limit(limit, budget) if limit and budget else None
    try:
        return rule.with_settings({} if limit is None or value is None else {limit.name: value})
    except FoldlineError:
        return rule


def _as_limit(limit: Parameter, budget: int) -> Any:
    if limit.kind == "thresholds":
        unit = next((unit for unit in limit.units if unit.endswith("tokens")), None)
        return [{unit: budget}] if unit else None
    return budget if limit.kind == "number" and limit.unit == "tokens" and not limit.session else None


def _setting_text(policy: Policy, name: str, value: Any) -> str:
    """A value in words: thousands are parted."""
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    parameter = next(p for p in policy.parameters if p.name == name)
    return parameter.to_text(value) or "unset"
