"""The words that decisions, findings, intents, objections and commands are known by."""

import re

from core.summaries.cues import pattern

Hints = tuple[str, ...]


def _hints(text: str) -> Hints:
    return tuple(text.split("|"))


DECIDED_HINTS = _hints(
    "decid|decision| instead|chose|settled on|going with|go with|go for|stick|'ll use|will use|'ll keep|"
    "will keep|let's use|let's keep"
)
DECIDED = pattern(
    r"\b(?:I|we)(?:'ve| have)? (?:decided|chose|settled on|opted)\b",
    r"\bdecided (?:to|on|against|that)\b|\bdecision(?: is)?:|\bsettled on\b|\bgoing with\b",
    r"\b(?:I|we)(?:'ll| will) (?:use|go with|keep(?! (?:going|moving|working|looking|on|you)\b)|stick (?:to|with)|go for)\b",
    r"\blet's (?:go with|use|keep|stick)\b|\b(?:I|we|let's|please)\b[^.!?\n]{2,70} instead(?! of)\b",
)

FOUND_HINTS = _hints(
    "root cause|turns out|found it|found the|problem is|problem was|issue is|issue was|culprit|bug is|bug was|"
    "cause is|cause was|reason is|reason was"
)
FOUND = pattern(
    r"\broot cause\b[^.!?\n]{0,40}(?: is| was|:)|\bturns out\b",
    r"\bthe (?:actual |real |core |main )?(?:problem|issue|bug|culprit|cause|reason) (?:is|was|lies)\b",
)
# No finding: it is only supposed, or over.
SUPPOSED = pattern(
    r"\b(?:whether|maybe|perhaps|might|possibly|probably|likely|seems?|suspect|let me|resolved|fixed|gone)\b",
    r"\b(?:may|could) be\b|\b(?:check|see|verify|know|sure|determine|confirm|tell) if\b",
)

INTENT = pattern(
    r"(?:(?:now|next|first|then|ok(?:ay)?|great|perfect|good|alright|excellent|sure|got it|so|and)\b[,!.:—-]*\s*){0,3}"
    r"(?:let me(?! know)|let's|i'll(?! be\b| wait)|i will(?! be\b| not\b| wait)|i'm going to|i am going to"
    r"|i need to(?! know| note)|i should(?! note| mention| have| also (?:note|mention))|i can now|time to|next step|we need to"
    r"|now (?:i(?:'ll)?|run|check|add|update|fix|write|look|verify|test|lint|pull|for|to)|\w+ing (?:now|next))\b"
)
LEAD_IN = pattern(
    r"^(?:(?:now|next|first|then|ok(?:ay)?|great|perfect|good|alright|excellent|sure|got it|so|and)\b[,!.:—-]*\s*){0,3}"
    r"(?:let me|i'll|i will|i'm going to|i am going to|i need to|we need to)\s+(?:now |also |first |then )?"
)
ACKNOWLEDGED = pattern(
    r"(?:ok(?:ay)?|yes|no|y|n|thanks?(?: you)?|go on|go ahead|continue|please continue|sure|great|perfect|done|good"
    r"|hi|hello|hey|hi there|hello there)(?: thanks?(?: you)?)?\W*"
)
ONLY_NOTED = pattern(
    r"(?:(?:acknowledged|noted|understood|got it|ok(?:ay)?|sure|of course|will do|recorded|you're welcome|thanks?)\b"
    r"(?: and \w+)?[.,!]*\s*)+"
    r"(?:(?:continuing|proceeding|moving on|going on|i'll (?:continue|proceed|go on))\b[^.!?]*)?\W*",
    r"(?:great|good|excellent|interesting|fair) (?:question|point|idea|thinking|catch|call)\W*",
)
# The user does not accept what was said last; or the reply takes back what an earlier one said.
OBJECTS = pattern(
    r"(?:no\b(?! (?:problem|worries|need))|nope|wrong|but|actually|wait|hmm+|revert|undo|are you sure|i don't think)\b",
    r"(?:that|this|it)(?:'s| is|'re)? (?:still|not|wrong|incorrect|isn't|doesn't|does not|didn't|fails?)\b",
    r"not (?:what|quite|right|true)\b|you (?:forgot|missed|broke|didn't)\b",
    r".{0,120}\bstill (?:not|seems?|fails?|failing|broken|see\w*|gets?|getting|has|have|the same|doesn't|isn't|an issue)\b",
    r".{0,120}\b(?:doesn't|does not|didn't|did not|not) work",
)
RETRACTS = pattern(
    r"(?:oh,? |ah,? )?(?:you're (?:absolutely |completely |quite )?right|i was wrong|i stand corrected|good catch)\b",
    r"(?:my (?:mistake|bad|apologies)|(?:i'm )?sorry|apologies|i apologi[sz]e|correction)\b",
    r"i (?:misread|misunderstood|missed|overlooked)\b",
)
# What a reply claims to have reached: a command that fails later makes it doubtful.
SUCCESS = pattern(
    r"\b(?:pass(?:es|ed|ing)?|works?|working|fixed|done|complete[ds]?|success\w*|green|ready|resolved|clean(?:ly)?)\b|✅"
)

SUMMARY_HEADER = re.compile(r"\[[^\]\n]{0,80}summary[^\]\n]{0,80}\]", re.IGNORECASE)
COMMAND_NAME = re.compile(r"<command-name>(.*?)</command-name>")
COMMAND_ARGUMENTS = re.compile(r"<command-args>(.*?)</command-args>", re.DOTALL)
SLASH = re.compile(r"(/[A-Za-z][\w:.-]*)(?:\s+(.*))?", re.DOTALL)
HOUSEKEEPING = (
    "/compact", "/clear", "/model", "/resume", "/exit", "/quit", "/cost", "/context", "/login", "/logout", "/mcp", "/effort",
    "/mode", "/permissions", "/status", "/help", "/theme", "/agents", "/memory", "/config", "/doctor", "/vim", "/hooks", "/ide",
    "/usage", "/export", "/rename", "/new", "/undo", "/redo", "/settings", "/approvals", "/sandbox", "/fast", "/plan",
)  # fmt: skip
INTERRUPTED, CAVEAT = "[Request interrupted", "Caveat:"
