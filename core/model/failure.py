"""Whether a tool result says that its call failed: as the transcript marks it, or in the fixed words of the harness.

What a command prints, or a file holds, may begin with the word error and be none. So of a tool that shows such text only the
exit code counts that the harness puts around it, and of one that reads a file an error of a single line.
"""

import re
from functools import lru_cache
from typing import Literal

from core.model.session import Message

_CODE = r"(?!0\b)-?\d+"
_WRAPPED = re.compile(
    r"<tool_use_error>"
    r"|Your proposed edit has introduced new syntax error"  # SWE-agent's editor does not make it
    rf"|Exit code:? {_CODE}\b"
    rf"|<returncode>{_CODE}</returncode>"  # mini-swe-agent
)
_LAST = re.compile(
    rf"^(?:\[(?:The command completed|Command finished) with exit code {_CODE}\.?\]"  # OpenHands
    rf"|<shellId: \w+ completed with exit code {_CODE}>)"  # Copilot CLI
    r"(?:\n\[[^\n]*\])*\s*\Z",
    re.MULTILINE,
)
_SAID = re.compile(
    r"(?:Error|error|ERROR):"
    r"|Error (?:applying|calling|creating|editing|executing|fetching|finding)\b"
    r"|Error (?:invoking|opening|reading|running|searching|writing)\b"
    r"|Traceback \(most recent call last\):"
    r"|MCP error -?\d+"
    # the editor of OpenHands, SWE-agent and Anthropic's examples
    r"|Ran into .{1,400}? while trying to "
    r"|Invalid `\w+` parameter"
    r"|Parameter `\w+` is required for command"
    r"|No replacement was performed"
    r"|The arguments provided to the tool are invalid"  # OpenCode
    r"|\S{1,100} is not a valid tool, try one of \["  # LangChain
)
_ENDING = 1_000  # characters at the end of a result
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_PRINTS = frozenset(
    ("bash", "cmd", "code", "command", "exec", "execute", "ipython", "powershell", "python", "run", "shell", "terminal")
)
_READS = frozenset(("read", "cat", "open"))


def is_failure(message: Message) -> bool:
    """Whether a message is marked as an error, refuses a call, or is a result that says that its call failed."""
    if message.is_error or message.injected == "error":
        return True
    if message.role != "tool" and message.injected != "observation":
        return False
    text, shows = message.content, "prints" if message.injected else _shows(message.name or "")
    if _WRAPPED.match(text) or ("exit code" in text[-_ENDING:] and _LAST.search(text[-_ENDING:])):
        return True
    return shows != "prints" and bool(_SAID.match(text)) and (shows != "file" or "\n" not in text.strip())


@lru_cache(maxsize=4096)
def _shows(tool: str) -> Literal["prints", "file", ""]:
    """Whether a tool shows what a command prints, or what a file holds, by the words in its name."""
    words = {part.lower() for part in _PARTS.findall(tool[:200])}
    return "prints" if words & _PRINTS else "file" if words & _READS else ""
