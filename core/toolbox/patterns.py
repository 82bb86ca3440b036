"""Regular expressions that a person or a model may write: each matches in time that grows with the text, no faster."""

from collections.abc import Callable

import re2  # type: ignore[import-untyped]

from core.model.errors import ParameterError

LONGEST_PATTERN = 200  # characters
MOST_MEMORY = 8 << 20  # bytes for a compiled expression: counts such as {3,40} multiply

Matches = Callable[[str], bool]


def matcher(pattern: str) -> Matches:
    """A function that finds an expression anywhere in a text, in linear time (https://github.com/google/re2).

    Raises ParameterError for a pattern that is empty, too long or no RE2 expression.
    """
    if not pattern or len(pattern) > LONGEST_PATTERN:
        shorter = "use a shorter one" if pattern else "type one"
        raise ParameterError(f"a pattern has 1 to {LONGEST_PATTERN} characters, not {len(pattern)}", shorter)
    options = re2.Options()
    options.log_errors, options.max_mem = False, MOST_MEMORY
    try:
        expression = re2.compile(pattern, options)
    except re2.error as error:
        why = error.args[0].decode("utf-8", "replace") if isinstance(error.args[0], bytes) else error
        hint = "write it as an RE2 expression, without lookaround and backreferences"
        raise ParameterError(f"{pattern!r} is not a valid RE2 pattern: {why}", hint) from None
    return lambda text: expression.search(text) is not None
