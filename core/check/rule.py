"""What every rule of a check has, and the verdicts that its judgements become."""

from typing import Protocol

from core.check.verdict import Verdict
from core.trace.trace import Trace


class Rule(Protocol):
    """Something that must hold on a trace. A new rule is a module beside this one, and an option of `foldline check`."""

    @property
    def name(self) -> str:
        """The rule in words; a baseline knows it by them."""
        ...

    def judge(self, trace: Trace, session: str) -> Verdict:
        """Whether it holds on the trace of a session of this name."""
        ...


def limited(rule: Rule, session: str, amount: float, limit: float, text: str, story: tuple[str, ...] = ()) -> Verdict:
    """The verdict of a rule that sets a limit to an amount."""
    status, told = ("failed", story) if amount > limit else ("passed", ())
    return Verdict.model_validate(
        {"session": session, "rule": rule.name, "status": status, "text": text, "story": told, "amount": amount}
    )
