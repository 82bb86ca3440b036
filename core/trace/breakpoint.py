"""A breakpoint: the condition under which a live run pauses by itself, as data."""

from typing import Literal

from pydantic import Field, model_validator

from core.model.errors import ParameterError
from core.model.session import Frozen

BreakpointKind = Literal["before_compaction", "compaction", "tokens", "messages", "tool", "text", "finding", "error"]
ERRORS = ("", "tool", "compaction")
"""What a breakpoint on an error waits for: a tool that failed, a compaction that failed, either of them."""


class Breakpoint(Frozen):
    """One reason to pause before the next model call, before a tool runs, or before the policy compacts.

    | kind                | pauses                                      | `value`                       |
    |---------------------|---------------------------------------------|-------------------------------|
    | `before_compaction` | before the policy compacts, or tries to     |                               |
    | `compaction`        | after the window was rewritten              |                               |
    | `tokens`            | before a call that is sent more tokens      | a whole number                |
    | `messages`          | once so many messages have arrived          | a whole number                |
    | `tool`              | before a tool runs                          | its name, "" for any          |
    | `text`              | after a message with this text arrived      | a text, in any case; with `regex` an RE2 expression |
    | `finding`           | after a compaction or a call with a finding | a kind of finding, "" for any |
    | `error`             | after an error                              | "tool", "compaction", "" either |

    Of a tool, `pattern` is an RE2 expression that its `argument` must match; without `argument` any argument may match. Of
    a text, `role` is the role of the message, "" for any. The breakpoint pauses the run from its `from_hit`-th hit on;
    `hits` says how many it has had.
    """

    kind: BreakpointKind
    value: str | int = ""
    argument: str = ""
    pattern: str = ""
    role: Literal["", "user", "assistant", "tool"] = ""
    regex: bool = False
    from_hit: int = Field(default=1, ge=1, le=1_000_000)
    hits: int = 0
    on: bool = True
    id: int = 0

    @model_validator(mode="after")
    def _check(self) -> "Breakpoint":
        if self.kind in ("tokens", "messages") and not (isinstance(self.value, int) and self.value > 0):
            raise ParameterError(
                f"a breakpoint at {self.value!r} {self.kind} is not possible", "give a whole number above 0"
            )
        if self.kind == "text" and not str(self.value).strip():
            raise ParameterError("a breakpoint on a text needs a text", "type the text to wait for")
        if self.kind == "error" and self.value not in ERRORS:
            raise ParameterError(f"there are no {self.value!r} errors", 'known: "tool", "compaction", or "" for both')
        return self

    @property
    def condition(self) -> "Breakpoint":
        """The breakpoint without what changes as the run goes on."""
        return self.model_copy(update={"hits": 0, "on": True})

    @property
    def words(self) -> str:
        """The condition in words: "write_file with path matching \\.env"."""
        if self.kind == "before_compaction":
            return "before a compaction"
        if self.kind == "compaction":
            return "after a compaction"
        if self.kind == "tokens":
            return f"tokens over {self.value:,}"
        if self.kind == "messages":
            return f"message {self.value:,}"
        if self.kind == "tool":
            return f"{self.value or 'any tool'}{self._argument_words}"
        if self.kind == "text":
            return f"{self._text_words} in {f'a {self.role} message' if self.role else 'any message'}"
        if self.kind == "finding":
            return f"finding: {str(self.value).replace('_', ' ')}" if self.value else "any finding"
        return f"{self.value} error" if self.value else "any error"

    @property
    def _argument_words(self) -> str:
        if not self.pattern:
            return ""
        return f" with {self.argument or 'an argument'} matching {self.pattern}"

    @property
    def _text_words(self) -> str:
        return f"text matching {self.value}" if self.regex else f"text “{self.value}”"
