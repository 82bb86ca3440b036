"""Every measure is what a slow second way finds, for every policy."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import Message, Policy, Session, ToolCall, policies, policy, simulate
from core.entities.entity import bare
from core.measure.cache import CacheRule, cached_prompts, common_tokens
from core.measure.cost import Prices, shared_tokens
from core.measure.faults import faults
from core.measure.misses import PLACEHOLDERS, misses, names_shown
from core.measure.orphans import orphaned_pairs
from core.measure.payback import paybacks
from core.measure.prompts import prompts_of
from core.measure.rebound import over_budget, rebounds
from core.measure.regret import clairvoyant_misses
from core.measure.worst_loss import worst_step
from core.summaries.summarizers import FixedSize
from tests.measure import slow, slow_events
from tests.support import EXAMPLES, METERS, SUMMARIZERS, tuned

NAMES = ("src/app/main.py", "app/main.py", "main.py", "load_rules", "OPS-4821", "48,213", "`two words`")
SAID = st.lists(st.sampled_from((*NAMES, "fine", "x " * 40)), max_size=4).map(" ".join)
FILES = st.sampled_from(("src/app/main.py", "tests/test_app.py"))
LINES = st.sampled_from(({}, {"offset": 1, "limit": 10}, {"offset": 8, "limit": 10}, {"offset": 50}))
CALLS = st.one_of(
    st.builds(lambda path, lines: ("read_file", {"path": path, **lines}), FILES, LINES),
    st.builds(lambda path: ("edit_file", {"path": path}), FILES),
    st.sampled_from([("bash", {"command": "pytest -q"}), ("bash", {"command": "ls"})]),
)


@st.composite
def sessions(draw: st.DrawFn) -> Session:
    """Turns in which an agent reads, writes and runs, and names what it found."""
    messages = [("system", {"content": "You are an agent."})][: draw(st.integers(0, 1))]
    for turn in range(draw(st.integers(1, 5))):
        messages.append(("user", {"content": draw(SAID)}))
        for step in range(draw(st.integers(1, 3))):
            made = draw(st.lists(CALLS, max_size=2))
            tools = [ToolCall(id=f"c{turn}-{step}-{k}", name=name, arguments=a) for k, (name, a) in enumerate(made)]
            reply = draw(st.sampled_from((None, None, "r1", "r2")))
            messages.append(("assistant", {"content": draw(SAID), "tool_calls": tuple(tools), "reply_id": reply}))
            messages += [("tool", {"content": draw(SAID), "tool_call_id": tool.id}) for tool in tools]
    fields = ({"id": f"m{i}", "role": role, **rest} for i, (role, rest) in enumerate(messages))
    return Session(messages=tuple(map(Message.model_validate, fields)))


@pytest.mark.parametrize("chosen", policies(), ids=lambda p: p.name)
@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_measures_are_what_the_windows_say(chosen: Policy, data: st.DataObject) -> None:
    """Prompts, cached beginnings, misses, repeats and faults agree with a look at each window."""
    trace = simulate(data.draw(sessions()), data.draw(tuned(chosen)), data.draw(METERS), data.draw(SUMMARIZERS))
    prompts, replies = prompts_of(trace), slow.replies(trace)
    assert [list(call.parts) for call in prompts.calls] == replies
    assert prompts.tokens.tolist() == [slow.tokens_before(trace, reply) for reply in replies]
    for n, (reply, same) in enumerate(zip(replies, slow.common(trace), strict=True)):
        assert prompts.window(n).messages == slow.window_before(trace, reply)
        tokens = [t for part in prompts.window(n).ranges for t in trace.pool.each(part)]
        assert common_tokens(prompts)[n] == sum(tokens[: len(same)])
    found = misses(prompts)
    missed = sorted((use.call, use.name) for use in found.missed)
    assert (found.uses, missed) == slow.misses(trace, trace.summarizer not in PLACEHOLDERS)
    assert worst_step(prompts) == slow.worst_step(trace, trace.summarizer not in PLACEHOLDERS)
    again = faults(prompts)
    assert (again.repeats, len(again.faults), again.rework_tokens) == slow.faults(trace)
    assert clairvoyant_misses(prompts) == slow.clairvoyant(trace)
    assert orphaned_pairs(trace) == len(slow.orphaned(trace))


@settings(max_examples=20 * EXAMPLES)
@given(st.data())
def test_the_clairvoyant_chooses_as_worded(data: st.DataObject) -> None:
    """Which messages it keeps, where sizes are close, names stand in several of them, and there is room for some.

    The same runs have several compactions that lose something, so which of them loses most is held to its wording here, too.
    """
    budget, keep = data.draw(st.integers(10, 60)), data.draw(st.integers(0, 4))
    rule = policy("agentkit.memory", budget=budget, keep_recent=keep)
    trace = simulate(data.draw(sessions()), rule, Few(), FixedSize(data.draw(st.integers(1, 20))))
    assert clairvoyant_misses(prompts_of(trace)) == slow.clairvoyant(trace)
    assert worst_step(prompts_of(trace)) == slow.worst_step(trace, real=False)


@settings(max_examples=20 * EXAMPLES)
@given(st.data())
def test_what_compactions_earn(data: st.DataObject) -> None:
    """Cache, time over the budget, rebound, net tokens, the shared cache and payback agree with a look at each call."""
    rule = policy("agentkit.memory", budget=data.draw(st.integers(10, 200)), keep_recent=data.draw(st.integers(0, 4)))
    trace = simulate(timed(data), rule, Few(), FixedSize(data.draw(st.integers(1, 20))))
    prompts, cache = prompts_of(trace), CacheRule(lifetime=data.draw(st.sampled_from((0.0, 60.0, 300.0))))
    assert rule.limit is not None
    sent = cached_prompts(prompts, cache)
    assert sent.hit.tolist() == slow_events.hits(trace, cache.lifetime)
    assert over_budget(prompts, rule.limit) == slow_events.over(trace, rule.limit)
    told = slow_events.compactions(trace, PRICES, cache.lifetime)
    earned = paybacks(prompts, sent, cache, PRICES)
    assert [one.net for one in earned] == [one.net for one in told]
    assert shared_tokens(prompts, cache) == tuple(sum(one.shared[i] for one in told) for i in (0, 1))
    assert rebounds(prompts, rule.limit) == [one.rebound for one in told]
    assert [one.calls for one in earned] == [pytest.approx(one.payback) if one.payback else one.payback for one in told]


@settings(max_examples=20 * EXAMPLES)
@given(
    st.lists(
        st.sampled_from(
            (*NAMES, *'\n\n \t\r"“”[]{}…ﬁ', "\n```sh\nls -la src", "\n~~~bash\n", "\n$ ls -la src", "\u2028")
        )
    )
)
def test_names_read_line_by_line(parts: list[str]) -> None:
    """A message that is put in shows what its text as a whole shows: quotations, fences, prompts and JSON among it."""
    message = Message(role="user", content="".join(parts), injected="summary")
    trace = simulate(Session(messages=(message,)), policy("agentkit.memory"))
    used = slow.names(message)
    assert names_shown(trace, message) == used | set(map(bare, used))


def timed(data: st.DataObject) -> Session:
    """A session of single replies some of whose messages have times, with pauses between them."""
    session, clock, messages = data.draw(sessions()), 0, []
    for message in session.messages:
        clock += data.draw(st.sampled_from((0, 1, 60, 400)))
        time = f"2026-11-01T{clock // 3600:02}:{clock // 60 % 60:02}:{clock % 60:02}Z"
        known = data.draw(st.booleans())
        messages.append(message.model_copy(update={"timestamp": time if known else "", "reply_id": None}))
    return session.model_copy(update={"messages": tuple(messages)})


PRICES = Prices(input=1, read=0.25, write=1.25, output=5)


class Few:
    """A meter with few sizes, so that many messages are of the same."""

    name = "few"

    def count(self, message: Message) -> int:
        """1, 2, 5 or 10 tokens."""
        return (1, 2, 5, 10)[len(message.content) % 4]
