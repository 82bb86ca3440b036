"""The public names."""

import core


def test_the_public_names() -> None:
    """What DESIGN calls a contract can be imported from `core`, and nothing slips out of the list unnoticed."""
    contract = {
        *("load", "Session", "Message", "ToolCall", "Trace", "Compaction", "Policy", "policy", "policies", "meter"),
        *("compact", "simulate", "replay", "Memory", "estimate_tokens", "message_tokens", "LLM", "MockLLM", "tool"),
        *("Tool", "ToolRegistry", "run_agent", "RunResult", "SummarizingMemory", "ChatAgent"),
    }

    assert contract <= set(core.__all__)
    assert all(hasattr(core, name) for name in core.__all__)
