"""A constraint registry beside the summary: what the user forbade or limited stays word for word, whatever a summary says.

Source: CompInt (arXiv 2608.11242), by which 17 % of side constraints outlive a compaction, and Constraint Pinning (arXiv
2606.22528), which restores them at some 47 tokens each. Of CompInt a report was read and of the other its abstract, on
2026-11-23. How constraints are found is not theirs: here a sentence of a typed message counts that has a word of forbidding
or limiting.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from core.model.session import Message
from core.policy.parameters import amount
from core.policy.policy import Policy
from core.policy.rules import Writing
from core.policy.vocabulary import Condition, Placement, Scope, Size, Source, Summarize, Trigger
from core.window.ranges import Ranges

HEADING = "Constraints, word for word:"
MOST, LONGEST = 40, 400
_SENTENCE = re.compile(r"(?<=[.!?;。！？])\s+|\n+")
_LIMITS = re.compile(
    r"\b(?:no|not|never|without|only|must|always|avoid|except|unless|don't|don’t|cannot|can't|mustn't|at most|at least)\b",
    re.IGNORECASE,
)


@Writing
def beside_the_registry(
    window: object,
    tail: Ranges,
    given: Sequence[Message],
    prior: str | None,
    ask: Callable[[Sequence[Message], str | None], str],
) -> str:
    """The registry as it was, with what these messages add, then the summary, which is written without the registry."""
    known, before = _parted(prior or "")
    found = [*known, *(rule for message in given if message.typed for rule in constraints(message.content))]
    rules = list(dict.fromkeys(found))[:MOST]
    summary = ask(given, before or None)
    return "\n".join([HEADING, *(f"- {rule}" for rule in rules), "", summary]) if rules else summary


def constraints(text: str) -> Iterator[str]:
    """The sentences of a text that forbid or limit something, white space squeezed; none that asks."""
    for sentence in _SENTENCE.split(text):
        rule = " ".join(sentence.split()).lstrip("-*• ")
        if _LIMITS.search(rule) and 8 <= len(rule) <= LONGEST and not rule.endswith("?"):
            yield rule


def _parted(text: str) -> tuple[list[str], str]:
    """The registry that an earlier summary begins with, and the summary behind it."""
    if not text.startswith(HEADING):
        return [], text
    head, _, rest = text.partition("\n\n")
    return [line[2:] for line in head.splitlines()[1:] if line.startswith("- ")], rest


POLICY = Policy(
    name="compint.registry",
    title="Constraint registry (CompInt)",
    family="research",
    about="Summarizes the middle, and keeps what the user forbade or limited word for word above the summary.",
    rule="Before a model call, if the window has more than `budget` tokens: summarizes what stands between the leading "
    "system messages and the newest keep_recent messages. Sentences of typed messages among these that forbid or "
    "limit something go into a registry, which stands above the summary, is never given to the summarizer, and is "
    "carried on as it is: at most 40 sentences, the oldest first.",
    faults=(
        "A constraint without such a word, or in a language other than English, is not found.",
        "A constraint that the user took back stays in the registry.",
        "When 40 are in it, later ones are left to the summary.",
    ),
    not_modelled=(
        "how the papers find constraints, with a model or by marking them",
        "checking calls against the registry",
    ),
    source=Source(
        url="https://arxiv.org/abs/2608.11242", version="arXiv 2608.11242", licence="none stated", checked="2026-11-23"
    ),
    fidelity="approximate",
    parameters=(
        amount("budget", 100_000, "tokens", "compact above this many tokens"),
        amount("keep_recent", 8, "messages", "newest messages that stay verbatim"),
    ),
    trigger=Trigger(phase="before_call", any_of=((Condition(value="budget"),),)),
    scope=Scope(tail=Size(unit="messages", value="keep_recent"), cut_boundary="pairs", fold_summary=False),
    transform=Summarize(strip=True, writes=beside_the_registry),
    placement=Placement(role="user", template="[Summary #{n} of {k} earlier messages]\n{text}"),
)
