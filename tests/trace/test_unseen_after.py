"""What the prompt behind a recorded compaction held that its transcript does not show."""

from core import Trace, meter, policy, simulate
from core.analyse import findings_at
from core.analyse.losses import losses
from core.model.session import RecordedCompaction, Usage
from core.trace.unseen_after import unseen_after
from tests.analyse.events import event, of_kind, run, summary
from tests.analyse.test_asked_again import read
from tests.support import user, with_ids
from tests.trace.test_prompt_falls import replayed


def cut(at: int) -> RecordedCompaction:
    """A compaction that left nothing of so many messages."""
    return RecordedCompaction(at=at, edit="dropped")


def test_what_the_next_prompt_held_beyond_the_window() -> None:
    """Behind four messages the window is empty; a call that follows two compactions tells of the second alone."""
    trace = replayed(100, 300, 900, 1_200, compactions=(cut(4), cut(4)))
    assert [call for call in range(2) if unseen_after(trace, call)] == [1]
    assert unseen_after(trace, 1) == 800, "one message arrived before it: 100 of the 900"


def micro(at: int) -> RecordedCompaction:
    """A microcompaction that took nothing whose size is known."""
    return RecordedCompaction(at=at, edit="dropped", kind="microcompaction")


def test_between_two_microcompactions_the_prompt_before_them_tells() -> None:
    """The window is nearly the same; a compaction in between, or no prompt at all before, leaves it unknown."""
    alone = replayed(100, 700, compactions=(micro(4), micro(4)))
    assert [unseen_after(alone, k) for k in range(2)] == [400, 400], "three messages had arrived: 300 of the 700"
    followed = replayed(100, 700, 1_200, compactions=(micro(4), micro(4)))
    assert [unseen_after(followed, k) for k in range(2)] == [400, 700], "500 of the 1,200"
    assert unseen_after(replayed(100, 700, compactions=(cut(4), micro(4))), 1) == 0
    assert unseen_after(replayed(compactions=(micro(0),)), 0) == 0


def test_it_is_none_where_nobody_knows() -> None:
    """No call follows, or the prompt is smaller than our count, or a policy is simulated."""
    assert unseen_after(replayed(100, 300, compactions=(cut(4),)), 0) == 0
    assert unseen_after(replayed(100, 300, 50, compactions=(cut(4),)), 0) == 0
    session = replayed(100, 300, 900, 1_200, compactions=(cut(4),)).session
    made = simulate(session, policy("agentkit.memory", budget=100, keep_recent=1), meter=meter("agentkit"))
    assert [unseen_after(made, k) for k in range(len(made.compactions))] == [0] * len(made.compactions)


def again(unreadable: str = "", usage: int = 0, first: int = 0) -> Trace:
    """A recorded run that reads a file twice with a compaction between; its prompts may be larger than what it shows."""
    talk = with_ids([user("go"), *read("a", "a.py"), user("on"), *read("b", "a.py")])
    talk[1] = talk[1].model_copy(update={"usage": Usage(input_uncached=first)} if first else {})
    call = talk[4].model_copy(update={"usage": Usage(input_uncached=usage)} if usage else {})
    taken = event(
        4, [(0, 4)], [(6, 7), (3, 4)], ("summarised", (0, 3)), put=[summary()], number=1, unreadable=unreadable
    )
    return run([*talk[:4], call, *talk[5:]], taken).model_copy(update={"kind": "replay"})


def test_what_may_still_have_been_there_was_only_read_again() -> None:
    """Where nobody can read the summary, and where the next prompt held more than the file shows."""
    (sure,) = of_kind("rework", findings_at(again(), 0))
    assert (sure.title, losses(again(), 0).unseen) == ("Asked again for what was gone", 0)
    assert sure.text.startswith(
        "1 later call asked again for what was replaced by summary #1, and 10 tokens came back.\n"
    )
    (sealed,) = of_kind("rework", findings_at(again("encrypted"), 0))
    assert sealed.title == "Read again afterwards"
    assert sealed.text.startswith("1 later call read again what was replaced by summary #1, and 10 tokens came back.\n")
    assert "not in this file" not in of_kind("rework", findings_at(again("encrypted", 5_020), 0))[0].text, (
        "the summary is in it"
    )
    (more,) = of_kind("rework", findings_at(again(usage=5_020), 0))
    assert more.title == "Read again afterwards"
    said = "The next prompt held ~5,000 tokens that are not in this file: part of it may be among them."
    assert (said in more.text, losses(again(usage=5_020), 0).unseen) == (True, 5_000)
    (grown,) = of_kind("rework", findings_at(again(usage=5_020, first=2_010), 0))
    both = "The next prompt held ~5,000 tokens that are not in this file, the prompt for message 2 ~2,000"
    assert f"\n{both}: part of it may have been put back." in grown.text, "the first prompt was sent for message 2"
