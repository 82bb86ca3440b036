"""By how much more than before the prompt behind a recorded compaction held that its transcript does not show."""

from pathlib import Path

import pytest

from core import load, meter, replay
from core.analyse import findings_at
from core.analyse.losses import losses
from core.engine.default_meter import default_meter
from core.trace.unseen_growth import unseen_growth
from tests.trace.test_prompt_falls import replayed
from tests.trace.test_unseen_after import cut, micro


def test_it_is_what_grew_since_the_first_prompt() -> None:
    """The first prompt held 1,000 tokens beside its message, that behind the compaction 1,900."""
    assert unseen_growth(replayed(1_100, 1_300, 2_000, compactions=(cut(4),)), 0) == 900
    assert unseen_growth(replayed(1_100, 2_300, 1_500, compactions=(cut(4),)), 0) == 400, (
        "what came later may have left"
    )


def test_what_was_there_from_the_start_is_none() -> None:
    """As many, fewer, or more by no more than a twentieth of the prompt."""
    for behind in (1_100, 600, 1_150):
        assert unseen_growth(replayed(1_100, 1_300, behind, compactions=(cut(4),)), 0) == 0


def test_where_no_earlier_prompt_is_known_it_is_all() -> None:
    """No prompt is recorded before; or earlier messages were part of the first, as the file begins in the middle."""
    alone = replayed(0, 0, 2_000, compactions=(cut(4),))
    assert unseen_growth(alone, 0) == 1_900
    session = replayed(1_100, 1_300, 2_000, compactions=(cut(4),)).session
    midway = replay(session.model_copy(update={"starts_midway": True}))
    assert unseen_growth(midway, 0) == losses(midway, 0).unseen > 1_900


def test_prompts_of_another_model_tell_nothing_of_what_grew() -> None:
    """It counts otherwise and has other tools: against its prompts alone nothing grew, against those of one model as ever."""
    prompts, other = (1_100, 1_300, 2_000), {0: "a", 1: "a", 2: "b"}
    assert unseen_growth(replayed(*prompts, compactions=(cut(4),), models=other), 0) == 0
    assert unseen_growth(replayed(*prompts, compactions=(micro(4),), models=other), 0) == 0
    assert unseen_growth(replayed(*prompts, compactions=(cut(4),), models={0: "a", 1: "a", 2: "a"}), 0) == 900
    mixed = {0: "b", 1: "a", 2: "b", 3: "a"}
    back = replayed(1_100, 300, 1_100, 2_000, compactions=(cut(4), cut(6)), models=mixed)
    assert [unseen_growth(back, k) for k in range(2)] == [0, 1_900], "held against the prompt of its own model"
    midway = replay(back.session.model_copy(update={"starts_midway": True}))
    assert unseen_growth(midway, 1) > 1_900, "of which the file has no more than this window"


def test_a_microcompaction_is_held_against_the_prompt_before_it() -> None:
    """What our count missed since the first prompt was not put back by it."""
    assert unseen_growth(replayed(1_100, 2_000, 2_200, compactions=(micro(4),)), 0) == 0
    assert unseen_growth(replayed(1_100, 2_000, 2_700, compactions=(micro(4),)), 0) == 500


@pytest.mark.parametrize(
    ("name", "grown"),
    [
        ("pi/2026-04-24T06-07-34_019dbe19-ca83-74b3-b3ca-230160eb3875.jsonl", [(3_747, 0)]),
        (
            "claude-code/6113e919-67d3-417b-b525-c63700228d19.jsonl",
            [(63_524, 21_121), (57_654, 15_251), (55_984, 13_581)],
        ),
        ("claude-code/6c0a282a-886f-458d-a426-93d95104b4a6.jsonl", [(35_352, 0)]),
        ("opencode/ses_277daa810ffePOBsdfS6gm8uA2.json", [(15_126, 0)]),
    ],
)
def test_real_compactions(shared: Path, name: str, grown: list[tuple[int, int]]) -> None:
    """What is unseen behind them, and by how much that grew: an older Claude Code alone puts files back unseen."""
    session = load(shared / "transcripts" / name)
    trace = replay(session, meter=meter(default_meter(session)))
    found = [losses(trace, k) for k in range(len(trace.compactions))]
    assert [(one.unseen, one.unseen_more) for one in found] == grown


def test_the_finding_names_both_prompts_that_it_compares(shared: Path) -> None:
    """So that a reader can look them up: on the same card the picture compares with what was hidden just before."""
    session = load(shared / "transcripts/claude-code/6113e919-67d3-417b-b525-c63700228d19.jsonl")
    trace = replay(session, meter=meter(default_meter(session)))
    now = ("63,524", "57,654", "55,984")
    for k, tokens in enumerate(now):
        (found,) = (one for one in findings_at(trace, k, "rework") if one.kind == "rework")
        both = f"The next prompt held ~{tokens} tokens that are not in this file, the prompt for message 2 ~42,403: "
        assert both in found.text
