"""What a shell command printed, without what Codex writes above it: the command again, times and counts.

https://github.com/openai/codex/blob/main/codex-rs/core/src/tools/mod.rs
"""

import json
import re

_BEGINNING = 2_000  # characters that are read of a result
_HEADER = re.compile(
    r"(?:Command: [^\n]*\n)?(?:Chunk ID: \S+\n)?(?:Exit code: (?P<exit>-?\d+)\n)?Wall time: [^\n]*\n"
    r"(?:Process (?:exited with code (?P<code>-?\d+)|running with session ID \d+)\n)?"
    r"(?:Original token count: \d+\n)?(?:Total output lines: \d+\n)?Output:\n?"
    r"(?:Warning: truncated output [^\n]*\n)?(?:Total output lines: \d+\n)?\s*"
)
_JSON = re.compile(r'\{"output":("(?:[^"\\]|\\.)*)')


def shell_output(result: str) -> str:
    """The beginning of what was printed, "exit 1: " in front of it where the command failed; any other text as it is."""
    beginning = result[:_BEGINNING]
    if header := _HEADER.match(beginning):
        code = header["exit"] or header["code"] or "0"
        printed = beginning[header.end() :]
        return (printed or "(no output)") if code == "0" else f"exit {code}: {printed}"
    if encoded := _JSON.match(beginning):
        return _decoded(encoded[1]) or result
    return result


def _decoded(text: str) -> str:
    """A JSON string that may be cut short, as text; "" for one that is damaged."""
    try:
        return str(json.loads(f'{text}"'))
    except ValueError:
        return ""
