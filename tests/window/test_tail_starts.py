"""The sweep over a growing window says at every size what `partition` says, for every rule there is."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from random import Random
from typing import Any

import pytest

from core import Message, Policy, policies, policy
from core.engine.compaction import pool_over
from core.policy.rules import Boundary, Rule
from core.policy.vocabulary import Clear, Drop, Protect, Scope, Size, Trigger
from core.window.context import Growth
from core.window.cut_boundary import BOUNDARIES
from core.window.measured import Measured
from core.window.partition import partition
from core.window.protected import protected_each
from core.window.ranges import Ranges, joined
from core.window.sizes import SIZES
from core.window.tails import tail_starts
from core.window.window import Pool, Window
from tests.policies.by_hand import BY_HAND
from tests.serving import EXAMPLES, ROOT
from tests.support import assistant, calls, result, system, tight, user

MODULES = [import_module(f"core.policies.{path.stem}") for path in (ROOT / "core" / "policies").glob("[a-z]*.py")]
OWN = {rule.name: rule for module in MODULES for rule in vars(module).values() if isinstance(rule, Rule)}
BOUNDARY_RULES: dict[str, Boundary] = BOUNDARIES | {n: r for n, r in OWN.items() if isinstance(r, Boundary)}


def under(scope: Scope, **changes: Any) -> Policy:
    """A policy with this scope that has no parameters."""
    return policy("minimal_agent.compact").model_copy(update={"scope": scope, **changes}).with_settings({})


def cutting(boundary: Boundary) -> Iterator[Policy]:
    """Policies that cut at this boundary, by messages, by tokens and by a share of the window."""
    rule = next((name for name, known in BOUNDARIES.items() if known is boundary), boundary)
    yield under(Scope(tail=Size(unit="messages", value=3), cut_boundary=rule))
    yield under(Scope(head="none", tail=Size(unit="tokens", value=60), cut_boundary=rule))
    yield under(Scope(evict="n // 2", cut_boundary=rule))


def sized(unit: Any) -> Iterator[Policy]:
    """Policies whose tail is of this unit, alone and beside another, the longest and the shortest."""
    tail = Size(unit=unit, value=0.0004 if unit == "fraction" else 60 if unit == "tokens" else 2)
    for scope in (Scope(tail=tail), Scope(tail=tail, fit="reach"), Scope(tail=tail, reach=50, keep_systems=True)):
        yield under(scope)
    for of_tails in ("longest", "shortest"):
        yield under(Scope(tail=(tail, Size(unit="messages", value=3)), of_tails=of_tails))
    yield under(Scope(tail=tail, beyond=30), transform=Clear())


SCOPES = [
    Scope(),
    Scope(head_limit=1, tail=Size(unit="messages", value=0)),
    Scope(first=2, tail=Size(unit="turns", value=0)),
    Scope(stacked=True, tail=Size(unit="turns", value=2)),
    Scope(fold_summary=False, tail=Size(unit="turns", value=1)),
    Scope(protect=Protect(size=Size(unit="messages", value=2))),
    Scope(protect=Protect(size=Size(unit="tokens", value=60), cut="middle")),
    *(Scope(evict=formula) for formula in ("n - 3", "max(0, all - 4)", "1 if n > 5 else 0", "tokens // 40")),
]
COUNTED = [
    Scope(first=2, tail=Size(unit="messages", value=3)),
    Scope(head="none", tail=Size(unit="messages", value=2), cut_boundary="pairs"),
    Scope(evict="n // 2", cut_boundary="off_results"),
    Scope(evict="max(0, all - 4)"),
]
RULES = {
    **{f"boundary {name}, {k}": p for name, b in BOUNDARY_RULES.items() for k, p in enumerate(cutting(b))},
    **{f"size {unit}, {k}": p for unit in SIZES for k, p in enumerate(sized(unit))},
    **{f"scope {k}": under(scope) for k, scope in enumerate(SCOPES)},
    **{f"scope {k} that clears": under(scope, transform=Clear()) for k, scope in enumerate(SCOPES[:-1])},
    **{
        f"messages counted by {grouping}, {k}": under(scope, grouping=grouping)
        for grouping in ("results", "calls")
        for k, scope in enumerate(COUNTED)
    },
    "words of replies without text": under(
        Scope(head="none", tail=Size(unit="tokens", value=60)), trigger=Trigger(phase="on_read", counts="wordless")
    ),
    **{p.name: tight(p) for p in policies()},
}


@cache
def sessions() -> list[list[Message]]:
    """Sessions of some sixteen messages, everything that rules look at in them; the same each time."""
    chance = Random(11)
    return [session(chance) for _ in range(5 * EXAMPLES)]


def session(chance: Random) -> list[Message]:
    """Turns with calls that are answered, not answered and answered late, replies in parts, texts of 1 to 40 tokens."""
    messages, waiting = [system(text(chance))] * chance.randint(0, 1), list[str]()
    while len(messages) < 16:
        kind = chance.choice("uaaccccttris")
        if kind in "cr":
            waiting = [f"c{len(messages)}.{k}" for k in range(chance.randint(1, 2))]
            messages.append(assistant(beside_calls(chance), *(calls(c, "read") for c in waiting)))
        if kind in "ct" and waiting:
            messages.append(result(waiting.pop(0), text(chance)))
        elif kind == "a":
            messages.append(assistant(text(chance)).model_copy(update={"reply_id": chance.choice(("", "", "r"))}))
        elif kind in "ui":
            messages.append(user(text(chance)).model_copy(update={"injected": "" if kind == "u" else "meta"}))
        elif kind == "s" and chance.random() < 0.3:
            messages.append(system(text(chance)))
    return [m.model_copy(update={"id": f"m{i}"}) for i, m in enumerate(messages)]


def beside_calls(chance: Random) -> str:
    """What a reply says beside its calls, often nothing."""
    return text(chance) if chance.random() < 0.5 else ""


def text(chance: Random) -> str:
    """1 to 40 tokens of text."""
    return "text" * chance.randint(1, 40)


def growths(chosen: Policy) -> Iterator[Growth]:
    """Every session as a window that grows from nothing, and as one that a compaction left behind."""
    for k, messages in enumerate(sessions()):
        base = Measured(messages, [BY_HAND.count(m) for m in messages])
        pool, at = pool_over(base, chosen, BY_HAND), 4 + k % 8
        yield Growth(Window(pool, ()), chosen, 0, len(messages))
        yield Growth(Window(pool, compacted(pool, k, at)), chosen, at, len(messages))


def compacted(pool: Pool, k: int, at: int) -> Ranges:
    """The first message, a summary, and the newest of those that had arrived."""
    put = pool.add(Message(id="sum", role="user", content="so far", injected="summary"), 9)
    return joined(((0, 1), put, (at - k % 4, at)))


def swept(growth: Growth) -> list[tuple[int, ...]]:
    """Head, body, tail and what is protected at every size, as the sweep says."""
    ends = [(min(growth.whole.head, size), min(growth.whole.body, size)) for size in growth.sizes]
    rows = zip(ends, tail_starts(growth), protected_each(growth) or [-1] * len(ends), strict=True)
    return [(*end, tail, place) for end, tail, place in rows][1:]


def partitions(growth: Growth) -> list[tuple[int, ...]]:
    """The same as `partition` says of each window."""
    found = (partition(growth.after(size).window, growth.policy) for size in growth.sizes)
    return [(p.head, p.body, p.tail, -1 if p.protected is None else p.protected) for p in found][1:]


@pytest.mark.parametrize("name", RULES)
def test_the_sweep_equals_partition_at_every_size(name: str) -> None:
    """Whatever fast path a rule declares, it answers what the rule itself answers."""
    for growth in growths(RULES[name]):
        assert swept(growth) == partitions(growth)


@pytest.mark.parametrize("name", [name for name, rule in BOUNDARY_RULES.items() if rule.looks_ahead])
def test_a_rule_that_looks_ahead_has_to_say_so(name: str) -> None:
    """Declared as one that does not, its sweep would be wrong on these very sessions, and the test above would fail."""
    near = replace(BOUNDARY_RULES[name], looks_ahead=False)
    assert any(swept(growth) != partitions(growth) for chosen in cutting(near) for growth in growths(chosen))


def test_every_word_of_a_scope_is_tried() -> None:
    """No field of a scope is left at its default everywhere in this file: a new one needs a case here."""
    scopes, plain = [chosen.scope for chosen in RULES.values()], Scope()
    fields = Scope.model_fields
    assert [name for name in fields if all(getattr(s, name) == getattr(plain, name) for s in scopes)] == []
    assert {size.unit for p in RULES.values() for size in p.tail_of(p.scope)} == set(SIZES)
    assert any(isinstance(p.transform, Drop) for p in RULES.values())
