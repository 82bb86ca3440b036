"""Builders, generators of sessions, and golden vectors, for the tests of core."""

import json
import os
from bisect import bisect_left
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

import pytest
from anyio.from_thread import start_blocking_portal
from hypothesis import strategies as st

from core import Message, Policy, Session, ToolCall, Usage, meter, policies
from core.policy.parameters import Parameter
from core.trace.trace import as_session
from tests.serving import EXAMPLES as EXAMPLES
from tests.serving import share

DATA = Path(__file__).parent / "data"
T = TypeVar("T")


def awaited(function: Callable[..., Awaitable[T]], *arguments: Any) -> T:
    """What an asynchronous function returns, from a loop in a thread of its own: the browser's may run in this one."""
    with start_blocking_portal() as portal:
        return portal.call(function, *arguments)


def system(text: str) -> Message:
    """A system message."""
    return Message(role="system", content=text)


def user(text: str) -> Message:
    """A message a person typed."""
    return Message(role="user", content=text)


def assistant(text: str = "", *calls: ToolCall) -> Message:
    """A model's reply."""
    return Message(role="assistant", content=text, tool_calls=calls)


def calls(call_id: str, name: str, **arguments: Any) -> ToolCall:
    """A tool call."""
    return ToolCall(id=call_id, name=name, arguments=arguments)


def result(call_id: str, text: str) -> Message:
    """The tool message that answers a call."""
    return Message(role="tool", content=text, tool_call_id=call_id)


def replies_to(*prompts: int, model: str = "", models: Mapping[int, str] | None = None) -> tuple[Message, ...]:
    """A question and a reply for each recorded prompt, by this model; `models` names those of single replies."""
    return tuple(
        message
        for k, prompt in enumerate(prompts)
        for message in (
            Message(id=f"u{k}", role="user", content="go on"),
            Message(
                id=f"a{k}",
                role="assistant",
                content="ok",
                model=(models or {}).get(k, model),
                usage=Usage(input_uncached=prompt),
            ),
        )
    )


def with_ids(messages: Sequence[Message]) -> list[Message]:
    """The messages with the ids m1, m2, …"""
    return [message.model_copy(update={"id": f"m{i}"}) for i, message in enumerate(messages, 1)]


def message_facts(message: Message) -> tuple[Any, ...]:
    """What vectors compare of a message: role, content, tool calls, tool call id."""
    made = tuple((c.id, c.name, json.dumps(c.arguments, sort_keys=True)) for c in message.tool_calls)
    return (message.role, message.content, made, message.tool_call_id)


def with_odd_field(messages: Sequence[dict[str, Any]], odd: Any) -> Iterator[list[dict[str, Any]]]:
    """The messages once for each field of a message and of each of its `parts`, with this value in the field."""
    for place, message in enumerate(messages):
        changed = [message | {key: odd} for key in message]
        for number, part in enumerate(message["parts"]):
            before, after = message["parts"][:number], message["parts"][number + 1 :]
            changed += [message | {"parts": [*before, part | {key: odd}, *after]} for key in part]
        for one in changed:
            yield [*messages[:place], one, *messages[place + 1 :]]


def plain(messages: Any) -> list[tuple[str, str]]:
    """Role and content of each message."""
    return [(m.role, m.content) for m in messages]


@cache
def cases(name: str) -> list[Any]:
    """The golden cases of a file: those cut to size beside the tests, or all where FOLDLINE_SHARED is set."""
    shared = os.environ.get("FOLDLINE_SHARED")
    whole = Path(shared or ".") / "parity" / name
    path = whole if shared and whole.is_file() else DATA / name
    found: list[Any] = json.loads(path.read_text(encoding="utf-8"))["cases"]
    return found


def numbered(name: str) -> Iterator[tuple[str, Any]]:
    """The cases with a name each, for parametrize."""
    return ((f"{Path(name).stem}-{i}", case) for i, case in enumerate(cases(name)))


LESSON_SYSTEM = "You are a careful calculator. Use the `add` tool for every step."
LESSON_GOAL = "Add the following pairs in sequence and report all results: (1,2), (10,20), (100,200), (1000,2000)."
LESSON_ANSWER = "Running total so far: 3, 30, 300, 3000. Final sum = 3333."
LESSON_SUMMARY = (
    "User asked for four running sums via the `add` tool. Results so far: 1+2=3, 10+20=30, 100+200=300. "
    "Next: 1000+2000."
)
LESSON_PAIRS = ((1, 2), (10, 20), (100, 200), (1000, 2000))


def lesson_replies() -> list[Message]:
    """What the model says in the lesson's calculator run: four calls, then the answer."""
    asked = [assistant("", calls(f"c{i}", "add", a=a, b=b)) for i, (a, b) in enumerate(LESSON_PAIRS, 1)]
    return [*asked, assistant(LESSON_ANSWER)]


def scaled_session(scale: float, calls: int = 12, model: str = "claude-x", hidden: int = 10_000) -> Session:
    """Questions of 994 tokens with a reply of 6 by o200k_base, for a model that counts `scale` times as many.

    Each recorded prompt holds so many `hidden` tokens more.
    """
    messages = list[Message]()
    for k in range(calls):
        usage = Usage(input_uncached=hidden + round(scale * (1000 * k + 994)), output=6)
        messages.append(Message(id=f"q{k}", role="user", content=" ".join(["hello world"] * 495)))
        messages.append(Message(id=f"a{k}", role="assistant", content="hello world", model=model, usage=usage))
    return as_session(messages, model=model)


def lesson_session() -> Session:
    """The lesson's calculator run as a session of eleven messages."""
    pairs = zip(lesson_replies()[:4], LESSON_PAIRS, strict=True)
    tools = [[ask, result(ask.tool_calls[0].id, str(a + b))] for ask, (a, b) in pairs]
    middle = [m for both in tools for m in both]
    return as_session([system(LESSON_SYSTEM), user(LESSON_GOAL), *middle, assistant(LESSON_ANSWER)])


# Sessions of every shape a transcript can have, the parts that policies protect included.

WORDS = st.sampled_from(
    (
        "",
        " ",
        "ok",
        "go on",
        "naïve 日本 🙂",
        "[summary #3 of 9 earlier messages]\nold news",
        "[Earlier conversation summary]\nold news",
        "[Conversation summary so far]\nold news",
        "Understood. Continuing from the summary.",
    )
)
TEXTS = st.one_of(
    WORDS, st.text(st.characters(exclude_categories=["Cs"]), max_size=60), st.integers(20, 400).map("x".__mul__)
)
SYSTEMS = st.one_of(TEXTS, st.just("You are a careful assistant. Never touch the tests."))


@st.composite
def replies(draw: st.DrawFn) -> list[Message]:
    """A model's reply, with up to three tool calls at once, and their results; some may be missing, as at a cut."""
    made = [
        calls(f"c{k}", draw(st.sampled_from(("add", "read"))), path=draw(TEXTS)) for k in range(draw(st.integers(0, 3)))
    ]
    answered = [result(c.id, draw(TEXTS)) for c in made]
    if draw(st.integers(0, 9)) == 0:
        answered = answered[: draw(st.integers(0, len(answered)))]
    reply = [assistant(draw(TEXTS), *made)]
    if draw(st.integers(0, 4)) == 0:  # one reply in two messages, as some transcripts have it
        reply = [
            m.model_copy(update={"reply_id": f"r{draw(st.integers(0, 2))}"}) for m in (*reply, assistant(draw(TEXTS)))
        ]
    return [*reply, *answered]


@st.composite
def turns(draw: st.DrawFn) -> list[Message]:
    """A typed message, and what the model did about it; now and then something out of order."""
    odd = draw(st.integers(0, 19))
    opening = {0: [system(draw(TEXTS))], 1: [], 2: [Message(role="user", content=draw(TEXTS), injected="meta")]}
    start = opening.get(odd, [user(draw(TEXTS))])
    return [*start, *(m for _ in range(draw(st.integers(0, 3))) for m in draw(replies()))]


@st.composite
def sessions(draw: st.DrawFn, max_turns: int = 12) -> Session:
    """A session: system prompts or none, turns, maybe one giant message, ids given or made of the text."""
    front = [system(draw(SYSTEMS)) for _ in range(draw(st.sampled_from((0, 1, 1, 1, 2))))]
    messages = [*front, *(m for _ in range(draw(st.integers(0, max_turns))) for m in draw(turns()))]
    if messages and draw(st.integers(0, 5)) == 0:
        at = draw(st.integers(0, len(messages) - 1))
        messages[at] = messages[at].model_copy(update={"content": "giant " * draw(st.integers(200, 3000))})
    if draw(st.booleans()):
        messages = [m.model_copy(update={"id": f"m{i}"}) for i, m in enumerate(messages)]
    return as_session(messages)


# Policies with settings small enough to act on such sessions, meters and summarizers of every temper.


MOST = {"tokens": 400, "messages": 8, "turns": 4, "results": 4, "characters": 200}


@st.composite
def tuned(draw: st.DrawFn, chosen: Policy) -> Policy:
    """The policy with its parameters drawn from where generated sessions trip it; texts keep their default."""
    free = loosened(chosen)
    settings = {p.name: draw(asked) for p in free.parameters if (asked := asked_of(p)) is not None}
    return acting_at(draw(st.integers(0, MOST["tokens"])), free.with_settings(settings))


def loosened(chosen: Policy) -> Policy:
    """The policy with every number that must be larger than any test session is free to be small."""
    free = [p.model_copy(update={"at_least": 0}) if p.at_least > 400 else p for p in chosen.parameters]
    return chosen.model_copy(update={"parameters": tuple(free)}).with_settings({})


def acting_at(tokens: int, chosen: Policy) -> Policy:
    """The policy with its context window such that it acts at about so many tokens, where it is the window that says."""
    name = next(
        (p.name for p in chosen.parameters if p.session == "window" and chosen.settings[p.name] is not None), ""
    )
    if not name:
        return chosen
    sizes = Listing(2_000_000, lambda size: resized(chosen, name, max(1, size)).ceiling or 0)
    return resized(chosen, name, max(1, bisect_left(sizes, tokens)))


def resized(chosen: Policy, name: str, size: int) -> Policy:
    """The policy with its context window of this size, one token at least."""
    return chosen.with_settings({**chosen.settings, name: max(1, size)})


def tight_over(*histories: Callable[[int], Iterator[Message]]) -> pytest.MarkDecorator:
    """The arguments `rules` and `history` of a test: every policy with little room, and a history (see `share`)."""
    assert len(histories) % 2, "with an even number of histories a share would always leave out the same ones"
    cases = share([*product(map(tight, policies()), histories)])
    return pytest.mark.parametrize(("rules", "history"), cases, ids=lambda v: getattr(v, "name", None) or v.__name__)


def tight(chosen: Policy) -> Policy:
    """The policy with its trigger low and what it keeps small, but not so low that it stops for being full at once."""
    free, room = loosened(chosen), ("summary_max_tokens", "max_summary_tokens")
    small = {"tokens": 300, "messages": 3, "turns": 1}
    given = [p for p in free.parameters if p.name not in room and (p.session or not p.optional)]
    settings: dict[str, Any] = {p.name: small[p.unit] for p in given if p.unit in small}
    for p in free.parameters:
        if p.kind == "thresholds":
            settings[p.name] = {next(unit for unit in p.units if unit.endswith("tokens")): 300}
        elif p.kind == "size":
            settings[p.name] = {"messages": 3}
    return acting_at(600 if chosen.guards.refills else 300, free.with_settings(settings))


class Listing(Sequence[int]):
    """The values of a function that never falls, to be searched."""

    def __init__(self, size: int, of: Callable[[int], int]) -> None:
        self.size, self.of = size, of

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, index: Any) -> Any:
        return self.of(index)


def asked_of(p: Parameter) -> st.SearchStrategy[Any] | None:
    """What to ask of a parameter; None where its default will do."""
    kinds = {
        "switch": st.booleans(),
        "choice": st.sampled_from(p.choices or ("",)),
        "names": st.sampled_from(([], ["add"], ["read"])),
        "size": st.sampled_from(p.units or ("",)).flatmap(lambda unit: amount(p, unit)),
        "thresholds": thresholds(p) if p.units else None,
        "number": number(p),
    }
    asked = kinds.get(p.kind)
    return st.none() | asked if asked is not None and (p.optional or p.session) else asked


def number(p: Parameter) -> st.SearchStrategy[Any] | None:
    """A number for a parameter of a unit that sessions have some of, or for a share."""
    if not p.whole:
        return st.floats(p.at_least, 1 if p.at_most is None else p.at_most).map(lambda x: round(x, 2)).filter(legal(p))
    if p.unit not in MOST or not isinstance(p.default, int | None):
        return None
    least = int(p.at_least)
    most = max(least, MOST[p.unit])
    return st.integers(least, most if p.at_most is None else min(most, int(p.at_most)))


def legal(p: Parameter) -> Callable[[float], bool]:
    """Whether rounding has left a number where the parameter takes it."""
    return lambda x: x >= p.at_least and (p.at_most is None or x <= p.at_most)


def amount(p: Parameter, unit: str) -> st.SearchStrategy[dict[str, Any]]:
    """An amount in this unit."""
    if unit == "fraction":
        return st.sampled_from((0.001, 0.01, 0.1, 0.5, 1)).map(lambda value: {unit: value})
    return st.integers(int(p.at_least), MOST.get(unit, 4)).map(lambda value: {unit: value})


def thresholds(p: Parameter) -> st.SearchStrategy[list[dict[str, Any]]]:
    """One or two clauses of amounts in one or two units."""
    units = st.lists(st.sampled_from(p.units), min_size=1, max_size=2, unique=True)
    clause = units.flatmap(lambda found: st.tuples(*(amount(p, unit) for unit in found)))
    return st.lists(clause.map(lambda parts: {k: v for part in parts for k, v in part.items()}), min_size=1, max_size=2)


class Seven:
    """A meter that counts 0 to 6 tokens, many messages for nothing."""

    def count(self, message: Message) -> int:
        """Tokens of one message."""
        return len(message.content) % 7


METERS = st.sampled_from([meter("agentkit"), meter("agentlib"), Seven()])


def terse(messages: Sequence[Message], prior: str | None) -> str:
    """A summary of a few words."""
    return f"{len(messages)} messages, {len(prior or '')} characters before"


def silent(messages: Sequence[Message], prior: str | None) -> str:
    """A summary without a word."""
    return ""


def verbose(messages: Sequence[Message], prior: str | None) -> str:
    """A summary longer than what it stands for."""
    return " ".join(m.content for m in messages) + "and so on " * 40


SUMMARIZERS = st.sampled_from([terse, silent, verbose])
