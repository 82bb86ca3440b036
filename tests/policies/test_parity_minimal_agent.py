"""The rolling summary of the minimal agent, held to what its own class did with the same turns."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pytest

from core import Message, compact, load, policy
from core.agents.chat_agent import ChatAgent
from core.toolbox.tools import ToolRegistry
from core.trace.compaction import Compaction
from tests.support import assistant, calls, message_facts, numbered

CASES = list(numbered("seed_c.json"))
NAMES = [name for name, _ in CASES]
Blocks = list[dict[str, Any]]


def cost(content: Any) -> int:
    """The vectors' counter: tokens of one Anthropic message."""
    return len(json.dumps(content, ensure_ascii=False)) // 4 + 4


class PerRecord:
    """Counts an Anthropic message once, where it became several of ours: on the first of those of its line."""

    def __init__(self) -> None:
        self.weights: dict[str, int] = {}

    def loaded(self, turn: Blocks, name: str) -> list[Message]:
        """A turn as our messages, under ids of its own, each weighed."""
        if not turn:
            return []
        messages, seen = load(name="x.json", data=json.dumps(turn).encode()).messages, set[int]()
        named = [m.model_copy(update={"id": f"{name}.{i}"}) for i, m in enumerate(messages)]
        for message in named:
            line = message.line or 0
            self.weights[message.id] = 0 if line in seen else cost(turn[line - 1]["content"])
            seen.add(line)
        return named

    def count(self, message: Message) -> int:
        """Tokens of one of our messages; a summary and its reply are plain texts."""
        return self.weights.get(message.id, cost(message.content))


def anthropic(messages: Iterable[Message]) -> Iterator[dict[str, Any]]:
    """Our messages as the API takes them: tool results that follow each other are one user message."""
    results: Blocks = []
    for m in messages:
        if m.role == "tool":
            results.append({"type": "tool_result", "tool_use_id": m.tool_call_id, "content": m.content})
            continue
        if results:
            yield {"role": "user", "content": results}
            results = []
        blocks = [{"type": "text", "text": m.content}] if m.content else []
        blocks += [{"type": "tool_use", "id": c.id, "name": c.name, "input": c.arguments} for c in m.tool_calls]
        yield {"role": m.role, "content": m.content if m.role == "user" or m.injected else blocks}
    if results:
        yield {"role": "user", "content": results}


def fold(window: list[Message], step: dict[str, Any], config: dict[str, int], meter: PerRecord) -> Compaction:
    """One pass of the policy that the step's operation stands for."""
    manual = step["op"] == "compact"
    rules = policy("minimal_agent.compact") if manual else policy("minimal_agent.rolling", **config)
    reply = step["model_calls"][0]["reply"] if step["model_calls"] else ""
    return compact(window, rules, meter=meter, summarizer=lambda messages, prior: reply, force=manual)


@pytest.mark.parametrize("case", [case for _, case in CASES], ids=NAMES)
def test_the_policy_does_what_the_minimal_agent_did(case: dict[str, Any]) -> None:
    """Windows, folded turns and tokens before and after are the real ones at every step."""
    window, meter = list[Message](), PerRecord()
    for number, step in enumerate(case["steps"]):
        if step["op"] == "reset":
            window = []
            continue
        found = fold(window, step, case["config"], meter)
        assert found.acted == bool(step["model_calls"])
        if step["op"] == "chat":
            assert (found.tokens_before, found.tokens_after) == (step["tokens_before"], step["tokens_after"])
            assert sum(m.typed for m in found.before if m.id in found.removed) == step["folded"]
        window = [*found.after, *meter.loaded(step.get("turn", []), str(number))]
        if "messages" in step:
            assert [message_facts(m) for m in window] == [
                message_facts(m) for m in meter.loaded(step["messages"], "expected")
            ]


class Scripted:
    """A model that plays recorded turns, counts tokens as the vectors do, and keeps its summary requests."""

    def __init__(self) -> None:
        self.replies: list[Message] = []
        self.summary, self.asked = "", list[list[Message]]()

    def count_tokens(self, messages: Sequence[Message], tools: Sequence[Any]) -> int:
        """Tokens of the messages as the API would take them."""
        return sum(cost(m["content"]) for m in anthropic(messages))

    def complete(self, messages: Sequence[Message], tools: Sequence[Any]) -> Message:
        """The next reply, or the summary where no tools are offered."""
        if not tools:
            self.asked.append(list(messages))
            return assistant(self.summary)
        return self.replies.pop(0)


def play(step: dict[str, Any], agent: ChatAgent, llm: Scripted, results: list[str]) -> None:
    """One step of a case."""
    llm.summary, llm.asked = "".join(c["reply"] for c in step["model_calls"]), []
    if step["op"] == "reset":
        agent.reset()
    elif step["op"] == "compact":
        agent.compact()
    else:
        for given in step["turn"][1:]:
            results += [b["content"] for b in given["content"] if b["type"] == "tool_result"]
            if given["role"] == "assistant":
                llm.replies.append(reply(given["content"]))
        agent.chat(step["turn"][0]["content"])


def reply(blocks: Blocks) -> Message:
    """An assistant message of the vectors as a model's reply."""
    made = [calls(b["id"], b["name"], **b["input"]) for b in blocks if b["type"] == "tool_use"]
    return assistant("".join(b["text"] for b in blocks if b["type"] == "text"), *made)


@pytest.mark.parametrize("case", [case for _, case in CASES], ids=NAMES)
def test_the_chat_agent_does_what_the_minimal_agent_did(case: dict[str, Any]) -> None:
    """Driven through the same turns, the agent's messages, counts and summary requests are the real ones."""
    llm, results = Scripted(), list[str]()

    def read_file(path: str) -> str:
        return results.pop(0)

    agent = ChatAgent(llm, ToolRegistry(read_file), **case["config"])
    for step in case["steps"]:
        before = llm.count_tokens(agent.messages, [])
        play(step, agent, llm, results)
        assert step.get("tokens_before", before) == before
        assert [len(list(anthropic(asked[:-1]))) for asked in llm.asked] == [
            c["n_messages"] for c in step["model_calls"]
        ]
        if "messages" in step:
            assert list(anthropic(agent.messages)) == step["messages"]
