"""The policies: what each says of itself, what its parameters take, and the cases its real system is known by."""

import importlib
import json
import re

import pytest

from core import Message, compact, formats, meter, policies, policy
from core.model.errors import ParameterError, UnknownNameError
from core.policy.policy import Policy
from tests.support import DATA, Seven, assistant, plain, result, system, terse, user

EVERY = pytest.mark.parametrize("chosen", policies(), ids=lambda p: p.name)


@EVERY
def test_every_policy_says_where_it_comes_from(chosen: Policy) -> None:
    """A policy has a source, the day it was checked, its rule in words, its faults and how sure we are of it."""
    assert chosen.source.url
    assert chosen.source.checked.startswith("20")
    assert chosen.about.endswith(".")
    assert chosen.rule.endswith(".")
    assert chosen.fidelity in ("exact", "modelled", "approximate", "opaque")


@EVERY
def test_what_is_not_modelled_is_said_in_one_place(chosen: Policy) -> None:
    """In short phrases that can stand behind "except", each once; the docstring does not say it a second time."""
    module = importlib.import_module(f"core.policies.{chosen.name.replace('.', '_')}")
    assert "not modelled" not in " ".join(str(module.__doc__).lower().split())
    assert len(set(chosen.not_modelled)) == len(chosen.not_modelled)
    assert all(0 < len(said) <= 110 and said[-1] not in ".;," and ";" not in said for said in chosen.not_modelled)


DEFAULTS = json.loads((DATA / "policy_defaults.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", DEFAULTS)
def test_defaults_are_those_of_the_real_system(name: str) -> None:
    """Nobody changes a default by mistake: each is written down a second time. A new policy may be added to the list."""
    rule = policy(name)
    assert {p.name: rule.settings[p.name] for p in rule.parameters} == DEFAULTS[name]


@EVERY
def test_every_policy_is_one_file_called_after_it(chosen: Policy) -> None:
    """The file has a docstring, and the policy its family, its faults and what each parameter is about."""
    module = importlib.import_module(f"core.policies.{chosen.name.replace('.', '_')}")
    assert module.POLICY.name == chosen.name
    assert module.__doc__
    assert chosen.family
    assert chosen.faults
    assert all(parameter.about for parameter in chosen.parameters)


@EVERY
def test_every_policy_names_version_and_licence(chosen: Policy) -> None:
    """What was read, and under what terms, if only that none are stated."""
    assert chosen.source.version
    assert chosen.source.licence


@EVERY
def test_every_policy_is_found_by_its_name_with_its_defaults(chosen: Policy) -> None:
    """`policy(name)` gives what `policies()` lists, and its settings are the defaults of its parameters."""
    assert policy(chosen.name) == chosen
    assert chosen.settings == {p.name: p.default for p in chosen.parameters}


@EVERY
def test_every_policy_survives_json(chosen: Policy) -> None:
    """A policy read back from its JSON is the same policy."""
    assert Policy.model_validate_json(chosen.model_dump_json()) == chosen


@EVERY
def test_the_line_about_a_policy_is_in_words(chosen: Policy) -> None:
    """The sidebar shows it beside the parameters: it names none of them."""
    assert re.findall(r"\w+_\w+|\b[a-z]+[A-Z]\w*", chosen.about) == []


def test_the_small_systems_stand_under_a_heading_in_plain_words() -> None:
    """Where they come from, in words of the field: the lesson's, the tutorial's and the library's policies."""
    found = {p.name for p in policies() if p.family == "tutorials and small libraries"}
    own = {"agentkit.memory", "agentlib.summarizing", "minimal_agent.compact", "minimal_agent.rolling"}
    assert found == own | {"agentlib.sliding_window"}


def test_the_seed_systems_have_the_parameters_their_users_know() -> None:
    """Names and defaults are those of the real systems."""
    assert policy("agentkit.memory").settings == {"budget": 400, "keep_recent": 4}
    assert policy("minimal_agent.rolling").settings == {"max_input_tokens": 100_000, "keep_recent_turns": 5}
    assert policy("minimal_agent.compact").settings == {}
    assert policy("agentlib.summarizing").settings == {
        "active_window_tokens": 3000,
        "summary_max_tokens": 600,
        "summary_prompt": None,
    }


def test_an_unknown_policy_is_an_error_that_lists_the_known() -> None:
    """A name that does not exist raises an error whose hint lists those that do."""
    with pytest.raises(UnknownNameError, match="unknown policy 'agentkit'") as caught:
        policy("agentkit")
    assert "agentkit.memory" in caught.value.hint


def test_an_unknown_parameter_is_an_error_that_names_what_may_be_meant_and_lists_the_known() -> None:
    """A parameter the policy does not have raises an error whose hint lists those it has."""
    for name, said in (("budgt", "; 'budget' is one"), ("size", "")):
        with pytest.raises(UnknownNameError) as caught:
            policy("agentkit.memory", **{name: 3})
        assert str(caught.value) == f"agentkit.memory has no parameter '{name}'{said}"
        assert caught.value.hint == "it has budget, keep_recent"


@pytest.mark.parametrize("value", [-1, 1.5, "many", None, True, [3]])
def test_a_value_that_will_not_do_is_an_error_that_says_the_rule(value: object) -> None:
    """A value a parameter cannot take raises an error that names the value and what would do."""
    with pytest.raises(ParameterError, match="budget=") as caught:
        policy("agentkit.memory", budget=value)
    assert "whole number of tokens, 0 or more" in caught.value.hint


def test_whole_numbers_come_as_text_or_float_too() -> None:
    """What a command line or a slider gives is taken where it is a whole number."""
    assert policy("agentkit.memory", budget="100", keep_recent=3.0).settings == {"budget": 100, "keep_recent": 3}


def test_agentkit_pins_a_first_summary_where_there_is_no_system_prompt() -> None:
    """Without a system prompt agentkit's class takes the first summary for one: it is kept, and the next is number two."""
    window = [Message(role="system", content="[summary #1 of 2 earlier messages]\nfirst"), user("x" * 400), user("y")]
    found = compact(
        window, policy("agentkit.memory", budget=50, keep_recent=1), meter=meter("agentkit"), summarizer=terse
    )
    assert [m.content.splitlines()[0] for m in found.after] == [
        "[summary #1 of 2 earlier messages]",
        "[summary #2 of 1 earlier messages]",
        "y",
    ]
    assert found.number == 2


def test_a_summary_read_back_from_a_file_is_not_a_turn() -> None:
    """A summary that looks like a typed message does not count among the turns that are kept, so it is not folded alone."""
    window = [
        user("[Earlier conversation summary]\nold"),
        assistant("Understood. Continuing from the summary."),
        user("a"),
        user("b"),
    ]
    rolling = policy("minimal_agent.rolling", max_input_tokens=0, keep_recent_turns=2)
    found = compact(window, rolling, meter=Seven(), summarizer=terse)
    assert (found.status, found.after) == ("nothing_to_do", window)
    more = compact([*window, user("c")], rolling, meter=Seven(), summarizer=terse)
    assert plain(more.after)[2:] == [("user", "b"), ("user", "c")]


def test_compacting_by_hand_folds_whatever_is_there() -> None:
    """/compact takes everything, an earlier summary and its reply too; an empty conversation it leaves alone."""
    manual = policy("minimal_agent.compact")
    once = compact([user("a"), assistant("b")], manual, meter=Seven(), summarizer=terse, force=True)
    again = compact(once.after, manual, meter=Seven(), summarizer=terse, force=True)
    assert again.after[0].content == "[Earlier conversation summary]\n2 messages, 0 characters before"
    assert (len(again.after), again.folded) == (2, 2)
    assert compact([], manual, meter=Seven(), summarizer=terse, force=True).status == "nothing_to_do"


def test_agentlib_asks_for_a_summary_of_nothing() -> None:
    """Asked about a window of one message, agentlib's memory still calls its model and puts a summary in."""
    found = compact(
        [user("x" * 99)],
        policy("agentlib.summarizing", active_window_tokens=5),
        meter=meter("agentlib"),
        summarizer=terse,
    )
    assert plain(found.after) == [
        ("system", "[Conversation summary so far]\n0 messages, 0 characters before"),
        ("user", "x" * 99),
    ]
    assert (found.status, found.removed, found.folded) == ("inflated", (), 0)


def test_agentlib_forced_on_system_messages_alone_keeps_them() -> None:
    """A window in which everything is pinned comes out with its messages and a summary behind them."""
    found = compact(
        [system("a"), system("b")], policy("agentlib.summarizing"), meter=Seven(), summarizer=terse, force=True
    )
    assert [m.content[:5] for m in found.after] == ["a", "b", "[Conv"]
    assert found.tokens_after == sum(map(Seven().count, found.after))


def test_agentlib_drops_an_empty_summary() -> None:
    """A model that answers nothing erases the earlier summary and puts none in its place."""
    window = [Message(role="system", content="[Conversation summary so far]\nold"), user("a"), user("b")]
    rules = policy("agentlib.summarizing", active_window_tokens=0)
    found = compact(window, rules, meter=meter("agentlib"), summarizer=lambda messages, prior: "")
    assert plain(found.after) == [("user", "b")]
    assert (found.summary, found.acted) == (None, True)


def test_agentlib_gives_the_earlier_summary_apart() -> None:
    """The summarizer is given the earlier summary's own words as `prior`, and not among the messages."""
    asked: list[tuple[list[str], str | None]] = []

    def summarizer(messages: object, prior: str | None) -> str:
        asked.append(([m.content for m in messages], prior))  # type: ignore[attr-defined]
        return "new"

    window = [Message(role="system", content="[Conversation summary so far]\nold"), user("a"), user("b")]
    compact(
        window, policy("agentlib.summarizing", active_window_tokens=0), meter=meter("agentlib"), summarizer=summarizer
    )
    assert asked == [(["a"], "old")]


def test_agentlib_counts_neither_system_messages_nor_the_summary() -> None:
    """Only the active messages are held against the limit."""
    window = [
        system("s" * 4000),
        Message(role="system", content="[Conversation summary so far]\n" + "o" * 4000),
        user("a" * 16),
    ]
    rules = policy("agentlib.summarizing", active_window_tokens=8)
    assert compact(window, rules, meter=meter("agentlib"), summarizer=terse).status == "not_triggered"


@pytest.mark.parametrize(
    ("budget", "keep", "status"),
    [(1000, 2, "not_triggered"), (20, 9, "nothing_to_do"), (60, 1, "compacted"), (10, 1, "still_over_budget")],
)
def test_a_compaction_says_how_it_ended(budget: int, keep: int, status: str) -> None:
    """Within budget, all pinned, done, or done and still over: each has its own word and a reason with the numbers."""
    window = [system("be brief"), user("x" * 400), result("c1", "y" * 20)]
    found = compact(
        window, policy("agentkit.memory", budget=budget, keep_recent=keep), meter=meter("agentkit"), summarizer=terse
    )
    assert found.status == status
    assert "120 tokens" in found.reason


def test_a_summary_longer_than_what_it_replaces_is_called_inflated() -> None:
    """A compaction after which there are more tokens than before says so."""
    window = [user("a" * 40), user("b" * 40)]
    found = compact(
        window,
        policy("agentkit.memory", budget=10, keep_recent=1),
        meter=meter("agentkit"),
        summarizer=lambda m, p: "z" * 900,
    )
    assert (found.status, found.tokens_after > found.tokens_before) == ("inflated", True)  # type: ignore[operator]


def test_a_summarizer_that_fails_says_what_it_said() -> None:
    """A failing summarizer gives `failed`, its words, and the window untouched."""

    def broken(messages: object, prior: str | None) -> str:
        raise TimeoutError("no answer in 30 s")

    window = [user("a" * 40), user("b" * 40)]
    found = compact(
        window, policy("agentkit.memory", budget=10, keep_recent=1), meter=meter("agentkit"), summarizer=broken
    )
    assert (found.status, found.after) == ("failed", window)
    assert "no answer in 30 s" in found.reason


def test_each_format_has_one_policy_that_reproduces_its_agent() -> None:
    """The formats that policies name exist, and no two policies claim one: it is what a recorded run is compared with first."""
    named = [name for chosen in policies() for name in chosen.formats]
    assert set(named) <= {info.name for info in formats()}
    assert len(named) == len(set(named))
