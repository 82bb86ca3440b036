"""`foldline redact FILE -o out.json`: a session with what looks secret or personal masked, and a list of what that is."""

import argparse
from collections.abc import Sequence
from typing import Any

from core.cli.loading import one_session
from core.cli.terminal import print_error, print_json, print_table
from core.importers.foldline import save
from core.model.errors import FoldlineError, ParameterError
from core.secrets.found import Found, find_secrets
from core.secrets.redact import redacted

KNOWN_FORMS = "Rules find what has a known form, and no name in a sentence: read the file before you send it."
"""What a list of secrets cannot have, and what follows."""


def run(options: argparse.Namespace) -> int:
    """Print the list and write the file; returns 0, or 2 where neither a file nor --list is named."""
    if options.output is None and not options.list:
        return print_error("there is no file to write to", "give -o OUT, or --list to see what would be masked") + 1
    session = one_session(options)
    found = find_secrets(session)
    kept = kept_of(options.keep, found)
    masked = [secret for secret in found if secret not in kept]
    if not options.list:
        _save(redacted(session, masked), options.output)
    if options.json:
        print_json(
            {
                "written": None if options.list else str(options.output),
                "found": [row(*one, kept) for one in enumerate(found, 1)],
            }
        )
    else:
        _print(found, kept, options)
    return 0


def kept_of(names: Sequence[str], found: Sequence[Found]) -> set[Found]:
    """The secrets that are to stay, by their numbers or texts. Raises ParameterError for a name that is neither."""
    by_name = {secret.text: secret for secret in found} | {str(n): secret for n, secret in enumerate(found, 1)}
    for name in names:
        if name not in by_name:
            raise ParameterError(
                f"nothing in the list is {name!r}", f"give a number from 1 to {len(found):,}; --list shows them"
            )
    return {by_name[name] for name in names}


def _save(session: Any, path: Any) -> None:
    try:
        save(session, path)
    except OSError as error:
        raise FoldlineError(f"{path} cannot be written: {error.strerror}", "give another path") from None


def row(number: int, secret: Found, kept: set[Found]) -> dict[str, Any]:
    """One entry of the list; never the secret itself."""
    return {
        "number": number,
        "kind": secret.kind,
        "preview": secret.preview,
        "times": secret.times,
        "masked": secret not in kept and secret.times > 0,
    }


def _print(found: Sequence[Found], kept: set[Found], options: argparse.Namespace) -> None:
    if found:
        rows = [[n, s.kind, s.times, _fate(s, kept), s.preview] for n, s in enumerate(found, 1)]
        print_table(("#", "kind", "times", "", "what"), rows)
        print()
    masked = sum(_fate(secret, kept) == "masked" for secret in found)
    told = f"{masked:,} of {len(found):,} masked" if found else "nothing looks secret or personal"
    print(f"{told}. {KNOWN_FORMS}" + ("" if options.list else f"\n{options.output}"))


def _fate(secret: Found, kept: set[Found]) -> str:
    """What becomes of it: an encoded secret is found, but not masked."""
    return "kept" if secret in kept else "masked" if secret.times else "NOT masked: encoded"
