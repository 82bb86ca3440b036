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


def test_a_request_that_the_user_stopped_is_not_one_at_work() -> None:
    """As Claude Code and Codex record it: nothing is said of it, though its work ends with a tool result."""
    asked = [system("s"), user("first " + LONG), assistant("done"), user("second " + LONG)]
    at_work = [*asked, assistant("", calls("c", "read")), result("c", "x")]
    assert "last_user_message_summarised" in kinds_of(findings(cut_out(at_work, 3, 5, summary())))
    for how in ("interruption", "aborted"):
        stopped = [*at_work, Message(id="stop", role="user", content="[Request interrupted by user]", injected=how)]
        assert "last_user_message_summarised" not in kinds_of(findings(cut_out(stopped, 3, 5, summary())))


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


def command(text: str) -> Message:
    """A message that the harness put in for a slash command."""
    return Message(role="user", content=text, injected="command")


def tagged(name: str, arguments: str = "") -> Message:
    """A slash command as Claude Code records it."""
    return command(
        f"<command-message>{name[1:]} is running…</command-message>\n<command-name>{name}</command-name>\n"
        f"<command-args>{arguments}</command-args>"
    )


def _first_asked(*messages: Message) -> list[str]:
    """What is said to have been asked first in messages that go all but the last."""
    talk = [*messages, user("and now?")]
    found = findings(cut_out(talk, 0, len(talk) - 1, summary()))
    return [f.text.split("”")[0][1:] for f in of_kind("first_user_message_lost", found)]


def test_a_slash_command_with_a_task_is_what_was_asked_first() -> None:
    """As it was typed: in a message of its own, recorded with tags, or with what the harness loaded for it behind."""
    done, later = assistant("done"), user("thanks, go on")
    loaded = Message(role="user", content="the skill's text", injected="skills")
    for first in (user("/review the parser"), command("/review the parser"), tagged("/review", "the parser")):
        assert _first_asked(first, done, later, done) == ["/review the parser"]
        assert _first_asked(system("s"), first, loaded, done, later, done) == ["/review the parser"]


def test_a_bare_command_asks_for_nothing() -> None:
    """What is named is what was asked after it; a path is no command."""
    done = assistant("done")
    for first in (user("/mode"), user(" /mode\n"), command("/mode"), tagged("/mode")):
        assert _first_asked(first, done, user(TASK), done) == [TASK]
        assert _first_asked(first, done, tagged("/review", "the parser"), done) == ["/review the parser"]
        assert _first_asked(first, done) == []
    assert _first_asked(user("/etc/hosts"), done) == ["/etc/hosts"]


def test_a_command_that_the_harness_ran_itself_asks_for_nothing() -> None:
    """Its output follows, or the person types again, and no model was called for it."""
    ran = command("<local-command-stdout>Set model to sonnet</local-command-stdout>")
    assert _first_asked(tagged("/model", "sonnet"), ran, user(TASK), assistant("done")) == [TASK]
    assert _first_asked(command("/add seeds.py"), user(TASK), assistant("done")) == [TASK]
    assert _first_asked(command("Ran `ls`"), user(TASK), assistant("done")) == [TASK]


def test_what_a_harness_puts_behind_the_answer_leaves_it_answered() -> None:
    """So does a command with which the person clears the conversation; before an answer they change nothing."""
    put = [Message(role="user", content="Commit 1a2b3c4", injected="aider"), command("/clear")]
    for said, found in ((user("a task"), 1), (assistant("done"), 0)):
        talk = [user(TASK), assistant("ok"), user("and a draft of it, please"), said, *put]
        assert len(of_kind("last_user_message_summarised", findings(cut_out(talk, 0, 6, summary())))) == found


def test_a_command_behind_which_another_is_typed_asks_for_nothing() -> None:
    """It set something."""
    talk = [user(TASK), assistant("done"), command("/drop seeds.py"), command("/clear")]
    assert of_kind("last_user_message_summarised", findings(cut_out(talk, 0, 4, summary()))) == []
    assert _first_asked(command("/drop seeds.py"), command("/clear"), assistant("done")) == []


def test_a_command_that_is_being_worked_on_is_the_newest_request() -> None:
    """It is named where it goes before it was answered, and not an older message."""
    open_turn = [tagged("/review", "the parser"), assistant("", calls("c", "read")), result("c", "x")]
    (found,) = of_kind(
        "last_user_message_summarised",
        findings(cut_out([user(TASK), assistant("done"), *open_turn, result("c", "y")], 0, 3, summary())),
    )
    assert "“/review the parser”" in found.text
    assert found.messages == (open_turn[0].id,)


def test_a_command_that_the_summary_repeats_as_typed_is_not_lost() -> None:
    """The tags need not be quoted."""
    talk = [tagged("/review", "the parser of the configuration"), assistant("done"), user("and now?")]
    carried = Message(role="user", content="Asked: /review the parser of the configuration")
    assert _user_findings(cut_out(talk, 0, 2, summary(), carried)) == []


def test_why_follows_the_whole_request() -> None:
    """On one line, cut behind a word at 400 characters; of a slash command what was asked with it, as its message has it."""
    long = "Got this feedback:\n" + 60 * "mend it " + "\nThanks"
    command = Message(
        role="user",
        content="<command-name>/debug</command-name>\n<command-args>the stop hooks are slow</command-args>",
        injected="command",
    )

    def followed(asked: Message) -> str:
        talk = [asked, assistant("", calls("c", "read")), result("c", "x")]
        (found,) = of_kind("first_user_message_lost", findings(cut_out(talk, 0, 3, summary())))
        return found.subject

    assert followed(user("Write a parser.\nThen test it.")) == "Write a parser. Then test it."
    assert followed(user(long)) == ("Got this feedback: " + 60 * "mend it ")[:400].rpartition(" ")[0]
    assert followed(command) == "the stop hooks are slow"


def test_a_request_that_a_summary_says_in_part_is_no_warning() -> None:
    """One whose beginning is quoted, or said in other words, is an info; quoted in full it is not lost."""
    asked = user("Write a parser for the files.\nNever print from it.  Then test it.")
    talk = [asked, assistant("a"), user("b"), assistant("c")]

    def found(text: str) -> list[tuple[str, str]]:
        lost = of_kind("first_user_message_lost", findings(cut_out(talk, 0, 2, summary(text))))
        return [(one.severity, one.text.rpartition("replaced by the summary. ")[2]) for one in lost]

    near = "content words in the sentences nearest to it"
    assert found("They said: Write a parser for the files.") == [("info", f"The summary has 3 of its 6 {near}.")]
    assert found("They asked for a parser.") == [("warning", f"The summary has 1 of its 6 {near}.")]
    scattered = "The user wants a parser. Print was forbidden. Tests ran before. It reads the files of a folder."
    assert found(scattered) == [("warning", f"The summary has 3 of its 6 {near}.")]
    assert found("Write a parser for the files. Never print from it. Then test it.") == []


def test_of_a_long_request_all_of_it_counts_and_its_longest_part_that_is_gone_is_followed() -> None:
    """Its beginning may be what every request begins with; code that it shows need not come again."""
    opening = "I have put a repository of code into the folder /testbed. Read the description of an issue. " * 4
    issue = (
        "Actual behaviour: removing a required column raises a confusing message about the first column of a series."
    )
    wanted = "Expected behaviour: an exception names every column that is missing, in order."
    code = "```python\nseries.remove(flux, time, magnitude, filter, airmass, seeing, observer, camera)\n```"
    comment = (
        "<!-- Thank you for telling us. Please look through open issues before, as somebody may have been faster. -->"
    )
    asked = user("\n\n".join((opening, comment, issue, wanted, code)))
    talk = [asked, assistant("a"), user("b"), assistant("c")]

    def found(text: str) -> tuple[str, str, str]:
        (one,) = of_kind("first_user_message_lost", findings(cut_out(talk, 0, 2, summary(text))))
        return one.severity, one.subject, one.text.rpartition("replaced by the summary. ")[2]

    severity, subject, told = found(opening)
    have = "In the sentences nearest to the request the summary has"
    begin = f"{have} 8 of the 10 content words of its beginning"
    assert (severity, subject) == ("warning", issue)
    assert told.startswith(f"{begin}, and 8 of the 32 of the whole without its code. “Actual behaviour: ")
    assert told.endswith(" is a part of it that is gone.")
    severity, subject, told = found(f"{opening} {issue} The exception names each missing column in order.")
    assert (severity, told) == ("info", f"{begin}, and 22 of the 32 of the whole without its code.")
    assert subject.startswith("I have put a repository")
    _, _, told = found(f"{issue} The folder of an issue has a description.")
    few = "3 of the 10 content words of its beginning"
    assert told == f"{have} {few}, and 13 of the 32 of the whole without its code."


def test_of_a_very_long_request_the_words_of_its_first_part_are_counted() -> None:
    """Both numbers are of words, also where the second is of so many characters."""
    asked = user("Write a parser for the files of the folder.\n" + "\n".join(f"Take name{k}." for k in range(600)))
    talk = [asked, assistant("a"), user("b"), assistant("c")]
    said = "They said: write a parser for the files of the folder."
    (one,) = of_kind("first_user_message_lost", findings(cut_out(talk, 0, 2, summary(said))))
    begin = "4 of the 33 content words of its beginning"
    assert one.text.endswith(f"has {begin}, and 4 of the 438 of its first 6,000 characters.")


def test_a_short_sentence_is_quoted_only_where_one_begins() -> None:
    """Not where it stands in another: "It was No. 5."."""
    rest = "Do not touch the parser for the configuration files."
    talk = [user(f"No. {rest}"), assistant("a"), user("b"), assistant("c")]

    def lost(begins: str) -> bool:
        return bool(of_kind("first_user_message_lost", findings(cut_out(talk, 0, 2, summary(f"{begins} {rest}")))))

    assert lost("It was No. 5.")
    assert not lost("User: No.")
    assert not lost("They said yes. No.")
