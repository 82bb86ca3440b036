"""The words that facts are found by, and the words that say it is none."""

import re

Hints = tuple[str, ...]


def _hints(text: str) -> Hints:
    return tuple(text.split("|"))


def _pattern(*parts: str) -> re.Pattern[str]:
    """One pattern of all parts, case aside; the apostrophe in them stands for both kinds."""
    return re.compile("|".join(parts).replace("'", "['’]"), re.IGNORECASE)


# A rule that the user sets. A hint is looked for first: it is cheap, and the pattern then reads one sentence alone.
RULE_HINTS = _hints(
    "must|never|don't|do not|without|no new|shall not|should|at most|at least|no more than|under no|keep|only|"
    "always|avoid|ensure|make sure|stick to|leave"
)
RULE = _pattern(
    r"\b(?:must(?: not|n't)?|never|don't|do not|without|no new|shall not|should(?: not|n't)|at most|at least)\b",
    r"\b(?:no more than|under no circumstances)\b",
    r"(?:^|[.!?,;:(]|\b(?:and|but|please|also|so|then)\b)\s*(?:please )?"
    r"(?:keep|only|always|avoid|ensure|make sure|stick to|leave)\b",
)
NO_RULE = _pattern(
    r"\b(?:I|we|they|it|you) (?:really |still |just )?(?:do not|don't) "
    r"(?:know|think|see|understand|have|get|remember|believe|mind|feel|care)",
    r"keep in mind|keep(?:s)? getting|only (?:a|one|two|see|saw|if)\b|without (?:any )?(?:problem|issue|success|luck)",
    r"\bif (?:you|it) (?:do not|don't)\b|\bwhy\b|\bmust have\b",
    r"\b(?:who|which|that|users?|people|tests?|they|these|those|dates?|results?) (?:do not|don't)\b",
)

AND = _pattern(r"(?:(?:oh|and|but|so|also|plus)\b,? ){1,2}")
MANY_ELSE = _pattern(
    r"(?:(?:one|two|three|some|any|all|none|both|each|either|neither|most|half) of (?:them|these|those)"
    r"|they|them|these|those|both|neither|the (?:others?|latter|former))\b"
)
ONE_ELSE = _pattern(r"(?:it|this|that|he|she)\b(?! is why)")

DECIDED_HINTS = _hints(
    "decid|decision| instead|chose|settled on|going with|go with|go for|stick|'ll use|will use|'ll keep|"
    "will keep|let's use|let's keep"
)
DECIDED = _pattern(
    r"\b(?:I|we)(?:'ve| have)? (?:decided|chose|settled on|opted)\b",
    r"\bdecided (?:to|on|against|that)\b|\bdecision(?: is)?:|\bsettled on\b|\bgoing with\b",
    r"\b(?:I|we)(?:'ll| will) (?:use|go with|keep|stick (?:to|with)|go for)\b",
    r"\blet's (?:go with|use|keep|stick)\b|\b(?:I|we|let's|please)\b[^.!?\n]{2,70} instead(?! of)\b",
)

FOUND_HINTS = _hints(
    "root cause|turns out|found it|found the|problem is|problem was|issue is|issue was|culprit|bug is|bug was|"
    "cause is|cause was|reason is|reason was"
)
FOUND = _pattern(
    r"\broot cause\b[^.!?\n]{0,40}(?: is| was|:)|\bturns out\b",
    r"\bthe (?:actual |real |core |main )?(?:problem|issue|bug|culprit|cause|reason) (?:is|was|lies)\b",
)

INTENT = _pattern(
    r"(?:(?:now|next|first|then|ok(?:ay)?|great|perfect|good|alright|excellent|sure|got it|so|and)\b[,!.:—-]*\s*){0,3}"
    r"(?:let me|let's|i'll|i will|i'm going to|i am going to|i need to|i should|i can now|time to|next step|we need to"
    r"|now (?:i|run|check|add|update|fix|write|look|verify|test|lint|pull|for|to)|\w+ing (?:now|next))\b"
)
LEAD_IN = _pattern(
    r"^(?:(?:now|next|first|then|ok(?:ay)?|great|perfect|good|alright|excellent|sure|got it|so|and)\b[,!.:—-]*\s*){0,3}"
    r"(?:let me|i'll|i will|i'm going to|i am going to|i need to|we need to)\s+(?:now |also |first |then )?"
)
FILLER = _pattern(
    r"(?:(?:good|great|ok(?:ay)?|perfect|now)[,!.]* )?"
    r"(?:I (?:now )?have (?:all|enough|an? (?:clear|good|full)|everything|what)|I (?:can )?see|I understand|good points?)\b",
    r"(?:great|perfect|excellent|good|done|sure|you're (?:absolutely )?(?:right|welcome)|absolutely|thanks|ok(?:ay)?)\b"
    r"[^a-z]*$",
)
ACKNOWLEDGED = _pattern(
    r"(?:ok(?:ay)?|yes|no|y|n|thanks?(?: you)?|go on|go ahead|continue|please continue|sure|great|perfect|done|good)"
    r"(?: thanks?(?: you)?)?\W*"
)

SUMMARY_HEADER = re.compile(r"\[[^\]\n]{0,80}summary[^\]\n]{0,80}\]", re.IGNORECASE)
COMMAND_NAME = re.compile(r"<command-name>(.*?)</command-name>")
COMMAND_ARGUMENTS = re.compile(r"<command-args>(.*?)</command-args>", re.DOTALL)
HOUSEKEEPING = ("/compact", "/clear", "/model", "/resume", "/exit", "/cost", "/context", "/login", "/mcp", "/effort")
INTERRUPTED = ("[Request interrupted", "Caveat:")
