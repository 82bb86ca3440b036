"""The rule that little of what the agent used later is missing from its window."""

import re
from dataclasses import dataclass

from core.check.rule import limited
from core.check.verdict import Verdict
from core.measure.misses import misses
from core.measure.prompts import prompts_of
from core.model.errors import ParameterError
from core.trace.trace import Trace

_LIMIT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(%?)\s*", re.ASCII)


@dataclass(frozen=True)
class MaxMisses:
    """A limit of misses: a share of the uses, or their number."""

    limit: float
    share: bool

    @classmethod
    def parse(cls, text: str) -> "MaxMisses":
        """The rule that "2%" or "12" states. Raises ParameterError for anything else."""
        match = _LIMIT.fullmatch(text)
        value, share = (float(match[1]), bool(match[2])) if match else (-1.0, False)
        if value < 0 or (share and value > 100) or not (share or value.is_integer()):
            raise ParameterError(f"{text!r} is no limit of misses", "give a share such as 2%, or a number such as 12")
        return cls(value / 100 if share else value, share)

    @property
    def name(self) -> str:
        """The rule in words."""
        return f"misses at most {100 * self.limit:g} %" if self.share else f"misses at most {self.limit:g}"

    def judge(self, trace: Trace, session: str) -> Verdict:
        """The amount is the share of uses that were missed, or their number."""
        found = misses(prompts_of(trace))
        if found.rate is None:
            return limited(self, session, 0, self.limit, "no message uses anything from earlier ones again")
        told = (
            f"{len(found.missed):,} of {found.uses:,} use{'s' * (found.uses != 1)} missing ({100 * found.rate:.1f} %)"
        )
        return limited(self, session, found.rate if self.share else len(found.missed), self.limit, told)
