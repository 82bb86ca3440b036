"""Sub-agents of Claude Code: found in three ways, each once, as sessions below the call that started them."""

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.importers import claimed_by, load, load_all
from core.importers._files.source import Source, head_of, opened
from core.model.session import Session, SubAgent

SAMPLE = Path(__file__).parent.parent.parent / "sample_sessions" / "claude-code" / "with-helpers"


def user(uuid: str, content: Any, parent: str | None = None, **more: Any) -> dict[str, Any]:
    """A user record."""
    message = {"role": "user", "content": content}
    return {"type": "user", "uuid": uuid, "parentUuid": parent, "sessionId": "s1", "message": message, **more}


def reply(uuid: str, *blocks: Any, parent: str | None = None, **more: Any) -> dict[str, Any]:
    """A reply on one line."""
    message = {"role": "assistant", "id": f"msg_{uuid}", "model": "claude-a", "content": list(blocks)}
    return {"type": "assistant", "uuid": uuid, "parentUuid": parent, "sessionId": "s1", "message": message, **more}


def text_block(words: str) -> dict[str, str]:
    """A text block."""
    return {"type": "text", "text": words}


def task(id: str, prompt: str, kind: str = "Explore", name: str = "Task") -> dict[str, Any]:
    """The call that starts a sub-agent."""
    asked = {"subagent_type": kind, "description": f"About {prompt}", "prompt": prompt}
    return {"type": "tool_use", "id": id, "name": name, "input": asked}


def done(uuid: str, call: str, **result: Any) -> dict[str, Any]:
    """Its result; what the record says of it besides."""
    block = {"type": "tool_result", "tool_use_id": call, "content": "done"}
    return user(uuid, [block], **({"toolUseResult": result} if result else {}))


def side(agent: str, prompt: str, words: str = "found it", **more: Any) -> list[dict[str, Any]]:
    """What a sub-agent's file holds."""
    known = {"isSidechain": True, "agentId": agent, **more}
    return [user(f"{agent}-1", prompt, **known), reply(f"{agent}-2", text_block(words), parent=f"{agent}-1", **known)]


def progress(uuid: str, record: Any, call: str = "t1", **data: Any) -> dict[str, Any]:
    """A progress record with what a sub-agent said."""
    data = {"type": "agent_progress", "message": record, **data}
    return {"type": "progress", "uuid": uuid, "sessionId": "s1", "parentToolUseID": call, "data": data}


def lines(*records: Any) -> bytes:
    """JSON Lines."""
    return "".join(json.dumps(r) + "\n" for r in records).encode()


def session(*records: Any) -> Session:
    """What load makes of a file alone."""
    return load(name="s.jsonl", data=lines(*records))


def brief(child: SubAgent) -> tuple[str, str, str, str, int]:
    """Id, name, message, call and the number of messages."""
    return child.id, child.name, child.message, child.call, len(child.session.messages)


def started(*agents: str) -> list[dict[str, Any]]:
    """A session that starts sub-agents with one reply."""
    return [
        user("u1", "go"),
        reply("a1", *(task(f"t{n}", f"prompt {a}") for n, a in enumerate(agents))),
        *(done(f"r{n}", f"t{n}", agentId=a) for n, a in enumerate(agents)),
    ]


def test_records_among_those_of_the_session():
    """They are told apart by the agent, and are no part of the session's own window."""
    first, second = side("x", "prompt x"), side("y", "prompt y", sessionId="s1")
    found = session(*started("x", "y"), first[0], second[0], first[1], second[1])
    assert [m.id for m in found.messages] == ["u1", "a1", "r0", "r1"]
    assert [brief(c) for c in found.children] == [("x", "Explore", "a1", "t0", 2), ("y", "Explore", "a1", "t1", 2)]
    child = found.children[0].session
    assert (child.title, child.format, child.id, child.turns) == ("About prompt x", "claude-code", "x", 1)
    assert (found.subagents, found.notes, found.records) == (2, (), 8)


def test_older_records_are_told_apart_by_where_their_chain_begins():
    """They name no agent; what started one is the call with its prompt, where several are alike one after the other."""
    chains = [
        user("k1", "look", isSidechain=True),
        user("j1", "look", isSidechain=True),
        reply("k2", text_block("a"), parent="k1", isSidechain=True),
        reply("j2", text_block("b"), parent="j1", isSidechain=True),
        reply("k3", text_block("c"), parent="k2", isSidechain=True),
        user("m1", "nobody asked", isSidechain=True),
    ]
    found = session(user("u1", "go"), reply("a1", task("t1", "look"), task("t2", " look\n", "dev")), *chains)
    assert [brief(c) for c in found.children] == [
        ("k1", "Explore", "a1", "t1", 3),
        ("j1", "dev", "a1", "t2", 2),
        ("m1", "", "", "", 1),
    ]
    assert found.subagents == 3


def test_a_call_that_started_one_did_not_start_another():
    """Of two calls with one prompt the one that a result names is taken."""
    found = session(
        user("u1", "go"),
        reply("a1", task("t1", "look"), task("t2", "look", "dev")),
        done("r1", "t1", agentId="x"),
        *side("y", "look"),
        *side("x", "look"),
    )
    assert {c.id: c.call for c in found.children} == {"x": "t1", "y": "t2"}


def test_a_chain_whose_parent_was_lost_goes_on():
    """The line of a record may be damaged: what follows it belongs to the same sub-agent."""
    found = session(
        user("u1", "go"),
        user("k1", "look", isSidechain=True),
        reply("k3", text_block("b"), parent="lost", isSidechain=True),
        user("k4", "another", parent="u1", isSidechain=True),
    )
    assert [brief(c) for c in found.children] == [("k1", "", "", "", 2), ("k4", "", "", "", 1)]


def test_progress_records_where_nothing_else_is_at_hand():
    """They say what the agent said, and which call started it: the child says that this is all."""
    reports = [
        progress("p1", {"type": "user", "uuid": "k1", "message": {"content": "look"}}, agentId="x"),
        progress(
            "p2", {"type": "assistant", "uuid": "k2", "message": {"id": "m", "content": [text_block("a")]}}, agentId="x"
        ),
        progress(
            "p3", {"type": "assistant", "uuid": "k3", "message": {"id": "m", "content": [text_block("b")]}}, agentId="x"
        ),
        progress("p4", None, "t9", agentId="y"),
    ]
    found = session(user("u1", "go"), reply("a1", task("t1", "look")), *reports, done("r1", "t1", agentId="x"))
    (child,) = found.children
    assert brief(child) == ("x", "Explore", "a1", "t1", 2)
    assert child.session.messages[1].content == "a\nb"
    assert child.session.notes == ("only the progress reports of this sub-agent are recorded",)
    assert (found.subagents, found.other) == (2, {"progress/agent_progress": 4})
    assert found.notes == ("1 sub-agent ran in a window of its own; its records are in other files",)


def test_a_report_that_names_no_agent_is_of_the_agent_of_its_call():
    """It is not a second one."""
    reports = [progress("p1", {"type": "user", "uuid": "k1", "message": {"content": "look"}})]
    found = session(user("u1", "go"), reply("a1", task("t1", "look")), *reports, done("r1", "t1"))
    assert ([brief(c) for c in found.children], found.subagents) == ([("t1", "Explore", "a1", "t1", 1)], 1)
    found = session(
        *started("x"), *side("x", "prompt x"), progress("p", {"type": "user", "message": {"content": "?"}}, "t0")
    )
    assert ([brief(c) for c in found.children], found.subagents) == ([("x", "Explore", "a1", "t0", 2)], 1)


def test_a_sub_agent_known_by_its_result_only():
    """Its records are said to be elsewhere."""
    found = session(*started("x"))
    assert (found.children, found.subagents) == ((), 1)
    assert found.notes == ("1 sub-agent ran in a window of its own; its records are in other files",)


def written(folder: Path, **files: list[Any]) -> Path:
    """The files of a project, by their names with two underscores for a slash; the session is the first."""
    for name, records in files.items():
        path = folder / f"{name.replace('__', '/')}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(lines(*records))
    return folder / f"{next(iter(files))}.jsonl"


def test_files_of_their_own(tmp_path):
    """In the session's folder, those of workflows deeper in it; the file beside one says what it is, and by which call."""
    path = written(
        tmp_path,
        s1=[*started("x"), reply("a2", task("t7", "other words", name="Agent"))],
        s1__subagents__agent_x=side("x", "prompt x"),
        s1__subagents__agent_y=side("y", "what was asked"),
        s1__subagents__workflows__wf_1__agent_z=side("z", "of a workflow"),
        s1__subagents__workflows__wf_1__journal=[{"type": "started", "agentId": "z"}],
    )
    about = {"agentType": "reviewer", "description": "Look again", "toolUseId": "t7"}
    (tmp_path / "s1/subagents/agent_y.meta.json").write_text(json.dumps(about))
    (tmp_path / "s1/subagents/agent_x.meta.json").write_text("{")
    found = load(path)
    assert [brief(c) for c in found.children] == [
        ("x", "Explore", "a1", "t0", 2),
        ("y", "Explore", "a2", "t7", 2),
        ("z", "", "", "", 2),
    ]
    assert (found.subagents, found.notes) == (3, ())
    assert [s.id for s in load_all(tmp_path)] == ["s1"]


def test_what_the_file_beside_says_where_the_session_does_not(tmp_path):
    """A sub-agent that Claude Code started for itself has no call."""
    path = written(tmp_path, s1=[user("u1", "go")], s1__subagents__agent_q=side("q", "look"))
    (tmp_path / "s1/subagents/agent_q.meta.json").write_text('{"agentType": "guide", "description": "Look around"}')
    written(tmp_path, s1__subagents__agent_acompact_1=side("acompact-1f", "sum up"))
    found = load(path)
    assert sorted((c.id, c.name, c.session.title) for c in found.children) == [
        ("acompact-1f", "compact", "sum up"),
        ("q", "guide", "Look around"),
    ]


def test_older_files_lie_beside_the_session(tmp_path):
    """Only those that name it as theirs; what belongs to none there opens by itself."""
    files = {"b1": [user("u1", "go", sessionId="b1")], "b2": [user("u2", "go too", sessionId="b2")]}
    agents = {f"agent-{n}": side(n, "look", sessionId=of) for n, of in (("x", "b1"), ("y", "b2"), ("z", "b3"))}
    path = written(tmp_path, **files, **agents)
    assert [c.id for c in load(path).children] == ["x"]
    assert [(s.id, [c.id for c in s.children]) for s in load_all(tmp_path)] == [
        ("b1", ["x"]),
        ("b2", ["y"]),
        ("z", []),
    ]


def test_names_from_a_file_reach_no_other_folder(tmp_path):
    """The id of a session is a name only where it looks like one."""
    written(tmp_path, other__subagents__agent_x=side("x", "look"))
    for id in ("../other", "*", "other/", "o[t]her"):
        path = written(tmp_path, s=[user("u1", "go", sessionId=id)])
        assert load(path).children == ()


def zipped(folder: Path) -> bytes:
    """The folder as an archive."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            archive.write(path, path.relative_to(folder.parent).as_posix())
    return data.getvalue()


def everywhere(folder: Path) -> Iterator[list[Session]]:
    """The folder as it is, as an archive, and as files given at once."""
    yield list(load_all(folder))
    yield list(load_all(name="x.zip", data=zipped(folder)))
    inside = [p for p in folder.rglob("*") if p.is_file()]
    yield list(load_all(files={p.relative_to(folder).as_posix(): p.read_bytes() for p in inside}))


def test_a_folder_with_a_session_and_its_sub_agents_is_one_session(tmp_path):
    """Whatever sorts first; a sub-agent of no session there comes behind it."""
    written(
        tmp_path / "p",
        z9=[user("u1", "go", sessionId="z9")],
        z9__subagents__agent_x=side("x", "look", sessionId="z9"),
        agent_a=[],
    )
    (tmp_path / "p/agent-b.jsonl").write_bytes(lines(*side("b", "stray", sessionId="q")))
    (tmp_path / "p/agent_a.jsonl").unlink()
    assert claimed_by(head_of(opened(Source("p", path=tmp_path / "p")))) == ["claude-code"]
    for found in everywhere(tmp_path / "p"):
        assert [(s.id, [c.id for c in s.children]) for s in found] == [("z9", ["x"]), ("b", [])]


def test_a_folder_of_several_sessions_lists_no_sub_agent_twice(tmp_path):
    """Each with its own, wherever they lie."""
    files = {f"{i}_s": [user(f"u{i}", "go", sessionId=f"{i}_s")] for i in range(3)}
    own = {f"{i}_s__subagents__agent_{i}": side(f"own{i}", "look", sessionId=f"{i}_s") for i in range(3)}
    beside = {f"agent-{i}": side(f"old{i}", "look", sessionId=f"{i}_s") for i in range(3)}
    written(tmp_path / "p", **files, **own, **beside)
    for found in everywhere(tmp_path / "p"):
        assert [(s.id, sorted(c.id for c in s.children)) for s in found] == [
            (f"{i}_s", [f"old{i}", f"own{i}"]) for i in range(3)
        ]


def test_an_agent_that_is_there_in_two_ways_is_one(tmp_path):
    """The fuller record of it is taken: a report only where there is nothing else."""
    long = [*side("x", "prompt x"), user("x-3", "more", "x-2", isSidechain=True, agentId="x")]
    report = [progress(f"p{n}", {"type": "user", "message": {"content": "?"}}, "t0", agentId="x") for n in range(9)]
    inline = load(
        written(tmp_path / "a", s1=[*started("x"), *long, *report], s1__subagents__agent_x=side("x", "prompt x"))
    )
    filed = load(written(tmp_path / "b", s1=[*started("x"), *side("x", "?"), *report], s1__subagents__agent_x=long))
    for found in (inline, filed):
        assert [brief(c) for c in found.children] == [("x", "Explore", "a1", "t0", 3)]
        assert (found.subagents, found.children[0].session.notes) == (1, ())


def test_sub_agents_of_sub_agents(tmp_path):
    """All lie in one folder: each is put below the one whose call started it."""
    middle = [
        *side("x", "prompt x"),
        reply("x-3", task("t8", "deeper", "dev"), parent="x-2", isSidechain=True, agentId="x"),
    ]
    middle += [{**done("x-4", "t8", agentId="y"), "isSidechain": True, "agentId": "x"}]
    path = written(tmp_path, s1=started("x"), s1__subagents__agent_x=middle, s1__subagents__agent_y=side("y", "deeper"))
    found = load(path)
    (child,) = found.children
    assert [brief(c) for c in child.session.children] == [("y", "dev", "x-3", "t8", 2)]
    assert (brief(child)[:4], child.session.subagents, found.subagents) == (("x", "Explore", "a1", "t0"), 1, 2)


def test_sub_agents_that_would_be_below_each_other_are_the_sessions(tmp_path):
    """Nobody is lost, and nothing runs in circles."""
    pair = {
        f"s1__subagents__agent_{a}": [
            *side(a, "look"),
            reply(f"{a}-3", task(f"t{a}", "look"), parent=f"{a}-2", isSidechain=True, agentId=a),
            {**done(f"{a}-4", f"t{a}", agentId=b), "isSidechain": True, "agentId": a},
        ]
        for a, b in (("x", "y"), ("y", "x"))
    }
    found = load(written(tmp_path, s1=[user("u1", "go")], **pair))
    assert [brief(c) for c in found.children] == [("x", "", "", "", 4), ("y", "", "", "", 4)]


def test_a_call_on_a_branch_that_was_left_is_not_named(tmp_path):
    """Its message is not in the session; the sub-agent ran all the same."""
    found = session(
        user("u1", "go"),
        reply("a1", text_block("yes"), parent="u1"),
        user("u2", "wrong turn", "a1"),
        reply("a2", task("t1", "look"), parent="u2"),
        user("u3", "better", "a1"),
        *side("x", "look"),
    )
    assert [brief(c) for c in found.children] == [("x", "Explore", "", "", 2)]


def test_a_damaged_file_of_a_sub_agent_is_said(tmp_path):
    """Its own damage is in its own notes; one that cannot be read at all is said in the session's."""
    path = written(tmp_path, s1=[user("u1", "go")], s1__subagents__agent_x=side("x", "look"))
    file = tmp_path / "s1/subagents/agent_x.jsonl"
    file.write_bytes(file.read_bytes() + b"{half")
    (tmp_path / "s1/subagents/agent_y.jsonl.gz").write_bytes(b"\x1f\x8b" + b"x" * 40)
    (child,) = load(path).children
    assert (child.id, child.session.malformed_lines) == ("x", 1)


def test_the_file_of_a_sub_agent_is_a_session(tmp_path):
    """Opened alone it is a session of its own, and takes in nobody beside it."""
    path = written(tmp_path, **{"agent-x": side("x", "look"), "agent-y": side("y", "look")})
    found = load(path)
    assert ([m.id for m in found.messages], found.id, found.subagents) == (["x-1", "x-2"], "x", 0)


@pytest.mark.parametrize("value", [None, 5, "x", [1], {"a": 1}, True])
def test_values_of_the_wrong_kind_are_no_crash(value, tmp_path):
    """Whatever stands where something else belongs."""
    odd = dict.fromkeys(("uuid", "parentUuid", "sessionId", "agentId", "toolUseResult", "cwd", "message"), value)
    kinds = ("user", "assistant", "progress", "attachment", "system", value)
    records = [{**odd, "type": kind, "isSidechain": flag} for kind in kinds for flag in (True, False, value)]
    data = {"type": "agent_progress", "agentId": value, "message": {"type": "user", "message": value, "uuid": value}}
    records += [{"type": "progress", "data": d, "parentToolUseID": value, "sessionId": "s1"} for d in (data, value)]
    records += [
        {
            "type": "system",
            "subtype": "compact_boundary",
            "compactMetadata": {
                "preservedMessages": {"uuids": [value], "anchorUuid": value},
                "preservedSegment": {"headUuid": value, "tailUuid": value},
                "preTokens": value,
                "postTokens": value,
                "trigger": value,
            },
        }
    ]
    records += [{"type": "user", "isCompactSummary": True, "summarizeMetadata": value, "message": {"content": "sum"}}]
    path = written(tmp_path, s1=[user("u1", "go"), *records], s1__subagents__agent_x=[*records, *side("x", "a")])
    (tmp_path / "s1/subagents/agent_x.meta.json").write_text(json.dumps({"agentType": value, "toolUseId": value}))
    found = load(path)
    assert found.messages[0].content == "go"
    assert found.model_dump_json()


def test_the_sample():
    """Two agents of one call, one of them with a helper of its own, and one of an older layout."""
    found = load(SAMPLE)
    names = [(c.name, [h.name for h in c.session.children]) for c in found.children]
    assert names == [("Explore", []), ("code-reviewer", ["Explore"])]
    assert {c.call for c in found.children} <= {t.id for m in found.messages for t in m.tool_calls}
    assert (found.subagents, found.project) == (3, "/home/ada/teashop")
