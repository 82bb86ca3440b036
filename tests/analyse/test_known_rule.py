"""The limit that the known rule of a recorded run's agent gives."""

from typing import Any

import pytest

from core import meter, replay
from core.analyse.known_rule import known_rule
from core.model.session import RecordedCompaction
from tests.support import as_session, assistant, user

LOWER = "This one compacted at {}: a setting may be lower, or the agent counts differently."
ASKED = LOWER.replace(": a setting", ": the user may have asked for it, a setting")
OLDER = (
    "By its rule before version 2.1.21 the agent compacts at 155,000 tokens: "
    "window \N{MINUS SIGN} 32,000 \N{MINUS SIGN} 13,000."
)
SINCE = "Since then the limit is 167,000: window \N{MINUS SIGN} min(output, 20,000) \N{MINUS SIGN} 13,000."
CLAUDE = (
    "By its known rule the agent compacts at 167,000 tokens: "
    "window \N{MINUS SIGN} min(output, 20,000) \N{MINUS SIGN} 13,000."
)
CODEX = "By its known rule the agent compacts at 232,560 tokens: window \N{MULTIPLICATION SIGN} 9 / 10."


def rule_of(format: str, model: str, **known: Any) -> list[str]:
    """What is said of a recorded compaction of this kind."""
    event = RecordedCompaction(at=2, **known)
    reply = assistant("b").model_copy(update={"model": model})
    session = as_session([user("a"), reply, user("c")], format=format, model=model, compactions=(event,))
    return known_rule(replay(session, meter=meter("agentkit")), 0)


@pytest.mark.parametrize(
    ("format", "model", "known", "said"),
    [
        (
            "claude-code",
            "claude-opus-4-5",
            {"trigger": "auto", "tokens_before": 154_445},
            [OLDER, SINCE],
        ),
        (
            "claude-code",
            "claude-opus-4-5",
            {"trigger": "auto", "tokens_before": 162_750},
            [OLDER, SINCE],
        ),
        (
            "claude-code",
            "claude-opus-4-5",
            {"trigger": "auto", "tokens_before": 162_751},
            [CLAUDE, LOWER.format("162,751")],
        ),
        (
            "claude-code",
            "claude-opus-4-5",
            {"trigger": "auto", "tokens_before": 120_000},
            [CLAUDE, LOWER.format("120,000")],
        ),
        ("claude-code", "claude-opus-4-5", {"trigger": "auto", "tokens_before": 166_900}, [CLAUDE]),
        ("claude-code", "claude-opus-4-5", {"tokens_before": 120_000}, [CLAUDE, ASKED.format("120,000")]),
        ("codex", "gpt-5.4", {"tokens_before": 232_000, "context_window": 258_400}, [CODEX]),
        ("claude-code", "claude-opus-4-5", {"trigger": "manual", "tokens_before": 154_445}, []),
        ("claude-code", "claude-opus-4-6", {"trigger": "auto", "tokens_before": 154_445}, []),
        ("claude-code", "claude-opus-4-5", {"trigger": "auto"}, []),
        ("otel", "claude-opus-4-5", {"trigger": "auto", "tokens_before": 154_445}, []),
    ],
)
def test_the_limit_is_said_with_its_rule(format: str, model: str, known: dict[str, Any], said: list[str]) -> None:
    """In the window that the transcript tells, else the model's; none where a person asked, or one of these is not known.

    Where the record does not say how it was started, a person may have asked.
    """
    assert rule_of(format, model, **known) == said


def test_the_older_limit_is_said_once() -> None:
    """Of the first compaction at the limit of older versions; a later one says it no more, another limit does."""
    sizes = (154_445, 155_000, 166_900)
    events = [
        RecordedCompaction(at=at, trigger="auto", tokens_before=n) for at, n in zip((2, 4, 6), sizes, strict=True)
    ]
    model = "claude-opus-4-5"
    messages = [
        message for _ in sizes for message in (user("a"), assistant("b").model_copy(update={"model": model}), user("c"))
    ]
    session = as_session(messages, format="claude-code", model=model, compactions=tuple(events))
    trace = replay(session, meter=meter("agentkit"))
    assert [known_rule(trace, k) for k in range(3)] == [[OLDER, SINCE], [], [CLAUDE]]
