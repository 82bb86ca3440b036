"""What follows from a compaction later: asked again, failed again, taken back, needed; and instructions that are gone."""

import json
from collections.abc import Sequence

import pytest

from core import Message, Policy, Trace, policies
from core.analyse import Finding, brought_back, findings_at, lost_reference, too_long
from core.analyse.rework import asked_again
from core.analyse.too_long import not_looked_for
from core.measure.answers import lines_of_result, shows_text
from core.measure.read_again import files_of
from core.measure.tool_use import repeats, tool_uses
from tests.analyse.events import event, of_kind, run, summary
from tests.support import assistant, calls, result, system, user, with_ids
from viewer.wire.findings import finding_list
from viewer.wire.losses import loss_list


def trace(
    messages: Sequence[Message], cut: int, at: int, said: str = "a summary", rule: Policy | None = None, head: int = 0
) -> Trace:
    """A trace in which the first `cut` messages but for a head became a summary once `at` had arrived."""
    n = len(messages)
    put, stays = summary(said), [(0, head)] if head else []
    taken = event(at, [(0, at)], [*stays, (n, n + 1), (cut, at)], ("summarised", (head, cut)), put=[put], number=1)
    return (
        run(with_ids(messages), taken).model_copy(update={"policy": rule}) if rule else run(with_ids(messages), taken)
    )


def found(kind: str, one: Trace) -> list[Finding]:
    """The findings of a kind at its one compaction."""
    return of_kind(kind, findings_at(one, 0))


def read(call_id: str, path: str, text: str = "x = 1", **more: object) -> list[Message]:
    """A call that reads a file, and what it gives."""
    return [assistant("", calls(call_id, "read_file", path=path, **more)), result(call_id, text)]


def edit(call_id: str, path: str, old: str, new: str) -> list[Message]:
    """A call that replaces a text in a file, and its result."""
    return [
        assistant("", calls(call_id, "edit_file", path=path, old_string=old, new_string=new)),
        result(call_id, "ok"),
    ]


def failing(call_id: str, text: str) -> list[Message]:
    """A command that fails."""
    answer = result(call_id, text).model_copy(update={"is_error": True})
    return [assistant("", calls(call_id, "bash", command="make all")), answer]


# Rework


def test_a_file_that_is_read_again_once_its_text_is_gone() -> None:
    """The finding says where the file was read before and after, the tokens, and how often this session asks again anyway."""
    (one,) = found(
        "rework", trace([user("go"), *read("a", "src/a.py"), *read("b", "b.py"), *read("c", "src/a.py")], 3, 5)
    )

    assert one.severity == "warning"
    assert one.text == (
        "1 later call asked again for what was replaced by summary #1, and 10 tokens came back.\n"
        "• src/a.py: read in message 2, again in 6\n"
        "For comparison: in the whole session 1 of 3 tool calls asks again for what an earlier one had answered, "
        "in the window or not. A file that was written in between does not count here."
    )
    assert one.messages == ("m2", "m6")
    assert one.numbers == {"calls": 1, "tokens": 10, "step": 6, "repeats": 1, "tool_calls": 3}


def test_a_read_again_tells_what_showed_it_and_whether_its_file_was_edited_since() -> None:
    """The result that showed it, and the calls that wrote the file since: none of another file, none that failed."""
    text = "\n".join(f"line {k}" for k in range(20))
    failed = edit("e", "src/a.py", "line 3", "line three")
    failed[1] = failed[1].model_copy(update={"is_error": True})
    talk = [user("go"), *read("a", "src/a.py", text), *edit("b", "b.py", "x", "y"), *failed]
    kept = [*talk, *read("c", "src/a.py", text)]
    (row,) = loss_list(trace(kept, 7, 7))["rows"]
    assert (row["again_of"], row["again_edited"]) == ([(7, (2,), 0)], 0)
    changed = [*talk, *edit("d", "src/a.py", "line 2", "line two"), *read("c", "src/a.py", text)]
    (row,) = loss_list(trace(changed, 7, 7))["rows"]
    assert (row["again_of"], row["again_edited"]) == ([(9, (2,), 1)], 1)
    assert (row["again_files"], row["again_files_total"]) == (["src/a.py: read in message 2, again in 10"], 1)


def test_a_call_that_names_a_file_twice_is_one_edit() -> None:
    """A patch may name it from two folders; of two calls in one message each counts."""
    text = "\n".join(f"line {k}" for k in range(20))
    patch = "*** Begin Patch\n*** Update File: a.py\n+x\n*** Update File: src/a.py\n+y\n*** End Patch"
    twice = [assistant("", calls("p", "apply_patch", input=patch)), result("p", "ok")]
    one, other = (edit(name, "src/a.py", "line 2", "line two") for name in ("d", "e"))
    both = assistant("", *one[0].tool_calls, *other[0].tool_calls)
    for changed, edits in ((twice, 1), ([both, one[1], other[1]], 2)):
        talk = [user("go"), *read("a", "src/a.py", text), *changed, *read("c", "src/a.py", text)]
        (row,) = loss_list(trace(talk, 3, 3))["rows"]
        assert [edited for *_, edited in row["again_of"]] == [edits]


def test_the_files_of_a_call_are_looked_up_once_however_many_ask_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many edits and many calls that ask again, not each of these by each of those."""
    text = "\n".join(f"line {k}" for k in range(20))
    edits = [one for k in range(30) for one in edit(f"e{k}", f"{k}.py", "x", "y")]
    first, again = ([one for k in range(6) for one in read(f"{of}{k}", f"src/{k}.md", text)] for of in "ab")
    one, looked = trace([user("go"), *first, *edits, *again], 13, 13), list[object]()
    repeated = asked_again(one, 0)
    monkeypatch.setattr(brought_back, "files_of", lambda use: looked.append(use) or files_of(use))
    assert [brought_back.brought_back(one, repeat).edits for repeat in repeated] == [0] * 6
    assert len(looked) == 30 + 6


def test_reads_before_and_after_are_told_apart_file_after_file() -> None:
    """Each file has the messages that read or wrote it before, and those that read it again, whatever the calls look like."""
    rest = BODY.replace("line", "row")
    read_before = [*read("a", "/w/src/a.py", BODY), *WRITE, *read("b", "src/a.py", rest)]
    shown = [assistant("", calls("s", "exec", cmd="tail -8 src/a.py")), result("s", rest)]
    read_after = [*read("c", "/w/src/a.py", BODY), *read("d", "/w/src/Exporter.ts", BODY), *shown]
    (one,) = found("rework", trace([user("go"), *read_before, user("on"), *read_after], 7, 8))

    places = (
        "• src/a.py: read in messages 2 and 6, again in 9 and 13\n• src/Exporter.ts: written in message 4, read in 11"
    )
    assert places in one.text
    assert one.messages == ("m2", "m6", "m9", "m13", "m4", "m11")


def test_a_command_without_a_file_and_many_files_are_told_shortly() -> None:
    """What names no file is told by its call; of many files three are named, of many messages four."""
    names = [f"{k}.py" for k in range(5)]
    before = [one for k in range(5) for one in read(f"b{k}", names[0])]
    before += [one for name in names[1:] for one in read(f"c{name}", name)]
    after = [one for name in names for one in read(f"a{name}", name)]
    (one,) = found("rework", trace([user("go"), *before, user("on"), *after], 19, 20))
    assert (
        "• 0.py: read in messages 2, 4, 6, 8 and 1 more, again in 21\n• 1.py: read in message 12, again in 23\n"
        "• 2.py: read in message 14, again in 25\n• 2 more" in one.text
    )
    search = [assistant("", calls("a", "search", query="limits")), result("a", BODY)]
    again = [assistant("", calls("b", "search", query="limits")), result("b", BODY)]
    (one,) = found("rework", trace([user("go"), *search, user("on"), *again], 3, 4))
    assert "• search “limits”: asked in message 2, again in 5" in one.text


def test_a_list_that_is_written_again_asks_for_nothing() -> None:
    """The answer to a to-do list gives back what the call said."""
    listed = [{"content": f"Change the report of part {k}", "status": "completed"} for k in range(4)]
    shown = json.dumps(listed, indent=2)
    talk = [user("go"), assistant("", calls("a", "todo", todos=listed)), result("a", shown), user("on")]
    again = [assistant("", calls("b", "todo", todos=listed)), result("b", shown)]
    assert found("rework", trace([*talk, *again], 3, 4)) == []


@pytest.mark.parametrize(
    "between",
    [
        edit("w", "src/a.py", "x = 1", "x = 2"),
        [],
    ],
    ids=["written since", "still in the window"],
)
def test_no_rework(between: list[Message]) -> None:
    """A file that was written since has another text; an answer that stands is asked for again without need of a reason."""
    messages = [user("go"), *read("a", "src/a.py"), *between, *read("c", "src/a.py")]
    cut = 3 if between else 1

    assert found("rework", trace(messages, cut, len(messages) - 2)) == []


BODY = "\n".join(f"line {k} of the exporter" for k in range(8))
WRITE = [assistant("", calls("w", "write", filePath="/w/src/Exporter.ts", content=BODY)), result("w", "ok")]


@pytest.mark.parametrize(
    ("command", "shows"),
    [
        ("cat a.py", True),
        ("cd src && sed -n 1,5p a.py 2>&1", True),
        ("grep -rn x . 2>/dev/null", True),
        ("cat a.py > /dev/null", True),
        ("cat <<EOF > a.py\nx = 1\nEOF", False),
        ("cat > a.py << 'EOF'\nx = 1\nEOF", False),
        ("head -5 a.py >> b.py", False),
        ("make all", False),
    ],
)
def test_a_command_that_writes_a_file_does_not_show_it(command: str, shows: bool) -> None:
    """`cat` is how agents write files, too."""
    assert shows_text(command) is shows


def test_a_file_that_the_model_wrote_and_reads_once_its_text_is_gone() -> None:
    """Its lines stood in the call; a command that shows them counts too, and a path from elsewhere."""
    for tool, asked in (
        ("read", {"filePath": "/w/src/Exporter.ts"}),
        ("exec", {"cmd": "cd /w && sed -n '1,260p' src/exporter.ts"}),
    ):
        again = [assistant("", calls("r", tool, **asked)), result("r", BODY)]
        talk = [user("go"), *WRITE, user("go on"), *again]
        (one,) = found("rework", trace(talk, 3, 4))
        assert (one.numbers["calls"], one.numbers["step"], one.messages) == (1, 5, ("m2", "m5"))
        assert found("rework", trace(talk, 1, 4)) == [], "the call that wrote it still stands"


def test_a_file_with_other_lines_is_not_read_again() -> None:
    """Under half of what comes back had stood in what is gone; a message that stays, or an edit after it, has the rest."""
    other = "\n".join(f"row {k} of a table" for k in range(12))
    for text, calls_found in ((f"{BODY}\n{other}", 0), (f"{BODY}\n{other[:20]}", 1)):
        again = [assistant("", calls("r", "read", filePath="/w/src/Exporter.ts")), result("r", text)]
        assert len(found("rework", trace([user("go"), *WRITE, user("go on"), *again], 3, 4))) == calls_found
    elsewhere = [assistant("", calls("r", "read", filePath="/w/src/other.ts")), result("r", BODY)]
    assert found("rework", trace([user("go"), *WRITE, user("go on"), *elsewhere], 3, 4)) == []
    newly = [assistant("", calls("v", "write", filePath="/w/src/Exporter.ts", content=BODY)), result("v", "ok")]
    again = [assistant("", calls("r", "read", filePath="/w/src/Exporter.ts")), result("r", BODY)]
    assert found("rework", trace([user("go"), *WRITE, user("go on"), *newly, *again], 3, 4)) == []


@pytest.mark.parametrize(
    ("wrote", "asked", "again"),
    [
        ("/w/src/Exporter.ts", {"cmd": "cat src/exporter.ts"}, 1),
        ("src\\Exporter.ts", {"cmd": "cat ./src/exporter.ts"}, 1),
        ("/mod/go-git/v5@v5.17.0/Exporter.ts", {"cmd": "sed -n '1,40p' /mod/go-git/v5@v5.16.4/Exporter.ts"}, 0),
        ("/w/src/Exporter.ts", {"cmd": "cat /w/test/Exporter.ts"}, 0),
        ("/w/src/Exporter.ts", {"cmd": "grep -n line src/exporter.ts"}, 0),
        ("/w/src/Exporter.ts", {"cmd": "cat src/exporter.ts | grep line"}, 0),
    ],
    ids=["fewer folders", "slashes", "another version", "another folder", "a search", "a search in a pipe"],
)
def test_the_same_file_is_read_again_and_nothing_new_is_asked(wrote: str, asked: dict[str, str], again: int) -> None:
    """Folders must agree as far as both calls name them; a search for other words asks something new."""
    write = [assistant("", calls("w", "write", filePath=wrote, content=BODY)), result("w", "ok")]
    talk = [user("go"), *write, user("go on"), assistant("", calls("r", "exec", **asked)), result("r", BODY)]
    assert len(found("rework", trace(talk, 3, 4))) == again


def test_what_a_harness_puts_around_an_answer_is_none_of_its_lines() -> None:
    """The head that Codex prints, and the reminder that Claude Code puts behind a file."""
    head = "Command: cat a.py\nChunk ID: 9600f4\nWall time: 0.0000 seconds\nProcess exited with code 0\nOutput:\n"
    said = Message(
        role="tool", content=f"{head}one line\n    2→another\n<system-reminder>\nIs it malware?\n</system-reminder>"
    )
    assert lines_of_result(said) == {"one line", "another"}
    assert lines_of_result(Message(role="tool", content="Command: cat a.py\none line")) == {
        "Command: cat a.py",
        "one line",
    }


def test_another_part_of_the_file_is_no_repeat() -> None:
    """Lines count, where a call says which."""
    messages = [
        *read("a", "a.py", offset=1, limit=10),
        *read("b", "a.py", offset=11, limit=5),
        *read("c", "a.py", offset=5),
    ]

    assert [repeat.use.call.id for repeat in repeats(run(messages))] == ["c"]
    assert [repeat.sources for repeat in repeats(run(messages))] == [[1, 3]]


def listed(call_id: str, *files: dict[str, object] | str) -> list[Message]:
    """A call that reads the files of a list, as Cline's `read_files` does, and what it gives."""
    return [assistant("", calls(call_id, "read_files", files=list(files))), result(call_id, "x = 1")]


def test_the_files_of_a_list_are_read_each_with_its_lines() -> None:
    """A call asks again where earlier ones gave lines of all its files; of lines told in another way nothing is said."""
    messages = [
        *listed("a", {"path": "a.py", "start_line": 1, "end_line": 10}, "b.py"),
        *listed("b", {"path": "a.py", "start_line": 11, "end_line": 20}),
        *listed("c", {"path": "a.py", "start_line": 5, "end_line": 12}),
        *listed("d", {"path": "a.py"}, {"path": "new.py"}),
        *listed("e", {"path": "b.py", "line_ranges": ["1-5"]}),
        *read("f", "b.py"),
    ]

    found = repeats(run(messages))
    assert [(repeat.use.call.id, repeat.sources) for repeat in found] == [("c", [1, 3]), ("f", [1])]
    assert [use.files for use in tool_uses(run(messages))][:2] == [("a.py", "b.py"), ("a.py",)]
    assert next(iter(tool_uses(run(messages)))).does == "read"


def test_a_command_that_answers_otherwise_is_no_rework() -> None:
    """Half of the lines have to come back; what failed was no answer, and an empty one costs nothing."""

    def twice(second: str, failed: bool = False, command: str = "cat log.txt") -> list[Message]:
        first = [assistant("", calls("a", "bash", command=command)), result("a", "    1\tone line\n    2\tanother")]
        again = result("b", second).model_copy(update={"is_error": failed})
        return [*first, user("go on"), assistant("", calls("b", "bash", command=command)), again]

    assert len(found("rework", trace(twice("one line\na third one"), 2, 3))) == 1
    assert found("rework", trace(twice("one line\na third one\na fourth"), 2, 3)) == []
    assert found("rework", trace(twice("one line", failed=True), 2, 3)) == []
    assert found("rework", trace(twice(""), 2, 3)) == []
    assert found("rework", trace(twice("one line", command="git status"), 2, 3)) == []


def test_what_a_call_reads_and_writes_is_told_by_its_name() -> None:
    """Names are split at case and punctuation; editors go by their command, if they have one; a patch has headers."""
    messages = [
        assistant("", calls("a", "ReadFile", path="a")),
        assistant("", calls("b", "str_replace_editor", command="view", path="b")),
        assistant("", calls("c", "str_replace_editor", command="create", path="c")),
        assistant("", calls("d", "apply_patch", input="*** Begin Patch\n*** Update File: d.py\n*** Add File: e.py\n")),
        assistant(
            "", calls("d2", "apply_patch", input="*** Begin Patch\n*** Update File: f\n@@\n*** Update File: f\n")
        ),
        assistant("", calls("d3", "text_editor_code_execution", command="create", path="g")),
        assistant("", calls("d4", "editor", path="h", old_text="x", new_text="y")),
        assistant("", calls("e", "spread_sheet", path="e")),
        assistant("", calls("f", "bash", command="cat f")),
    ]

    assert [(use.does, use.files) for use in tool_uses(run(messages))] == [
        ("read", ("a",)),
        ("read", ("b",)),
        ("write", ("c",)),
        ("write", ("d.py", "e.py")),
        ("write", ("f",)),
        ("write", ("g",)),
        ("write", ("h",)),
        ("", ()),
        ("", ()),
    ]


def test_the_file_of_an_edit_may_be_the_one_that_is_open() -> None:
    """SWE-agent's `edit` names none, and `create` names it from where it is; what its editor refused was not written."""
    state = "\n(Open file: /repo/a.py)\n(Current directory: /repo)\nbash-$"
    refused = "Your proposed edit has introduced new syntax error(s)."
    said = {"create": f"[File: a.py (1 lines total)]{state}", "insert": f"done{state}", "edit": f"{refused}{state}"}
    messages = [user("go")]
    for name, text in said.items():
        given = {"filename": "a.py"} if name == "create" else {"text": "x"}
        messages += [assistant("", calls(name, name, **given)), result(name, text)]
    messages += [assistant("", calls("other", "edit_file", path="b.py")), result("other", state)]
    assert [use.written for use in tool_uses(run(messages))] == [("/repo/a.py",), ("/repo/a.py",), (), ("b.py",)]


def test_an_edit_that_failed_wrote_nothing() -> None:
    """What was read before it is still known: the same read is asked again; of what it would have written nothing is."""
    spoiled = [edit("w", "a.py", "x", "y")[0], result("w", "no match").model_copy(update={"is_error": True})]
    messages = [*read("a", "a.py"), *spoiled, *read("b", "a.py")]
    assert [(repeat.use.at, repeat.sources) for repeat in repeats(run(messages))] == [(4, [1])]
    assert [use.written for use in tool_uses(run(messages))] == [(), (), ()]


# Failed again


def test_a_call_that_fails_again_once_its_failure_is_gone() -> None:
    """The same call with the same failure; nothing was written between."""
    messages = [*failing("a", "no rule to make target"), user("go on"), *failing("b", "no rule to make target")]
    (one,) = found("failed_again", trace(messages, 2, 3))

    assert one.messages == ("m1", "m2", "m4")
    assert one.text == (
        "1 call failed as before, when the failure had been replaced by summary #1. "
        "The first is bash at message 4: “no rule to make target”."
    )


def test_no_call_that_fails_again() -> None:
    """Another failure, a failure that still stands, and one after the code was changed are no such thing."""
    other = [*failing("a", "no rule"), user("go on"), *failing("b", "disk full")]
    changed = [*failing("a", "no rule"), *edit("w", "a.py", "x", "y"), *failing("b", "no rule")]

    assert found("failed_again", trace(other, 2, 3)) == []
    assert found("failed_again", trace(changed, 2, 4)) == []
    changed[3] = result("w", "text not found").model_copy(update={"is_error": True})
    assert len(found("failed_again", trace(changed, 2, 4))) == 1, "an edit that failed changes nothing"
    assert found("failed_again", trace([*failing("a", "no rule"), user("u"), *failing("b", "no rule")], 0, 3)) == []


# Taken back


def test_an_edit_that_is_taken_back_once_it_is_gone() -> None:
    """The later edit puts back word for word what the earlier one replaced, in the same file."""
    there, back = edit("a", "a.py", "limit = 48213", "limit = 500"), edit("b", "a.py", "limit = 500", "limit = 48213")
    (one,) = found("decision_reversed", trace([*there, user("go on"), *back], 2, 3))

    assert one.messages == ("m1", "m4")
    assert "“a.py”: message 4 puts back “limit = 48213”." in one.text
    assert found("decision_reversed", trace([*there, user("go on"), *back], 0, 3)) == []
    assert (
        found("decision_reversed", trace([*there, user("x"), *edit("b", "b.py", "limit = 500", "limit = 48213")], 2, 3))
        == []
    )


def test_a_function_that_is_moved_or_renamed_is_not_taken_back() -> None:
    """The call that takes it out writes its name elsewhere, be it as a public one."""
    there = edit("a", "a.py", "def run(): ...", "def run(): ...\ndef is_local(): ...")
    moved = [{"oldText": "def run(): ...\ndef is_local(): ...", "newText": "def run(): ..."}]
    for more, gone in (
        ({"oldText": "", "newText": "def IS_LOCAL(host): ..."}, 0),
        ({"oldText": "", "newText": "stop()"}, 1),
    ):
        back = [assistant("", calls("b", "edit", path="a.py", edits=[*moved, more])), result("b", "done")]

        assert len(found("decision_reversed", trace([*there, user("go on"), *back], 2, 3))) == gone


# Lost references

MADE = next(rule for rule in policies() if rule.name == "agentkit.memory")


def test_a_name_that_a_later_reply_writes_and_no_message_shows() -> None:
    """Under a policy: the last message that said it was taken, and the reply that used it came later."""
    talk = [
        user("Look at src/app/retry_policy.py"),
        assistant("Yes."),
        user("go on"),
        assistant("See src/app/retry_policy.py"),
    ]
    (one,) = found("lost_reference", trace(talk, 1, 3, rule=MADE))

    assert one.messages == ("m1", "m4")
    assert one.text == (
        "What named app/retry_policy.py was replaced by summary #1, and nothing in the window names it. "
        "The model used it at message 4."
    )
    assert one.subject == "app/retry_policy.py"
    assert found("lost_reference", trace(talk, 1, 3)) == []  # as recorded, something had told the model
    assert found("lost_reference", trace(talk, 1, 3, "it is in retry_policy.py", rule=MADE)) == []
    assert found("lost_reference", trace(talk, 0, 3, rule=MADE)) == []


def test_where_compactions_are_too_many_it_is_said_what_is_not_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What nobody looked for must not be taken for absent: the list of findings and the overview say it."""
    talk = [
        user("Look at src/app/retry_policy.py"),
        assistant("Yes."),
        user("go on"),
        assistant("See src/app/retry_policy.py"),
    ]
    monkeypatch.setattr(lost_reference, "MOST", 0)
    monkeypatch.setattr(too_long, "MOST", 0)
    recorded = trace(talk, 1, 3).model_copy(update={"kind": "replay"})
    one = trace(talk, 1, 3, rule=MADE).model_copy(update={"kind": "simulate"})
    said = [
        "In a session of more than 0 compactions lost statements of the user "
        "and names that were needed later are not looked for."
    ]
    assert found("lost_reference", one) == []
    assert finding_list(one)["limits"] == loss_list(one)["limits"] == said
    assert not_looked_for(recorded) == (
        "In a session of more than 0 compactions lost statements of the user are not looked for.",
    )
    monkeypatch.undo()
    assert not_looked_for(one) == not_looked_for(recorded) == ()


@pytest.mark.parametrize(
    "name",
    ["PowerShell", "file.txt", "a1b2c3d4e5f6", "GITHUB_TOKEN", "OTHER_CLOUD_API_KEY", "/dev/null", "/usr/bin/env"],
)
def test_a_name_that_everybody_knows_is_not_lost(name: str) -> None:
    """The model need not have read it here."""
    talk = [user(f"Look at {name}"), assistant("Yes."), user("go on"), assistant(f"See {name}")]

    assert found("lost_reference", trace(talk, 1, 3, rule=MADE)) == []


def test_a_name_within_a_longer_one_is_not_lost() -> None:
    """What stands in the window is read letter by letter."""
    talk = [
        user("See load_retry_policy"),
        assistant("test_load_retry_policy_twice"),
        user("u"),
        assistant("load_retry_policy"),
    ]

    assert found("lost_reference", trace(talk, 1, 3, rule=MADE)) == []


# Instructions


@pytest.mark.parametrize(
    ("asked", "said", "gone"),
    [
        ("Do not change the public API of the exporter.", "We worked on the page.", True),
        (
            "Do not change the public API of the exporter.",
            "The API of the exporter is public: leave it unchanged.",
            False,
        ),
        ("Do not mark it as high risk this time.", "We worked.", False),
        ("Always start by looking at the exporter.", "We worked.", False),
        ("Could you always look at the exporter again?", "We worked.", False),
        ("Look at the exporter, it fails.", "We worked.", False),
    ],
)
def test_an_instruction_that_the_summary_leaves_out(asked: str, said: str, gone: bool) -> None:
    """A rule for good counts; half of its words in the summary keep it, and so does the message itself."""
    talk = [user("Hello there."), user(asked), assistant("Yes."), user("go on"), assistant("Done.")]
    messages = [one.messages for one in found("instruction_gone", trace(talk, 2, 4, said))]

    assert messages == ([("m2",)] if gone else [])


@pytest.mark.parametrize(
    ("said", "gone"),
    [
        ("Never touch the files below vendor/, the build depends on them.", True),
        ("Every reply must hold exactly one command for the shell.", True),
        ("No mutex protects it, and a leak in the reader never closes the file.", False),
        ("`tool_use` block must have a corresponding block in the next message.", False),
    ],
)
def test_of_a_long_message_only_an_order_in_so_many_words_counts(said: str, gone: bool) -> None:
    """Much of it is pasted: a report says what never happens, and an error what must be."""
    asked = "\n\n".join(["Please review this report.", "The exporter writes a page. " * 30, said, "That is all."])
    talk = [user("Hello there."), user(asked), assistant("Yes."), user("go on"), assistant("Done.")]

    assert len(found("instruction_gone", trace(talk, 2, 4, "We worked."))) == gone


def test_an_instruction_that_the_system_prompt_gives_as_well_is_not_gone() -> None:
    """In other words, in a sentence of its own."""
    talk = [user("Every reply must hold exactly one command."), assistant("Yes."), user("go on"), assistant("Done.")]
    for told, gone in (("Hold one command, exactly one, in a reply.", 0), ("Be brief. Command lines are logged.", 1)):
        messages = [system(f"You are a coder. {told}"), *talk]
        assert len(found("instruction_gone", trace(messages, 2, 4, "We worked.", head=1))) == gone


def test_an_instruction_said_twice_is_not_gone() -> None:
    """The other message still has it, also where it is the model's, in other words."""
    rule = "Never commit anything from the samples folder."
    talk = [user(rule), assistant("Yes."), user(f"Again: {rule}"), assistant("Done.")]

    promised = [talk[0], assistant("I shall commit nothing from the folder of samples."), user("go on"), talk[3]]

    assert found("instruction_gone", trace(talk, 1, 3)) == []
    assert found("instruction_gone", trace(promised, 1, 3)) == []
    (one,) = found("instruction_gone", trace([*talk[:2], user("go on"), talk[3]], 1, 3))
    assert one.text == (
        "“Never commit anything from the samples folder.”, which the user asked for, was replaced by summary #1, "
        "and nothing in the window says it any more. Judging by the words alone, nothing later needed it."
    )
    assert one.subject == rule


def test_an_instruction_that_one_summary_kept_and_the_next_leaves_out() -> None:
    """It goes with the summary that said it."""
    talk = with_ids([user("Do not change the public API."), assistant("Yes."), user("go on"), assistant("Done.")])
    first = event(
        2, [(0, 2)], [(4, 5)], ("summarised", (0, 2)), put=[summary("The public API is not to change.", id="s1")]
    )
    second = event(3, [(4, 5), (2, 3)], [(5, 6)], ("summarised", (4, 5)), put=[summary("We worked.", id="s2")])
    third = event(4, [(5, 6), (3, 4)], [(6, 7)], ("summarised", (5, 6)), put=[summary("We worked on.", id="s3")])
    one = run(talk, first, second, third)

    kept, lost, later = (of_kind("instruction_gone", findings_at(one, k)) for k in range(3))
    assert (kept, [found.messages for found in lost], later) == ([], [("m1",)], [])


# Summaries


SAID = "We changed src/app/main.py, parse_config, retry_limit, OPS-4821 and 48213"


@pytest.mark.parametrize(
    ("said", "missing"),
    [
        (f"{SAID} for OPS-7777.", 1),
        (f"{SAID}.", 0),
        (f"{SAID} in lib/main.py.", 0),
        (f"{SAID}: repo-specific/source-based/read-only.", 0),
        (f"{SAID}. If you need details, read the full transcript at: /home/ada/x-1/s-1.jsonl", 0),
        ("OPS-7777 and OPS-7778, other_limit, lib/x/other.py and 77777", 0),
        (f"{SAID} by the_thought and read_file_now with file_name.", 0),
    ],
    ids=[
        "one wrong",
        "all known",
        "another folder",
        "words",
        "the harness",
        "the file begins later",
        "thought and called",
    ],
)
def test_a_name_in_a_recorded_summary_that_nothing_before_it_says(said: str, missing: int) -> None:
    """Names are looked for in texts, thinking and calls; where the file lacks most of them, it lacks what was summarized."""
    call = assistant(f"{SAID}.", calls("a", "read_file_now", file_name="a")).model_copy(
        update={"thinking": "the_thought"}
    )
    talk = [user("go"), call, result("a", "ok"), user("OPS-7777 comes later")]
    taken = event(3, [(0, 3)], [(4, 5)], ("summarised", (0, 3)), put=[summary(said)], number=1, recorded=True)
    made = found("summary_without_source", run(with_ids(talk), taken))

    assert [one.numbers["without_source"] for one in made] == [missing] * bool(missing)
    if made:
        assert made[0].text == (
            "Summary #1 says OPS-7777. Nothing before it in this file does; it has 5 other names from there."
        )


def test_the_first_summary_of_a_file_that_starts_midway_is_not_doubted() -> None:
    """Nor is a request called the first one: both may stand before the file."""
    talk = with_ids(
        [user("Write a parser for the configuration files."), assistant(f"{SAID}."), user("go on"), assistant("Yes.")]
    )
    taken = event(
        2, [(0, 2)], [(4, 5)], ("summarised", (0, 2)), put=[summary(f"{SAID} for OPS-7777.")], number=1, recorded=True
    )
    whole = run(talk, taken).model_copy(update={"kind": "replay"})
    midway = whole.model_copy(update={"session": whole.session.model_copy(update={"starts_midway": True})})
    kinds = ("summary_without_source", "first_user_message_lost")
    assert [[len(found(kind, one)) for kind in kinds] for one in (whole, midway)] == [[1, 1], [0, 0]]


def test_a_summary_that_needed_no_model_is_not_doubted() -> None:
    """It only quotes."""
    talk = [user("go"), assistant(f"{SAID}."), user("go on"), assistant("Yes.")]
    quoting = trace(talk, 2, 3, f"{SAID} for OPS-7777.")

    assert len(found("summary_without_source", quoting.model_copy(update={"summarizer": "a model"}))) == 1
    assert found("summary_without_source", quoting.model_copy(update={"summarizer": "structural"})) == []


def test_what_was_emptied_in_place_is_called_cleared() -> None:
    """The message is still there, and its answer is not."""
    messages = with_ids(
        [user("go"), *read("a", "a.py", "x = 1 and y = 2"), user("go on"), *read("b", "a.py", "x = 1 and y = 2")]
    )
    left = messages[2].model_copy(update={"content": "[cleared]", "injected": "cleared"})
    taken = event(4, [(0, 4)], [(0, 2), (6, 7), (3, 4)], ("cleared", (2, 3)), put=[left])

    (one,) = found("rework", run(messages, taken))
    assert one.text.startswith("1 later call asked again for what was cleared, and 10 tokens came back.")
