"""Every rule on every session."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from core.check.rule import Rule
from core.check.verdict import Verdict
from core.model.errors import TranscriptError
from core.model.session import Session, id_of
from core.trace.trace import Trace


def judge(
    sessions: Iterable[tuple[str, Session | TranscriptError]], run: Callable[[Session], Trace], rules: Sequence[Rule]
) -> Iterator[Verdict]:
    """The verdicts on named sessions, each run once; a file that cannot be read is one that failed.

    At the end, a rule that said nothing of any session fails: its words may be wrong.
    """
    skipped: dict[str, bool] = {}
    for name, session in sessions:
        if isinstance(session, TranscriptError):
            yield Verdict(
                session=name, rule="readable", status="failed", text=str(session).removeprefix(f"{name}: "), amount=1
            )
            continue
        trace, id = run(session), id_of(session)
        for rule in rules:
            found = rule.judge(trace, name).model_copy(update={"id": id})
            skipped[found.rule] = skipped.get(found.rule, True) and found.status == "skipped"
            yield found
    for name in (name for name, never in skipped.items() if never):
        yield Verdict(session="", rule=name, status="failed", text="no session says it: check its words", amount=1)
