"""ATIF: steps as messages, boundaries as compactions, what continues in the next file, and sub-agents in and beside it."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.engine.replay import replay
from core.importers import claimed_by, load, load_all
from core.importers._files.source import Source, head_of
from core.model.errors import TranscriptError
from core.model.session import Image, Session, Usage

SAMPLE = Path(__file__).parent.parent.parent / "sample_sessions" / "atif" / "tide-table.json"
REPLACE = {"context_management": {"type": "compaction", "boundary": "replace"}}


def doc(*steps: Any, **more: Any) -> dict[str, Any]:
    """A trajectory."""
    numbered = [{"step_id": n, **s} if isinstance(s, dict) else s for n, s in enumerate(steps, 1)]
    agent = {"name": "a", "version": "1", "model_name": "m1"}
    return {"schema_version": "ATIF-v1.7", "session_id": "s1", "agent": agent, "steps": numbered, **more}


def session(*steps: Any, **more: Any) -> Session:
    """What load makes of a trajectory."""
    return load(name="t.json", data=json.dumps(doc(*steps, **more)))


def user(text: Any, **more: Any) -> dict[str, Any]:
    """A step of the user."""
    return {"source": "user", "message": text, **more}


def agent(text: Any = "", *calls: str, results: Any = None, tokens: Any = None, **more: Any) -> dict[str, Any]:
    """A step of the agent, with a call of each id."""
    step: dict[str, Any] = {"source": "agent", "message": text, **more}
    if calls:
        step["tool_calls"] = [{"tool_call_id": i, "function_name": "bash", "arguments": {"n": i}} for i in calls]
    if results is not None:
        step["observation"] = {"results": results}
    if tokens is not None:
        step["metrics"] = dict(zip(("prompt_tokens", "completion_tokens", "cached_tokens"), tokens, strict=False))
    return step


def system(text: str = "compacted", **more: Any) -> dict[str, Any]:
    """A step of the system."""
    return {"source": "system", "message": text, **more}


def result(text: Any, call: str = "", **more: Any) -> dict[str, Any]:
    """What the environment answered, to a call or to none."""
    return {**({"source_call_id": call} if call else {}), "content": text, **more}


def after(found: Session, number: int = 0) -> list[str]:
    """The contents of the window right after a compaction."""
    return [m.content for m in replay(found).compactions[number].after]


def test_steps_are_messages():
    """A reply with its calls, thinking, model and tokens; a tool message for every answer to a call."""
    found = session(
        system("be good", timestamp="T0"),
        user("go"),
        agent(
            "look",
            "c1",
            "c2",
            results=[result("out 1", "c1"), result("out 2", "c2", extra={"is_error": True})],
            tokens=(100, 7, 60),
            reasoning_content="hm",
            model_name="m2",
        ),
    )
    assert [(m.id, m.role, m.content) for m in found.messages] == [
        ("step-1", "system", "be good"),
        ("step-2", "user", "go"),
        ("step-3", "assistant", "look"),
        ("step-3-result-0", "tool", "out 1"),
        ("step-3-result-1", "tool", "out 2"),
    ]
    said, first, second = found.messages[2:]
    assert [(c.id, c.name, c.arguments) for c in said.tool_calls] == [
        ("c1", "bash", {"n": "c1"}),
        ("c2", "bash", {"n": "c2"}),
    ]
    assert (said.thinking, said.model, said.line) == ("hm", "m2", 3)
    assert said.usage == found.usage == Usage(input_uncached=40, cache_read=60, output=7)
    assert (first.tool_call_id, first.name, first.is_error, second.is_error) == ("c1", "bash", False, True)
    assert (found.id, found.format, found.title, found.model, found.records) == ("s1", "atif", "go", "m2", 3)
    assert (found.turns, found.notes, found.messages[0].timestamp) == (1, (), "T0")


@pytest.mark.parametrize(
    ("metrics", "usage"),
    [
        (
            {"prompt_tokens": 100, "cached_tokens": 60, "extra": {"cache_creation_input_tokens": 30}},
            Usage(input_uncached=10, cache_read=60, cache_write=30),
        ),
        ({"prompt_tokens": 10, "cached_tokens": 60}, Usage(input_uncached=10, cache_read=60)),
        ({"prompt_tokens": 0, "completion_tokens": 0, "cost_usd": 0.1}, None),
        ({"prompt_tokens": "100"}, None),
        ([1], None),
    ],
)
def test_usage_of_a_step(metrics, usage):
    """The prompt includes what was cached, unless it is smaller than that; nothing recorded is no usage."""
    assert session(user("go"), {**agent("x"), "metrics": metrics}).usage == usage


def test_a_total_counts_only_where_no_step_has_tokens():
    """final_metrics hold sub-agents too."""
    final = {"total_prompt_tokens": 9, "total_completion_tokens": 2, "total_cached_tokens": 4}
    assert session(user("go"), agent("x"), final_metrics=final).usage == Usage(input_uncached=5, cache_read=4, output=2)
    assert session(user("go"), agent("x", tokens=(3, 1)), final_metrics=final).usage == Usage(
        input_uncached=3, output=1
    )


def test_an_answer_to_no_call_is_put_in_for_the_environment():
    """There is no tool in it; where there was one call only, that is what was answered."""
    found = session(
        user("go"),
        agent("{}", results=[result("$ ls")]),
        agent("", "c1", results=[result("one")]),
        system("checked", observation={"results": [result({"passed": False})]}),
    )
    told = [(m.role, m.injected, m.tool_call_id, m.content) for m in found.messages[2:]]
    assert told[0] == ("user", "observation", None, "$ ls")
    assert told[2] == ("tool", "", "c1", "one")
    assert told[4] == ("user", "observation", None, '{"passed": false}')
    assert (found.turns, found.notes) == (1, ())


def test_an_answer_to_a_call_that_is_not_there_is_noted():
    """It is shown all the same."""
    found = session(user("go"), agent("x", results=[result("late", "gone")]))
    assert (found.messages[2].role, found.messages[2].tool_call_id) == ("tool", "gone")
    assert found.notes == ("1 tool result without a call in the file",)


def test_terminus_types_for_the_terminal():
    """What its terminal says stands in user steps: no person typed it."""
    steps = (user("You are to …"), agent("{}"), user("New Terminal Output:\n$"), user("Current terminal state:\n$"))
    terminus = {"name": "terminus-2", "version": "1"}
    assert [m.injected for m in session(*steps, agent=terminus).messages] == ["", "", "observation", "observation"]
    assert session(*steps).turns == 3


def test_pictures_are_no_text():
    """From 1.6 on messages and results are parts."""
    text = {"type": "text", "text": "see"}
    picture = {"type": "image", "source": {"media_type": "image/png", "path": "images/a.png"}}
    found = session(user([text, picture]), agent("ok", "c1", results=[result([picture], "c1")]))
    png = Image(media_type="image/png", source="images/a.png")
    assert (found.messages[0].content, found.messages[0].images) == ("see", (png,))
    assert (found.messages[2].content, found.messages[2].images) == ("", (png,))


def test_a_boundary_replaces_all_before_it_with_its_observation():
    """Leading system messages stay; tokens before are those of the last prompt; what stayed is nothing."""
    found = session(
        system("be good"),
        user("go"),
        agent("a", tokens=(500, 5)),
        system(observation={"results": [result("S")]}, extra=REPLACE, timestamp="T"),
        user("next"),
        agent("b", tokens=(90, 5)),
    )
    (cut,) = found.compactions
    assert (cut.at, cut.summary, cut.kept, cut.lead, cut.fidelity) == (3, "step-4", (), 0, "partial")
    assert (cut.tokens_before, cut.before_from, cut.line, cut.timestamp) == (
        500,
        "prompt of the model call before",
        4,
        "T",
    )
    assert (cut.unreadable, cut.edit) == ("", "summarised")
    assert after(found) == ["be good", "S"]
    assert [m.content for m in found.messages] == ["be good", "go", "a", "S", "next", "b"]
    assert (found.turns, found.other) == (2, {"step/replace": 1})


def test_an_empty_observation_replaces_all_with_nothing():
    """It says that nothing took the place."""
    found = session(user("go"), system(observation={"results": [result("")]}, extra=REPLACE), user("next"))
    assert (found.compactions[0].summary, found.compactions[0].edit, after(found)) == (None, "dropped", [])
    assert found.turns == 2


def test_a_boundary_that_says_nothing_is_followed_by_its_summary():
    """The message after it took the place: nobody typed that. terminus keeps the prompt with the task."""
    steps = (user("task"), agent("a"), system("Performed context summarization and handoff to continue task."))
    found = session(*steps, user("Here are the answers"), agent("b"), user("thanks"))
    assert [m.injected for m in found.messages] == ["", "", "summary", "", ""]
    assert (found.compactions[0].at, found.compactions[0].summary, found.turns) == (2, "step-4", 2)
    assert after(found) == ["Here are the answers"]
    terminus = session(*steps, user("Here are the answers"), agent={"name": "terminus-2"})
    assert after(terminus) == ["task", "Here are the answers"]


def test_a_summary_that_is_not_in_the_file():
    """The place of it is shown, with the reason."""
    found = session(user("task"), agent("a"), system(extra=REPLACE), agent("b"))
    assert (found.compactions[0].unreadable, found.compactions[0].summary) == ("not recorded", "step-3")
    assert after(found) == ["[the summary is not recorded in this file]"]


def test_a_boundary_at_the_end():
    """As above: the file breaks off there."""
    found = session(user("task"), agent("a"), system(extra=REPLACE))
    assert (found.compactions[0].at, found.compactions[0].unreadable) == (2, "not recorded")


def test_context_that_is_cut_or_put_in():
    """What went is not recorded, so it is shown as if it stayed; what came in nobody typed."""
    cut = {"context_management": {"type": "pruning", "boundary": "truncate"}}
    put = {"context_management": {"type": "injection", "boundary": "append"}}
    found = session(
        user("a"), agent("b"), system(extra=cut), system("m", observation={"results": [result("known")]}, extra=put)
    )
    assert (found.compactions[0].kind, found.compactions[0].cleared, after(found)) == (
        "microcompaction",
        (),
        ["a", "b"],
    )
    assert (found.messages[2].content, found.messages[2].injected) == ("known", "context")
    assert found.notes == ("the context was cut 1 time: what was removed is not recorded, so all is shown",)


def test_copied_steps_are_in_the_window_and_not_counted_again():
    """Of a later file that is opened alone."""
    found = session(
        user("task", is_copied_context=True),
        agent("old", tokens=(900, 9), is_copied_context=True),
        agent("new", tokens=(50, 5)),
    )
    assert found.usage == Usage(input_uncached=50, output=5)
    assert ([m.injected for m in found.messages], found.turns, found.title) == (["copied", "", ""], 0, "task")
    assert found.notes == ("2 steps copied from the previous file: in the window, not counted again (steps 1, 2)",)


def two_files(folder: Path) -> Path:
    """A run that continues in a second file after a summary."""
    first = doc(
        user("task"),
        agent("a", results=[result("out")], tokens=(700, 7)),
        agent("b", tokens=(800, 8)),
        system("Performed context summarization and handoff to continue task.", extra=REPLACE),
        continued_trajectory_ref="trajectory.cont-1.json",
    )
    second = doc(
        user("task", is_copied_context=True),
        user("you go on for another", is_copied_context=True),
        agent("questions", is_copied_context=True),
        user("answers", is_copied_context=True),
        agent("c", tokens=(200, 2)),
    )
    (folder / "trajectory.json").write_text(json.dumps(first))
    (folder / "trajectory.cont-1.json").write_text(json.dumps(second))
    return folder / "trajectory.json"


def test_a_run_that_goes_on_in_the_next_file_is_one_session(tmp_path):
    """What is copied and stood before stayed; the first that is new is the summary; nothing is counted twice."""
    found = load(two_files(tmp_path))
    (cut,) = found.compactions
    assert (cut.at, cut.kept, cut.lead, cut.summary) == (4, ("step-1",), 1, "file-1-step-2")
    assert (cut.tokens_before, cut.fidelity, found.turns) == (800, "partial", 1)
    assert [m.content for m in found.messages] == [
        "task",
        "a",
        "out",
        "b",
        "you go on for another",
        "questions",
        "answers",
        "c",
    ]
    assert after(found) == ["task", "you go on for another"]
    assert found.usage == Usage(input_uncached=1700, output=17)
    assert [m.injected for m in found.messages[4:]] == ["summary", "copied", "copied", ""], (
        "a reply of another agent is none"
    )
    assert found.notes == (
        "continues in trajectory.cont-1.json, which is read with it",
        "4 steps of trajectory.cont-1.json copied from the previous file: in the window, not counted again (steps 1, 2, 3, 4)",
    )


def test_a_folder_of_it_holds_one_session(tmp_path):
    """The later file does not open on its own there, though it comes first by name; alone it does."""
    two_files(tmp_path)
    assert [len(s.messages) for s in load_all(tmp_path)] == [8]
    assert len(load(tmp_path / "trajectory.cont-1.json").messages) == 5


def test_renamed_files_are_joined_where_only_one_can_be_meant(tmp_path):
    """A prefix before both names."""
    two_files(tmp_path)
    for path in list(tmp_path.iterdir()):
        path.rename(tmp_path / f"run 7 [x].{path.name}")
    assert len(load(tmp_path / "run 7 [x].trajectory.json").messages) == 8


def test_a_next_file_that_is_not_there_is_noted():
    """From memory nothing lies beside a file."""
    found = session(user("a"), agent("b"), continued_trajectory_ref="/logs/t.cont-1.json")
    assert found.notes == ("the run continues in /logs/t.cont-1.json, which is not beside this file",)


@pytest.mark.parametrize("ref", ["trajectory.json", "../trajectory.json", "", "*", "sub/../..", 5, None, "C:\\x.json"])
def test_a_next_file_that_cannot_be_meant(ref, tmp_path):
    """Itself, something outside, a pattern, nothing."""
    path = tmp_path / "trajectory.json"
    path.write_text(json.dumps(doc(user("a"), agent("b"), continued_trajectory_ref=ref)))
    assert [m.content for m in load(path).messages] == ["a", "b"]


def test_a_next_file_with_the_same_context_is_no_compaction(tmp_path):
    """All that stood before is copied."""
    first = doc(user("task"), agent("a"), continued_trajectory_ref="next.json")
    second = doc(user("task", is_copied_context=True), agent("a", is_copied_context=True), user("more"))
    (tmp_path / "t.json").write_text(json.dumps(first))
    (tmp_path / "next.json").write_text(json.dumps(second))
    found = load(tmp_path / "t.json")
    assert ([m.content for m in found.messages], found.compactions) == (["task", "a", "more"], ())


def test_sub_agents_inside_the_file():
    """Named by the result of a call, or by nobody; the document's id counts before the run's."""
    inside = [doc(user("dig"), agent("dug"), trajectory_id="t2"), doc(user("cook"), session_id="s9")]
    found = session(
        user("go"),
        agent("", "c1", results=[result("done", "c1", subagent_trajectory_ref=[{"trajectory_id": "t2"}])]),
        subagent_trajectories=inside,
    )
    first, second = found.children
    assert (first.id, first.message, first.call, first.name) == ("t2", "step-2", "c1", "a")
    assert ([m.content for m in first.session.messages], first.session.format) == (["dig", "dug"], "atif")
    assert (second.id, second.message, found.subagents, found.notes) == ("s9", "", 2, ())


def test_sub_agents_in_files_beside_it(tmp_path):
    """Those at hand are children; the others are counted."""
    refs = [{"session_id": "x", "trajectory_path": "dig.json", "extra": {"summary": "Dig"}}, {"session_id": "y"}]
    parent = doc(user("go"), system(observation={"results": [{"subagent_trajectory_ref": refs}]}))
    (tmp_path / "main.json").write_text(json.dumps(parent))
    (tmp_path / "dig.json").write_text(json.dumps(doc(user("dig"), session_id="x")))
    found = load(tmp_path / "main.json")
    assert [(c.id, c.name, c.message) for c in found.children] == [("x", "Dig", "step-2")]
    assert (found.subagents, [m.content for m in found.messages]) == (2, ["go", "compacted"])
    assert found.notes == ("1 sub-agent ran in a window of its own; its records are in other files",)


def test_files_that_name_each_other_come_to_an_end(tmp_path):
    """Each is read once."""
    for here, there in (("a", "b"), ("b", "a")):
        refs = [{"session_id": there, "trajectory_path": f"{there}.json"}]
        steps = (user(here), agent("", "c", results=[result("x", "c", subagent_trajectory_ref=refs)]))
        (tmp_path / f"{here}.json").write_text(json.dumps(doc(*steps)))
    found = load(tmp_path / "a.json")
    assert ([c.session.messages[0].content for c in found.children], found.children[0].session.children) == (["b"], ())


def test_a_list_of_trajectories_is_many_sessions():
    """Ids that are used again are told apart; the task names the session."""
    docs = [doc(user("a"), extra={"task": "t 0"}), 5, doc(user("b"))]
    found = list(load_all(name="l.json", data=json.dumps(docs)))
    assert [(s.id, s.title) for s in found] == [("s1", "t 0"), ("s1~2", "b")]
    assert found[0].notes == ("1 item skipped: not a trajectory",)


def test_what_a_line_copied_or_held_in_vain_is_said_by_its_line():
    """Where a step is a line, and not its number in a list."""
    header = {"__header__": True, "schema_version": "ATIF-v1.4", "session_id": "s3", "agent": {"name": "a"}}
    records = (header, user("go", is_copied_context=True), {"message": "y"}, agent("a"))
    assert load(name="t.jsonl", data="\n".join(map(json.dumps, records))).notes == (
        "1 record skipped: not steps of the user, the agent or the system (line 3)",
        "1 step copied from the previous file: in the window, not counted again (line 2)",
    )


def test_lines_behind_a_header():
    """A step a line; the last one may be cut short."""
    header = {"__header__": True, "schema_version": "ATIF-v1.4", "session_id": "s3", "agent": {"name": "a"}}
    lines = [json.dumps(r) for r in (header, user("go"), agent("a", tokens=(3, 1)))]
    found = load(name="t.jsonl", data="\n".join([*lines, '{"step_id": 3, "sou']))
    assert ([m.content for m in found.messages], found.id, found.usage) == (
        ["go", "a"],
        "s3",
        Usage(input_uncached=3, output=1),
    )
    assert [m.line for m in found.messages] == [2, 3]
    assert (found.malformed_lines, found.notes) == (
        1,
        ("the last line (4) is cut short: the file may still be being written",),
    )


def test_a_trajectory_a_line():
    """JSONL of whole trajectories."""
    data = "\n".join(json.dumps(doc(user(t), session_id=t)) for t in ("a", "b"))
    assert [s.id for s in load_all(name="t.jsonl", data=data)] == ["a", "b"]


@pytest.mark.parametrize(
    ("value", "ours"),
    [
        (doc(user("a")), True),
        ({**doc(user("a")), "schema_version": "1.4"}, True),
        ([doc(user("a"))], True),
        ({**doc(user("a")), "schema_version": "2.0"}, False),
        ({"schema_version": "1.4", "agent": {}, "steps": [{"role": "user"}]}, False),
        ({"steps": [user("a")]}, False),
    ],
)
def test_what_is_a_trajectory(value, ours):
    """By the version of its schema; a bare number is one where the steps are ours."""
    source = Source("x", data=json.dumps(value).encode())
    assert (claimed_by(head_of(source)) == ["atif"]) is ours


def test_steps_that_are_none_are_counted():
    """No object, nobody's, or of somebody unknown."""
    found = session(user("a"), 5, None, {"source": "judge", "message": "x"}, {"message": "y"})
    assert ([m.content for m in found.messages], found.records, found.malformed_lines) == (["a"], 5, 4)
    assert found.notes == ("4 records skipped: not steps of the user, the agent or the system (steps 2, 3, 4, 5)",)


@pytest.mark.parametrize("odd", [None, 5, True, "text", [], [[1]], {}, {"results": 5}, {"results": [5, None, {}]}])
def test_any_field_may_be_of_any_kind(odd):
    """A session comes out, whatever stands where."""
    keys = ("message", "tool_calls", "observation", "metrics", "extra", "timestamp", "reasoning_content", "model_name")
    steps = [{**agent("x"), key: odd} for key in keys]
    found = session(user("a"), *steps, {**user("b"), "message": odd}, agent=odd, extra=odd, subagent_trajectories=odd)
    assert found.messages[0].content == "a"


def test_a_trajectory_that_breaks_off_is_refused():
    """With a way out."""
    with pytest.raises(TranscriptError, match="the JSON ends early"):
        load(name="t.json", data=json.dumps(doc(user("a")))[:-3])


def test_the_sample():
    """As it was written: a summary in the middle, a sub-agent inside."""
    found = load(SAMPLE)
    assert [m.role for m in found.messages].count("tool") == 5
    assert [(c.at, c.tokens_before) for c in found.compactions] == [(9, 2690)]
    assert [(c.name, c.call, c.session.usage) for c in found.children] == [
        ("reader", "call_3", Usage(input_uncached=800, cache_read=500, output=50))
    ]
    assert (found.turns, found.project, found.model) == (2, "/srv/tides", "orchard-large")
