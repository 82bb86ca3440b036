"""The structural summary keeps what compaction-conformance-kit plants in a session, of the size it always had."""

from collections.abc import Callable, Sequence

import pytest
from compaction_kit.canaries import Canary, CanaryType
from compaction_kit.compacted import CompactedContext
from compaction_kit.corpus import build_random_session
from compaction_kit.generated import build_generated_session
from compaction_kit.runner import ConformanceRun, run_conformance
from compaction_kit.session import SeededSession, Turn, build_seeded_session

from core import Message
from core.summaries.summarizers import LARGEST, structural

ROUNDS = 3
LEAST = {  # percent; before ids and quoted rules it kept 50, 25, 0, 50 and 0
    CanaryType.SAFETY_RULE: 100,
    CanaryType.HARD_CONSTRAINT: 90,
    CanaryType.FACT: 60,
    CanaryType.GOAL_STATE: 90,
    CanaryType.USER_PREFERENCE: 80,
}


class Compactor:
    """The structural summarizer as the kit calls one: turns in, the text that stands for them out."""

    name = "foldline structural"

    def compact(self, turns: Sequence[Turn], round_num: int = 1) -> CompactedContext:
        """The summary of the turns; from the second round on they are the summary alone."""
        kind = "summary" if round_num > 1 else ""
        messages = [
            Message(id=f"m{i}", role=turn.role, content=turn.text, injected=kind) for i, turn in enumerate(turns, 1)
        ]
        return CompactedContext(structural(messages), self.name, round_num)


def least(run: ConformanceRun) -> dict[CanaryType, float]:
    """The percentage of each type that was kept in the worst round."""
    return {kind: 100 * min(run.survival_curve(kind)) for kind in CanaryType}


def test_what_the_seeded_session_plants_is_kept() -> None:
    """Each type reaches its percentage in every round, within 2,400 characters."""
    run = run_conformance(build_seeded_session(), Compactor(), rounds=ROUNDS, budget_chars=LARGEST)
    assert {kind: kept for kind, kept in least(run).items() if kept < LEAST[kind]} == {}
    assert all(found.within_budget for found in run.rounds)


@pytest.mark.parametrize("build", [build_random_session, build_generated_session])
def test_the_mean_over_generated_sessions(build: Callable[[int], tuple[SeededSession, list[Canary]]]) -> None:
    """On eight sessions with other values, places, subjects and phrases the same percentages are reached on average."""
    kept = [least(_run(*build(seed))) for seed in range(1, 9)]
    mean = {kind: sum(one[kind] for one in kept) / len(kept) for kind in CanaryType}
    assert {kind: value for kind, value in mean.items() if value < LEAST[kind]} == {}


def test_it_is_no_matter_of_labels() -> None:
    """Without "SAFETY RULE:" and the like in front, most is kept by what the sentences say."""
    session = build_seeded_session()
    bare = tuple(
        Turn(turn.role, turn.text.rpartition(": ")[2] if turn.canary_id else turn.text) for turn in session.turns
    )
    kept = least(run_conformance(SeededSession(bare, session.canary_positions), Compactor(), rounds=1))
    assert kept[CanaryType.SAFETY_RULE] == 100
    assert all(value >= 75 for kind, value in kept.items() if kind is not CanaryType.GOAL_STATE), kept


def _run(session: SeededSession, canaries: list[Canary]) -> ConformanceRun:
    return run_conformance(session, Compactor(), rounds=ROUNDS, canaries=canaries, budget_chars=LARGEST)
