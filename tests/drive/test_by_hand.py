"""A person drops, pins, compacts and changes the policy in any order: the window adds up, and every change is recorded."""

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import Message, Policy, Trace, load, policies, policy, replay
from core.drive.recorder import line_of
from core.drive.restore import restored
from core.engine.live_context import LiveContext
from core.engine.removal import pair_of
from core.llm import broken_pairs
from core.model.errors import RunError
from core.summaries.summarizers import Structural
from core.trace.events import ANY_EVENT
from core.window.growing import Growing
from core.window.measured import Measured
from tests.drive.recorded import RecordedContext, loosely, same_bodies, written
from tests.engine.test_chains import SHAPES
from tests.serving import EXAMPLES
from tests.support import assistant, calls, result, sessions, tight, tight_over, user

ROUNDS = 7 * EXAMPLES
FIRST = 45  # messages of a history that arrive
POLICIES = [tight(chosen) for chosen in policies()]
KNOWN = sorted(
    name
    for name, found in vars(Measured).items()
    if not name.startswith("_") and type(found).__name__ == "cached_property"
)


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    loosely(monkeypatch)


class Hand:
    """Somebody who does something or other, the same for the same number."""

    def __init__(self, number: int) -> None:
        self.chance = random.Random(number)
        self.policies = self.chance.sample(POLICIES, 3)
        self.recorded = RecordedContext(self.policies[0])
        self.pinned: set[str] = set()

    def run(self) -> RecordedContext:
        """Messages arrive, and now and then something is done in between; the window is looked at after each."""
        history = list(SHAPES[self.chance.choice(sorted(SHAPES))]())[:FIRST]
        for message in history:
            self.recorded.arrive(message)
            self.looked_at()
            if self.chance.random() < 0.25:
                self.does_something()
                self.looked_at()
        return self.recorded

    def does_something(self) -> None:
        """One of the things that can be done."""
        recorded, context = self.recorded, self.recorded.context
        some = self.chance.choices(range(len(context.base.messages)), k=2)
        held = self.chance.sample(sorted(context.pinned), min(1, len(context.pinned)))
        put_in = self.chance.sample(range(len(context.added)), min(1, len(context.added)))
        deeds: list[Callable[[], object]] = [
            lambda: recorded.drop(some),
            lambda: recorded.drop([], put_in),
            lambda: recorded.pin(some[:1]),
            lambda: recorded.pin(held, False),
            lambda: recorded.set_policy(self.chance.choice(self.policies)),
            recorded.compact,
            lambda: self.thinks_again(some),
        ]
        with suppress(RunError):  # it has left the window already
            self.chance.choice(deeds)()

    def thinks_again(self, some: list[int]) -> None:
        """A removal that is taken back, now and then with another policy or a pin in between."""
        recorded = self.recorded
        recorded.drop(some)
        self.looked_at()
        between = self.chance.choice([0, 1, 2])
        if between == 1:
            recorded.set_policy(self.chance.choice(self.policies))
        elif between == 2:
            recorded.pin(some[1:])
        recorded.undo()

    def looked_at(self) -> None:
        """What must hold of every window."""
        context = self.recorded.context
        window = context.messages()
        assert context.tokens() == sum(map(counted_in(context), window))
        assert len({m.id for m in window}) == len(window), "a message is there twice"
        self.whole_pins(window)

    def whole_pins(self, window: list[Message]) -> None:
        """What was pinned while it was there is there, as it came, until it is let go or taken out by hand."""
        context = self.recorded.context
        came = {context.base.messages[place].id: context.base.messages[place] for place in context.pinned}
        by_hand = {id for c in context.compactions if c.policy == "by hand" for id in c.removed}
        there = {m.id: m for m in window}
        self.pinned &= came.keys() - by_hand
        for id in self.pinned:
            assert there.get(id) == came[id], "a pinned message is gone, or was emptied"
        self.pinned |= {id for id in came if there.get(id) == came[id]} - by_hand


@cache
def ran(number: int) -> RecordedContext:
    """What came of everything that this one did; nobody changes it afterwards."""
    return Hand(number).run()


def counted_in(context: LiveContext) -> Callable[[Message], int]:
    """What a message counts: that of an item nobody can read is what the policy says."""
    put_in = {m.id: n for c in context.compactions for m, n in zip(c.added, c.added_tokens, strict=True)}
    return lambda m: context.meter.count(m) if m.id in context.base.places else put_in[m.id]


@pytest.mark.parametrize("number", range(ROUNDS))
def test_whatever_is_done_nothing_goes_unsaid(number: int) -> None:
    """What leaves a window is named by an edit; the trace, saved and opened, has the same windows at every step."""
    context = ran(number).context
    trace = context.trace()
    for k, found in enumerate(trace.compactions):
        named = {m.id for edit in found.edits for part in edit.ranges for m in trace.window_of(0).pool.slice(part)}
        left = {m.id for m in found.before} - {m.id for m in found.after}
        assert left <= named, f"compaction {k} by {found.policy}"
    again = Trace.model_validate_json(trace.model_dump_json())
    assert (again, again.policy_changes, again.pinned) == (trace, trace.policy_changes, trace.pinned)
    for step in range(len(trace)):
        assert same_bodies(again.window(step), trace.window(step))
        assert trace.step(step).tokens == sum(map(counted_in(context), trace.window(step)))
        assert trace.regions(step).keys() == {m.id for m in trace.window(step)}


@pytest.mark.parametrize("number", range(ROUNDS))
def test_whatever_is_done_the_file_opens_as_it_was(number: int) -> None:
    """The file's replay, and that of the run's own session, show every window as the run had it."""
    recorded = ran(number)
    trace = recorded.context.trace()
    session = load(name="run.jsonl", data=written(recorded.events))
    assert session.notes == ()
    for shown in (
        replay(session, meter=recorded.context.meter),
        replay(recorded.context.session(), meter=recorded.context.meter),
    ):
        assert len(shown) == len(trace)
        for step in range(len(trace)):
            assert same_bodies(shown.window(step), trace.window(step)), f"step {step}"


@pytest.mark.parametrize("number", range(0, ROUNDS, 4))
def test_whatever_is_done_a_run_is_restored_from_every_beginning(number: int) -> None:
    """After each event the file gives back a context that is equal, and goes on the same way."""
    recorded = ran(number)
    events = [ANY_EVENT.validate_json(line_of(event)) for event in recorded.events]
    last = restored(events).context
    assert same(last, recorded.context)
    for end in range(1, len(events), 7):
        context = restored(events[:end]).context
        if context.base.messages:
            shown = load(name="run.jsonl", data=written(recorded.events[:end]))
            assert same_bodies(replay(shown).window(-1 + context.steps), context.messages()), f"after event {end}"


def same(one: LiveContext, other: LiveContext) -> bool:
    """Whether two contexts are equal in all that can be seen, and in what a policy remembers."""
    a, b = one.trace(), other.trace()
    seen = [
        a.compactions == b.compactions,
        a.policy_changes == b.policy_changes,
        a.pinned == b.pinned,
        a.failed == b.failed,
        a == b,
    ]
    seen += [same_bodies(one.messages(), other.messages()), one.tokens() == other.tokens()]
    return all(seen)


@tight_over(*SHAPES.values())
def test_a_pin_holds(rules: Policy, history: Callable[[int], Iterator[Message]]) -> None:
    """A pinned message, and its pair, is in every later window, whole, named by no edit, and shown as pinned."""
    recorded = RecordedContext(rules)
    messages = list(history(30))
    for message in messages[:6]:
        recorded.arrive(message)
    context = recorded.context
    there = {m.id for m in context.messages() if not m.injected}
    place = next((i for i, m in enumerate(context.base.messages) if m.role == "assistant" and m.id in there), None)
    if place is None or any(context.base.messages[i].id not in there for i in pair_of(context.base, place)):
        return
    recorded.pin([place])
    since, pinned = context.steps, [context.base.messages[i] for i in sorted(context.pinned)]
    for message in messages[6:60]:
        recorded.arrive(message)
    trace = context.trace()
    ids = {m.id for m in pinned}
    for step in range(since, len(trace)):
        window = {m.id: m for m in trace.window(step)}
        assert [window.get(m.id) for m in pinned] == pinned, f"step {step}"
    for found in context.compactions[sum(c.at < 6 for c in context.compactions) :]:
        assert not ids & {*found.removed, *found.cleared}
    regions = trace.regions(len(trace) - 1)
    assert {regions[id] for id in ids} <= {"system", "recent"}


@given(sessions(max_turns=5), st.lists(st.sets(st.sampled_from(KNOWN), max_size=4), min_size=1, max_size=40))
def test_what_grows_is_what_is_measured_at_once(session: object, touched: list[set[str]]) -> None:
    """After every arrival all that is known of the messages is what is worked out over them, whatever was asked before."""
    messages = list(session.messages)  # type: ignore[attr-defined]
    growing = Growing()
    for k, message in enumerate(messages):
        growing.append(message, len(message.content))
        for name in touched[k % len(touched)]:
            getattr(growing, name)
    whole = Measured(messages, [len(m.content) for m in messages])
    for name in KNOWN:
        assert getattr(growing, name) == getattr(whole, name), name
    assert growing.pauses_over(0.5) == whole.pauses_over(0.5)


def test_a_call_that_is_pinned_before_it_was_answered_takes_its_result_with_it() -> None:
    """Pinned while its tool runs, a call keeps its pair: no policy parts them later, also after a restart."""
    context = LiveContext(policy("agentkit.memory", budget=120, keep_recent=1), summarizer=Structural())
    context.append(user("Look it up."))
    context.append(assistant("one moment", calls("c1", "look", page=1)))
    context.pin([1])
    context.append(result("c1", "it says so " * 9))
    for k in range(9):
        context.append(assistant(f"and more of it, number {k} " * 3))
        context.maybe_compact("before_call")
    assert context.pinned == {1, 2}
    assert len(context.compactions) > 2
    assert broken_pairs(context.messages()) == []


def test_a_trace_stays_as_it_was_while_the_run_goes_on() -> None:
    """What compactions put in is still found where it stood, and no message is in it that came later."""
    context = LiveContext(policy("agentkit.memory", budget=120, keep_recent=1), summarizer=Structural())
    context.append(user("Look it up. " * 20))
    for k in range(9):
        context.append(assistant(f"and more of it, number {k} " * 3))
        context.maybe_compact("before_call")
    trace = context.trace()
    before = [trace.window(i) for i in range(len(trace))]
    assert any(m.injected == "summary" for m in before[-1])
    for k in range(9):
        context.append(assistant(f"later, number {k} " * 3))
    assert [trace.window(i) for i in range(len(trace))] == before
    assert len(trace.messages) == len(trace.tokens)
