"""What happened in a session, in a minute."""

from hypothesis import given

from core import Message, replay
from core.analyse.overview import Overview, overview
from core.analyse.turns import Stretch
from core.cli.show import summary
from core.model.session import Image
from core.trace.trace import as_session
from tests.support import assistant, calls, result, sessions, system, user
from viewer.wire.header import trace_header
from viewer.wire.overview import session_overview
from viewer.wire.pack import ERROR, flag_of
from viewer.wire.present import message_body


def told(*messages: Message) -> Overview:
    """The overview of these messages."""
    return overview(replay(as_session(list(messages))))


def wrote(id: str, path: str) -> Message:
    """A reply that writes a file."""
    return assistant("", calls(id, "edit_file", path=path))


def failed(id: str) -> Message:
    """A result that the transcript marks as an error."""
    return result(id, "no such file").model_copy(update={"is_error": True})


def failed_with(id: str, code: int) -> Message:
    """The result of a command that ran to its end and failed."""
    return result(id, f"Process exited with code {code}").model_copy(update={"is_error": True})


def test_turns_with_what_came_of_each() -> None:
    """Calls, errors and the files that were written, each once, belong to the turn in which they stand."""
    found = told(
        system("rules"),
        user("mend it"),
        wrote("c1", "src/a.py"),
        result("c1", "done"),
        wrote("c2", "src/a.py"),
        failed("c2"),
        assistant("mended"),
        user("and now?"),
        assistant("look", calls("c3", "grep", pattern="x")),
        result("c3", "nothing"),
    )
    assert found.task == 1
    assert found.turns == (
        Stretch(1, "mend it", True, 0, (2, 4), (5,), ((2, "src/a.py"),), said=6),
        Stretch(7, "and now?", True, 0, (8,), (), (), said=8),
    )
    assert found.turns[0].written == ("src/a.py",)
    assert found.tools == (("edit_file", 2), ("grep", 1))
    assert found.written == (("src/a.py", 1),)
    assert (found.last, found.closing) == ("result", 8)


def test_of_a_pause_only_five_minutes_are_active() -> None:
    """The times count in their own order, as records may stand in another; a message without one is passed over."""
    times = ("12:00:00", "12:04:00", "", "12:09:00", "14:00:00", "14:00:30", "13:00:00", "13:00:10")
    messages = [assistant("x").model_copy(update={"timestamp": time and f"2026-04-25T{time}Z"}) for time in times]
    assert told(user("go"), *messages).active == 240 + 300 + 300 + 10 + 300 + 30
    assert session_overview(replay(as_session([user("go"), *messages])))["active"] == 1180


def test_a_call_that_never_ran_is_no_error() -> None:
    """The user refused it, a guard blocked it or it was cancelled: by the words of its result, with the reason."""
    said = (
        "The user doesn't want to proceed with this tool use. The tool use was rejected",
        "<tool_use_error>Sibling tool call errored</tool_use_error>",
        "🔒 Blocked: command references protected directory",
        "[Operation Cancelled] Reason: User denied execution.",
        "[Operation Cancelled] Reason: Operation cancelled",
        "exec command rejected by user",
        "Permission to use Bash with command rm -rf build\nrm -rf dist has been denied.",
        "Permission to use WebFetch has been denied because Claude Code is running in don't ask mode.",
        "Permission for this action was denied by the Claude Code auto mode classifier. Reason: it deletes files.",
        "cat: the user doesn't want to: no such file",
    )
    results = [failed(f"c{k}").model_copy(update={"content": text}) for k, text in enumerate(said)]
    read = result("c12", said[0])  # a file may say so, too: the record marks no error
    found = told(user("go"), assistant("", *(calls(f"c{k}", "bash", command="x") for k in range(13))), *results, read)
    (turn,) = found.turns
    reasons = ("refused", "cancelled", "blocked", "refused", "cancelled", "refused", "blocked", "blocked", "blocked")
    assert turn.unrun == tuple(zip(range(2, 11), reasons, strict=True))
    assert turn.errors == (11,)
    wire = session_overview(
        replay(as_session([user("go"), assistant("", calls("c0", "bash", command="x")), results[0]]))
    )
    assert wire["sums"]["unrun"] == {"refused": 1}


def test_a_result_that_says_that_its_call_failed_is_an_error_everywhere() -> None:
    """No format needs a flag for it: no file is written then, the row is marked, the message says error.

    So is a call that the harness could not read, in whose place it put a message.
    """
    said = "Ran into [Errno 2] No such file or directory: '/w/a.py' while trying to write to /w/a.py"
    refused = Message(role="user", content="Parameter 'command' is expected to be one of ['view']", injected="error")
    messages = [user("go"), wrote("c1", "/w/a.py"), result("c1", said), assistant(""), refused]
    trace = replay(as_session(messages))
    found = overview(trace)
    assert (found.written, found.turns[0].errors) == ((), (2, 4))
    assert [bool(flag_of(message) & ERROR) for message in trace.messages] == [False, False, True, False, True]
    assert [message_body(message, 1, 0)["is_error"] for message in trace.messages] == [False, False, True, False, True]


def test_commands_in_replies_may_fail_and_replies_may_be_rejected() -> None:
    """By the code that the observation has; of what failed only what came before its end is done."""
    refused = Message(role="user", content="Please always provide EXACTLY ONE action", injected="error")
    found = session_overview(
        replay(
            as_session(
                [
                    user("go"),
                    assistant("```bash\ncat > x.py <<'E'\n1/0\nE\npython x.py > out; git commit -m 'Try'\n```"),
                    observed("<returncode>1</returncode>\n<output>\nTraceback\n</output>"),
                    assistant("```bash\ngrep -rn x src\n```"),
                    observed("<returncode>1</returncode>\n<output>\n</output>"),
                    assistant("I look at it first."),
                    refused,
                    assistant("```bash\ngit commit -m 'Do it' > log\n```"),
                    observed("<returncode>0</returncode>\n<output>\n</output>"),
                ]
            )
        )
    )
    sums = found["sums"]
    assert (sums["commands"], sums["errors"], sums["empty_searches"], sums["commits"]) == (3, 2, 1, 1)
    assert sums["unrun"] == {"rejected": 1}
    (turn,) = found["turns"]
    assert (turn["errors"], turn["empty_searches"], turn["unrun"]) == ([2, 4], [4], ((6, "rejected"),))
    assert (found["redirected"], found["half_written"]) == (
        [("log", 1, [7]), ("x.py", 1, [1]), ("out", 1, [1])],
        ["x.py", "out"],
    )
    assert found["published"] == [("git commit: Do it", 1, [7])]


def searched(command: str, answer: str) -> tuple[Message, Message]:
    """A call that runs a shell command, and its result, marked as an error."""
    marked = result("c", answer).model_copy(update={"is_error": True})
    return assistant("", calls("c", "shell", command=command)), marked


def is_empty_search(command: str, answer: str = "Exit code 1") -> bool:
    """Whether such an error is told to be a search that found nothing."""
    (turn,) = told(user("go"), *searched(command, answer)).turns
    assert turn.errors == (2,), "it stays an error"
    return turn.empty_searches == (2,)


def test_an_error_may_be_a_search_that_found_nothing() -> None:
    """`rg`, `grep` or `git grep` ended the command with code 1 and no output, as each agent writes that down."""
    assert is_empty_search("rg -n 'a|b' src")
    assert is_empty_search("cd src && git grep x", "Exit code: 1\nWall time: 0 seconds\nOutput:\n")
    head = "Chunk ID: e5c847\nWall time: 0.0000 seconds\nProcess exited with code 1\nOriginal token count: 0\nOutput:\n"
    assert is_empty_search('bash -lc "cat a; cat b | grep -q x"', head)
    tail = "\n[The command completed with exit code 1.]\n[Current working directory: /w]\n[Command finished with exit code 1]"
    assert is_empty_search("grep -rn x src", tail)
    assert is_empty_search("grep x a", "(no output)\n\nCommand exited with code 1")
    found = session_overview(replay(as_session([user("go"), *searched("rg x", "Exit code 1")])))
    assert (found["sums"]["errors"], found["sums"]["empty_searches"], found["turns"][0]["empty_searches"]) == (
        1,
        1,
        [2],
    )


def test_an_error_is_no_empty_search_where_that_is_in_doubt() -> None:
    """It has output or another code, something else may have failed, or ends the command, or the contrary is asked for."""
    assert not is_empty_search("rg x nowhere", "Exit code 2")
    assert not is_empty_search("rg x", "Exit code 1\nrg: nowhere: No such file")
    assert not is_empty_search("grep -c x a", "Exit code 1\n0")
    for command in (
        "rg x | head",
        "rg x && make",
        "test -f a && rg x a",
        "make || rg x",
        "set -e; make; rg x",
        "if rg x; then exit 1; fi",
        "! grep -q x a",
        "(make; rg x)",
        "rg x > found.txt",
        "pnpm test --grep x",
        "rg x &",
    ):
        assert not is_empty_search(command), command


def test_a_call_that_failed_wrote_nothing() -> None:
    """Be it marked as an error or begin as one; nor a call without a result, in a session that records results at all."""
    said = result("c2", "ERROR:\nNo replacement was performed")
    found = told(user("go"), wrote("c1", "a"), failed("c1"), wrote("c2", "b"), said, wrote("c3", "c"))
    assert (found.written, found.turns[0].writes) == ((), ())
    bare = told(user("go"), wrote("c3", "c"))
    assert (bare.written, bare.turns[0].writes) == ((("c", 1),), ((1, "c"),))


def test_a_commit_without_a_result_is_told_as_that_and_not_counted() -> None:
    """Nor is one whose command failed; where no call of a session has a result, each is taken for done."""

    def commits(id: str, name: str) -> Message:
        return assistant("", calls(id, "run", command=f"git commit -m '{name}' && git push; echo > {name}"))

    messages = [user("go"), commits("c1", "a"), result("c1", ""), commits("c2", "b"), failed("c2"), commits("c3", "c")]
    found = session_overview(replay(as_session(messages)))
    assert found["sums"]["commits"] == 1
    assert found["published"] == [
        ("git commit: a", 1, [1]),
        ("git push", 1, [1]),
        ("git commit: c (no result recorded)", 1, [5]),
        ("git push (no result recorded)", 1, [5]),
    ]
    assert found["redirected"] == [("a", 1, [1])]
    assert session_overview(replay(as_session([user("go"), commits("c3", "c")])))["sums"]["commits"] == 1


def test_what_shell_commands_remove_is_told() -> None:
    """With the place of the call; not of one that failed, nor what an editor's command says."""
    gone = assistant("", calls("c1", "run", command="cd photos && rm *.jpg; mv a b"))
    spoiled = assistant("", calls("c2", "run", command="rm -r /"))
    edit = assistant("", calls("c3", "str_replace_editor", command="rm x", path="y"))
    found = told(user("go"), gone, result("c1", ""), spoiled, failed("c2"), edit, result("c3", "ok"))
    assert found.turns[0].removals == ((1, "rm *.jpg"), (1, "mv a b"))
    wire = session_overview(replay(as_session([user("go"), gone])))
    assert (wire["removed"], wire["removed_total"], wire["sums"]["shell"]) == (
        [("rm *.jpg", 1, [1]), ("mv a b", 1, [1])],
        2,
        1,
    )
    assert wire["turns"][0]["removed"] == [(1, "rm *.jpg"), (1, "mv a b")]


def test_several_commits_of_one_call_are_told_each() -> None:
    """By their subjects; those that have the same, or none, as often as they are counted, and where it is another's folder."""
    both = "git commit -qF - <<'E'\nfix: a\nE\ngit commit -qF - <<'E'\nfix: b\nE\ngit commit -qF c; git commit -qF d"
    elsewhere = assistant("", calls("c2", "run", command="cd /tmp/clone && git commit -m 'Try'"))
    messages = [
        user("go"),
        assistant("", calls("c1", "run", command=both)),
        result("c1", ""),
        elsewhere,
        result("c2", ""),
    ]
    session = as_session(messages).model_copy(update={"project": "/w/app"})
    found = session_overview(replay(session))
    assert found["sums"]["commits"] == 5
    assert found["published"] == [
        ("git commit: fix: a", 1, [1]),
        ("git commit: fix: b", 1, [1]),
        ("git commit", 2, [1, 1]),
        ("git commit: Try (in /tmp/clone)", 1, [3]),
    ]


def test_what_shell_commands_plainly_write_is_told() -> None:
    """With the place of the call; not of one that failed. So are files that a command in the text of a reply writes."""
    added = assistant("", calls("c1", "run", command="echo red >> docs/color.md; ls 2>&1 > /dev/null"))
    spoiled = assistant("", calls("c2", "run", command="echo > x"))
    again = assistant("", *(call.model_copy(update={"id": "c3"}) for call in added.tool_calls))
    found = [user("go"), added, result("c1", ""), spoiled, failed("c2"), again, result("c3", "")]
    assert told(*found).turns[0].redirected == ((1, "docs/color.md"), (5, "docs/color.md"))
    wire = session_overview(replay(as_session(found)))
    assert (wire["redirected"], wire["redirected_total"]) == ([("docs/color.md", 2, [1, 5])], 1)
    assert wire["turns"][0]["redirected"] == [(1, "docs/color.md"), (5, "docs/color.md")]
    replied = told(user("go"), assistant("```bash\necho a > b\n```"), observed(""))
    assert replied.turns[0].redirected == ((1, "b"),)


def test_what_a_command_wrote_before_its_last_statement_failed_is_told_as_that() -> None:
    """Where its exit code says that it ran to its end: not where it was ended, or never ran, nor what a success wrote too."""
    half = "cat > body.md <<'EOF'\nall\nEOF\n\ngh pr edit 3 --body-file body.md"

    def ended(id: str, said: str) -> Message:
        return result(id, said).model_copy(update={"is_error": True})

    runs = [assistant("", calls(f"c{k}", "run", command=half)) for k in range(3)]
    ran = [
        user("go"),
        runs[0],
        ended("c0", "Process exited with code 1"),
        runs[1],
        ended("c1", "Exit code 137"),
        runs[2],
    ]
    found = [*ran, ended("c2", "The user doesn't want to")]
    assert told(*found).turns[0].half_written == ((1, "body.md"),)
    wire = session_overview(replay(as_session(found)))
    assert (wire["redirected"], wire["half_written"]) == ([("body.md", 1, [1])], ["body.md"])
    assert wire["turns"][0]["redirected"] == [(1, "body.md (written before its command failed)")]
    again = [*found, assistant("", calls("c3", "run", command="echo a > body.md")), result("c3", "")]
    assert session_overview(replay(as_session(again)))["half_written"] == []


def test_a_file_of_a_failed_command_has_its_remark_however_long_its_name() -> None:
    """The name is shortened, the remark is not."""
    half = f"cat > dir/{'x' * 200}.md <<'EOF'\nall\nEOF\ngh pr edit 3"
    ran = [user("go"), assistant("", calls("c0", "run", command=half)), failed_with("c0", 1)]
    wire = session_overview(replay(as_session(ran)))
    assert [name for name, *_ in wire["redirected"]] == wire["half_written"] == ["dir/" + "x" * 155 + "…"]
    assert wire["turns"][0]["redirected"] == [(1, "dir/" + "x" * 155 + "… (written before its command failed)")]


def test_a_file_that_a_turn_also_wrote_whole_has_no_remark_there() -> None:
    """It is one file: in the session's list, too."""
    both = [
        assistant("", calls("c0", "run", command="echo a > b.txt; make")),
        failed_with("c0", 2),
        assistant("", calls("c1", "run", command="echo a > b.txt")),
        result("c1", ""),
    ]
    wire = session_overview(replay(as_session([user("go"), *both])))
    assert wire["turns"][0]["redirected"] == [(1, "b.txt"), (3, "b.txt")]


def test_the_files_of_one_command_are_told_in_its_order() -> None:
    """In the turn as in the session's list."""
    call = assistant("", calls("c0", "run", command="echo a > z.txt; echo b > a.txt"))
    wire = session_overview(replay(as_session([user("go"), call, result("c0", "")])))
    assert wire["turns"][0]["redirected"] == [(1, "z.txt"), (1, "a.txt")]
    assert [name for name, *_ in wire["redirected"]] == ["z.txt", "a.txt"]


def test_what_shell_commands_commit_and_send_is_told() -> None:
    """With the place of the call; not of one that failed."""
    commit = assistant("", calls("c1", "run", command="git commit -m 'Fix it' && git push"))
    spoiled = assistant("", calls("c2", "run", command="git push --force"))
    found = [user("go"), commit, result("c1", ""), spoiled, failed("c2")]
    assert told(*found).turns[0].published == ((1, "git commit: Fix it"), (1, "git push"))
    assert told(*found).turns[0].commits == (1,)
    wire = session_overview(replay(as_session(found)))
    assert (wire["published"], wire["published_total"]) == ([("git commit: Fix it", 1, [1]), ("git push", 1, [1])], 2)
    assert wire["sums"]["commits"] == 1


def test_removals_that_are_equal_are_told_once() -> None:
    """With how many messages removed it, and where the first eight of these stand."""
    twice = [assistant("", calls(f"c{k}", "run", command="rm a; rm a; rm b")) for k in range(2)]
    often = [assistant("", calls(f"d{k}", "run", command="rm a")) for k in range(8)]
    wire = session_overview(replay(as_session([user("go"), *twice, user("on"), *often])))
    assert wire["removed"] == [("rm a", 10, [1, 2, 4, 5, 6, 7, 8, 9]), ("rm b", 2, [1, 2])]
    assert wire["removed_total"] == 2


def test_each_removal_of_a_long_turn_counts() -> None:
    """All have their place; the first 24 have a text."""
    gone = assistant("", calls("c1", "run", command="\n".join(f"rm {k}" for k in range(30))))
    removed = session_overview(replay(as_session([user("go"), gone])))["turns"][0]["removed"]
    assert [at for at, _ in removed] == [1] * 30
    assert [text for _, text in removed] == [f"rm {k}" for k in range(24)] + [""] * 6


def test_how_it_ended() -> None:
    """What the newest message is; what a harness added does not count."""
    asked = user("go")
    noted = Message(role="user", content="by the way", injected="meta")
    assert told(asked).last == "request"
    assert told(asked, assistant("done"), noted).last == "reply"
    assert told(asked, assistant("", calls("c", "ls"))).last == "call"
    assert told(asked, assistant("All done.", calls("c", "finish"))).last == "finish"
    within = assistant("Here it is.", calls("srvtoolu_1", "bash_code_execution", command="ls"))
    assert told(asked, within, result("srvtoolu_1", "a.py")).last == "reply"
    assert told(asked, assistant("All done.", calls("c", "submit")), result("c", "diff --git a b")).last == "finish"
    assert (told(system("rules")).last, told().last) == ("other", "other")
    ends = {
        "command": "command",
        "interruption": "stop",
        "aborted": "stop",
        "observation": "result",
        "submission": "submission",
    }
    for injected, last in ends.items():
        put_in = Message(role="user", content="Ran `find .`", injected=injected)
        found = told(asked, assistant("done"), put_in, noted)
        assert (found.last, found.newest, found.closing) == (last, 2, 1)
    refused = assistant("overloaded").model_copy(update={"is_error": True})
    assert told(asked, refused).last == "failure"
    assert told(asked, assistant("  ")).closing == -1
    assert told(asked, assistant("Done."), assistant("\U0001f44d")).closing == 1, "a mark alone is no words"


def test_the_wire_quotes_what_it_ends_with_where_words_say_it() -> None:
    """A command of the user's, cut to a line; a reply is quoted as the model's newest words alone."""
    command = Message(role="user", content="Ran `find .`" + "x" * 500, injected="command")
    found = session_overview(replay(as_session([user("go"), assistant("done"), command])))
    assert (found["last"], found["newest"]["at"], found["closing"]["at"]) == ("command", 2, 1)
    assert found["newest"]["text"].startswith("Ran find .")
    assert len(found["newest"]["text"]) <= 160
    assert session_overview(replay(as_session([user("go"), assistant("done")])))["newest"] is None
    other = session_overview(replay(as_session([user("go"), system("Subtask failed: no tests")])))
    assert (other["last"], other["newest"]) == ("other", {"at": 1, "text": "Subtask failed: no tests"})


def test_the_task_is_the_first_request_that_says_something() -> None:
    """Neither a greeting, nor a command without a word that the user stopped at once; but one that the agent worked on is."""
    stop = user("[Request interrupted by user]").model_copy(update={"injected": "interruption"})
    work = [assistant("", calls("c1", "ls")), result("c1", "a.py"), assistant("Done.")]
    bare, asked = user("/debug"), user("/debug the hooks are slow")
    found = session_overview(replay(as_session([bare, stop, asked, *work, user("yes")])))
    assert (found["task"], found["later"]) == ({"at": 2, "text": "/debug the hooks are slow"}, None)
    assert told(user("hi"), assistant("Hello!"), asked, *work).task == 2
    assert told(bare, *work, asked, *work).task == 0
    assert told(user("go on"), *work, asked, *work).task == 0
    assert told(bare, stop, user("hi")).task == 0, "where none says anything it is the first one"
    last = session_overview(replay(as_session([bare, stop, asked, *work, user("mend the tests")])))["later"]
    assert last == {"turn": 3, "of": 3, "at": 6, "text": "mend the tests"}
    midway = as_session([user("hi"), assistant("Hello!"), asked], starts_midway=True)
    assert overview(replay(midway)).task == 0


def test_what_was_submitted_apart_from_the_messages_is_quoted() -> None:
    """With the way to the newest message."""
    found = session_overview(replay(as_session([user("go"), assistant("submit")], submission="diff --git a b")))
    assert (found["last"], found["newest"]) == ("submission", {"at": 1, "text": "diff --git a b"})


def test_the_wire_has_what_ended_the_run() -> None:
    """In the words of the file, where the agent did not end it; the notes have it, too."""
    session = as_session([user("go")], ended_with="exit_context", notes=("1 record skipped",))
    assert session_overview(replay(session))["ended_with"] == "exit_context"
    assert session_overview(replay(as_session([user("go")])))["ended_with"] == ""
    assert trace_header("s", replay(session))["notes"] == ["1 record skipped", "the run ended with exit_context"]
    assert summary(replay(session))["notes"] == ["1 record skipped", "the run ended with exit_context"]


def test_what_came_before_the_first_request_is_a_stretch_of_its_own() -> None:
    """It has no request; a session that nobody typed in has one such stretch, or none where the model did nothing."""
    found = told(assistant("hello"), user("go"))
    assert [(turn.at, turn.asked, turn.typed) for turn in found.turns] == [(0, "", False), (1, "go", True)]
    assert [turn.at for turn in told(system("rules"), assistant("hello")).turns] == [0]
    assert told(system("rules")).turns == ()


def test_a_request_that_is_only_a_picture_is_a_turn() -> None:
    """A person began it, though nothing is typed in it: it is counted among the turns, and so are the later ones."""
    picture = user("").model_copy(update={"images": (Image(),)})
    trace = replay(
        as_session([user("mend it"), assistant("done"), picture, assistant("I see"), user("so mend this too, please")])
    )
    turns = session_overview(trace)["turns"]
    assert [(turn["asked"], turn["typed"], turn["pictures"]) for turn in turns] == [
        ("mend it", True, 0),
        ("", True, 1),
        ("so mend this too, please", True, 0),
    ]
    assert session_overview(trace)["later"]["turn"] == 3


def test_the_wire_says_where_in_a_turn_each_thing_stands() -> None:
    """Calls and errors by their places, files once with the places of their writes."""
    first = [user("go"), wrote("c1", "b.py"), result("c1", "ok"), wrote("c2", "a.py"), result("c2", "ok")]
    talk = [*first, wrote("c3", "a.py"), failed("c3"), wrote("c4", "b.py"), result("c4", "ok")]
    (turn,) = session_overview(replay(as_session(talk)))["turns"]
    assert (turn["calls"], turn["errors"]) == ([1, 3, 5, 7], [6])
    assert (turn["files"], turn["wrote"]) == (["b.py", "a.py"], [[1, 0], [3, 1], [7, 0]])


def asked(text: str) -> str:
    """The request of a turn, as the wire has it."""
    return str(session_overview(replay(as_session([user(text)])))["turns"][0]["asked"])


def test_the_wire_names_a_turn_by_its_whole_request_in_one_line() -> None:
    """Its point may stand in its last line. It begins where a line says more than a mark or a word; "…" says that it is cut."""
    assert (
        asked("Is type: code-grader\nwrong?\n\n  Show an\texample.") == "Is type: code-grader wrong? Show an example."
    )
    assert asked("Implement this plan:\n\n# Rename it\n\nstop") == "Implement this plan: Rename it · stop"
    assert asked("Only this:") == "Only this:"
    assert asked("***\nok") == "ok"
    assert asked("Mend it.\n" + "a " * 100) == "Mend it. " + "a " * 74 + "a…"
    assert asked("Mend it.\n" * 800) == ("Mend it. " * 17 + "Mend i…")
    assert asked("Mend it." + "\n" * 4_500 + "And that.") == "Mend it.…"


def last_words(*replies: Message) -> str:
    """The model's last words in the first turn, as the wire has them."""
    trace = replay(as_session([user("go"), *replies, user("thanks"), assistant("Later.")]))
    return str(session_overview(trace)["turns"][0]["said"])


def test_a_turn_has_the_beginning_of_the_models_last_words() -> None:
    """Of the last reply with prose before the next request, without the marks of Markdown; whole sentences where they fit."""
    assert (
        last_words(assistant("Looking."), assistant("Both **pass**."), assistant("", calls("c", "ls"))) == "Both pass."
    )
    assert last_words(assistant("## Done\n\n- Fixed `a.py`\n- See [b](http://b)")) == "Fixed a.py · See b"
    assert last_words(assistant("## Done\n")) == "Done"
    assert last_words(assistant("#2 is:\n**1. A lock**\n")) == "#2 is: A lock"
    assert (
        last_words(assistant("It waits\nfor it\n\n---\n1. Stop: all\n   of it\n2. Go"))
        == "It waits for it · Stop: all of it · Go"
    )
    assert last_words(assistant("The cause is a lock. " + "It waits for the writer to end. " * 5)) == (
        "The cause is a lock. It waits for the writer to end. It waits for the writer to end. It waits for the writer to end."
    )
    assert last_words(assistant("so " * 80)) == "so " * 45 + "so…"


def test_a_turn_in_which_the_model_says_nothing_has_no_last_words() -> None:
    """Calls, code alone, an object for a program and an error of the API are no words; nor are those of the next turn."""
    assert last_words() == ""
    assert last_words(assistant("", calls("c", "ls")), assistant("```\nls\n```"), assistant('{"commands": []}')) == ""
    assert last_words(assistant("Overloaded").model_copy(update={"is_error": True})) == ""
    assert last_words(assistant("Kept: a.").model_copy(update={"injected": "summary"})) == ""
    assert last_words(assistant("No response requested.").model_copy(update={"injected": "note"})) == ""


def test_a_turn_that_the_user_stopped_is_told_as_that() -> None:
    """Whatever the model said before; a note of the harness behind the stop changes nothing, and no other turn is stopped."""
    stop = user("[Request interrupted by user]").model_copy(update={"injected": "interruption"})
    note = assistant("No response requested.").model_copy(update={"injected": "note"})
    talk = [assistant("Hello."), user("go"), assistant("Let me begin."), stop, note, user("go on"), assistant("Done.")]
    turns = session_overview(replay(as_session([*talk, user("and that"), stop])))["turns"]
    assert [turn["stopped"] for turn in turns] == [False, True, False, True]
    assert [turn["said"] for turn in turns] == ["Hello.", "Let me begin.", "Done.", ""]


def queued(text: str) -> Message:
    """What a person typed while the agent worked."""
    return user(text).model_copy(update={"injected": "queued"})


def test_a_request_that_was_sent_while_the_agent_worked_is_told_as_that() -> None:
    """The work of the turn before goes on in it: but not where that had been answered, or stopped."""
    stop = user("[Request interrupted by user]").model_copy(update={"injected": "interruption"})
    work = [assistant("Let me look.", calls("c1", "ls")), result("c1", "a.py")]
    found = told(
        user("mend it"), *work, queued("is it down?"), *work, queued("why?"), assistant("Mended."), queued("ok")
    )
    assert [turn.meanwhile for turn in found.turns] == [False, True, True, False]
    assert (found.last, found.newest) == ("request", 8)
    assert [turn.meanwhile for turn in told(user("mend it"), *work, stop, queued("why?")).turns] == [False, False]
    assert [turn.meanwhile for turn in told(user("mend it"), *work, user("why?")).turns] == [False, False]


def test_the_wire_quotes_the_task_and_the_closing_words() -> None:
    """The first task whole, a later request and the closing words cut."""
    found = session_overview(
        replay(as_session([user("---\nHi\nMend the report of March.\nThanks"), assistant("x" * 500)]))
    )
    assert found["turns"][0]["asked"] == "Mend the report of March. Thanks"
    assert session_overview(replay(as_session([user("yes")])))["turns"][0]["asked"] == "yes"
    assert found["task"] == {"at": 0, "text": "Hi Mend the report of March. Thanks"}
    assert (found["closing"]["at"], len(found["closing"]["text"])) == (1, 360)
    assert (found["began"], found["ended"]) == ("", "")
    rules = "Mend the report of March. " + "Keep the columns as they are. " * 20 + "Never print."
    assert session_overview(replay(as_session([user(rules)])))["task"]["text"] == rules, "the first task is told whole"


def test_the_closing_words_are_told_as_those_of_a_turn() -> None:
    """Without headings, tables and code; where nothing but code is there, that is quoted."""

    def closing(text: str) -> str:
        return str(session_overview(replay(as_session([user("go"), assistant(text)])))["closing"]["text"])

    assert (
        closing("Do not delete it.\n\n## Best approach\n\nRefine **the plan**.") == "Do not delete it. Refine the plan."
    )
    assert closing("```bash\nls -a `pwd`\n```") == "ls -a `pwd`"


@given(session=sessions())
def test_nothing_is_counted_twice_or_lost(session) -> None:  # type: ignore[no-untyped-def]
    """Every tool call and every error of a session belongs to one turn, and turns begin in order."""
    found = overview(replay(session))
    assert sum(len(turn.calls) for turn in found.turns) == sum(len(m.tool_calls) for m in session.messages)
    starts = [turn.at for turn in found.turns]
    assert starts == sorted(set(starts))


def test_the_wire_quotes_a_later_request_that_says_something() -> None:
    """The newest that is more than a word to go on, however short, with its turn; none where that is the task."""
    talk = [
        user("Mend the report of March."),
        assistant("Mended."),
        user("Now write a test for the export."),
        user("Remove the rest"),
        user("okay, let's do that and go on"),
    ]
    found = session_overview(replay(as_session(talk)))
    assert found["later"] == {"turn": 3, "of": 4, "at": 3, "text": "Remove the rest"}
    assert session_overview(replay(as_session([talk[0], user("thanks")])))["later"] is None
    assert session_overview(replay(as_session([])))["later"] is None


def observed(text: str, injected: str = "observation") -> Message:
    """What a harness says to a command: no person typed it."""
    return user(text).model_copy(update={"injected": injected})


def test_commands_in_the_text_of_replies() -> None:
    """Of an agent that calls no tools: each reply that an observation answers, with what it removes. A reply whose form was
    refused ran nothing, and a block of code that nothing answers is only talked about.
    """
    found = told(
        user("mend it"),
        assistant("Look.\n```bash\nls -la\n```"),
        observed("<returncode>0</returncode>"),
        assistant("```bash\nls\n```\nor\n```bash\npwd\n```"),
        observed("Please always provide EXACTLY ONE action", "error"),
        assistant("```mswea_bash_command\nrm a.tmp && echo done\n```"),
        observed("diff --git", "submission"),
        user("thanks; how do I undo it?"),
        assistant("```bash\ngit checkout .\n```"),
    )
    assert [turn.commands for turn in found.turns] == [(1, 5), ()]
    assert found.turns[0].removals == ((5, "rm a.tmp"),)
    assert found.last == "reply"


def test_a_text_that_ends_the_run_is_a_call_to_finish() -> None:
    """SWE-agent's command to submit, as the last reply; of Terminus the word that its task is complete, answered or not."""
    looked = [user("mend it"), assistant("```\nls\n```"), observed("a.py")]
    assert told(*looked, assistant("Done.\n```\nsubmit\n```")).last == "finish"
    sent = '{"analysis": "", "commands": [{"keystrokes": "ls\\n"}], "task_complete": false}'
    done = '{"analysis": "", "commands": [], "task_complete": true}'
    found = told(user("mend it"), assistant(sent), observed("New Terminal Output:"), assistant(done), observed("Sure?"))
    assert (found.turns[0].commands, found.last, found.newest) == ((1,), "finish", 4)
    assert told(user("How does one submit?"), assistant("```\nsubmit\n```")).last == "reply"
    assert told(*looked, assistant("", calls("c", "submit")), result("c", "")).turns[0].commands == ()


def test_of_a_long_session_the_first_turns_are_told_and_where_they_end() -> None:
    """What happens behind the 300 that are told is in none of them."""
    talk = [message for k in range(301) for message in (user(f"do {k}"), assistant("done"))]
    wire = session_overview(replay(as_session(talk)))
    assert (len(wire["turns"]), wire["turns_total"], wire["turns_end"]) == (300, 301, 600)
    assert session_overview(replay(as_session(talk[:600])))["turns_end"] == -1


def test_what_is_quoted_has_no_fences() -> None:
    """Of a command that the user ran, as pi records it, nothing that it printed is quoted: the two would run together."""

    def quoted(content: str) -> str:
        ran = Message(role="user", content=content, injected="command", id="c")
        text: str = session_overview(replay(as_session([user("look"), assistant("yes"), ran])))["newest"]["text"]
        return text

    assert quoted("Look:\n```\n./a.py\n```\nend") == "Look: ./a.py end"
    assert quoted("Ran `find .`\n```\n./a.py\n```") == "Ran find ."


def test_a_file_that_was_moved_later_is_one_file() -> None:
    """It is counted with what was written under its first name, and told by both; a move that failed moves nothing."""
    before = (
        user("go"),
        wrote("c1", "meta/old/a.md"),
        result("c1", "done"),
        assistant("", calls("c2", "bash", command="mv meta/old meta/new")),
    )
    after = (wrote("c3", "meta/new/a.md"), result("c3", "done"))
    found = (*before, result("c2", ""), *after)
    assert told(*found).written == (("meta/new/a.md", 2),)
    wire = session_overview(replay(as_session(list(found))))
    assert (wire["files"], wire["sums"]["files"]) == ([["meta/new/a.md", 2, "meta/old/a.md"]], 1)
    unmoved = told(*before, failed("c2"), *after)
    assert (unmoved.written, unmoved.moved) == ((("meta/old/a.md", 1), ("meta/new/a.md", 1)), ())
