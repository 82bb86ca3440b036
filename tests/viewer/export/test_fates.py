"""Where any text went, worked out in an exported file: as the engine says it, but for what only other words of it tell."""

import os
import random
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from core import FoldlineError, Policy, Session, Trace, load, meter, policies, policy, replay, simulate
from core.entities.kinds import entities_of
from core.entities.texts import texts
from core.meters import bound
from core.model.session import Message
from tests.importers.test_codex import held_in_short
from tests.importers.test_put_back import FILE, GO_ON, compacted
from tests.serving import ROOT
from tests.viewer.export.test_export import answered
from viewer.export import answers, file
from viewer.export.grid import axes_of, positions
from viewer.wire.fate import fate_body

SAMPLES = ROOT / "sample_sessions"
SHARED = Path(os.environ.get("FOLDLINE_SHARED", "none")) / "transcripts"
WALKED = (
    "acp/tide-mill.jsonl",
    "codex/rollout-2026-09-14T08-13-20-01990f14-0000-7000-8000-0000000000a1.jsonl",
    "foldline/broken-rule.json",
    "foldline/forgotten-rule.json",
    "goose/lamp-rota.jsonl",
    "openai-responses/day-walk.json",
    "pi/bakery-stock.jsonl",
    "vercel-ui/broken-lamp.json",
)
"""Samples of many formats: with and without recorded compactions, with summaries that say a rule in other words."""
EVENTS = ("taken", "in_summary", "left_out")
ARRIVALS = ("said", "read_again")


def runs_of(session: Session, rules: list[Policy]) -> list[Trace]:
    """The session as recorded, and under each of the policies that takes it, with a quarter of its tokens for a budget."""
    recorded = replay(session)
    counter, runs = bound(meter(recorded.meter), session), [recorded]
    for rule in rules:
        own = {one.name for one in rule.parameters} & {"budget"}
        try:
            tuned = rule.with_settings({**rule.settings, **dict.fromkeys(own, max(200, sum(recorded.tokens) // 4))})
            runs.append(simulate(session, tuned, counter))
        except FoldlineError:
            continue
    return runs


def texts_to_follow(runs: list[Trace], chance: random.Random) -> Iterator[str]:
    """Some words of a message or of a summary, at times in the other case; and words that nobody says."""
    said = [text for message in runs[0].session.messages for text in texts(message)]
    put = [text for run in runs for event in run.compactions for message in event.added for text in texts(message)]
    for _ in range(6):
        words = chance.choice(put if put and chance.random() < 0.4 else said).split()
        start = chance.randrange(len(words) or 1)
        text = " ".join(words[start : start + chance.choice((1, 1, 2, 3, 6))])[:200]
        if text.strip() and text.isprintable():
            yield text.swapcase() if chance.random() < 0.2 else text
    yield "words that nobody says"


def comparable(fate: dict[str, Any]) -> dict[str, Any]:
    """What the file and the engine agree on: a need that says the text is an arrival; other words and parts are no matter."""
    rows: list[dict[str, Any]] = []
    for row in fate["lane"]:
        plain = {key: row[key] for key in ("from", "to", "state", "at")}
        if rows and rows[-1]["state"] == plain["state"] == "gone":
            rows[-1]["to"] = plain["to"]
        else:
            rows.append(plain)
    arrived = [
        (one["step"], one["at"])
        for one in fate["events"]
        if (one["kind"] in ARRIVALS and one["match"] != "words")
        or (one["match"] in ("text", "repeated", "pasted") and one["at"] in fate["places"])
    ]
    happened = [
        {key: one[key] for key in ("step", "kind", "at", "k", "number", "role", "tokens")}
        for one in fate["events"]
        if one["kind"] in EVENTS and one["match"] != "words"
    ]
    known = {key: fate[key] for key in ("text", "steps", "match", "places", "total", "common")}
    return {**known, "lane": rows, "arrived": sorted(arrived), "happened": happened}


def plain_titles(lane: list[dict[str, Any]]) -> dict[int, str]:
    """The title of each row by its first step, but of those that other words part, or that tell of other words to come."""
    found: dict[int, str] = {}
    parted = any(row.get("reworded") for row in lane)
    for gone, group in groupby(lane, key=lambda row: row["state"] == "gone"):
        rows = list(group)
        if not (gone and any(row.get("reworded") for row in rows)):
            found |= {row["from"]: row["title"] for row in rows if not (parted and row["state"] == "verbatim")}
    return found


def needs(fate: dict[str, Any]) -> list[dict[str, Any]]:
    """The replies that wrote the text again, whole, as the story tells them."""
    return [one for one in fate["events"] if one["kind"] == "needed" and one["match"] == "text"]


def one_name(text: str) -> bool:
    """Whether a text is one word with a name in it."""
    return len(text.split()) == 1 and bool(entities_of(text.strip(" `'\"“”.,;:()")))


def compared(runs: list[Trace], path: Path, node: str, chance: random.Random, monkeypatch: pytest.MonkeyPatch) -> int:
    """Compare what a file of these runs says of some texts with what the engine says; gives how many it was asked."""
    monkeypatch.setattr(file, "add_fates", lambda *_: {})
    opened, *beside = [*runs[1:], runs[0]][: len(runs)] if len(runs) > 1 else runs
    file.export(opened, runs[0], beside=[run for run in beside if run.kind == "simulate"]).write(path)
    named = file._runs(opened, runs[0], [run for run in beside if run.kind == "simulate"])
    pairs = [(tid, run, text) for text in texts_to_follow(runs, chance) for tid, run in named.items()]
    found = answered(path, node, [f"api/fate/{tid}?{urlencode({'text': text})}" for tid, _, text in pairs])
    for (_, run, text), mine in zip(pairs, found, strict=True):
        theirs = fate_body(run, text)
        assert comparable(mine) == comparable(theirs), (run.policy and run.policy.name, text)
        assert needs(mine) == ([] if one_name(text) else needs(theirs)), (run.policy and run.policy.name, text)
        titles = plain_titles(theirs["lane"])
        assert all(row["title"] == titles.get(row["from"], row["title"]) for row in mine["lane"])
        how = {row["from"]: row["how"] for row in theirs["lane"] if row["from"] in titles}
        assert all(row["how"] == how.get(row["from"], row["how"]) for row in mine["lane"])
    return len(pairs)


@pytest.mark.parametrize("name", WALKED)
def test_a_file_tells_where_any_text_went(
    name: str, tmp_path: Path, node: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stretches, messages, how it matched, what took it and which summaries have it, in the words of the engine."""
    chance = random.Random(name)
    runs = runs_of(load(SAMPLES / name), chance.sample(list(policies()), 4))
    assert compared(runs, tmp_path / "out.html", node, chance, monkeypatch) >= 1


@pytest.mark.skipif(not SHARED.exists(), reason="needs the shared transcripts")
@pytest.mark.parametrize("folder", ["claude-code", "codex", "mini-swe-agent"])
def test_a_file_tells_it_of_real_sessions(
    folder: str, tmp_path: Path, node: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same of the smallest file of each."""
    path = min((one for one in (SHARED / folder).rglob("*.json*") if one.is_file()), key=lambda one: one.stat().st_size)
    chance = random.Random(folder)
    runs = runs_of(load(path), [policy(name) for name in ("agentkit.memory", "anthropic.clear_tool_uses", "aider")])
    assert compared(runs, tmp_path / "out.html", node, chance, monkeypatch) >= 7


def test_a_file_tells_who_put_a_text_back(tmp_path: Path, node: str) -> None:
    """A file that Claude Code shows the model again: as the app says it."""
    recorded = replay(compacted(FILE, *GO_ON), meter=meter("agentkit"))
    file.export(recorded, recorded).write(tmp_path / "out.html")
    (mine,) = answered(tmp_path / "out.html", node, ["api/fate/opened?text=shade7"])
    theirs = fate_body(recorded, "shade7")
    assert comparable(mine) == comparable(theirs)
    assert [(one["step"], one["words"]) for one in mine["events"] if one["k"] >= 0] == [
        (3, "Compaction 1 summarized what said it"),
        (3, "Summary #1 left it out"),
        (3, "Put back by Claude Code"),
    ]
    assert [one["words"] for one in mine["events"]] == [one["words"] for one in theirs["events"]]


def test_a_file_tells_what_the_history_holds_in_short(tmp_path: Path, node: str) -> None:
    """A message of the user that Codex kept without its middle: as the app says it."""
    recorded = replay(held_in_short(), meter=meter("agentkit"))
    file.export(recorded, recorded).write(tmp_path / "out.html")
    (mine,) = answered(tmp_path / "out.html", node, ["api/fate/opened?text=harbour+depth+table"])
    theirs = fate_body(recorded, "harbour depth table")
    assert [one["words"] for one in mine["events"]] == [one["words"] for one in theirs["events"]]
    assert mine["events"][-1]["words"] == "Kept, shortened"


def test_runs_that_clear_are_followed_at_every_setting(tmp_path: Path, node: str) -> None:
    """Beside recorded compactions and at other positions of the sliders; what is left of a cleared message is there, too."""
    session = load(SAMPLES / "claude-code" / "recorded-compaction.jsonl")
    recorded, rule = replay(session), policy("anthropic.clear_tool_uses")
    counter, quarter = bound(meter(recorded.meter), session), sum(recorded.tokens) // 4

    def at(rule: Policy) -> Trace:
        return simulate(session, rule, counter)

    opened = at(rule.with_settings({**rule.settings, "trigger": f"input_tokens:{quarter}"}))
    file.export(opened, recorded, simulate=at).write(tmp_path / "out.html")
    others = [(tid, rule) for tid, rule, _ in positions(opened, axes_of(opened)) if rule][::9]
    runs = {"opened": opened, "recorded": recorded} | {tid: at(rule) for tid, rule in others}
    said = next(text for message in session.messages if message.role == "tool" for text in texts(message)).split()
    text = " ".join(said[:4])
    for tid, run in runs.items():
        left = [(s, i) for s, copy in enumerate(run.cleared_copies) for i in copy.tokens]
        asked = [f"api/fate/{tid}?{urlencode({'text': text})}", *(f"api/shadow/{tid}/{s}/{i}" for s, i in left[:1])]
        mine, *shadows = answered(tmp_path / "out.html", node, asked)
        assert comparable(mine) == comparable(fate_body(run, text)), tid
        assert [body["index"] for body in shadows] == [i for _, i in left[:1]]
    assert any(run.compactions for tid, run in runs.items() if tid.startswith("g"))


COMMON = (
    "the",
    "THE",
    "of nine",
    "1",
    "7",
    "e.g",
    "and/or",
    "2024",
    "4096",
    "5000",
    "sha256",
    "GitHub",
    "AES-256",
    "Plain",
    '"of"',
)
NAMES = (
    "config.py",
    "src/app/x",
    "/usr/bin",
    "~/a/notes",
    "notes/todo.md",
    "https://a.org",
    "C:\\tmp\\x",
    "4,567",
    "3571",
    "1024.5",
    "deadbee7",
    "JIRA-12",
    "read_file",
    "camelCase",
    "x86v2",
    '"rule nine"',
    "$ make tests",
    "the rule of nine stays",
)


def test_a_common_text_is_not_followed(tmp_path: Path, node: str) -> None:
    """What more than a third of many messages says is followed where it is a name or has three words, and only there."""
    every = " ".join((*COMMON, *NAMES))
    said = [Message(id=f"m{i}", role=("user", "assistant")[i % 2], content=every) for i in range(64)]
    recorded = replay(Session(messages=tuple(said)), meter=meter("agentkit"))
    file.export(recorded, recorded).write(tmp_path / "out.html")
    found = answered(
        tmp_path / "out.html", node, [f"api/fate/opened?{urlencode({'text': text})}" for text in (*COMMON, *NAMES)]
    )
    assert [one["text"] for one in found if one["common"]] == list(COMMON)
    assert found[0]["lane"][0]["title"] == "Too common to follow: 64 messages have it."
    for mine in found:
        theirs = fate_body(recorded, mine["text"])
        assert comparable(mine) == comparable(theirs)
        assert [row["text"] for row in mine["lane"] if mine["common"]] == [
            row["text"] for row in theirs["lane"] if theirs["common"]
        ]


def test_a_text_of_very_many_messages_is_followed(tmp_path: Path, node: str) -> None:
    """More stretches and events than an answer has: the same ones as of the engine."""
    phrase = "the rule of nine stays"
    said = [Message(id=f"m{i}", role=("user", "assistant")[i % 2], content=f"{i}: {phrase}.") for i in range(2_600)]
    session, counter = Session(messages=tuple(said)), meter("agentkit")
    cut = simulate(session, policy("agentkit.memory", budget=4_000, keep_recent=9), counter)
    for name, trace in (("whole", replay(session, meter=counter)), ("cut", cut)):
        file.export(trace, replay(session, meter=counter)).write(tmp_path / f"{name}.html")
        (mine,) = answered(tmp_path / f"{name}.html", node, [f"api/fate/opened?{urlencode({'text': phrase})}"])
        theirs = fate_body(trace, phrase)
        assert len(mine["lane"]) == len(theirs["lane"])
        assert len(mine["events"]) == len(theirs["events"]) == 1_000
        assert comparable(mine) == comparable(theirs)


def test_a_file_tells_who_wrote_a_text_again(tmp_path: Path, node: str) -> None:
    """A reply needed what its prompt had lost; a harness needs nothing, and a thought may have held a name."""
    rule, name = "Leave the blue door open", "src/app/notes.py"
    lines = {0: f"{rule}. See {name}.", 9: f"I read {name}. {rule}!", 13: f"{rule}, then.", 14: f"Yes. {rule}!"}
    said = [
        Message(id=f"m{i}", role=("user", "assistant")[i % 2], content=lines.get(i, f"Line {i} of many. " * 9))
        for i in range(16)
    ]
    said[15:] = [Message(id=id, reply_id="r", role="assistant", content=f"{id}. {rule}.") for id in ("one", "two")]
    by_harness = [*said[:9], said[9].model_copy(update={"injected": "notice"}), *said[10:]]
    needed: list[list[tuple[int, str]]] = []
    told: list[str] = []
    for messages in (said, by_harness):
        session, counter = Session(messages=tuple(messages)), meter("agentkit")
        trace = simulate(
            session, policy("agentkit.memory", budget=120, keep_recent=1), counter, lambda *_: "A summary."
        )
        file.export(trace, replay(session, meter=counter)).write(tmp_path / "out.html")
        questions = [f"api/fate/opened?{urlencode({'text': text})}" for text in (rule, name)]
        mine, of_name = answered(tmp_path / "out.html", node, questions)
        assert needs(mine) == needs(fate_body(trace, rule))
        assert needs(of_name) == []
        needed.append([(one["at"], one["words"]) for one in needs(mine)])
        told.append(next(row["text"] for row in mine["lane"] if row["state"] == "gone"))
    wrote, open_it = "Needed: the assistant wrote it", ": open the session in foldline."
    assert needed == [[(9, wrote), (13, wrote)], [(13, wrote)]]
    assert told == [
        "Needed at message 10, when nothing in the window said it. Whether other words of it were needed before, or stand "
        f"in a summary, a file does not tell{open_it}",
        "Said again at message 10. A file does not tell whether it was needed then, or stands in other words in a summary"
        + open_it,
    ]


def test_a_file_says_what_it_does_not_tell(tmp_path: Path, node: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what is gone, whether it was needed; and where it lacks a summary, it follows no text."""
    said = (Message(id=f"m{i}", role=("user", "assistant")[i % 2], content=f"Rule {i} of nine. " * 9) for i in range(9))
    session, counter = Session(messages=tuple(said)), meter("agentkit")
    rule = policy("agentkit.memory", budget=120, keep_recent=1)
    trace = simulate(session, rule, counter, lambda messages, prior: "A summary.")
    file.export(trace, replay(session, meter=counter)).write(tmp_path / "whole.html")
    monkeypatch.setattr(answers, "MOST", 1)
    file.export(trace, replay(session, meter=counter)).write(tmp_path / "part.html")

    question = ["api/fate/opened?text=Rule+0+of+nine"]
    (gone,), (refused,) = (answered(tmp_path / name, node, question) for name in ("whole.html", "part.html"))
    assert gone["lane"][-1]["state"] == "gone"
    assert "A file does not tell whether it was needed then" in gone["lane"][-1]["text"]
    assert refused["error"].startswith("This file does not hold all messages and summaries")
