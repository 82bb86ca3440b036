"""Whether a message asks for something, a question, an order or a wish, or only states something. Its words alone tell.

A message asks unless each of its sentences is known to state: an English sentence that begins with what it is about, or a
rule that is to hold for good. A text of which nothing is known asks, as most do.
"""

from core.analyse.assent import only_goes_on
from core.model.text import sentences
from core.summaries.cues import ORDERS
from core.summaries.hints import pattern
from core.summaries.standing import lasts
from core.summaries.statements import kind_of

_READ = 1_200  # characters: whoever types more wants something

_OPENING = pattern(
    r"(?:(?:ok(?:ay)?|yes|yeah|yep|no|nope|so|and|but|also|because|well|btw|in that case|for example)\b[\s,:]*)+"
)
_SUBJECT = (
    r"(?:i|we|you|he|she|it|they|this|that|these|those|there|here|the|an?|my|our|your|his|her|its|their|some|many|most|all"
    r"|both|each|every|everything|everyone|everybody|nothing|someone|somebody)\b"
)
_CLAUSE = r"(?:what|who|which|how|why|where|when|if|whether|that)\b"
_NO_SUBJECT = (  # "fix what is broken", "ensure tests are green"
    rf"(?:{_CLAUSE}|(?:check|see|look|ensure|verify|confirm|make|find|show|say|tell|explain|ask|test|assume|suppose|imagine)\b)"
)
_STATES = pattern(
    _SUBJECT,
    r"(?:keep in mind|remember|note|be aware) that\b",
    rf"(?!{_NO_SUBJECT})\w+(?: (?!{_CLAUSE})\w+){{0,2}} (?:is|are|was|were|has|had)\b",  # "Two rules are"
    rf"(?:when|if|since|as|while)\b(?:.*,)? (?:then )?{_SUBJECT}",  # but "if it fails, stop" orders
)
_ASKS = pattern(
    r"[?？]|\b(?:right|no)\W*$|^(?:is|are|was|were|has|have|had)\b",
    r"\b(?:please|let's?|should|shall|must|consider|how about|what (?:if|about)|(?<!no )needs?|(?:have|has|got) to|wants?|wish"
    r"|looking for|(?:would|'d) (?:like|love|expect|prefer|only|rather|be (?:nice|great|good|better))"
    r"|(?:can|could|would|will) (?:you|we)|tell me)\b",
    rf"[,;:]\s*(?:(?:and|so|then|but|just) )*(?:{ORDERS}|(?:fix|remove|change|update|delete|move|try|look|do|give|create)\b)",
)


def only_states(text: str) -> bool:
    """Whether a text asks for nothing: each sentence states something, or agrees, and at least one states."""
    if len(text) > _READ:
        return False
    said = [sentence for sentence in sentences(text) if not only_goes_on(sentence)]
    return bool(said) and all(map(_states, said))


def _states(sentence: str) -> bool:
    if kind_of(sentence) == "rule" and lasts(sentence):
        return True
    opening = _OPENING.match(sentence)
    told = sentence[opening.end() :] if opening else sentence
    return bool(_STATES.match(told)) and not _ASKS.search(told)
