"""The settings a policy begins with in a session: its own, but for what would show nothing."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import meter, policies, policy, simulate
from core.engine.policies_used import SessionModel, for_model
from core.meters import measured
from core.policy.parameters import Parameter
from core.policy.policy import Policy
from core.policy.vocabulary import Condition, Trigger
from core.trace.trace import as_session
from tests.support import EXAMPLES, assistant, lesson_session, sessions, system, user
from tests.viewer.settings.chats import chat
from viewer.settings.grounds import TRIAL, grounds
from viewer.settings.suggest import suggested


@pytest.mark.parametrize(
    ("turns", "size", "budget"),
    [
        (2, 400, 500),  # 421 tokens in 5 messages: too few to compact, so a little more than all
        (20, 40, 400),  # 584 tokens: the default folds now and then
        (100, 400, 3000),  # 20,805: what stays, some 420 tokens, is more than the default holds; a sixth is 3,467
        (1000, 400, 30_000),  # 208,005: a sixth is 34,667
    ],
)
def test_the_budget_to_begin_with(turns: int, size: int, budget: int) -> None:
    """The default stays where it compacts now and then; else a nice number from a sixth of the session up is taken."""
    base = measured(chat(turns, size), meter("agentkit"))
    assert suggested(policy("agentkit.memory"), base) == {"budget": budget, "keep_recent": 4}


@pytest.mark.parametrize(
    ("session", "budget"),
    [
        (lesson_session(), 400),  # 126 tokens, of which system message and four messages take 59: no room to fold
        (as_session([system("s" * 8000), *chat(5).messages]), 4000),  # 2,009 of 3,059 tokens are the system message
        (as_session([user("x" * 40_000), assistant("y" * 40_000)]), 25_000),  # two messages of 10,005 tokens
    ],
)
def test_a_session_too_small_to_compact_shows_nothing_alarming(session: Any, budget: int) -> None:
    """Where no sensible compaction is possible the limit is above the whole session, however large its parts are."""
    base = measured(session, meter("agentkit"))
    settings = suggested(policy("agentkit.memory"), base)
    assert (settings["budget"], base.running[-1] <= budget) == (budget, True)
    assert simulate(session, policy("agentkit.memory", **settings)).compactions == ()


def test_no_limit_that_no_fold_can_reach_is_suggested() -> None:
    """One long turn cannot be folded by a policy that acts between turns: its limit is above the session."""
    session = as_session([user("go"), *(assistant(f"{i:0400}") for i in range(100))])
    base = measured(session, meter("agentkit"))
    assert base.running[-1] == 10_405
    assert suggested(policy("minimal_agent.rolling"), base)["max_input_tokens"] == 15_000


CROWDED = "The defaults make 40 or more, and 98\N{NO-BREAK SPACE}% of the steps are still over the limit."


@pytest.mark.parametrize(
    ("turns", "budget", "said"),
    [
        (20, 400, ""),  # the default itself
        (
            100,
            3000,
            f"{TRIAL}: about 9 compactions. {CROWDED}",
        ),
        (
            100,
            25_000,
            f"{TRIAL}: no compactions. {CROWDED}",
        ),
    ],
)
def test_a_suggestion_gives_its_grounds(turns: int, budget: int, said: str) -> None:
    """How often the policy would compact with what is suggested, and how often with its defaults."""
    base = measured(chat(turns, 40 if turns == 20 else 400), meter("agentkit"))
    assert grounds(policy("agentkit.memory"), {"budget": budget, "keep_recent": 4}, base) == said


def test_the_grounds_name_what_is_not_the_session() -> None:
    """Of a live run its length is only expected; a setting that the policy does not have is passed over."""
    base = measured(chat(100), meter("agentkit"))
    said = grounds(policy("agentkit.memory"), {"budget": 3000, "window": 5}, base, where="a run of 20,805 tokens")
    assert said.startswith(f"{TRIAL}: about 9 compactions in a run of 20,805 tokens. The defaults make 40 or more, ")


def full_at_once(rule: Policy) -> bool:
    """Whether what stays verbatim fills the limit, so that the summary on top of it is always too much."""
    return any(size.value == rule.limit_name for size in rule.tail_of(rule.scope))


@settings(max_examples=EXAMPLES)
@given(turns=st.integers(0, 60), size=st.integers(40, 600))
def test_a_suggestion_is_never_alarming(turns: int, size: int) -> None:
    """By the real simulation of every policy: 30 compactions at most, and 40 % of the steps over the limit at most."""
    session = chat(turns, size)
    base = measured(session, meter("agentkit"))
    for rule in (p for p in policies() if not full_at_once(p)):
        found = suggested(rule, base)
        chosen = rule.with_settings(found)
        if found == rule.settings or not chosen.limit:
            continue
        trace = simulate(session, chosen, meter=meter("agentkit"))
        over = sum(trace.window_of(i).counted(chosen) > chosen.limit for i in range(len(trace)))
        assert len(trace.compactions) <= 30, rule.name
        assert over <= 0.4 * len(trace), rule.name


@settings(max_examples=2 * EXAMPLES)
@given(session=sessions())
def test_what_is_suggested_can_be_set(session: Any) -> None:
    """Suggested settings are ones the policy takes."""
    base = measured(session, meter("agentkit"))
    for rule in policies():
        found = suggested(rule, base)
        assert rule.with_settings(found).settings == found


def acting(trigger: Trigger, *parameters: Parameter) -> Policy:
    """The lesson's policy with another trigger and these parameters in place of its budget."""
    lesson = policy("agentkit.memory")
    update = {"trigger": trigger, "parameters": (*parameters, lesson.parameters[1])}
    return lesson.model_copy(update=update).with_settings({})


WINDOW = Parameter(name="window", default=None, unit="tokens", optional=True, session="window")
AT_80 = Trigger(phase="before_call", any_of=((Condition(value="0.8 * window"),),))


def test_a_context_window_that_makes_it_compact_is_suggested() -> None:
    """20,805 tokens never fill 80 % of 200,000: 5,000 is the first nice window that holds what stays and compacts."""
    base = measured(chat(100), meter("agentkit"))
    rule = acting(AT_80, WINDOW)
    found = suggested(rule, base, SessionModel("claude-sonnet-4-5"))
    assert found == {"window": 5000, "keep_recent": 4}
    assert rule.with_settings(found).limit == 4000


def test_a_context_window_that_is_filled_stays_the_models_own() -> None:
    """gpt-4 takes 8,192 tokens, which the session of 20,805 fills: nothing is suggested. Nor where it is too small."""
    base = measured(chat(100), meter("agentkit"))
    assert suggested(acting(AT_80, WINDOW), base, SessionModel("gpt-4"))["window"] is None
    assert (
        suggested(acting(AT_80, WINDOW), measured(chat(2), meter("agentkit")), SessionModel("gpt-4"))["window"] is None
    )


def test_thresholds_that_never_act_get_one_in_tokens() -> None:
    """Where the thresholds are not set the first of the nice numbers of tokens is taken, by the unit's real name."""
    given = Trigger(phase="before_call", given="trigger")
    for unit in ("tokens", "input_tokens"):
        base = measured(chat(100), meter("agentkit"))
        trigger = Parameter(name="trigger", kind="thresholds", default=None, units=("messages", unit))
        assert suggested(acting(given, trigger), base)["trigger"] == [{unit: 3000}]


def test_seven_messages_are_too_few_to_suggest_thresholds_for() -> None:
    """They would compact once, eight do; but there is nothing to see in that."""
    trigger = Parameter(name="trigger", kind="thresholds", default=None, units=("tokens",))
    keep = Parameter(name="keep_recent", default=1, unit="messages")
    rule = acting(Trigger(phase="before_call", given="trigger"), trigger)
    rule = rule.model_copy(update={"parameters": (trigger, keep)}).with_settings({})
    eight = as_session((*chat(3).messages, user("and then?")))
    found = [suggested(rule, measured(session, meter("agentkit")))["trigger"] for session in (chat(3), eight)]
    assert (len(chat(3).messages), found[0], found[1] is not None) == (7, None, True)


def test_thresholds_that_act_stay() -> None:
    """A default that compacts this session is the real system's, and stays."""
    trigger = Parameter(name="trigger", kind="thresholds", default=[{"messages": 50}], units=("messages", "tokens"))
    rule = acting(Trigger(phase="before_call", given="trigger"), trigger)
    assert suggested(rule, measured(chat(100), meter("agentkit")))["trigger"] == [{"messages": 50}]


def test_a_count_that_is_never_reached_is_lowered() -> None:
    """A policy that acts at 500 messages acts at 40 in a session of 201: the first nice number from a sixth up."""
    size = Parameter(name="max_size", default=500, unit="messages")
    rule = acting(Trigger(phase="before_call", any_of=((Condition(of="messages", value="max_size"),),)), size)
    assert suggested(rule, measured(chat(100), meter("agentkit")))["max_size"] == 40


def test_a_policy_that_only_acts_when_asked_is_left_alone() -> None:
    """Nothing makes it act, so nothing is suggested."""
    assert suggested(policy("minimal_agent.compact"), measured(chat(100), meter("agentkit"))) == {}


def test_a_suggestion_is_for_one_model() -> None:
    """The same session under another model is looked at anew."""
    base, rule = measured(chat(100), meter("agentkit")), acting(AT_80, WINDOW)
    assert [suggested(rule, base, SessionModel(model))["window"] for model in ("gpt-4", "claude-sonnet-4-5")] == [
        None,
        5000,
    ]
    assert for_model(rule, SessionModel("gpt-4")).settings["window"] == 8192


def test_a_suggestion_is_for_the_window_on_record() -> None:
    """What the transcript says the agent gave the model counts, as in a simulation, not what the maker allows."""
    base, rule = measured(chat(100), meter("agentkit")), acting(AT_80, WINDOW)
    own = suggested(rule, base, SessionModel("claude-sonnet-4-5"))
    given = suggested(rule, base, SessionModel("claude-sonnet-4-5", given_window=5000))
    assert (own["window"], given["window"]) == (5000, None)


@pytest.mark.parametrize("name", ["agentlib.sliding_window", "minimal_agent.rolling"])
def test_turns_that_fill_half_the_session_leave_room_for_a_limit(name: str) -> None:
    """Eleven turns of which five stay, or fifty might: in a session of 11,000 tokens a limit is found that compacts."""
    session = chat(11, 2000)
    base = measured(session, meter("agentkit"))
    assert base.running[-1] > 10_000
    assert simulate(session, policy(name, **suggested(policy(name), base)), meter=meter("agentkit")).compactions
