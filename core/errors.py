"""Every error a user can see.

    FoldlineError                 what went wrong, and a hint: the way out
    ├── TranscriptError           a file that no importer can read
    ├── UnknownNameError          a policy, meter, format or parameter that does not exist; lists the known ones
    ├── ParameterError            a value that a parameter cannot take
    ├── StepError                 a step outside the trace
    └── SummarizerError           a summarizer that failed, with what it said

Each message names the value and the rule; `hint` names the next move. No other exception is meant to reach a user.
"""

from collections.abc import Iterable


class FoldlineError(Exception):
    """Base of every error a user can see: `str(error)` is one line, `error.hint` the way out (or empty)."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class TranscriptError(FoldlineError):
    """A file that no importer can read, or that is damaged beyond use."""


class UnknownNameError(FoldlineError):
    """A name that does not exist; the hint lists those that do."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        super().__init__(f"unknown {kind} {name!r}", f"known: {', '.join(sorted(known)) or 'none'}")


class ParameterError(FoldlineError):
    """A parameter value outside what the policy accepts."""


class StepError(FoldlineError):
    """A step number outside the trace."""

    def __init__(self, step: int, steps: int) -> None:
        super().__init__(f"step {step} is outside this trace", f"steps run from 0 to {steps - 1}")


class SummarizerError(FoldlineError):
    """A summarizer that could not give a summary."""
