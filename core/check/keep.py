"""The rule that a text survives every compaction: a message or a summary has it, or a summary has a name of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.check.story import story
from core.check.survival import Survival, survivals
from core.check.verdict import Verdict
from core.model.errors import FoldlineError
from core.model.text import clean, cut
from core.trace.places import compaction_place
from core.trace.trace import Trace
from core.why.fate import fate
from core.why.words import summary_name

_LONGEST = 80  # characters of the text in the name of the rule
_MOST_NAMES = 3


@dataclass(frozen=True)
class Keep:
    """Keeps one text, as `fate` looks for it. Raises FoldlineError for a text that is blank."""

    text: str

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise FoldlineError("there is no text to keep", "give at least one character that is no white space")

    @property
    def name(self) -> str:
        """The rule in words."""
        return f"keep “{cut(clean(self.text), _LONGEST)}”"

    def judge(self, trace: Trace, session: str) -> Verdict:
        """Skipped where nothing says the text; the amount is how early it is lost, in messages from the end."""
        found = fate(trace, self.text)
        if not found.said:
            return Verdict(session=session, rule=self.name, status="skipped", text="not said in this session")
        left = list(survivals(found))
        k = next((one.k for one in left if one.how == "gone"), None)
        if k is None:
            return Verdict(session=session, rule=self.name, status="passed", text=_how(trace, left))
        told = f"lost at {compaction_place(trace, k)}, after message {trace.compactions[k].at:,}"
        early = len(trace.messages) - trace.compactions[k].at + 1
        return Verdict(session=session, rule=self.name, status="failed", text=told, story=story(found, k), amount=early)


def _how(trace: Trace, left: Sequence[Survival]) -> str:
    """How a text survived, in words: the weakest way of all."""
    if not left:
        return "no compaction after it was said"
    survives = f"survives {len(left):,} compaction{'s' * (len(left) != 1)}"
    named = next((one for one in left if one.how == "name"), None)
    if named:
        return f"{survives}; {summary_name(trace, named.k + 1)} says only {', '.join(named.names[:_MOST_NAMES])}"
    summarized = next((one for one in left if one.how == "summary"), None)
    return f"{survives}; in {summary_name(trace, summarized.k + 1)}" if summarized else f"{survives} word for word"
