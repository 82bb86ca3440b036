"""When a policy acts: each kind of condition, alone and together, over windows and over time."""

import pytest

from core import Message, Policy, compact, policy, simulate
from core.policy.vocabulary import Clear, Condition, Drop, Guards, Phase, Placement, Scope, Size, Summarize, Trigger
from core.trace.trace import as_session
from tests.support import assistant, calls, result, system, user


class Listed:
    """A meter that gives the number a message begins with; 1 for any other."""

    def count(self, message: Message) -> int:
        """Tokens of one message."""
        first = message.content.split(" ", 1)[0]
        return int(first) if first.isdecimal() else 1


def rule(*clauses: tuple[Condition, ...], phase: Phase = "before_call", keep: int = 2, **more: object) -> Policy:
    """A policy that drops all but the newest two when one of the clauses holds."""
    trigger = Trigger(phase=phase, any_of=clauses)
    scope = Scope(tail=Size(unit="messages", value=keep))
    known = {"trigger": trigger, "scope": scope, "transform": Drop(), "placement": None, **more}
    return policy("agentkit.memory").model_copy(update=known).with_settings({})


WINDOW = [system("10"), user("20"), assistant("30"), user("40"), assistant("50")]


@pytest.mark.parametrize(
    ("clauses", "why"),
    [
        ([(Condition(value=149),)], "150 tokens > 149"),
        ([(Condition(value=150),)], None),
        ([(Condition(value=150, at_least=True),)], "150 tokens ≥ 150"),
        ([(Condition(value=151, at_least=True),)], None),
        ([(Condition(value=149.5),)], "150 tokens > 149"),
        ([(Condition(value=149.5, at_least=True),)], "150 tokens ≥ 150"),
        ([(Condition(of="messages", value=4),)], "5 messages > 4"),
        ([(Condition(of="turns", value=2, at_least=True),)], "2 turns ≥ 2"),
        ([(Condition(of="turns", value=2),)], None),
        ([(Condition(of="messages", value=9), Condition(value=1))], None),
        ([(Condition(of="messages", value=1), Condition(value=1))], "5 messages > 1 and 150 tokens > 1"),
        ([(Condition(of="messages", value=9),), (Condition(value=1),)], "150 tokens > 1"),
        ([()], "looked at"),
        ([], None),
    ],
)
def test_a_clause_holds_if_all_of_it_does_and_one_clause_is_enough(clauses, why):
    """Above or at least, whole or not, all conditions of one clause, any of the clauses; the reason says which."""
    found = compact(WINDOW, rule(*clauses), meter=Listed())
    assert (found.reason if found.acted else None) == why


def test_a_fraction_of_the_context_window_is_a_formula():
    """A threshold may be worked out from the window of the model."""
    half = rule((Condition(value="window * 0.5", at_least=True),))
    assert not compact([user("99999")], half, meter=Listed()).acted
    assert compact([user("1"), user("99998"), user("1")], half, meter=Listed()).acted


def talk(turns: int) -> list[Message]:
    """Turns of a question, a call, its result, an answer, ten tokens each."""
    made: list[Message] = []
    for k in range(turns):
        asked = assistant("10", calls(f"c{k}", "read"))
        made += [user("10"), asked, result(f"c{k}", "10"), assistant("10")]
    return made


@pytest.mark.parametrize(
    ("phase", "places"),
    [
        ("before_call", [5, 9]),
        ("on_read", [5, 9]),
        ("after_tools", [7, 11]),
        ("turn_begun", [5, 9]),
        ("turn_start", [8]),
        ("turn_end", [8, 12]),
        ("on_write", [8, 12]),
        ("manual", []),
    ],
)
def test_a_policy_looks_when_its_phase_comes_round(phase, places):
    """Over three turns, with more than four messages to act on: after how many messages it acts."""
    trace = simulate(as_session(talk(3)), rule((Condition(of="messages", value=4),), phase=phase), meter=Listed())
    assert [c.at for c in trace.compactions] == places


def test_turns_since_the_last_compaction_are_counted_anew():
    """Acting every second turn, whatever there is."""
    every = rule((Condition(of="new_turns", value=2, at_least=True),), phase="turn_end", keep=1)
    assert [c.at for c in simulate(as_session(talk(7)), every, meter=Listed()).compactions] == [8, 16, 24]


def at(minutes: int, message: Message) -> Message:
    """The message at so many minutes past noon."""
    return message.model_copy(update={"timestamp": f"2026-01-01T{12 + minutes // 60:02}:{minutes % 60:02}:00Z"})


def test_a_pause_is_counted_from_the_newest_reply_to_what_came_last():
    """More than an hour between a reply and the message that calls for the next one makes it act, and nothing else."""
    times = (0, 1, 2, 62, 63, 64, 130, 131)
    messages = [at(t, user("1") if k % 2 == 0 else assistant("1")) for k, t in enumerate(times)]
    idle = rule((Condition(of="pause", value=60),), keep=1)
    assert [c.at for c in simulate(as_session(messages), idle, meter=Listed()).compactions] == [7]
    unanswered = [at(t, user("1")) for t in (0, 90)]
    assert simulate(as_session([*unanswered, assistant("1")]), idle, meter=Listed()).compactions == ()


def test_results_in_the_window_are_counted_emptied_or_not():
    """A policy that empties looks at how many results there are."""
    clears = rule(
        (Condition(of="results", value=2),),
        scope=Scope(evict="n - 1"),
        transform=Clear(text="x"),
    )
    trace = simulate(as_session(talk(5)), clears, meter=Listed())
    assert [c.at for c in trace.compactions] == [11, 15, 19]
    assert [len(c.cleared) for c in trace.compactions] == [2, 1, 1]
    assert [m.content for m in trace.window(len(trace) - 1) if m.role == "tool"] == ["x"] * 4 + ["10"]


def test_after_a_compaction_replies_must_arrive_first():
    """With a cooldown of three replies the fourth call is the next at which it may act."""
    rule_now = rule((Condition(of="messages", value=1),), keep=1)
    resting = rule_now.model_copy(update={"guards": Guards(cooldown=3)})
    session = as_session([user("1"), *(assistant("1") for _ in range(10))])
    assert [c.at for c in simulate(session, rule_now, meter=Listed()).compactions] == list(range(2, 11))
    assert [c.at for c in simulate(session, resting.with_settings({}), meter=Listed()).compactions] == [2, 5, 8]


def test_a_policy_stops_where_the_window_is_full_again_at_once():
    """Two compactions in a row within three calls of the one before are enough; the trace says why nothing follows."""
    guards = Guards(refills=2)
    hasty = rule((Condition(of="messages", value=1),), keep=1).model_copy(update={"guards": guards}).with_settings({})
    trace = simulate(as_session([user("1"), *(assistant("1") for _ in range(10))]), hasty, meter=Listed())
    assert [c.at for c in trace.compactions] == [2, 3, 4]
    told = "after 4 messages agentkit.memory stopped: 2 times in a row the window was full again within 3 model calls"
    assert told in trace.notes


def test_a_policy_stops_after_so_many_failures_in_a_row():
    """After the strikes nothing is tried any more, and the trace says so."""
    asked = []

    def broken(messages, prior):
        asked.append(len(messages))
        raise TimeoutError("no answer")

    struck = rule((Condition(of="messages", value=1),), keep=1, transform=Summarize(), guards=Guards(strikes=2))
    placed = struck.model_copy(update={"placement": Placement(role="user", template="S {text}")}).with_settings({})
    trace = simulate(
        as_session([user("1"), *(assistant("1") for _ in range(9))]), placed, meter=Listed(), summarizer=broken
    )
    assert (trace.compactions, len(asked), [c.times for c in trace.failed]) == ((), 2, [2])
    assert trace.notes[-1] == "after 3 messages agentkit.memory stopped: 2 failures in a row"
