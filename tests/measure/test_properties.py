"""Every measure is what a slow second way finds, for every policy."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import Message, Policy, Session, ToolCall, policies, policy, simulate
from core.measure.cache import common_tokens
from core.measure.faults import faults
from core.measure.misses import PLACEHOLDERS, misses
from core.measure.prompts import prompts_of
from core.measure.regret import clairvoyant_misses
from core.summaries.summarizers import FixedSize
from tests.measure import slow
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
    again = faults(prompts)
    assert (again.repeats, len(again.faults), again.rework_tokens) == slow.faults(trace)
    assert clairvoyant_misses(prompts) == slow.clairvoyant(trace)


@settings(max_examples=20 * EXAMPLES)
@given(st.data())
def test_the_clairvoyant_chooses_as_worded(data: st.DataObject) -> None:
    """Which messages it keeps, where sizes are close, names stand in several of them, and there is room for some."""
    budget, keep = data.draw(st.integers(10, 60)), data.draw(st.integers(0, 4))
    rule = policy("agentkit.memory", budget=budget, keep_recent=keep)
    trace = simulate(data.draw(sessions()), rule, Few(), FixedSize(data.draw(st.integers(1, 20))))
    assert clairvoyant_misses(prompts_of(trace)) == slow.clairvoyant(trace)


class Few:
    """A meter with few sizes, so that many messages are of the same."""

    name = "few"

    def count(self, message: Message) -> int:
        """1, 2, 5 or 10 tokens."""
        return (1, 2, 5, 10)[len(message.content) % 4]
