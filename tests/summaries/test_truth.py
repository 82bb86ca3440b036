"""The structural summary does not lie: what it says was said, by the message it names, and nothing later says otherwise."""

import pytest

from core import Message
from core.summaries.summarizers import structural
from tests.support import assistant, calls, result, user, with_ids

START = [user("Port the importer to the new API."), assistant("The importer is ported.")]


def summary_lines(*messages: Message) -> list[str]:
    """The lines of the summary of these messages, which have the ids m3, m4, …; a task and its answer stand before them."""
    return structural(with_ids([*START, *messages, *[Message(role="system", content="x" * 900)] * 3])).split("\n")


def worked(call_id: str = "c", text: str = "") -> list[Message]:
    """A command and its result."""
    return [assistant(text, calls(call_id, "Bash", command="make build")), result(call_id, "ok")]


def test_an_answer_is_quoted_from_its_first_word() -> None:
    """Behind "No." the rest of a reply may read like the contrary: nothing in front is passed over."""
    lines = summary_lines(
        user("Does this apply to resume too?"),
        assistant("No. The fix applies to the full flow."),
        user("Then describe the full flow."),
    )
    assert "- Does this apply to resume too? [m3] → No. The fix applies to the full flow. [m4]" in lines


def test_no_answer_from_another_turn() -> None:
    """A request that got no reply of its own is not given the reply to the one before it."""
    lines = summary_lines(
        user("Which tests cover it?"),
        assistant("Only test_import does."),
        user("Add one for dates."),
        *worked(),
        user("Then tell me about the cache."),
    )
    assert "- Which tests cover it? [m3] → Only test_import does. [m4]" in lines
    assert "- Add one for dates. [m5]" in lines


def test_no_answer_where_two_requests_wait() -> None:
    """A request typed while the agent works: the reply may be to either, so it stands beside neither."""
    lines = summary_lines(
        user("Rename the module."),
        *worked(),
        user("What does the old name mean?"),
        assistant("The module is renamed."),
        user("Thank you, now the docs."),
    )
    assert {"- Rename the module. [m3]", "- What does the old name mean? [m6]"} < set(lines)
    assert not any("→ The module is renamed." in line for line in lines)


def test_no_answer_behind_an_interruption() -> None:
    """What follows an interruption answers what the user says next."""
    lines = summary_lines(
        user("Rename the module."),
        *worked(),
        user("[Request interrupted by user]"),
        user("Only rename the class, please."),
        assistant("The class is renamed."),
        user("Show me the diff."),
    )
    assert "- Rename the module. [m3]" in lines
    assert not any(line.startswith("- Rename the module. [m3] →") for line in lines)


def test_what_is_said_between_calls_closes_no_turn() -> None:
    """An answer is what ends a turn, not what was said on the way, and not what a notification led to."""
    news = Message(role="user", content="the background task is done", injected="task-notification")
    lines = summary_lines(
        user("Rename the module."),
        assistant("I found four places."),
        *worked(),
        assistant("All four places are renamed."),
        news,
        assistant("The background check is through."),
        user("Show me the diff."),
    )
    assert "- Rename the module. [m3] → All four places are renamed. [m7]" in lines


@pytest.mark.parametrize(
    "spoken",
    ['User has answered your questions: "Which color?"="Blue".', "The user doesn't want to proceed with this."],
)
def test_no_answer_behind_what_the_user_said_to_a_tool(spoken: str) -> None:
    """Where the user answered or declined a call, what follows is about that, and not about the request before it."""
    lines = summary_lines(
        user("How would you find my key?"),
        assistant("", calls("q", "AskUserQuestion", questions=["Which color?"])),
        result("q", spoken),
        assistant("The mockups are blue now."),
        user("Show me the diff."),
    )
    assert "- How would you find my key? [m3]" in lines


def test_no_answer_behind_the_work_of_hours() -> None:
    """What is said after a hundred calls reports on them: it answers no question put in front of them."""
    lines = summary_lines(
        user("Why is it unsubscribed?"), *worked() * 50, assistant("Good progress."), user("Show the diff.")
    )
    assert "- Why is it unsubscribed? [m3]" in lines


@pytest.mark.parametrize(
    "reply", ["Acknowledged. Continuing with the plan.", "Great question!", "Which one do you mean?"]
)
def test_a_reply_without_an_outcome_is_none(reply: str) -> None:
    """That something is noted, praised or asked back is not told as an answer."""
    assert "- Port the cache as well. [m3]" in summary_lines(
        user("Port the cache as well."), assistant(reply), user("Go on now.")
    )


@pytest.mark.parametrize(
    "objection", ["No, that is the wrong file.", "It still fails for me.", "That doesn't work.", "Are you sure?"]
)
def test_what_the_user_does_not_accept_is_no_outcome(objection: str) -> None:
    """An answer that the next message contradicts is told neither as one nor as what was said last, nor what it found."""
    text = "\n".join(
        summary_lines(
            user("Why is it slow?"), assistant("The root cause is the cache. It is fixed now."), user(objection)
        )
    )
    assert "root cause" not in text
    assert "fixed" not in text


def test_what_a_reply_takes_back_is_no_outcome() -> None:
    """An answer is gone once a later reply says that it was wrong."""
    lines = summary_lines(
        user("Is the cache shared?"),
        assistant("The cache is shared by all workers."),
        user("Look at line 40."),
        assistant("You're right, each worker has its own."),
        user("Good to know, go on."),
    )
    assert "- Is the cache shared? [m3]" in lines
    assert "- Look at line 40. [m5] → You're right, each worker has its own. [m6]" in lines


def test_a_success_does_not_outlive_a_failure() -> None:
    """A command that fails later takes back what was said to pass; an answer that claims none stays."""
    lines = summary_lines(
        user("Where is the parser?"),
        assistant("In src/parse.py."),
        user("Fix it."),
        *worked(),
        assistant("All tests pass now."),
        user("Run them on Windows."),
        assistant("", calls("w", "Bash", command="pytest")),
        Message(role="tool", tool_call_id="w", content="1 failed, 11 passed", is_error=True),
    )
    assert "- Where is the parser? [m3] → In src/parse.py. [m4]" in lines
    assert "- Fix it. [m5]" in lines
    assert not any("All tests pass now" in line for line in lines)


def test_a_statement_does_not_outlive_the_change_it_led_to() -> None:
    """What was said of the code before it was edited is not told as the last word on it."""
    edit = assistant("The table is wrong for week 53.", calls("e", "Edit", file_path="a.py"))
    assert "Last said: The table is wrong for week 53. [m4]" in summary_lines(user("Fix week 53."), edit)
    assert not any(
        line.startswith("Last said") for line in summary_lines(user("Fix week 53."), edit, result("e", "ok"))
    )


@pytest.mark.parametrize(
    ("output", "is_error", "told"),
    [
        ("<tool_use_error>String to replace not found</tool_use_error>", True, "Files: a.py (read)"),
        ("Your proposed edit has introduced new syntax error(s).", False, "Files: a.py (read)"),
        ("The user doesn't want to proceed with this tool use.", True, "Files: a.py (read)"),
        ("Done. 12: return_code = 1", False, "Files: a.py (edited, read)"),
    ],
)
def test_a_call_that_failed_or_was_declined_is_no_edit(output: str, is_error: bool, told: str) -> None:
    """Nor is the read of a file that is not there a read of it. A file that holds an exit code was read or edited."""
    lines = summary_lines(
        user("Fix week 53."),
        assistant("", calls("r", "Read", file_path="a.py"), calls("n", "Read", file_path="none.py")),
        result("r", "x = 1"),
        Message(role="tool", tool_call_id="n", content="File does not exist.", is_error=True),
        assistant("", calls("e", "Edit", file_path="a.py")),
        Message(role="tool", tool_call_id="e", content=output, is_error=is_error),
    )
    (files,) = (line.partition(" [")[0] for line in lines if line.startswith("Files"))
    assert files == told


def test_a_later_finding_takes_the_place_of_an_earlier_one() -> None:
    """Two causes found in one turn: the second replaces the first; one only supposed is none."""
    lines = summary_lines(
        user("Why is it slow?"),
        *worked("a", "The root cause is the cache."),
        *worked("b", "The root cause is the lock, not the cache."),
        *worked("c", "Let me check if the issue is the disk."),
    )
    assert "Found: The root cause is the lock, not the cache. [m6]" in lines


def test_what_has_been_done_is_not_next() -> None:
    """An announcement holds until its call has a result; what comes behind it ends it too."""
    asked, intent = user("Check the build."), "The log is long. Let me run the build once more."
    running = assistant(intent, calls("c", "Bash", command="make build"))
    assert "Next: Run the build once more. [m4]" in summary_lines(asked, running)
    assert not any(line.startswith("Next") for line in summary_lines(asked, running, result("c", "ok")))
    assert not any(
        line.startswith("Next") for line in summary_lines(asked, assistant(intent), user("Stop here for today."))
    )


@pytest.mark.parametrize(
    "reply", ["Let me know if you need more.", "I'll wait for your answer.", "I should note a limit."]
)
def test_a_courtesy_is_not_next(reply: str) -> None:
    """ "Let me know …" announces nothing."""
    assert not any(
        line.startswith("Next") for line in summary_lines(user("Check it."), assistant(f"It is checked. {reply}"))
    )


def test_a_plan_is_not_next_once_the_turn_is_over() -> None:
    """What was left of a to-do list is next as long as the turn goes on, and never where all of it is done."""
    todo = [{"content": "Fix week 53", "status": "in_progress"}]
    done = [{"content": "Fix week 53", "status": "completed"}]
    plan = assistant("", calls("p", "TodoWrite", todos=todo))
    ticked = assistant("", calls("q", "TodoWrite", todos=done))
    asked = user("Fix it.")
    assert "Next: Fix week 53 (0 of 1 steps of the plan done) [m4]" in summary_lines(
        asked, plan, result("p", "ok"), *worked()
    )
    for end in (assistant("It is fixed."), user("Leave it, please."), ticked):
        assert not any(line.startswith("Next") for line in summary_lines(asked, plan, result("p", "ok"), end))


def test_what_came_next_in_an_earlier_summary_is_over() -> None:
    """Once anything is folded behind it, the announcement of an earlier summary is dropped."""
    prior = "Task: Fix it. [m1]\nNext: Run the build. [m2]"
    assert "Next: Run the build. [m2]" in structural([], prior)
    assert "Next" not in structural(with_ids(worked()), prior)


@pytest.mark.parametrize("typed", ["/mode", "/mode plan", "/model opus", "/gsd:discuss-phase 14", "/review"])
def test_a_slash_command_is_not_the_task(typed: str) -> None:
    """The task is the first thing asked for, not a command that sets or starts something."""
    for command in (user(typed), user(_recorded(typed))):
        text = structural(with_ids([command, user("Port the importer.")]))
        assert text.startswith("Task: Port the importer. [m2]")


def test_a_slash_command_that_says_what_to_do_is_a_task() -> None:
    """With a sentence behind it, it is a request like any other."""
    told = structural(with_ids([user("/debug the stop hooks are slow"), user("Go on.")]))
    assert told.startswith("Task: /debug the stop hooks are slow [m1]")


def _recorded(typed: str) -> str:
    """A slash command as Claude Code records it."""
    name, _, arguments = typed.partition(" ")
    return f"<command-name>{name}</command-name><command-args>{arguments}</command-args>"
