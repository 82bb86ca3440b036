"""What every policy makes of a summarizer that fails: the status says it, and no message is lost that need not be."""

from functools import cache
from typing import get_args

import pytest

from core import Compaction, Message, Policy, Trace, compact, policies, policy, simulate
from core.analyse import findings_at
from core.policy.vocabulary import Stage, Status
from core.summaries.failing import FAILURES, Failing
from core.summaries.summarizers import summarizer
from core.trace.trace import as_session
from tests.engine.test_engine_properties import Seven100, long_session
from tests.policies.by_hand import BY_HAND, shown, window
from tests.support import assistant, calls, result, system, tight, user

EVERY = pytest.mark.parametrize("chosen", policies(), ids=lambda p: p.name)
EACH = pytest.mark.parametrize("way", list(FAILURES))

# Asked for with little room, over: s1, u1 a1(c1) t1 a2, u2 a3(c2) t2 a4, u3 a5(c3) t3 a6, u4 a7, u5. What comes of a reply
# without a word, and of an error: the status, and the window where it changed.
WINDOW = "s10 u100 a100(c1) t100(c1) a100 u100 a100(c2) t100(c2) a100 u100 a100(c3) t100(c3) a100 u100 a50 u50"
OUTCOMES = {
    "adk.sliding_window": ("compacted: s1 S", "failed"),
    "agent_framework.context_window": ("compacted: s1 a7 u5", "compacted: s1 a7 u5"),
    "agent_framework.summarization": ("failed", "failed"),
    "agentkit.memory": ("compacted: s1 S u4 a7 u5", "failed"),
    "agentlib.summarizing": ("still_over_budget: s1 a4 u3 a5 t3 a6 u4 a7 u5", "failed"),
    "aider": ("compacted: s1 S u4 a7 u5", "compacted: s1"),
    "anthropic.compact": ("failed", "failed"),
    "claude_code.auto": ("failed", "failed"),
    "cline.agentic": ("failed", "failed"),
    "codex.local": ("still_over_budget: s1 u2* u3 u4 u5 S", "failed"),
    "crush": ("compacted: s1 S", "failed"),
    "gemini_cli.compression": ("failed", "failed"),
    "goose": ("compacted: s1 S K u5", "failed"),
    "kimi_cli": ("failed", "failed"),
    "langchain.summarization": ("compacted: S u4 a7 u5", "failed"),
    "langmem.summarize": ("compacted: s1 S", "failed"),
    "letta.sliding": ("compacted: s1 S a7 u5", "failed"),
    "llamaindex.summary_buffer": ("compacted: S u4 a7 u5", "failed"),
    "minimal_agent.compact": ("compacted: s1 S K", "failed"),
    "minimal_agent.rolling": ("compacted: s1 S K u5", "failed"),
    "opencode.v2": ("failed", "failed"),
    "openhands.llm_summarizing": ("still_over_budget: s1 u1 a1 t1 S", "failed"),
    "pi.compaction": ("still_over_budget: s1 S a6 u4 a7 u5", "failed"),
    "pi.compaction_2025": ("still_over_budget: s1 S u3 a5 t3 a6 u4 a7 u5", "failed"),
    "roo.condense": (
        "still_over_budget: s1 u1 M a4 u3 a5 t3 a6 u4 a7 u5",
        "still_over_budget: s1 u1 M a4 u3 a5 t3 a6 u4 a7 u5",
    ),
    "semantic_kernel.summary_reducer": ("compacted: s1 S u4 a7 u5", "failed"),
    "strands.summarizing": ("still_over_budget: s1 S a6 u4 a7 u5", "failed"),
}


@pytest.mark.parametrize("name", OUTCOMES)
def test_what_becomes_of_an_empty_summary_and_of_an_error(name: str) -> None:
    """Each of these policies does with an empty reply and with an error what is written down above."""
    chosen = policy(name)
    found = (compact(window(WINDOW), tight(chosen), BY_HAND, Failing(way), force=True) for way in ("empty", "error"))
    assert tuple(map(outcome, found)) == OUTCOMES[name]


# What the summarizer raises comes out of these, and the run or the turn ends there; the others go on without a summary.
ENDED = """agentkit.memory agentlib.summarizing cline.agentic crush gemini_cli.compression goose kimi_cli
langchain.summarization langmem.summarize letta.sliding llamaindex.summary_buffer minimal_agent.compact minimal_agent.rolling
semantic_kernel.summary_reducer strands.summarizing"""


def test_where_an_error_ends_the_run_the_reason_says_so() -> None:
    """The reason of a pass that failed ends with it, for those written down here and none else of the policies above."""
    failed = {n: compact(window(WINDOW), tight(policy(n)), BY_HAND, Failing("error"), force=True) for n in OUTCOMES}
    assert {name for name, found in failed.items() if found.reason.endswith("and the run ends")} == set(ENDED.split())


def outcome(found: Compaction) -> str:
    """The status, and the window where it changed."""
    return f"{found.status}: {shown(found.after)}" if found.acted else found.status


# Nothing to summarize for these: they clear after a pause, clear thoughts, shorten long results, act when asked, or find no
# room beside the prompt.
NEVER_HERE = (
    *("anthropic.clear_thinking", "claude_code.microcompact", "langmem.summarize", "minimal_agent.compact"),
    "stella.retention",
)


@EVERY
@EACH
def test_a_failing_summarizer_never_breaks_a_simulation(chosen: Policy, way: str) -> None:
    """A long session comes to its end, each pass has a status of the vocabulary, and one that failed left all as it was."""
    trace = run_of(chosen, way)
    assert {c.status for c in (*trace.compactions, *trace.failed)} <= set(get_args(Status))
    assert all(c.acted for c in trace.compactions)
    assert all(not c.acted and c.status in ("failed", "inflated") and c.reason for c in trace.failed)
    assert bool(trace.failed) == any(" failed, " in note or " refused, " in note for note in trace.notes)
    assert trace.summarizer == way
    if chosen.name not in NEVER_HERE:
        assert trace.compactions or trace.failed, "nothing was tried"


@EVERY
@EACH
def test_nothing_leaves_without_an_edit(chosen: Policy, way: str) -> None:
    """After every compaction, and at the end, what has arrived is in the window as it came or an edit names it as gone."""
    trace = run_of(chosen, way)
    for i in (*map(trace.compaction_step, range(0, len(trace.compactions), 7)), len(trace) - 1):
        arrived = {m.id: m for m in trace.messages[: trace.steps[i].messages]}
        seen, gone = {m.id: m for m in trace.window(i)}, trace.gone(i)
        assert not seen.keys() & gone.keys()
        assert arrived.keys() <= seen.keys() | gone.keys()
        assert all(m is arrived[m.id] or m.injected == "cleared" for m in seen.values() if m.id in arrived)


@EVERY
@EACH
def test_no_message_is_lost_without_a_summary(chosen: Policy, way: str) -> None:
    """Messages go for no summary only where the policy drops them, or takes an empty reply for one that needs no message."""
    for found in run_of(chosen, way).compactions:
        actions = {edit.action for edit in found.edits}
        assert "dropped" not in actions or any(map(drops, chosen.stages))
        if "summarised" in actions and found.summary is None:
            assert any(stage.transform.kind == "digest" or may_be_empty(stage) for stage in chosen.stages)


def drops(stage: Stage) -> bool:
    """Whether the stage takes messages out for nothing, always or where the summarizer fails."""
    rule = stage.transform
    return rule.kind == "drop" or (rule.kind == "summarise" and rule.on_error.startswith("drop"))


def may_be_empty(stage: Stage) -> bool:
    """Whether a summary without text is no message."""
    return stage.transform.kind == "summarise" and not stage.transform.keep_empty


@cache
def run_of(chosen: Policy, way: str) -> Trace:
    """Forty turns with tools under the policy, every summary of which fails in this way."""
    messages = [system("You are careful. Never touch the tests.")]
    for i in range(40):
        asked = assistant("looking", calls(f"c{i}", "read", path=f"src/{i % 7}.py"))
        messages += [user(f"do {i} " * 9), asked, result(f"c{i}", "line " * 30), assistant(f"did {i}")]
    return simulate(as_session(messages), tight(chosen), meter=Framed(), summarizer=Failing(way))


class Framed:
    """A meter of four characters a token and forty for each message."""

    def count(self, message: Message) -> int:
        """Tokens of one message."""
        return 40 + len(message.content) // 4


@pytest.mark.parametrize("name", ["aider", "codex.local", "letta.sliding", "pi.compaction", "langchain.summarization"])
def test_a_summary_that_says_nothing_is_told_whatever_stands_around_it(name: str) -> None:
    """Prefixes, JSON or a heading of the policy's own do not hide that the summarizer said nothing."""
    trace = simulate(long_session(), tight(policy(name)), meter=Seven100(), summarizer=summarizer("empty"))
    assert trace.compactions
    for k in range(len(trace.compactions)):
        assert "empty_summary" in {f.kind for f in findings_at(trace, k)}


@pytest.mark.parametrize("name", ["aider", "agentkit.memory", "codex.local"])
def test_a_summary_of_a_few_words_in_brackets_is_not_empty(name: str) -> None:
    """A phrase in brackets is something that was said, if it reads like a policy's own heading."""
    said = "[a few words on a summary that was too long]"
    trace = simulate(long_session(), tight(policy(name)), meter=Seven100(), summarizer=lambda messages, prior: said)
    kinds = {f.kind for k in range(len(trace.compactions)) for f in findings_at(trace, k)}
    assert trace.compactions
    assert "empty_summary" not in kinds


@pytest.mark.parametrize("name", ["aider", "roo.condense"])
def test_what_is_dropped_because_no_summary_came_is_told(name: str) -> None:
    """Something was done, so the status says so; that it was not what was meant is a finding, and an error."""
    trace = simulate(long_session(), tight(policy(name)), meter=Seven100(), summarizer=summarizer("error"))
    first = trace.compactions[0]
    assert first.acted
    assert first.setback.startswith("the summarizer failed")
    assert [f.severity for f in findings_at(trace, 0) if f.kind == "summarizer_failed"] == ["error"]
