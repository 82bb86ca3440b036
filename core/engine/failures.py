"""Compaction attempts that failed because of the summary: none was written, or it was refused."""

from collections.abc import Sequence

from core.policy.vocabulary import Status
from core.trace.compaction import Compaction


class Failures:
    """The attempts that failed because of the summary: how many, and the first of each run of them."""

    def __init__(self) -> None:
        self.running, self.refused, self.stopped = 0, False, ""
        self.first: list[Compaction] = []
        self.times: list[int] = []
        self.kinds: dict[Status, list[Compaction]] = {}

    def add(self, found: Compaction) -> None:
        """One more."""
        if not self.running:
            self.first.append(found)
            self.times.append(0)
        self.running += 1
        self.times[-1] += 1
        self.kinds.setdefault(found.status, []).append(found)
        self.refused = self.refused or found.status == "inflated"

    def over(self, found: Compaction) -> None:
        """Something was done: no failure is running, and none was refused before a new summary."""
        self.running, self.refused = 0, self.refused and found.summary is None

    def runs(self) -> tuple[Compaction, ...]:
        """The first of each run, with how many there were in a row."""
        pairs = zip(self.first, self.times, strict=True)
        return tuple(found.model_copy(update={"times": times}) for found, times in pairs)

    def notes(self) -> list[str]:
        """What a person should know: how many of each kind failed, when and why the first did, why the policy stopped."""
        notes = [_note(status, found) for status, found in self.kinds.items()]
        return [*notes, self.stopped] if self.stopped else notes


def _note(status: Status, found: Sequence[Compaction]) -> str:
    once, more = ("compaction attempt", "compaction attempts") if status == "failed" else ("summary", "summaries")
    went = "failed" if status == "failed" else "refused"
    which = "the first " if len(found) > 1 else ""
    what = f"{len(found):,} {more if len(found) > 1 else once} {went}"
    return f"{what}, {which}after {found[0].at:,} messages: {found[0].reason}"
