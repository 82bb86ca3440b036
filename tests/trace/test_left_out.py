"""What recorded prompts left out that earlier ones had held, where nobody can tell what it was."""

from pathlib import Path

import pytest

from core import load, meter, replay
from core.engine.default_meter import default_meter
from core.model.session import RecordedCompaction
from core.trace.left_out import Between, LeftOuts, left_out
from core.trace.prompt_falls import prompt_falls
from tests.trace.test_prompt_falls import replayed


def test_a_prompt_without_room_for_what_every_earlier_one_held() -> None:
    """All held 1,000 tokens beside the window, the third has room for 500: from its reply on nobody knows what was sent."""
    found = left_out(replayed(1_100, 1_300, 1_000, 1_200))
    assert [(one.before.prompt, one.call.prompt, one.call.at) for one in found.calls] == [(1_300, 1_000, 5)]
    assert found.stretches == (Between(5, 8, 1_000),)


def test_what_came_beside_the_window_may_leave_again() -> None:
    """The reasoning of a turn: the prompt falls by half, and still holds the 1,000 tokens of the first."""
    assert left_out(replayed(1_100, 2_900, 1_500)) == LeftOuts()


def test_a_small_difference_is_none() -> None:
    """A twentieth of the prompt before, or of this one."""
    assert left_out(replayed(1_100, 1_300, 1_250)) == left_out(replayed(1_100, 1_600, 1_440)) == LeftOuts()


def test_once_there_is_room_for_both_it_ends() -> None:
    """The fourth prompt holds 1,000 tokens beside seven messages again."""
    assert left_out(replayed(1_100, 1_300, 1_000, 1_700)).stretches == (Between(5, 7, 1_000),)


def test_a_compaction_begins_anew() -> None:
    """What is beside its window is another; one that only emptied results ends nothing, but explains a smaller prompt."""
    cut = RecordedCompaction(at=6, edit="dropped")
    assert left_out(replayed(1_100, 1_300, 1_000, 700, compactions=(cut,))).stretches == (Between(5, 6, 1_000),)
    micro = RecordedCompaction(at=6, edit="dropped", kind="microcompaction")
    assert left_out(replayed(1_100, 1_300, 1_000, 1_200, compactions=(micro,))).stretches == (Between(5, 9, 1_000),)
    before = RecordedCompaction(at=4, edit="dropped", kind="microcompaction")
    assert left_out(replayed(1_100, 1_300, 1_000, compactions=(before,))) == LeftOuts()


def test_nothing_is_said_of_what_is_known_otherwise() -> None:
    """Another model counts otherwise; usage may leave out what was cached; of a fall messages are known to be gone."""
    assert left_out(replayed(1_100, 1_300, 1_000, models={0: "a", 1: "a", 2: "b"})) == LeftOuts()
    assert left_out(replayed(20, 5, 30, 4)) == LeftOuts()
    fallen = replayed(1_100, 1_300, 800)
    assert (len(prompt_falls(fallen).falls), left_out(fallen)) == (1, LeftOuts())


@pytest.mark.parametrize(
    ("name", "at"),
    [
        ("claude-code/6113e919-67d3-417b-b525-c63700228d19.jsonl", [50]),
        ("claude-code/dfbb4922-3529-4eab-a5dc-3c8d30b7c660.jsonl", [250]),
        ("claude-code/130d7b7e-5801-4345-9bd6-f32fd9b8429b.jsonl", []),
        ("codex/rollout-2026-04-08T12-55-32-019d6d29-8cf7-7fe3-adc9-8c3e4d9d5603.jsonl", []),
        ("opencode/ses_277daa810ffePOBsdfS6gm8uA2.json", []),
        ("cline/session.messages.json", []),
    ],
)
def test_real_prompts_that_fell(shared: Path, name: str, at: list[int]) -> None:
    """Two sessions that went on after /exit; not reasoning that was left out, another model, or a small difference."""
    session = load(shared / "transcripts" / name)
    trace = replay(session, meter=meter(default_meter(session)))
    assert [one.call.at for one in left_out(trace).calls] == at
