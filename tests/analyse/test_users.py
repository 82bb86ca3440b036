"""What a person typed, and lost."""

from core import Message, meter, policy, simulate
from core.analyse import findings
from core.trace.trace import as_session
from tests.analyse.events import LONG, cut_out, event, found_in, kinds_of, of_kind, run, summary
from tests.support import assistant, calls, result, system, user

TASK = "Please write a parser for the configuration files"


def test_the_request_at_work_is_summarized() -> None:
    """The newest user message leaving before it was answered is a warning; after its answer it is none."""
    asked = [system("s"), user("first " + LONG), assistant("done"), user("second " + LONG)]
    open_turn = [*asked, assistant("", calls("c", "read")), result("c", "x")]
    (found,) = of_kind("last_user_message_summarised", found_in(*open_turn, keep=2))
    assert (found.severity, found.messages) == ("warning", (asked[3].id,))
    assert "last_user_message_summarised" not in kinds_of(found_in(*open_turn, assistant("all done"), keep=2))
    assert "last_user_message_summarised" not in kinds_of(found_in(*open_turn, keep=3))


def test_the_first_user_message_is_lost_once() -> None:
    """Later passes do not report the first user message again."""
    texts = [m for i in range(8) for m in (user(f"question {i} {LONG}"), assistant(f"answer {i}"))]
    rule = policy("agentkit.memory", budget=700, keep_recent=2)
    trace = simulate(as_session([system("s"), *texts]), rule, meter=meter("agentkit"))
    lost = ["first_user_message_lost" in kinds_of(findings(c)) for c in trace.compactions]
    assert len(lost) > 1
    assert lost == [True] + [False] * (len(lost) - 1)


def test_a_policy_that_only_drops_loses_the_first_message_once() -> None:
    """Where no summary stands in front, a later message is not taken for the first one."""
    talk = [m for i in range(4) for m in (user(f"question {i}"), assistant(f"answer {i}"))]
    trace = run(
        talk,
        event(4, [(0, 4)], [(2, 4)], ("dropped", (0, 2))),
        event(6, [(2, 6)], [(4, 6)], ("dropped", (2, 4))),
    )
    lost = [of_kind("first_user_message_lost", findings(c)) for c in trace.compactions]
    assert [[f.messages for f in found] for found in lost] == [[(talk[0].id,)], []]


def test_the_first_message_stays() -> None:
    """A policy that pins the first user message loses nothing."""
    talk = [user(TASK), assistant("a"), user("b"), assistant("c")]
    assert "first_user_message_lost" not in kinds_of(findings(cut_out(talk, 1, 3, summary())))


def test_how_much_of_the_first_message_the_summary_says() -> None:
    """Six of seven words in the summary are an info, two of seven a warning: please, write, parser, … of 4 letters."""
    talk = [user(TASK), assistant("a"), user("b"), assistant("c")]

    def outcome(text: str) -> tuple[str, dict[str, int]]:
        (found,) = of_kind("first_user_message_lost", findings(cut_out(talk, 0, 2, summary(text))))
        return found.severity, found.numbers

    assert outcome("They want to write a parser for configuration files.") == (
        "info",
        {"words": 5, "words_in_summary": 4},
    )
    assert outcome("A parser was asked for.") == ("warning", {"words": 5, "words_in_summary": 1})


def test_a_message_carried_over_word_for_word_is_not_lost() -> None:
    """What the policy puts in may hold the message itself: then it is still there."""
    talk = [user(TASK), assistant("a"), user("go on"), assistant("", calls("c", "read")), result("c", "x")]
    carried = Message(role="user", content=f"Earlier the user said: {TASK}")
    assert not _user_findings(cut_out(talk, 0, 3, summary(), carried, Message(role="user", content="go on")))
    assert not _user_findings(cut_out(talk, 0, 3, summary("What followed:\n[user] go on\n[assistant]"), carried))
    assert _user_findings(cut_out(talk, 0, 3, summary("they go on"), carried)) == ["last_user_message_summarised"]


def _user_findings(found) -> list[str]:  # type: ignore[no-untyped-def]
    return [kind for kind in kinds_of(findings(found)) if "user_message" in kind]


def test_a_message_cleared_in_place_is_not_gone() -> None:
    """A body that was cleared in place is no message removed."""
    talk = [user(TASK), assistant("a")]
    cleared = talk[0].model_copy(update={"content": "[cleared]", "injected": "cleared"})
    trace = run(talk, event(2, [(0, 2)], [(2, 3), (1, 2)], ("cleared", (0, 1)), put=[cleared], window_after=11))
    assert _user_findings(trace.compactions[0]) == []
