"""Where a user sends the agent back to what a compaction took."""

from collections.abc import Sequence

from core import Message, Trace, fate
from core.analyse import findings_at
from core.why.sent_back import sent_back
from tests.analyse.events import event, of_kind, run, summary
from tests.support import assistant, calls, result, user, with_ids
from viewer.wire.fate import fate_body
from viewer.wire.losses import loss_list

PLAN = "\n".join(f"{i}. Move module {i} to its own package" for i in range(1, 9))
RULE = "Please keep the public names of the core package as they are."


def trace(before: Sequence[Message], behind: Sequence[Message], said: str = "They talked.") -> Trace:
    """A trace in which the messages before became a summary, and those behind arrived later."""
    messages, cut = [*before, *behind], len(before)
    n = len(messages)
    put = summary(said)
    return run(with_ids(messages), event(cut, [(0, cut)], [(n, n + 1)], ("summarised", (0, cut)), put=[put], number=1))


def read(call_id: str, path: str, text: str = PLAN) -> list[Message]:
    """A call that reads a file, and what it gives."""
    return [assistant("", calls(call_id, "read_file", path=path)), result(call_id, text)]


def sent(one: Trace) -> list[tuple[int, str, tuple[int, ...]]]:
    """The message that sends back, its words, and the messages it sends back to, as people count."""
    return [(found.place + 1, found.quote, tuple(at + 1 for at in found.sources)) for found in sent_back(one)]


FIRST = [user("go"), *read("a", "docs/plan.md")]


def test_a_file_that_the_user_names_and_the_agent_reads_again() -> None:
    """In any language: the name and the lines that come back tell it. What is not read again, or another file, does not."""
    asks = user("Schau dir docs/plan.md an. Dann mach weiter.")
    assert sent(trace(FIRST, [asks, *read("b", "docs/plan.md")])) == [(4, "Schau dir docs/plan.md an.", (3,))]
    assert sent(trace(FIRST, [asks, assistant("ok")])) == []
    assert sent(trace(FIRST, [user("Weiter mit docs/other.md"), *read("b", "docs/plan.md")])) == []
    assert sent(trace(FIRST, [user("weiter"), *read("b", "docs/plan.md")])) == []


def test_a_file_that_the_user_names_without_its_ending() -> None:
    """A name of several parts is known without it: "tui-renderer" is src/tui-renderer.ts."""
    before = [user("go"), *read("a", "src/tui-renderer.ts")]
    behind = [user("What does the old tui-renderer do?"), *read("b", "src/tui-renderer.ts")]
    assert sent(trace(before, behind)) == [(4, "What does the old tui-renderer do?", (3,))]


def test_a_user_who_asks_to_read_again() -> None:
    """In English, also where the agent does not do it; without a name it is what the agent then reads again."""
    asks = user("Remember @docs/plan.md btw. Could you read it now to refresh your mind?")
    words = "Could you read it now to refresh your mind?"
    assert sent(trace(FIRST, [asks, assistant("No need.")])) == [(4, words, (2, 3))]
    assert sent(trace(FIRST, [asks, *read("b", "docs/plan.md")])) == [(4, words, (3,))]
    assert sent(trace(FIRST, [user("You need to read the plan in full"), *read("b", "docs/plan.md")])) == [
        (4, "You need to read the plan in full", (3,))
    ]
    assert sent(trace(FIRST, [user("read it again"), assistant("What?")])) == []


def test_a_file_whose_text_still_stands_is_not_gone() -> None:
    """Read after the compaction, it stands in the window: that the user wants it read once more tells nothing."""
    behind = [user("go on"), *read("b", "docs/plan.md"), user("Read docs/plan.md again, I changed it"), assistant("ok")]
    assert sent(trace(FIRST, behind)) == []


def test_a_sentence_that_the_user_says_again() -> None:
    """Nearly word for word, in any script; what a summary says, what stands, and a habit are no sign."""
    again = "Please keep the public names of the core package as they are!"
    assert sent(trace([user(RULE)], [user(again)])) == [(2, again, (1,))]
    assert sent(trace([user(RULE)], [user(again)], said=f"The user said: {RULE}")) == []
    assert sent(trace([user("go")], [user(RULE), user(again)])) == []
    assert sent(trace([user(RULE), user(RULE)], [user(again)])) == []
    assert sent(
        trace([user("阅读github文件夹下的模板，创建请求")], [user("阅读github文件夹下的模板，完成所有任务，创建请求")])
    ) == [(2, "阅读github文件夹下的模板，完成所有任务，创建请求", (1,))]
    assert (
        sent(trace([user("Can you please run all the tests now?")], [user("Can you please fix all the bugs now?")]))
        == []
    )


def test_a_sentence_of_the_model_that_the_user_pastes() -> None:
    """The agent is told what it wrote itself: it is gone."""
    plan = "First split the parser from the printer, then move both into packages of their own."
    assert sent(trace([user("go"), assistant(plan)], [user(f"You said this:\n{plan}")])) == [(3, plan, (2,))]


def test_the_losses_name_the_messages_that_send_the_agent_back() -> None:
    """Each once, with its words, at the compaction that took what they ask for; what is only pasted is not among them."""
    asks = user("Could you read docs/plan.md again? I mean docs/plan.md.")
    one = trace([*FIRST, assistant(PLANNED)], [asks, *read("b", "docs/plan.md"), user(PLANNED)])
    (row,) = loss_list(one, 0)["rows"]
    assert row["sent_back"] == [(4, "Could you read docs/plan.md again?")]


PLANNED = "First split the parser from the printer, then move both into packages of their own."


def test_what_the_user_pastes_is_not_called_said_again() -> None:
    """Why and the finding say that the user pastes it back, and that it lacked before; what a user said is no paste."""
    one = trace([user("go"), assistant(PLANNED)], [user(f"You said this:\n{PLANNED}")])
    (need,) = [event for event in fate(one, PLANNED).events if event.kind == "needed"]
    assert (need.match, need.step, need.lacked_at) == ("pasted", 3, 2)
    (told,) = [row for row in fate_body(one, PLANNED)["events"] if row["kind"] == "needed"]
    assert told["words"] == "Needed: the user pastes it back"
    (finding,) = of_kind("user_sends_back", findings_at(one, 0))
    assert (finding.title, finding.text) == (
        "The user pastes it back",
        f"At message 3 the user pastes back what was replaced by summary #1: “{PLANNED}”.",
    )
    assert sent(trace([user(PLANNED), user(PLANNED), assistant(PLANNED)], [user(PLANNED)])) == []


def test_a_finding_about_several_ways_back_is_true_of_each() -> None:
    """The first message is told by what the user does; the later ones, which may do otherwise, by what all have in common."""
    before = [user(RULE), assistant(PLANNED), *read("a", "docs/plan.md")]
    behind = [user(PLANNED), user(RULE), user("Could you read docs/plan.md again?"), *read("b", "docs/plan.md")]
    (finding,) = of_kind("user_sends_back", findings_at(trace(before, behind), 0))
    assert finding.text == (
        f"At message 5 the user pastes back what was replaced by summary #1: “{PLANNED}”."
        " 2 later messages of the user go back to what is gone, too."
    )


def test_why_and_the_findings_tell_it() -> None:
    """Why has it as a need with the user's words; the compaction that took it has a finding that quotes them."""
    one = trace(FIRST, [user("Could you read docs/plan.md again?"), *read("b", "docs/plan.md")])
    needs = [event for event in fate(one, "Move module 3 to its own package").events if event.kind == "needed"]
    assert [(event.place, event.match, event.evidence) for event in needs] == [
        (3, "asked", "Could you read docs/plan.md again?")
    ]
    (told,) = [row for row in fate_body(one, "Move module 3 to its own package")["events"] if row["kind"] == "needed"]
    assert (told["words"], told["quote"]) == (
        "Needed: the user sends the agent back to it",
        "Could you read docs/plan.md again?",
    )
    (finding,) = of_kind("user_sends_back", findings_at(one, 0))
    assert finding.text == (
        "At message 4 the user sends the agent back to what was replaced by summary #1: “Could you read docs/plan.md again?”."
    )
    assert finding.messages == ("m3", "m4")


def test_what_stands_beside_it_is_not_needed() -> None:
    """Of a message of several sentences only the one that is said again was needed, and of a file not each name in it."""
    one = trace([user(f"{RULE}\nThe office is closed on Friday.")], [user(RULE)])
    (need,) = [event for event in fate(one, RULE).events if event.kind == "needed"]
    assert (need.match, need.step, need.lacked_at) == ("repeated", 2, 1)
    assert [event for event in fate(one, "The office is closed on Friday").events if event.kind == "needed"] == []
    file = [user("go"), *read("a", "docs/plan.md", "call set_thinking_level first\n" + PLAN)]
    one = trace(file, [user("Could you read docs/plan.md again?"), assistant("ok")])
    assert [event.match for event in fate(one, "call set_thinking_level first").events if event.kind == "needed"] == [
        "asked"
    ]
    assert [event for event in fate(one, "set_thinking_level").events if event.kind == "needed"] == []
