"""A person drops, pins, compacts and changes the policy in any order: the window adds up, nothing goes unsaid, all is told."""

import random
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import Message, Trace, load, policies, policy, replay
from core.course import Course
from core.drive.restore import restored
from core.errors import RunError
from core.events import ANY_EVENT
from core.growing import Growing
from core.llm import broken_pairs
from core.measured import Measured
from core.recorder import line_of
from core.summarizers import Structural
from tests.drive.told import Told, loosely, same_bodies, written
from tests.support import assistant, calls, result, sessions, tight, user
from tests.test_chains import SHAPES

ROUNDS = 40
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
        self.told = Told(self.policies[0])
        self.pinned: set[str] = set()

    def run(self) -> Told:
        """Messages arrive, and now and then something is done in between; the window is looked at after each."""
        history = list(SHAPES[self.chance.choice(sorted(SHAPES))]())[:FIRST]
        for message in history:
            self.told.arrive(message)
            self.looked_at()
            if self.chance.random() < 0.25:
                self.does_something()
                self.looked_at()
        return self.told

    def does_something(self) -> None:
        """One of the things that can be done."""
        told, course = self.told, self.told.course
        some = self.chance.choices(range(len(course.base.messages)), k=2)
        held = self.chance.sample(sorted(course.held), min(1, len(course.held)))
        put_in = self.chance.sample(range(len(course.added)), min(1, len(course.added)))
        deeds: list[Callable[[], object]] = [
            lambda: told.drop(some),
            lambda: told.drop([], put_in),
            lambda: told.pin(some[:1]),
            lambda: told.pin(held, False),
            lambda: told.govern(self.chance.choice(self.policies)),
            told.compact,
        ]
        with suppress(RunError):  # it has left the window already
            self.chance.choice(deeds)()

    def looked_at(self) -> None:
        """What must hold of every window."""
        course = self.told.course
        window = course.messages()
        assert course.tokens() == sum(map(counted_in(course), window))
        assert len({m.id for m in window}) == len(window), "a message is there twice"
        self.whole_pins(window)

    def whole_pins(self, window: list[Message]) -> None:
        """What was pinned while it was there is there, as it came, until it is let go or taken out by hand."""
        course = self.told.course
        came = {course.base.messages[place].id: course.base.messages[place] for place in course.held}
        by_hand = {id for c in course.compactions_as_told() if c.policy == "by hand" for id in c.removed}
        there = {m.id: m for m in window}
        self.pinned &= came.keys() - by_hand
        for id in self.pinned:
            assert there.get(id) == came[id], "a pinned message is gone, or was emptied"
        self.pinned |= {id for id in came if there.get(id) == came[id]} - by_hand


def counted_in(course: Course) -> Callable[[Message], int]:
    """What a message counts: that of an item nobody can read is what the policy says."""
    put_in = {m.id: n for c in course.compactions_as_told() for m, n in zip(c.added, c.added_tokens, strict=True)}
    return lambda m: course.meter.count(m) if m.id in course.base.places else put_in[m.id]


@pytest.mark.parametrize("number", range(ROUNDS))
def test_whatever_is_done_nothing_goes_unsaid(number: int) -> None:
    """What leaves a window is named by an edit; the trace, saved and opened, has the same windows at every step."""
    course = Hand(number).run().course
    trace = course.trace()
    for k, found in enumerate(trace.compactions):
        named = {m.id for edit in found.edits for part in edit.ranges for m in trace.window_of(0).pool.slice(part)}
        left = {m.id for m in found.before} - {m.id for m in found.after}
        assert left <= named, f"compaction {k} by {found.policy}"
    again = Trace.model_validate_json(trace.model_dump_json())
    assert (again, again.eras, again.held) == (trace, trace.eras, trace.held)
    for step in range(len(trace)):
        assert same_bodies(again.window(step), trace.window(step))
        assert trace.step(step).tokens == sum(map(counted_in(course), trace.window(step)))
        assert trace.regions(step).keys() == {m.id for m in trace.window(step)}


@pytest.mark.parametrize("number", range(ROUNDS))
def test_whatever_is_done_the_file_opens_as_it_was(number: int) -> None:
    """The file's replay, and that of the run's own session, show every window as the run had it."""
    told = Hand(number).run()
    trace = told.course.trace()
    session = load(name="run.jsonl", data=written(told.events))
    assert session.notes == ()
    for shown in (replay(session, meter=told.course.meter), replay(told.course.session(), meter=told.course.meter)):
        assert len(shown) == len(trace)
        for step in range(len(trace)):
            assert same_bodies(shown.window(step), trace.window(step)), f"step {step}"


@pytest.mark.parametrize("number", range(0, ROUNDS, 4))
def test_whatever_is_done_a_run_is_restored_from_every_beginning(number: int) -> None:
    """After each event the file gives back a course that is equal, and goes on the same way."""
    told = Hand(number)
    told.run()
    events = [ANY_EVENT.validate_json(line_of(event)) for event in told.told.events]
    last = restored(events).course
    assert same(last, told.told.course)
    for end in range(1, len(events), 7):
        course = restored(events[:end]).course
        if course.base.messages:
            shown = load(name="run.jsonl", data=written(told.told.events[:end]))
            assert same_bodies(replay(shown).window(-1 + course.steps), course.messages()), f"after event {end}"


def same(one: Course, other: Course) -> bool:
    """Whether two courses are equal in all that can be seen, and in what a policy remembers."""
    a, b = one.trace(), other.trace()
    seen = [a.compactions == b.compactions, a.eras == b.eras, a.held == b.held, a.failed == b.failed, a == b]
    seen += [same_bodies(one.messages(), other.messages()), one.tokens() == other.tokens()]
    return all(seen)


@pytest.mark.parametrize("policy", POLICIES, ids=lambda p: p.name)
@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_a_pin_holds(policy: object, shape: str) -> None:
    """A pinned message, and its pair, is in every later window, whole, named by no edit, and shown as pinned."""
    told = Told(policy)  # type: ignore[arg-type]
    history = list(SHAPES[shape]())
    for message in history[:6]:
        told.arrive(message)
    course = told.course
    there = {m.id for m in course.messages() if not m.injected}
    place = next((i for i, m in enumerate(course.base.messages) if m.role == "assistant" and m.id in there), None)
    if place is None or any(course.base.messages[i].id not in there for i in course.pair_of(place)):
        return
    told.pin([place])
    since, pinned = course.steps, [course.base.messages[i] for i in sorted(course.held)]
    for message in history[6:60]:
        told.arrive(message)
    trace = course.trace()
    ids = {m.id for m in pinned}
    for step in range(since, len(trace)):
        window = {m.id: m for m in trace.window(step)}
        assert [window.get(m.id) for m in pinned] == pinned, f"step {step}"
    for found in course.compactions_as_told(sum(c.at < 6 for c in course.compactions)):
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
    course = Course(policy("agentkit.memory", budget=120, keep_recent=1), summarizer=Structural())
    course.append(user("Look it up."))
    course.append(assistant("one moment", calls("c1", "look", page=1)))
    course.pin([1])
    course.append(result("c1", "it says so " * 9))
    for k in range(9):
        course.append(assistant(f"and more of it, number {k} " * 3))
        course.look("before_call")
    assert course.held == {1, 2}
    assert len(course.compactions) > 2
    assert broken_pairs(course.messages()) == []


def test_a_trace_stays_as_it_was_while_the_run_goes_on() -> None:
    """What compactions put in is still found where it stood, and no message is in it that came later."""
    course = Course(policy("agentkit.memory", budget=120, keep_recent=1), summarizer=Structural())
    course.append(user("Look it up. " * 20))
    for k in range(9):
        course.append(assistant(f"and more of it, number {k} " * 3))
        course.look("before_call")
    trace = course.trace()
    before = [trace.window(i) for i in range(len(trace))]
    assert any(m.injected == "summary" for m in before[-1])
    for k in range(9):
        course.append(assistant(f"later, number {k} " * 3))
    assert [trace.window(i) for i in range(len(trace))] == before
    assert len(trace.messages) == len(trace.tokens)
