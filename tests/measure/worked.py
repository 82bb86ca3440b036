"""The worked session: eleven messages whose tokens, times and windows are written out, so that every measure can be."""

from core import Message, Session, ToolCall, Trace, policy, simulate

_ROWS = (
    ("system", "You are a coding agent.", 100, "12:00:00", None),
    ("user", "Fix the crash in src/app/main.py. Ticket OPS-4821.", 40, "12:00:00", None),
    ("assistant", "", 30, "12:00:05", ("read_file", {"path": "src/app/main.py"})),
    ("tool", "def parse_config(): retry_limit = 48213", 200, "12:00:06", "read_file"),
    ("assistant", "", 30, "12:00:10", ("bash", {"command": "pytest -q tests/test_app.py"})),
    ("tool", "FAILED tests/test_app.py KeyError", 100, "12:00:20", "bash"),
    ("assistant", "tests/test_app.py fails in parse_config.", 30, "12:00:25", ("bash", {"command": "ls -la src"})),
    ("tool", "total 4", 60, "12:10:25", "bash"),
    ("assistant", "Where does 48213 stand?", 30, "12:10:30", ("read_file", {"path": "src/app/main.py"})),
    ("tool", "def parse_config(): retry_limit = 48213", 200, "12:10:31", "read_file"),
    ("assistant", "retry_limit in parse_config was 48213.", 20, "12:10:40", None),
)
SUMMARY = 62  # tokens, with its header


class Table:
    """A meter that reads the tokens off the table; a summary has 62."""

    name = "table"

    def count(self, message: Message) -> int:
        """Tokens of a message."""
        return _ROWS[int(message.id)][2] if message.id.isdecimal() else SUMMARY


def session() -> Session:
    """The eleven messages."""
    messages, call = [], ""
    for place, (role, content, _, time, tool) in enumerate(_ROWS):
        fields: dict[str, object] = {
            "id": str(place),
            "role": role,
            "content": content,
            "timestamp": f"2026-11-01T{time}Z",
        }
        if isinstance(tool, tuple):
            call = f"call-{place}"
            fields["tool_calls"] = [ToolCall(id=call, name=tool[0], arguments=tool[1])]
        elif tool:
            fields |= {"tool_call_id": call, "name": tool}
        messages.append(Message.model_validate(fields))
    return Session(messages=tuple(messages))


def compacted() -> Trace:
    """Under agentkit.memory, budget 400, keep_recent 2."""
    rule = policy("agentkit.memory", budget=400, keep_recent=2)
    return simulate(session(), rule, meter=Table(), summarizer=lambda *_: "said before")


def unbounded() -> Trace:
    """Without any compaction."""
    return simulate(session(), policy("agentkit.memory", budget=10_000), meter=Table())
