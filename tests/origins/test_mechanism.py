"""How a compaction took a text, in words."""

from core import fate, load, meter, policy, replay, simulate
from core.origins.mechanism import mechanism, mechanism_at
from core.origins.reworded import parted, reworded
from core.trace.trace import Trace, as_session
from scripts.forgotten_rule import SAMPLE
from tests.analyse.events import event, run, summary
from tests.support import assistant, calls, result, user, with_ids

RULE = "Never push to main."


def _sentences_of(trace: Trace, text: str = RULE) -> list[str]:
    """What is said of every stretch at which the text is gone word for word."""
    found = fate(trace, text)
    again = reworded(found)
    gone = (stretch for stretch in found.lane if stretch.state == "gone")
    return [mechanism(found, a, row, says) for s in gone for a, _, row, says in parted(s.start, s.end, again)]


def test_a_summary_that_does_not_say_what_a_message_said() -> None:
    """The message is named, how many went with it, and that the summary says nothing of it."""
    talk = with_ids([user(RULE), assistant("I will."), user("Go on."), assistant("Yes.")])
    one = run(talk, event(2, [(0, 2)], [(4, 5)], ("summarised", (0, 2)), put=[summary("They talked.")], number=1))
    assert _sentences_of(one) == [
        "It was in message 1, one of the 2 messages that compaction 1 replaced by its summary, which does not say it."
    ]


def test_a_summary_of_a_summary() -> None:
    """What only a summary still said goes with the next one: the sample's rule, at its second compaction."""
    found = fate(replay(load(SAMPLE)), "no new dependency, not even a small one")
    assert mechanism_at(found, 150, reworded(found)) == (
        "Until then only summary #1 said it. Compaction 2 wrote summary #2 from summary #1 and 68 messages, and left it out."
    )
    assert mechanism_at(found, 5, reworded(found)) == ""


def test_a_message_that_no_summary_replaced() -> None:
    """It was taken out with others, and nothing stands for it."""
    talk = with_ids([user(RULE), assistant("I will."), user("Go on."), assistant("Yes.")])
    assert _sentences_of(run(talk, event(2, [(0, 2)], [], ("dropped", (0, 2))))) == [
        "It was in message 1, one of the 2 messages that compaction 1 removed without a summary."
    ]


def test_a_result_that_was_emptied_in_its_place() -> None:
    """The message stays: only its text went."""
    said = [assistant("", calls(f"c{k}", "read", path=f"{k}.md")) for k in range(3)]
    told = [result(f"c{k}", f"{RULE} {k} " + "x " * 400) for k in range(3)]
    talk = with_ids([user("Read them."), *(message for pair in zip(said, told, strict=True) for message in pair)])
    rule = policy("langchain.clear_tool_uses", trigger=300, keep=1)
    trace = simulate(as_session(talk), rule, meter=meter("agentkit"))
    assert _sentences_of(trace, f"{RULE} 0")[0] == "It was in message 3, whose text compaction 1 emptied."


def test_a_compaction_that_a_file_does_not_record() -> None:
    """Nothing is said of what took it but that a prompt shrank."""
    talk = with_ids([user(RULE), assistant("I will."), user("Go on."), assistant("Yes.")])
    assert _sentences_of(run(talk, event(2, [(0, 2)], [], ("dropped", (0, 2)), fidelity="inferred"))) == [
        "A later prompt is smaller, so it seems to have left the window here. The transcript does not say why."
    ]


def test_of_a_text_in_several_messages_the_last_is_named() -> None:
    """A policy's own run is told alike."""
    talk = with_ids([user(RULE), user(RULE), *[user("x " * 60) for _ in range(3)], assistant("ok")])
    rule = policy("agentkit.memory", budget=70, keep_recent=1)
    trace = simulate(as_session(talk), rule, meter=meter("agentkit"), summarizer=lambda messages, prior: "They talked.")
    assert _sentences_of(trace)[0].startswith("It was last in message 2, one of the ")
