"""What holds of every policy, at every step, for sessions of every shape."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import Compaction, Message, Policy, Session, Trace, compact, policies, policy, simulate
from core.engine.compaction import compact_window, pool_over
from core.engine.due import SOON, PolicyState
from core.meters import Meter
from core.policy.vocabulary import Phase
from core.summaries.summarizers import Summarizer
from core.trace.regions import Regions
from core.trace.trace import as_session
from core.window.heads import leading_systems
from core.window.measured import Measured
from core.window.ranges import joined
from core.window.window import Region, Window
from tests.support import (
    EXAMPLES,
    METERS,
    SUMMARIZERS,
    Seven,
    assistant,
    calls,
    lesson_session,
    message_facts,
    result,
    sessions,
    system,
    terse,
    tight,
    tuned,
    user,
)

EVERY = pytest.mark.parametrize("chosen", policies(), ids=lambda p: p.name)
FEW = settings(max_examples=EXAMPLES)


@dataclass(frozen=True)
class Run:
    """A session simulated under a policy, and what it was simulated with; `pinned` are places of its messages."""

    session: Session
    policy: Policy
    meter: Meter
    summarizer: Summarizer
    pinned: frozenset[int] = frozenset()

    def count(self, message: Message) -> int:
        """A message's tokens: by the meter, but for an item nobody can read, whose size is assumed."""
        rule = self.policy.transform
        opaque = rule.kind == "opaque" and message.injected == "summary"
        return self.policy.value(rule.tokens) if opaque else self.meter.count(message)

    @property
    def trace(self) -> Trace:
        """The trace, made anew."""
        return simulate(self.session, self.policy, self.meter, self.summarizer, self.pinned)


def runs(data: st.DataObject, chosen: Policy) -> Run:
    """A run of this policy, everything else drawn; nothing is pinned."""
    return Run(data.draw(sessions()), data.draw(tuned(chosen)), data.draw(METERS), data.draw(SUMMARIZERS))


def with_pins(data: st.DataObject, run: Run) -> Run:
    """The same with some messages pinned, or none."""
    there = len(run.session.messages)
    return replace(run, pinned=data.draw(st.frozensets(st.integers(0, max(0, there - 1)), max_size=min(2, there))))


@EVERY
@settings(max_examples=2 * EXAMPLES)
@given(data=st.data())
def test_every_step_accounts_for_every_message(chosen: Policy, data: st.DataObject) -> None:
    """What holds of each trace, checked together, so that each run is drawn and simulated once for all."""
    run = with_pins(data, runs(data, chosen))
    trace = run.trace
    regions_partition_the_window(trace)
    tokens_sum_to_the_steps_total(run, trace)
    kept_and_removed_are_what_was_there_before(run, trace)
    what_is_pinned_stays(trace)
    what_a_person_pinned_stays(run, trace)
    nothing_leaves_the_window_without_an_edit(trace)
    the_window_keeps_its_order(trace)
    the_same_input_gives_the_same_trace(run, trace)


def regions_partition_the_window(trace: Trace) -> None:
    """At every step each message of the window has exactly one region, under an id no other message has."""
    for i in range(len(trace)):
        window, regions = trace.window(i), trace.regions(i)
        assert list(regions) == [m.id for m in window]
        assert set(regions.values()) <= set(get_args(Region))


def tokens_sum_to_the_steps_total(run: Run, trace: Trace) -> None:
    """A step's tokens are those of its window's messages, added up, so its regions sum to it."""
    for i, step in enumerate(trace.steps):
        assert step.tokens == sum(map(run.count, trace.window(i)))


def kept_and_removed_are_what_was_there_before(run: Run, trace: Trace) -> None:
    """Every message of the window before a compaction is kept or removed, and its tokens add up to those before and after."""
    for c in trace.compactions:
        assert Counter([*c.kept, *c.removed, *c.cleared]) == Counter(m.id for m in c.before)
        put = (m.id for m in c.added if m.injected != "cleared")
        assert Counter(m.id for m in c.after) == Counter([*c.kept, *c.cleared, *put])
        assert c.tokens_before == c.window_before == sum(map(run.count, c.before))
        assert c.tokens_after == c.window_after == sum(map(run.count, c.after))


def what_is_pinned_stays(trace: Trace) -> None:
    """A compaction takes nothing that its window showed as pinned, but where the policy may take more or writes it as text.

    How many messages a view skips is said anew at each look.
    """
    assert trace.policy is not None
    as_text = bool(trace.policy.placement and trace.policy.placement.tail_as_text)
    for c in trace.compactions:
        window = Window(trace.pool, c.layout_before)
        sure = leading_systems(window) if trace.policy.may_take_more else len(window)
        regions = Regions(window, trace.policy)
        for k, message in enumerate(window.messages):
            region = regions.of(message, k)
            if k < sure and (region == "system" or (region == "recent" and not as_text)):
                assert message.id not in c.removed or message.injected == "marker"


def what_a_person_pinned_stays(run: Run, trace: Trace) -> None:
    """From the step at which it arrives, a pinned message is in every window as it came; the trace says what is pinned."""
    assert run.pinned <= set(trace.pinned)
    for place in trace.pinned:
        message = trace.messages[place]
        for i in range(trace.message_step(place), len(trace)):
            assert any(m is message for m in trace.window(i)), f"message {place} at step {i}"


def nothing_leaves_the_window_without_an_edit(trace: Trace) -> None:
    """What has arrived is in the window as it came, or an edit of some compaction names it as gone or as emptied."""
    for i in range(len(trace)):
        arrived = {m.id: m for m in trace.messages[: trace.steps[i].messages]}
        window, gone = {m.id: m for m in trace.window(i)}, trace.gone(i)
        assert not window.keys() & gone.keys()
        assert arrived.keys() <= window.keys() | gone.keys()
        emptied = {name for k, c in enumerate(trace.compactions) if trace.compaction_step(k) <= i for name in c.cleared}
        changed = {name for name, message in arrived.items() if name in window and window[name] is not message}
        assert changed <= emptied
        assert all(window[name].injected == "cleared" for name in changed)


def the_window_keeps_its_order(trace: Trace) -> None:
    """Messages of the session stand in the window in the order in which they arrived."""
    place = {m.id: i for i, m in enumerate(trace.messages)}
    for i in range(len(trace)):
        places = [place[m.id] for m in trace.window(i) if m.id in place]
        assert places == sorted(places)


def the_same_input_gives_the_same_trace(run: Run, trace: Trace) -> None:
    """Two simulations of one session are equal, and so is a trace read back from its JSON, at every step."""
    assert run.trace == trace
    back = Trace.model_validate_json(trace.model_dump_json())
    assert back == trace
    assert [back.regions(i) for i in range(len(back))] == [trace.regions(i) for i in range(len(trace))]
    assert [back.gone(i) for i in range(len(back))] == [trace.gone(i) for i in range(len(trace))]
    assert [c.kept for c in back.compactions] == [c.kept for c in trace.compactions]


@EVERY
@FEW
@given(data=st.data())
def test_below_the_trigger_nothing_changes(chosen: Policy, data: st.DataObject) -> None:
    """A policy whose limit is never reached leaves every window as the messages arrived."""
    run = runs(data, chosen)
    never = run.policy.trigger.model_copy(update={"any_of": (), "given": ""})
    run = Run(
        run.session,
        run.policy.model_copy(update={"trigger": never, "tiers": ()}).with_settings({}),
        run.meter,
        run.summarizer,
    )
    trace = run.trace
    assert trace.compactions == ()
    assert [trace.window(i) for i in range(len(trace))] == [
        list(run.session.messages[: i + 1]) for i in range(len(run.session.messages))
    ]


@EVERY
@FEW
@given(data=st.data())
def test_compact_leaves_its_input_as_it_is(chosen: Policy, data: st.DataObject) -> None:
    """Whatever it does and however it is asked, `compact` gives the window before as it was, and says why."""
    run, force = runs(data, chosen), data.draw(st.booleans())
    window = list(run.session.messages)
    found = compact(window, run.policy, meter=run.meter, summarizer=run.summarizer, force=force)
    assert found.before == window == list(run.session.messages)
    assert found.reason
    refused = found.status == "inflated" and getattr(run.policy.transform, "no_inflation", False) and not found.acted
    assert refused or found.acted == (found.status in ("compacted", "still_over_budget", "inflated"))
    assert found.acted or found.after == window
    assert Counter([*found.kept, *found.removed, *found.cleared]) == Counter(m.id for m in window)


@EVERY
@FEW
@given(data=st.data())
def test_simulate_is_what_adding_up_every_window_gives(chosen: Policy, data: st.DataObject) -> None:
    """The search over running sums finds the same compactions and windows as a loop that counts everything each time."""
    run = without_overlap(runs(data, chosen))
    trace, expected = run.trace, naive(run)
    assert len(trace) == len(expected)
    for i, (window, tokens) in enumerate(expected):
        assert [message_facts(m) for m in trace.window(i)] == window
        assert trace.steps[i].tokens == tokens


def without_overlap(run: Run) -> Run:
    """The run, nothing read again that has left the window: a loop over windows alone does not know of it."""
    overlap = {"overlap_size": 0} if "overlap_size" in run.policy.settings else {}
    return replace(run, policy=run.policy.with_settings({**run.policy.settings, **overlap})) if overlap else run


def naive(run: Run) -> list[tuple[list[Any], int]]:
    """Every step's window and tokens, from a loop that counts the whole window at each message."""
    steps, window, made, past = [], list[Message](), 0, PolicyState()
    messages = run.session.messages

    def look(phase: Phase) -> None:
        nonlocal window, made, past
        view = run.policy.effect == "view"
        found = afresh(list(messages[:i]) if view else window, run, made + 1, phase, past)
        anew = found.status != "not_triggered" and [message_facts(m) for m in found.after] != [
            message_facts(m) for m in window
        ]
        if anew if view else found.acted:  # where nothing can be cleared any more a view is whole again
            window, made, past = found.after, made + (found.summary is not None), after(found, past)
            steps.append(window_facts(window, run))
        elif found.status in ("failed", "inflated"):
            past = replace(past, failures=past.failures + 1, refused=past.refused or found.status == "inflated")

    for i, message in enumerate(messages):
        for phase in phases(run.policy):
            if due(messages, i, phase):
                look(phase)
        window = [*window, message]
        steps.append(window_facts(window, run))
    i = len(messages)
    if messages and messages[-1].role == "assistant" and not messages[-1].tool_calls:
        for phase in phases(run.policy):
            if phase in ("turn_end", "on_write"):
                look(phase)
    return steps


def after(found: Compaction, past: PolicyState) -> PolicyState:
    """What is remembered once something was done: a summary that was refused, until there is a new one; how hasty it is."""
    before = found.before
    calls = sum(calls_model(before, k) for k in range(past.at, len(before)))
    refills = past.refills + 1 if past.at and calls <= SOON else 0
    return PolicyState(len(found.after), refused=past.refused and found.summary is None, refills=refills)


def phases(chosen: Policy) -> list[Phase]:
    """The moments at which a stage of the policy looks."""
    stages = (*chosen.tiers, chosen.main)
    return list(dict.fromkeys(phase for stage in stages for phase in chosen.phases_of(stage)))


def window_facts(window: Sequence[Message], run: Run) -> tuple[list[Any], int]:
    """What a step shows of a window."""
    return [message_facts(m) for m in window], sum(run.count(m) for m in window)


def due(messages: Sequence[Message], i: int, phase: Phase) -> bool:
    """Whether a policy of this phase looks at the window before message i is added."""
    message, earlier = messages[i], messages[:i]
    before = next((m.reply_id for m in reversed(earlier) if written_by_the_model(m)), None)
    call = written_by_the_model(message) and not (message.reply_id and message.reply_id == before)
    if phase in ("before_call", "on_read"):
        return call
    if phase == "after_tools":
        return call and bool(earlier) and earlier[-1].role == "tool"
    if phase == "turn_begun":
        since = next((k for k in range(i - 1, -1, -1) if messages[k].typed), -1)
        return call and since >= 0 and not any(calls_model(messages, k) for k in range(since + 1, i))
    if phase == "turn_start":
        return message.typed
    return phase in ("turn_end", "on_write") and message.typed and any(m.typed for m in earlier)


def written_by_the_model(message: Message) -> bool:
    """Whether it is a reply, or a part of one, and was not put in by a harness."""
    return message.role == "assistant" and not message.injected


def calls_model(messages: Sequence[Message], k: int) -> bool:
    """Whether the model was called for message k."""
    return due(messages, k, "before_call")


def afresh(messages: Sequence[Message], run: Run, number: int, phase: Phase, past: PolicyState) -> Compaction:
    """One look at a window as if it had no past but where it was last compacted."""
    counts = [run.count(m) for m in messages]
    pool = pool_over(Measured(list(messages), counts), run.policy, run.meter)
    return compact_window(
        Window(pool, joined(((0, len(counts)),))),
        run.policy,
        meter=run.meter,
        summarizer=run.summarizer,
        number=number,
        at=len(counts),
        phase=phase,
        past=past,
    )


def long_session() -> Session:
    """Sixty turns with tools, a system prompt before them and another in their midst."""
    messages = [system("You are careful. Never touch the tests.")]
    for i in range(60):
        call = calls(f"c{i}", "read", path=f"src/{i % 7}.py")
        messages += [
            user(f"do {i} " * 9),
            assistant("looking", call),
            result(f"c{i}", "line " * 30),
            assistant(f"did {i}"),
        ]
        messages += [system("New rule: be brief.")] if i == 20 else []
    return as_session(messages)


@pytest.mark.parametrize("chosen", [p for p in policies() if p.limit is not None], ids=lambda p: p.name)
def test_many_compactions_follow_each_other(chosen: Policy) -> None:
    """Over a long session a policy compacts at least five times, and all of the above holds to the end."""
    run = Run(long_session(), tight(chosen), Seven100(), terse)
    trace = run.trace
    assert len(trace.compactions) >= 5
    numbers = [c.number for c in trace.compactions if c.summary is not None]
    assert numbers == list(range(1, len(numbers) + 1))
    assert [([message_facts(m) for m in trace.window(i)], trace.steps[i].tokens) for i in range(len(trace))] == naive(
        run
    )
    put = sum(m.injected != "cleared" for c in trace.compactions for m in c.added)
    assert len(trace.window(len(trace) - 1)) + len(trace.gone(len(trace) - 1)) == len(trace.messages) + put


class Seven100(Seven):
    """Like Seven, with forty more for each message."""

    def count(self, message: Message) -> int:
        """Tokens of one message."""
        return 40 + super().count(message)


def asks(chosen: Policy) -> bool:
    """Whether every stage of the policy needs a summary and keeps the window without one."""
    rules = [stage.transform for stage in chosen.stages]
    kept = (rule.kind == "summarise" and rule.on_error != "drop" for rule in rules)
    return all(kept) and not any(rule.reads and rule.reads.limited for rule in rules)


@pytest.mark.parametrize("chosen", list(filter(asks, policies())), ids=lambda p: p.name)
def test_a_summarizer_that_fails_changes_nothing(chosen: Policy) -> None:
    """Where the summarizer always fails there are no compactions, and the trace says how often and why."""

    def broken(messages: Sequence[Message], prior: str | None) -> str:
        raise TimeoutError("no answer")

    trace = simulate(long_session(), tight(chosen), meter=Seven100(), summarizer=broken)
    assert trace.compactions == ()
    assert len(trace) == len(trace.messages)
    if chosen.limit is not None:
        assert any(" failed, " in note and "no answer" in note for note in trace.notes)


@pytest.mark.parametrize("place", range(11))
@pytest.mark.parametrize("name", ["summary#1", "summary#2", "summary#3"])
def test_ids_that_look_like_a_summarys_do_not_collide(place: int, name: str) -> None:
    """A session that brings a message called summary#1 still has a region for each message of every window."""
    messages = list(lesson_session().messages)
    messages[place] = messages[place].model_copy(update={"id": name})
    trace = simulate(as_session(messages), policy("agentkit.memory", budget=60, keep_recent=2), summarizer=terse)
    assert len(trace.compactions) >= 2
    assert all(len(trace.regions(i)) == len(trace.window(i)) for i in range(len(trace)))
