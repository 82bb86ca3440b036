"""Whether a person only agrees, thanks, or says to go on: an answer to the agent, and no request of its own."""

import re

from core.entities.denials import denies
from core.origins.terms import terms

_AGREES = """
ok okay kk yes yep yeah yup no nope sure alright right fine agree agreed approve approved confirmed correct exactly good great
nice cool neat perfect excellent amazing awesome wonderful fantastic wow love looks look works lgtm thanks thank thx cheers
hello hi hey yo
"""
_CONTINUES = """
go going goes ahead proceed continue keep carry start begin done finish ready resume implement implementing try again
please just let lets now next then first both everything great want
"""
_CHOOSES = "one two three first second third phase step option plan suggestion recommendation proposal"
_WORDS = terms(f"{_AGREES} {_CONTINUES} {_CHOOSES}")
_LONGEST = 80  # characters: who writes more says something
_NUMBERS = re.compile(r"\d{1,2}(?:[.,]\d{1,2})*")
_ASKS = re.compile(
    r"^(?:(?:ok(?:ay)?|alright|so|and|but|now)\W+)?(?:what|why|how|who|where|when|which)\b|[?？]\s*$",
    re.IGNORECASE | re.MULTILINE,
)


def only_goes_on(text: str) -> bool:
    """Whether every word of a text agrees, thanks, says to go on, or chooses what the agent offered by its number.

    What asks or denies says more: "do not proceed" is an order.
    """
    said = text.strip()
    if len(said) > _LONGEST or _ASKS.search(said) or denies(said):
        return False
    return all(one in _WORDS or _NUMBERS.fullmatch(one) for one in terms(said))
