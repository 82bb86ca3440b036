"""Every error a user can see.

    FoldlineError                 what went wrong, and a hint: the way out
    ├── TranscriptError           a file that no importer can read
    │   └── NoTranscriptError     a file of another kind, with which nothing is wrong
    ├── UnknownNameError          a policy, meter or format that does not exist; lists the known ones
    │   └── UnknownParameterError a parameter that a policy does not have
    ├── ParameterError            a value that a parameter cannot take
    ├── StepError                 a step outside the trace
    ├── SummarizerError           a summarizer that failed, with what it said
    ├── RunCancelledError         a model call that was stopped on purpose
    ├── RunError                  a command that a live run cannot follow now, or a run that is not there
    └── ModelError                a model call that failed, with its kind
        └── BrokenPairError       a window whose tool calls and results do not match: it is not sent

Each message names the value and the rule; `hint` names the next move. No other exception is meant to reach a user.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Literal, TypeVar, get_args

_Value = TypeVar("_Value")


class FoldlineError(Exception):
    """Base of every error a user can see: `str(error)` is one line, `error.hint` the way out (or empty)."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def format_error(error: BaseException) -> str:
    """An error in words: its text, behind its kind where the text alone could be anything; never just the name of a class."""
    if isinstance(error, FoldlineError) and str(error).strip():
        return str(error)
    text = " ".join(str(error).split())
    kind = next((words for known, words in _KINDS.items() if isinstance(error, known)), "")
    if text:
        return f"{kind or type(error).__name__}: {text}"
    return f"{kind or f'an unexpected error ({type(error).__name__})'}, without further details"


_KINDS: dict[type[BaseException], str] = {
    TimeoutError: "no answer in time",
    ConnectionError: "the connection failed",
    FileNotFoundError: "a file or folder is missing",
    PermissionError: "access is denied",
    MemoryError: "not enough memory",
    RecursionError: "nested too deep",
    UnicodeError: "text that cannot be decoded",
}
"""Kinds of exceptions whose names say nothing to a person."""


class TranscriptError(FoldlineError):
    """A file that no importer can read, or that is damaged beyond use."""


class NoTranscriptError(TranscriptError):
    """A file that is something else than a transcript, or a transcript without messages."""


class UnknownNameError(FoldlineError):
    """A name that does not exist; the hint lists those that do."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        super().__init__(f"unknown {kind} {name!r}", f"known: {', '.join(sorted(known)) or 'none'}")


class UnknownParameterError(UnknownNameError):
    """A parameter that a policy, or whatever else has some, does not have; says which one may be meant, and lists them."""

    def __init__(self, owner: str, name: str, known: Iterable[str]) -> None:
        names = list(known)
        near = get_close_matches(name, names, 1)
        meant = f"; {near[0]!r} is one" if near else ""
        FoldlineError.__init__(
            self, f"{owner} has no parameter {name!r}{meant}", f"it has {', '.join(names) or 'none'}"
        )


def named(kind: str, name: str, known: Mapping[str, _Value]) -> _Value:
    """The value with this name. Raises UnknownNameError, which lists the known names."""
    if name not in known:
        raise UnknownNameError(kind, name, known)
    return known[name]


class ParameterError(FoldlineError):
    """A parameter value outside what the policy accepts."""


class StepError(FoldlineError):
    """A step number outside the trace."""

    def __init__(self, step: int, steps: int) -> None:
        super().__init__(f"step {step} is outside this trace", f"steps run from 0 to {steps - 1}")


class SummarizerError(FoldlineError):
    """A summarizer that could not give a summary."""


class RunCancelledError(FoldlineError):
    """A model call that was stopped on purpose, before its reply was whole."""

    def __init__(self, message: str = "stopped", hint: str = "") -> None:
        super().__init__(message, hint)


class RunError(FoldlineError):
    """A command that a live run cannot follow now, or a run that is not there."""


ModelErrorKind = Literal[
    "no_key", "auth", "not_found", "rate_limit", "overloaded", "server", "network", "timeout", "context_too_long",
    "refused", "bad_request", "cut_off", "bad_reply", "broken_pair", "scripted",
]  # fmt: skip


class ModelError(FoldlineError):
    """A model call that failed. `kind` is one word of ModelErrorKind; no message ever holds a key."""

    def __init__(self, kind: ModelErrorKind, message: str, hint: str = "") -> None:
        assert kind in get_args(ModelErrorKind), kind
        super().__init__(message, hint)
        self.kind: ModelErrorKind = kind


class BrokenPairError(ModelError):
    """A window in which a tool call has no result or a result no call: no provider takes it, so it is not sent.

    `call_id` and `tool` name the pair, `missing` is the half that is not there ("call" or "result"), `message_ids` are the
    messages that can be left out, or whose calls can, so that the rest may be sent.
    """

    def __init__(
        self, call_id: str, tool: str, missing: Literal["call", "result"], message_ids: Iterable[str] = ()
    ) -> None:
        there = "result" if missing == "call" else "call"
        what = f"the {there} of tool call {call_id!r} ({tool or 'unknown tool'}) is in the window, its {missing} is not"
        super().__init__("broken_pair", what, "continue without it, or choose a policy that keeps tool pairs together")
        self.call_id, self.tool, self.missing = call_id, tool, missing
        self.message_ids = tuple(message_ids)
