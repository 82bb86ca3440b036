"""An exported file answers what the server answers, lets nothing else run, and says what it does not hold."""

import json
import re
import subprocess
from itertools import chain, product
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core import Policy, Trace, load, meter, policy, replay, simulate
from core.cli import main
from core.model.session import Message, Session
from core.origins.ledger import ledger
from core.secrets.found import find_secrets
from core.secrets.redact import redacted
from core.trace.trace import as_session
from tests.serving import ROOT
from tests.viewer.export.reading import block_of, everything_in
from viewer.api.debugger import ROUTES as DEBUGGER
from viewer.api.fixes import ROUTES as FIXES
from viewer.api.provenance import ROUTES as PROVENANCE
from viewer.api.why import ROUTES as WHY
from viewer.export import answers, aside, file
from viewer.export.file import Exported, export
from viewer.export.grid import Axis, positions
from viewer.export.recipe import recipe_of
from viewer.export.sharing import handed, handed_lesson
from viewer.sessions.registry import OPENED, TRACES, Opened
from viewer.wire.fate import fate_body
from viewer.wire.pack import plain, view_of_trace
from viewer.wire.present import message_body

SAMPLE = ROOT / "sample_sessions" / "foldline" / "forgotten-rule.json"
HOSTILE = "</script><script>run()</script><!--<script> \u2028 \u202egnp.exe ]]> <img src=x onerror=run()> \ud800"


def made_of(session: Session, step: int | None = None, **settings: Any) -> tuple[Exported, Trace, Trace]:
    """The file of a session under agentkit.memory, its trace, and the session as recorded."""
    counter = meter("agentkit")
    trace = simulate(session, policy("agentkit.memory", **settings), meter=counter)
    recorded = replay(session, meter=counter)
    return export(trace, recorded, step), trace, recorded


class Asked(NamedTuple):
    """The sample's file, its runs, and one of the texts that are followed in it, which was needed once it was gone."""

    path: Path
    trace: Trace
    recorded: Trace
    needed: str


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    """The file of the sample, with two texts that are followed."""
    session, counter = load(SAMPLE), meter("agentkit")
    trace = simulate(session, policy("agentkit.memory", budget=6000, keep_recent=6), meter=counter)
    recorded, path = replay(session, meter=counter), tmp_path_factory.mktemp("sample") / "out.html"
    rows = chain.from_iterable(ledger(trace, k)[0] for k in range(len(trace.compactions)))
    needed = next(row.text for row in rows if row.in_summary == "gone" and row.needed_at is not None)
    export(trace, recorded, texts=["public  API", needed]).write(path)
    return Asked(path, trace, recorded, needed)


def answered(path: Path, node: str, questions: list[str]) -> list[Any]:
    """What the page in the file answers."""
    script = ROOT / "tests" / "frontend" / "answer_export.mjs"
    ran = subprocess.run([node, script, path], input=json.dumps(questions), capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    found: list[Any] = json.loads(ran.stdout)
    return found


def served(trace: Trace, recorded: Trace, questions: list[str]) -> list[Any]:
    """What the server answers; the windows of sub-agents are not in a file."""
    OPENED.put("s", Opened("s", recorded.session, recorded))
    TRACES.put("opened", trace)
    client = TestClient(Starlette(routes=[*DEBUGGER, *PROVENANCE, *WHY]))
    found = [client.get(f"/{question}").json() for question in questions]
    return [{key: value for key, value in one.items() if key != "lanes"} for one in found]


def test_the_file_answers_as_the_server_does(sample: Asked, node: str) -> None:
    """Messages, what compactions added, cards, origins, the overview, losses, findings of each kind, finds and snippets."""
    path, trace, recorded, _ = sample
    kinds = {row["kind"] for row in served(trace, recorded, ["api/findings/opened"])[0]["kinds"]}
    questions = [
        *(f"api/message/s/{i}" for i in range(len(trace.messages))),
        *(f"api/added/opened/{j}/0" for j in range(len(trace.compactions))),
        *(f"api/compaction/opened/{j}" for j in range(len(trace.compactions))),
        *(f"api/provenance/opened/{j}" for j in range(len(trace.compactions))),
        "api/overview/s",
        "api/called/s",
        "api/losses/opened",
        "api/losses/opened?from=8",
        "api/findings/opened",
        *(f"api/findings/opened?kind={kind}&from=0" for kind in kinds),
        *(f"api/find/s?q={q}&tid=opened" for q in ("UTC", "read_file", "tests%2F", "no%20such", "%20")),
    ]
    for q in ("utc", "tests%2F"):
        (found,) = served(trace, recorded, [f"api/find/s?q={q}&tid=opened"])
        places = [*found["hits"][:20], *(f"{k}/{m}" for k, m in found["added"])]
        questions += [f"api/snippet/s?q={q}&tid=opened&at={at}" for at in places]
    assert answered(path, node, questions) == served(trace, recorded, questions)


def test_texts_are_followed_as_the_server_does(sample: Asked, node: str) -> None:
    """Those that were asked about, and what ledgers list, as the engine says it."""
    path, trace, recorded, _ = sample
    listed = [row.text for row in ledger(trace, 0)[0] if len(row.text) < 100][:3]
    questions = [f"api/fate/opened?{urlencode({'text': text})}" for text in ("public API", *listed)]
    mine, theirs = answered(path, node, questions), served(trace, recorded, questions)
    assert [one["total"] for one in mine] == [one["total"] for one in theirs]
    told = [{key: value for key, value in one.items() if key != "cured"} for one in mine]
    assert told[1:] == theirs[1:]
    assert [one["lane"] for one in mine] == [one["lane"] for one in theirs]


def test_what_would_have_kept_a_text_is_in_the_file(sample: Asked, node: str) -> None:
    """Up to the end, and up to where it was needed, as the server says it."""
    path, trace, _, text = sample
    needed = next(event["step"] for event in fate_body(trace, text)["events"] if event["kind"] == "needed")
    question = f"api/fixes/opened?{urlencode({'text': text, 'step': needed})}"
    TRACES.put("opened", trace)
    lines = TestClient(Starlette(routes=FIXES)).get(f"/{question}").text.splitlines()
    expected = [json.loads(line) for line in lines if '"progress"' not in line[:12]]
    assert len(expected) > 2
    assert answered(path, node, [question])[0] == expected


QUOTED = ('don\'t "go"', "don‘t „go“")


def test_long_messages_come_in_the_same_pieces(tmp_path: Path, node: str) -> None:
    """Of 200,000 characters each, where an emoji is one; a find reads them to the end, without regard to case and quotes."""
    text = "\N{GRINNING FACE}" + 250_000 * "a" + " Straße, don’t “go”"
    made, trace, recorded = made_of(Session(messages=(Message(id="m", role="user", content=text),)))
    made.write(tmp_path / "out.html")
    questions = [
        "api/message/s/0",
        "api/message/s/0?from=200000",
        "api/find/s?q=STRASSE",
        "api/snippet/s?q=STRASSE&at=0",
        *(f"api/{route}/s?{urlencode({'q': q, 'at': 0})}" for q in QUOTED for route in ("find", "snippet")),
    ]
    assert answered(tmp_path / "out.html", node, questions) == served(trace, recorded, questions)


def test_two_processes_make_the_file_that_one_makes(sample: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    """Byte for byte, with what it leaves out."""
    _, trace, recorded, needed = sample
    monkeypatch.setattr(aside, "_can_copy", lambda: True)
    monkeypatch.setattr(answers, "MOST", 2)
    one = export(trace, recorded, texts=[needed])
    monkeypatch.setattr(file, "LARGE", 0)
    two = export(trace, recorded, texts=[needed])
    assert b"".join(two.pieces()) == b"".join(one.pieces())
    assert two.left_out == one.left_out != []


def test_nothing_of_a_transcript_stands_in_the_page() -> None:
    """Its texts are in compressed blocks; its title is escaped; the two scripts and the style are those of the policy."""
    session = Session(title=HOSTILE, messages=(Message(id=HOSTILE, role="user", content=HOSTILE),))
    page = b"".join(made_of(session)[0].pieces()).decode()
    assert HOSTILE not in page
    blocks = re.findall(r'<script type="text/plain" id="fl-[\w-]+">([^<\0\r]*)</script>', page)
    assert page.count("<script") == page.count("</script>") == len(blocks) + 1
    assert "&lt;/script&gt;&lt;script&gt;" in page
    (found,) = re.findall('http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert found.startswith("default-src &#x27;none&#x27;; script-src &#x27;sha256-")
    assert "unsafe" not in found
    assert "connect-src" not in found


def test_what_is_not_in_the_file_is_said(tmp_path: Path, node: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the list that is printed, in the notes of the page, and where it is asked for."""
    monkeypatch.setattr(answers, "MOST", 2)
    made, _, _ = made_of(load(SAMPLE), budget=6000, keep_recent=6)
    made.write(tmp_path / "out.html")
    assert made.left_out == [
        "agentkit.memory: the cards and summaries of compactions 3 to 9.",
        "agentkit.memory: where the summaries of compactions 3 to 9 come from.",
        "agentkit.memory: what compactions 3 to 9 lost.",
        "as recorded: the cards and summaries of compactions 3 to 3.",
        "as recorded: where the summaries of compactions 3 to 3 come from.",
        "as recorded: what compaction 3 lost.",
    ]
    questions = ["api/compaction/opened/2", "api/fixes/opened?text=a&step=1", "api/what/is/this"]
    assert [one["error"] for one in answered(tmp_path / "out.html", node, questions)] == [
        "This file does not hold the card of this compaction: open the session in foldline to see it.",
        "This file does not hold what would have kept this text. Foldline works that out for the losses that the overview "
        "lists first: open the session in foldline for any other.",
        "This file cannot answer that: open the session in foldline.",
    ]


def test_secrets_are_listed_and_masked_before_the_file_is_written(
    tmp_path: Path, node: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Each by default; the sizes are said first, to the byte; `--list` writes nothing; one that is kept stays as it is."""
    given, out = tmp_path / "in.json", tmp_path / "out.html"
    messages = [
        {"role": "user", "content": "log in as ada@analytic.org, the token is ghp_16C7e42F292c6912E7710c838347Ae178B4a"}
    ]
    given.write_text(json.dumps(messages))

    assert main(["export", str(given), "--list"]) == 0
    listed = capfd.readouterr().out
    assert not out.exists()
    assert re.search(r"1 +e-mail address +2 +masked +ada@analytic.org", listed)
    assert re.search(r"Would be [\d,]+ bytes: program [\d,]+, messages [\d,]+, runs [\d,]+", listed)

    assert main(["export", str(given), "-o", str(out), "--keep", "ada@analytic.org", "--json"]) == 0
    done = json.loads(capfd.readouterr().out)
    (message,) = answered(out, node, ["api/message/s/0"])
    assert done["bytes"] == sum(done["sizes"].values()) == out.stat().st_size
    assert "ghp_" not in message["content"]
    assert "ada@analytic.org" in message["content"]
    assert message["total"] == len(messages[0]["content"])


def test_no_block_of_the_file_has_what_is_masked() -> None:
    """Neither messages nor summaries, nor a text that is followed and holds it: that one is left out, which is said."""
    secret = "tr0ub4dor-and-3"
    said = [f"Log in with password={secret}.", "Done.", "Now the tests.", "They pass.", "Thank you."]
    session = as_session([Message(role=("user", "assistant")[i % 2], content=text) for i, text in enumerate(said)])
    rule = policy("agentkit.memory", budget=20, keep_recent=1)
    masked = [one for one in find_secrets(session) if one.times]
    trace = recipe_of(simulate(session, rule, meter("agentkit"))).run(redacted(session, masked))
    texts = [f"password={secret}", secret[:7], "Thank you"]
    made = handed(trace, masked=masked, texts=texts, others=recipe_of(trace).simulator(trace.session))
    blocks = everything_in(b"".join(made.pieces()).decode())
    assert "grid" in blocks
    assert json.loads(blocks["head"])["why"] == ["Thank you"]
    assert [name for name, data in blocks.items() if secret[:7].encode() in data] == []
    taught = everything_in(b"".join(handed_lesson(4, session, masked=masked).pieces()).decode())
    assert any(b"Now the tests" in data for data in taught.values())
    assert [name for name, data in taught.items() if secret[:7].encode() in data] == []
    plain = b"".join(handed(simulate(session, rule, meter("agentkit")), texts=texts).pieces()).decode()
    assert json.loads(block_of(plain, "head"))["why"] == texts


def test_a_session_without_a_title_is_called_after_its_file(tmp_path: Path) -> None:
    """In the file as in the app; one with a title keeps it."""
    given, out = tmp_path / "night-shift.json", tmp_path / "out.html"
    for role, title in (("assistant", "night-shift.json"), ("user", "Hello")):
        given.write_text(json.dumps([{"role": role, "content": "Hello"}]))
        assert main(["export", str(given), "-o", str(out)]) == 0
        assert f"<title>{title} · foldline</title>" in out.read_text("utf-8")


def test_the_compaction_that_is_written_without_a_step_is_the_first(tmp_path: Path) -> None:
    """With a step it is the one there, or the last before it: the first line says which of how many."""
    run = ["export", str(SAMPLE), "--policy", "agentkit.memory", "--set", "budget=1200", "--form", "compaction"]
    for more, first in (([], "## Compaction 1 of 56, "), (["--step", "9999"], "## Compaction 56 of 56, ")):
        out = tmp_path / "compaction.md"
        assert main([*run, *more, "-o", str(out)]) == 0
        assert out.read_text().startswith(first)


def test_errors_of_the_command(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Nothing to write, a step that is not there, a folder that is not there: one line and a hint each."""
    assert main(["export", str(SAMPLE)]) == 2
    for option, value in (
        ("--set", "budget=3"),
        ("--pin", "0"),
        ("--summaries", "recorded"),
        ("--summary-tokens", "9"),
    ):
        capfd.readouterr()
        assert main(["export", str(SAMPLE), option, value, "-o", str(tmp_path / "a.html")]) == 2
        assert capfd.readouterr().err.partition("\n")[0] == f"error: {option} needs --policy"
    for arguments in (["--step", "99999", "-o", str(tmp_path / "a.html")], ["-o", str(tmp_path / "none" / "a.html")]):
        assert main(["export", str(SAMPLE), "--keep-secrets", *arguments]) == 1
        error = capfd.readouterr().err
        assert error.startswith("error: ")
        assert "Traceback" not in error


def parts_in(page: str) -> dict[str, bytes]:
    """What the block of the other settings holds, by name."""
    head, _, rest = block_of(page, "grid").partition(b"\n")
    parts, at = {}, 0
    for name, size in json.loads(head).items():
        parts[name], at = rest[at : at + size], at + size
    assert at == len(rest)
    return parts


def test_every_position_of_the_sliders_is_what_a_simulation_gives() -> None:
    """The settings that were opened are one of them; of each other one the window at every step, and its summaries."""
    session, counter = load(SAMPLE), meter("agentkit")
    rule = policy("agentkit.memory", budget=7000, keep_recent=5)

    def at(rule: Policy) -> Trace:
        return simulate(session, rule, meter=counter)

    made = export(at(rule), replay(session, meter=counter), simulate=at)
    page = b"".join(made.pieces()).decode()
    parts = parts_in(page)
    budgets, kept = json.loads(block_of(page, "head"))["grid"]["axes"]
    assert (budgets["name"], len(budgets["values"]), budgets["values"][budgets["at"]]) == ("budget", 8, "7000")
    assert (kept["name"], kept["values"][kept["at"]]) == ("keep_recent", "5")
    assert sum(name.startswith("view-") for name in parts) == 8 * len(kept["values"]) - 1
    once = json.loads(block_of(page, "once"))
    for i, j in product(range(8), range(len(kept["values"]))):
        tid, settings = f"g{i}x{j}", {"budget": budgets["values"][i], "keep_recent": kept["values"][j]}
        if (i, j) != (budgets["at"], kept["at"]):
            trace = at(policy("agentkit.memory", **settings))
            assert parts[f"view-{tid}"] == plain(view_of_trace("s", tid, trace, ()))
            assert {key: once[n] for key, n in json.loads(parts[f"added-{tid}"]).items()} == added_by(trace)


def added_by(trace: Trace) -> dict[str, Any]:
    """What the app answers for each message that a compaction added, by "compaction/place"."""
    return {
        f"{j}/{m}": json.loads(json.dumps(message_body(message, event.added_tokens[m], -1, most=None)))
        for j, event in enumerate(trace.compactions)
        for m, message in enumerate(event.added)
    }


def test_a_message_that_settings_add_again_stands_once_in_the_file() -> None:
    """Equal messages of all positions are one; a policy that adds messages of the session as text has many of them."""
    session, counter = load(SAMPLE), meter("agentkit")

    def at(rule: Policy) -> Trace:
        return simulate(session, rule, meter=counter)

    made = export(at(policy("crush", context_window=9000)), replay(session, meter=counter), simulate=at)
    page = b"".join(made.pieces()).decode()
    once = block_of(page, "once")
    values = [json.dumps(value) for value in json.loads(once)]
    places = [
        n for name, part in parts_in(page).items() if name.startswith("added-") for n in json.loads(part).values()
    ]
    assert len(set(values)) == len(values) == len(set(places))
    assert len(places) > 3 * len(values)


def test_settings_that_a_policy_refuses_are_named() -> None:
    """A position that cannot be simulated is no run of the file, and says why."""
    session, counter = load(SAMPLE), meter("agentkit")
    trace = simulate(session, policy("agentkit.memory", budget=7000, keep_recent=5), meter=counter)
    axes = [Axis("budget", "tokens", ["-5", "7000"], 1), Axis("keep_recent", "messages", ["5"], 0)]
    ((name, rule, why),) = positions(trace, axes)
    assert (name, rule) == ("g0x0", None)
    assert "budget" in why


def test_a_form_of_an_api_says_what_it_leaves_out() -> None:
    """Beside its file, as an HTML file does; a form that holds everything says nothing."""
    said = [
        Message(id="u1", role="user", content="Hello"),
        Message(id="a1", role="assistant", content="Hi", thinking="Hm"),
    ]
    trace = replay(as_session(said), meter=meter("agentkit"))
    assert handed(trace, "anthropic").left_out == ["the thinking of 1 message."]
    assert handed(trace, "trace").left_out == []
