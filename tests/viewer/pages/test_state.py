"""What an address spells out, and how a person goes from one thing to another."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from core import FoldlineError, policies, policy
from core.model.agent_windows import agent_windows
from core.model.session import Message, Session, SubAgent
from core.policy.parameters import Parameter
from viewer.pages import state
from viewer.pages.address import RECORDED, RESERVED, Choice, from_address
from viewer.sessions.entries import ReadEntries
from viewer.sessions.sources import Loaded, Source, first_source
from viewer.settings.query import parse_value, settings_query
from viewer.wire.compared import chosen_policy


def test_an_address_is_read_whole() -> None:
    """Source, policy, parameters, meter and summaries; the step is not a parameter."""
    choice, wrong = from_address(
        {
            "source": "path:/a.jsonl",
            "policy": "agentkit.memory",
            "budget": "900",
            "keep_recent": "3",
            "meter": "agentkit",
            "step": "12",
            "why": "no new dependency",
            "pin": "m2,7",
            "why4": "budget",
        }
    )

    assert choice.source == Source("path", "/a.jsonl")
    assert choice.policy == "agentkit.memory"
    assert dict(choice.settings) == {"budget": 900, "keep_recent": 3}
    assert wrong is None
    assert (choice.meter, choice.pin) == ("agentkit", "m2,7")


def test_what_an_address_gets_wrong_is_reported() -> None:
    """Unknown names and values that do not fit are named; the rest is used; the recorded run is a policy of its own."""
    choice, wrong = from_address({"policy": "agentkit.memory", "budget": "many", "keep_recent": "3", "meter": "feet"})

    assert (choice.policy, dict(choice.settings), choice.meter) == ("agentkit.memory", {"keep_recent": 3}, "")
    assert str(wrong) == "unknown: meter=feet, budget=many"
    assert from_address({"policy": "no.such"})[0].policy == ""
    assert str(from_address({"step": "-3", "why": " ", "why2": "a text"})[1]) == "unknown: step=-3, why= "
    assert from_address({"show": "overview", "step": "3"})[1] is None
    assert str(from_address({"show": "nothing"})[1]) == "unknown: show=nothing"
    assert from_address({"policy": RECORDED}) == (Choice(first_source(), RECORDED), None)
    assert from_address({})[0].source.kind in ("sample", "path")


@pytest.mark.parametrize(
    ("sent", "budget"), [({"budget": "900"}, 900), ({"budget": "many"}, 400), ({"budget": -5}, 400), ({"x": 1}, 400)]
)
def test_settings_that_do_not_fit_are_left_at_their_default(sent: dict[str, object], budget: int) -> None:
    """A stale or hand-written address never breaks the page."""
    assert chosen_policy("agentkit.memory", sent).settings["budget"] == budget


PARAMETERS = (
    Parameter(name="budget", default=400, unit="tokens"),
    Parameter(name="share", default=0.8, whole=False, at_most=1),
    Parameter(name="most", default=None, unit="tokens", optional=True),
    Parameter(name="window", default=None, unit="tokens", session="window"),
    Parameter(name="inputs", kind="switch", default=False),
    Parameter(name="strategy", kind="choice", default="first", choices=("first", "last")),
    Parameter(name="placeholder", kind="text", default="[gone]"),
    Parameter(name="exclude", kind="names", default=["skill"]),
    Parameter(name="keep", kind="size", default={"messages": 20}, units=("messages", "tokens", "fraction")),
    Parameter(name="trigger", kind="thresholds", default=None, units=("messages", "tokens", "fraction")),
)
RULE = policy("agentkit.memory").model_copy(update={"parameters": PARAMETERS})


@pytest.mark.parametrize(
    ("settings", "sent"),
    [
        ({"share": 0.35, "budget": 900}, {"share": "0.35", "budget": "900"}),
        ({"inputs": True, "strategy": "last"}, {"inputs": "on", "strategy": "last"}),
        ({"exclude": ["bash", "grep"], "placeholder": "x=1&y"}, {"exclude": "bash,grep", "placeholder": "x=1&y"}),
        ({"exclude": []}, {"exclude": ","}),
        ({"keep": {"fraction": 0.3}}, {"keep": "fraction:0.3"}),
        (
            {"trigger": [{"messages": 8, "tokens": 60}, {"fraction": 0.8}]},
            {"trigger": "messages:8+tokens:60,fraction:0.8"},
        ),
        ({"window": 50_000, "most": 12}, {"window": "50000", "most": "12"}),
    ],
)
def test_settings_of_every_kind_go_through_the_address(settings: dict[str, Any], sent: dict[str, str]) -> None:
    """Each is written as here, and read back as the same value; what is not set is left out."""
    rule = RULE.with_settings(settings)
    found = settings_query(rule, {})
    assert sent.items() <= found.items()
    assert {name for name, value in rule.settings.items() if value is None} & set(found) == set()
    assert {p.name: parse_value(p, found[p.name]) for p in PARAMETERS if p.name in found} == {
        name: value for name, value in rule.settings.items() if value is not None
    }


def test_what_is_switched_off_is_in_the_address_where_it_would_be_on() -> None:
    """A window and thresholds that would be suggested, taken back by hand, stay so in the address."""
    rule = RULE.with_settings({"window": None, "trigger": None, "most": None})
    found = settings_query(rule, {"window": 20_000, "trigger": [{"tokens": 4000}], "most": 7})
    assert (found["window"], found["trigger"], found["most"]) == ("none", "never", "none")
    known = {p.name: p for p in PARAMETERS}
    assert [parse_value(known[name], found[name]) for name in ("window", "trigger", "most")] == [None, None, None]


def test_none_is_not_a_number_that_must_be_set() -> None:
    """Only what may be unset takes "none"."""
    with pytest.raises(FoldlineError, match="budget"):
        parse_value(PARAMETERS[0], "none")


def test_no_parameter_bears_a_name_the_address_has_taken() -> None:
    """A parameter called "step" or "meter" could not be read back."""
    assert [p.name for rule in policies() for p in rule.parameters if p.name in RESERVED] == []


class Held(dict[str, Any]):
    """Streamlit's state of one browser: keys that are attributes too."""

    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__  # type: ignore[assignment]


FILE = Source("path", "/many.md")


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    """The state of a browser that has opened an address with a file of many sessions."""
    mine = SimpleNamespace(session_state=Held(), query_params={"source": str(FILE)})
    monkeypatch.setattr(state, "st", mine)
    state.begin()
    return mine.session_state


def test_an_address_names_a_session_and_a_lane() -> None:
    """They are no parameters of a policy; without a source they belong to nothing."""
    choice, wrong = from_address({"source": "path:/a", "session": "17", "lane": "2.1"})
    assert (choice.session, choice.lane, wrong) == ("17", "2.1", None)
    assert choice.place == "path:/a 17 2.1"
    stray, _ = from_address({"session": "17", "lane": "2.1"})
    assert (stray.session, stray.lane) == ("", "")


def test_a_session_that_is_picked_is_gone_to(held: Held) -> None:
    """By its number, the first included; anything else changes nothing."""
    for sent, session in (("2", "2"), ("x", "2"), ("-1", "2"), ("./a/b.json", "./a/b.json"), ("0", "0")):
        held["sessions"] = {"session": sent}
        state.on_session()
        assert (state.choice().source, state.choice().session) == (FILE, session)
    assert not state.session_undecided()


def test_each_session_and_lane_keeps_its_own_settings(held: Held) -> None:
    """Coming back to one brings back what was set for it, and for nothing else."""
    state.choose_session("1")
    state.update_choice(policy="agentkit.memory", settings=(("budget", 900),))
    state.choose_lane("2")
    assert (state.choice().session, state.choice().lane, state.choice().policy) == ("1", "2", "")
    state.choose_session("1")
    assert dict(state.choice().settings) == {"budget": 900}
    state.choose_session("2")
    assert state.choice().policy == ""


def test_a_lane_that_is_asked_for_is_gone_to(held: Held) -> None:
    """The main one by no name in the address; what is no text changes nothing."""
    for sent, lane in (("2.1", "2.1"), (None, "2.1"), (7, "2.1"), ("main", "")):
        held["view"] = {"lane": sent}
        state.on_lane()
        assert state.choice().lane == lane


def test_the_way_back_from_a_sub_agent_ends_at_the_message_that_started_it(held: Held) -> None:
    """In the window one further up; going elsewhere by oneself afterwards arrives nowhere in particular."""
    deep = SubAgent(id="b1", message="m4", session=Session(id="b1", messages=(Message(role="user"),)))
    whole = Session(children=(SubAgent(id="b", message="m9", session=Session(id="b", children=(deep,))),))
    known = {one.name: one for one in agent_windows(whole)}

    for name, lane, message in (("1.1", "1", "m4"), ("1", "", "m9")):
        state.choose_lane(name)
        state.go_to_parent(known[name])
        assert (state.choice().lane, state.arrival_message()) == (lane, message)
    state.choose_lane("1")
    assert state.arrival_message() == ""


def test_each_opening_by_hand_counts_and_one_that_fails_does_not(held: Held) -> None:
    """Whatever is opened, the same again too; other settings and Back open nothing. What stays on the page keeps its number."""
    loaded = Loaded("a", ReadEntries("a", ()), Session(id="a"), "a")
    assert state.opened() == 0
    state.choose_source(FILE)
    state.choose_source(FILE)
    state.remember_shown(loaded)
    assert state.opened() == 2
    state.choose_policy("agentkit.memory")
    held["view"] = {"address": {"nth": 1, "query": f"source={FILE}"}}
    state.on_address()
    state.remember_shown(loaded)
    assert state.opened() == 2

    state.choose_source(Source("path", "/missing.jsonl"))
    assert state.restore_shown() is loaded
    assert (state.choice().source, state.opened()) == (FILE, 2)


def test_what_is_picked_in_the_library_opens(held: Held) -> None:
    """Its number of a file of many; nobody is asked which one of them was meant, until another file is opened."""
    assert state.session_undecided()
    held["library"] = {"open": {"path": "/b.md", "number": 3}}
    state.on_library_row()
    assert state.choice() == Choice(Source("path", "/b.md"), session="3")
    assert (state.debug_page_requested(), state.debug_page_requested()) == (True, False)

    held["library"] = {"open": {"path": "/b.md", "number": 0}}
    state.on_library_row()
    assert state.choice() == Choice(Source("path", "/b.md"))
    assert not state.session_undecided()
    state.choose_source(FILE)
    assert state.session_undecided()


def test_what_is_picked_for_a_lesson_leads_back_to_its_step(held: Held) -> None:
    """From the step to the Library and back, also with a dropped file; once another page was shown, to Debug as ever."""
    held["learn"] = {"library": "6.7"}
    state.on_lesson_library()
    assert (state.library_page_requested(), state.library_page_requested()) == (True, False)
    held["library"] = {"open": {"path": "/b.md", "number": 0}}
    state.on_library_row()
    assert state.lesson_requested() == {"lesson": "6", "step": "7"}
    assert (state.debug_page_requested(), state.lesson_requested()) == (False, None)
    assert state.choice().source == Source("path", "/b.md")
    held["library"] = {"dropped": "upload:12"}
    state.on_dropped_files()
    assert state.lesson_requested() == {"lesson": "6", "step": "7"}
    assert (state.debug_page_requested(), state.choice().source) == (False, Source("upload", "12"))
    held["library"] = {"open": {"path": "/b.md", "number": 0}}
    state.forget_lesson()
    state.on_library_row()
    assert (state.debug_page_requested(), state.lesson_requested()) == (True, None)


@pytest.mark.parametrize("sent", [None, {}, {"open": None}, {"open": {}}, {"open": {"path": ""}}])
def test_nothing_picked_in_the_library_changes_nothing(sent: Any, held: Held) -> None:
    """The page stays."""
    held["library"] = sent
    state.on_library_row()
    assert (state.choice().source, state.debug_page_requested()) == (FILE, False)


def test_what_was_dropped_opens_and_nothing_else(held: Held) -> None:
    """A page may only name what the server holds: no path of this machine."""
    for sent, source in ((None, FILE), ("path:/etc/passwd", FILE), ("upload:12", Source("upload", "12"))):
        held["view"] = {"dropped": sent}
        state.on_dropped_files()
        assert state.choice().source == source


def test_the_policy_that_was_shown_last_is_the_one_to_compare_with(held: Held) -> None:
    """As an address spells it out; none before one was shown."""
    assert state.last_policy() == {}
    state.remember_policy({"policy": "agentkit.memory", "budget": "900"})
    state.choose_policy(RECORDED)
    assert state.last_policy() == state.last_policy_here() == {"policy": "agentkit.memory", "budget": "900"}
    state.choose_source(Source("sample", "long.jsonl"))
    assert state.last_policy_here() == {}


def test_back_brings_what_the_address_says(held: Held) -> None:
    """Source, policy and settings; the slider values that it undoes no longer count, those sent later do."""
    sent = {"policy": "agentkit.memory@s", "values": {"budget": 900}, "nth": 4}
    query = "source=path:/a.jsonl&policy=agentkit.memory&budget=800&lane="
    held["view"] = {"settings": sent, "address": {"nth": 3, "query": query}}
    assert state.panel_settings("agentkit.memory@s") == {"budget": 900}

    state.on_address()

    assert state.choice() == Choice(Source("path", "/a.jsonl"), "agentkit.memory", (("budget", 800),))
    assert state.panel_settings("agentkit.memory@s") == {}
    assert (state.redraw_requested(), state.returns()) == (True, 3)
    held["view"] = {"settings": sent | {"nth": 5}}
    assert state.panel_settings("agentkit.memory@s") == {"budget": 900}
    held["view"] = {"address": {"nth": 4, "query": "policy=no.such"}}
    state.on_address()
    assert str(state.failure().error) == "unknown: policy=no.such"  # type: ignore[union-attr]


def test_nothing_is_kept_under_the_key_of_a_component() -> None:
    """Streamlit forgets what stands there once a page without the component is drawn."""
    texts = [path.read_text("utf-8") for path in Path(state.__file__).parent.glob("*.py")]
    components = {name for text in texts for name in re.findall(r'_mount\(\s*"(\w+)"', text)}
    kept = {name for text in texts for name in re.findall(r"session_state\.(\w+)", text)}
    assert {"lanes", "view"} <= components
    assert "choice" in kept
    assert components & kept == set()
