"""Writes a large Claude Code session: `python -m benchmarks.make_session MEGABYTES FILE [SEED]`.

The records have the real shapes (replies split over lines, usage repeated on each, tool pairs, compactions with their
tokens); the words are drawn at random, so nothing about quality can be learned from it.
"""

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

VOCABULARY = """
adapter batch branch buffer cache call check client clock code commit config cursor data default
delay edge error event field file flag flow frame graph guard handler header index input item key
layer limit line list lock log loop match message method model module name node order output page
parse patch path plan point policy prompt query queue range read record retry return root row rule
run scope search section server session set slice source stack state step store stream string
summary table task test text thread token tool trace tree turn type unit update user value window
word write
"""
WORDS = VOCABULARY.split()
TOOLS = ("Read", "Bash", "Grep", "Edit", "Write")
WINDOW = 160_000


class Writer:
    """Makes the records of one session, in order; the same seed gives the same session."""

    def __init__(self, seed: int) -> None:
        self.random, self.number, self.parent, self.context = random.Random(seed), 0, None, 18_000

    def words(self, least: int, most: int) -> str:
        """Some words."""
        return " ".join(self.random.choices(WORDS, k=self.random.randint(least, most)))

    def listing(self, lines: int) -> str:
        """Numbered lines, as a file or a log."""
        return "\n".join(f"{n:5d}  {self.words(3, 12)}" for n in range(1, lines + 1))

    def record(self, **said: Any) -> dict[str, Any]:
        """One record, chained to the last."""
        self.number += 1
        made = {
            "parentUuid": self.parent,
            "isSidechain": False,
            "cwd": "/home/someone/project",
            "sessionId": "00000000-0000-4000-8000-000000000000",
            "version": "2.1.220",
            "uuid": f"00000000-0000-4000-8000-{self.number:012d}",
            "timestamp": f"2026-11-01T{self.number // 3600 % 24:02d}:{self.number // 60 % 60:02d}:{self.number % 60:02d}.000Z",
            **said,
        }
        self.parent = made["uuid"]
        return made

    def user(self, content: Any, **more: Any) -> dict[str, Any]:
        """A user record."""
        return self.record(type="user", message={"role": "user", "content": content}, **more)

    def reply(self, reply: str, block: dict[str, Any], output: int) -> dict[str, Any]:
        """One line of a reply: one block, with the usage so far."""
        usage = {
            "input_tokens": 4,
            "cache_creation_input_tokens": 900,
            "cache_read_input_tokens": self.context,
            "output_tokens": output,
        }
        message = {
            "id": reply,
            "role": "assistant",
            "model": "claude-sonnet-4-5",
            "content": [block],
            "usage": usage,
        }
        return self.record(type="assistant", requestId=f"req_{reply}", message=message)

    def exchange(self) -> Iterator[dict[str, Any]]:
        """A reply that calls a tool, and the result."""
        reply, call = f"msg_{self.number:08d}", f"toolu_{self.number:08d}"
        if self.random.random() < 0.4:
            yield self.reply(reply, {"type": "thinking", "thinking": self.words(30, 250), "signature": "s"}, 2)
        if self.random.random() < 0.6:
            yield self.reply(reply, {"type": "text", "text": self.words(10, 90)}, 8)
        tool = self.random.choice(TOOLS)
        use = {"type": "tool_use", "id": call, "name": tool, "input": self.arguments(tool)}
        yield self.reply(reply, use, self.random.randint(60, 600))
        lines = int(min(900, self.random.lognormvariate(3.6, 1.0)))
        text = self.listing(lines) if tool in ("Read", "Bash", "Grep") else f"done: {self.words(4, 9)}"
        self.context += len(text) // 4 + 300
        yield self.user([{"type": "tool_result", "tool_use_id": call, "content": text}])

    def arguments(self, tool: str) -> dict[str, Any]:
        """Arguments of the right shape for a tool."""
        path = f"/home/someone/project/{self.random.choice(WORDS)}.py"
        return {
            "Read": {"file_path": path},
            "Bash": {"command": f"pytest -q {self.words(1, 3)}"},
            "Grep": {"pattern": self.random.choice(WORDS)},
            "Edit": {"file_path": path, "old_string": self.words(12, 30), "new_string": self.words(12, 30)},
            "Write": {"file_path": path, "content": self.listing(self.random.randint(5, 60))},
        }[tool]

    def compaction(self) -> Iterator[dict[str, Any]]:
        """A boundary and the summary behind it."""
        before, self.context = self.context, self.random.randint(22_000, 38_000)
        data = {"trigger": "auto", "preTokens": before, "postTokens": self.context}
        yield self.record(
            type="system", subtype="compact_boundary", compactMetadata=data, logicalParentUuid=self.parent
        )
        yield self.user(f"Earlier work, in short: {self.words(300, 700)}", isCompactSummary=True)

    def records(self) -> Iterator[dict[str, Any]]:
        """Records without end."""
        while True:
            yield self.user(f"{self.words(8, 60)}.")
            for _ in range(self.random.randint(4, 22)):
                yield from self.exchange()
                if self.context > WINDOW:
                    yield from self.compaction()
            yield self.reply(f"msg_{self.number:08d}", {"type": "text", "text": self.words(20, 80)}, 90)


def write(megabytes: float, path: Path, seed: int = 7) -> Path:
    """Write a session of about this many megabytes; returns its path."""
    written, target = 0, megabytes * 1e6
    with path.open("w", encoding="utf-8") as out:
        for record in Writer(seed).records():
            written += out.write(json.dumps(record, ensure_ascii=False) + "\n")
            if written >= target:
                return path
    return path


if __name__ == "__main__":
    print(write(float(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 7))
