"""What would have kept a text: each row is proved by a simulation, and one less would not have done."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import LiveContext, Message, Policy, Session, Trace, meter, policies, policy, replay, simulate
from core.entities.search import Wanted, normalized, says, search_of
from core.meters import measured
from core.model.session import Usage
from core.summaries.summarizers import FixedSize, Recorded, structural
from core.trace.recorded import session_of
from core.trace.trace import as_session
from core.why import inquiry
from core.why.agent import AgentInquiry
from core.why.fitted import fitted
from core.why.fixes import Fix, Fixes, Progress
from core.why.knobs import knobs
from core.why.least import least, settled
from core.why.price import price
from core.why.runs import Runs
from core.why.same_run import only_triggers, same_run
from core.why.target import Target, target_of
from core.why.trial import Ground, Question, Trial
from core.why.turned import Turned
from tests.policies.by_hand import BY_HAND
from tests.policies.by_hand import says as always
from tests.support import (
    METERS,
    SUMMARIZERS,
    assistant,
    calls,
    loosened,
    result,
    sessions,
    system,
    terse,
    tight,
    tuned,
    user,
)

RULE = "No new dependency, not even a small one."
COUNTED = meter("agentkit")


def history() -> Session:
    """A rule, and sixty messages of work after it, with results of every size and a turn now and then."""
    return as_session([system("You are careful."), user(f"Fix the report. {RULE}"), *islice(_work(), 60)])


def _work() -> Iterator[Message]:
    for k in range(60):
        yield assistant(f"reading {k} " * 6, calls(f"c{k}", "read", path=f"f{k}.py"))
        yield result(f"c{k}", f"line {k} of it " * (3 + k % 5))
        if k % 3 == 2:
            yield assistant(f"Part {k} is done. " * 3)
            yield user(f"Go on with part {k + 1}. " * 3)


def last(trace: Trace) -> int:
    """The last step."""
    return len(trace) - 1


def naive(trace: Trace, text: str, step: int) -> bool:
    """Whether the window of a step says a text; of a message that the model wrote, the window of its prompt."""
    found = trace.step(step)
    written = trace.messages[found.messages - 1] if found.kind == "message" else None
    by_model = written is not None and written.role == "assistant" and not written.injected
    calls_of = trace.measured.calls
    if by_model:
        step = trace.message_step(calls_of[bisect_right(calls_of, found.messages - 1) - 1]) - 1
    window = trace.window(step) if step >= 0 else []
    wanted = Wanted(text, search_of(trace.messages).places(text).match)
    return any(says(message, wanted) for message in window)


def sent(trace: Trace) -> int:
    """The prompts of all calls, window by window."""
    steps = (trace.message_step(at) - 1 for at in trace.measured.calls)
    return sum(trace.step(s).tokens for s in steps if s >= 0)


def rows(trace: Trace, text: str = RULE, step: int | None = None, **more: Any) -> list[Fix]:
    """The rows alone."""
    return [found for found in Fixes(trace, text, step, **more) if isinstance(found, Fix)]


def test_what_a_person_changes_first_is_marked() -> None:
    """A pin, what stays at the end and the limit; no pause of a microcompaction, no other summaries."""
    own = {row.change: row.main for row in rows(_of_claude_code()) if row.of}
    assert own == {"pin": True, "window": True}
    odd = {knob.name: knob.main for knob in knobs(policy("claude_code.auto"), _of_claude_code().measured)}
    assert {name for name, main in odd.items() if main} == {"window", "keepRecent"}
    assert "gapThresholdMinutes" in odd


def test_a_changed_setting_says_in_plain_words_what_it_does() -> None:
    """Every parameter of every policy has such words; another policy says what it does, a pin says it itself."""
    assert all(p.about.partition(";")[0] for rule in policies() for p in rule.parameters)
    said = {row.change: row.about for row in rows(_of_claude_code()) if row.of}
    assert said == {"pin": "", "window": "the model's context window"}
    other = [row for row in rows(_of_claude_code()) if row.other]
    assert other
    assert all(row.policy and row.about == row.policy.about for row in other)
    pause = next(p for p in policy("claude_code.auto").parameters if p.name == "gapThresholdMinutes")
    assert pause.about.startswith("clear old tool results after a pause of this many minutes;")


@given(data=st.data())
def test_a_trial_says_what_the_windows_of_the_whole_simulation_show(data: st.DataObject) -> None:
    """At any step of any run: under any policy, meter and summarizer, with something pinned or not."""
    session, rule = data.draw(sessions()), data.draw(tuned(data.draw(st.sampled_from(policies()))))
    counted, write = data.draw(METERS), data.draw(SUMMARIZERS)
    pinned = data.draw(st.sets(st.integers(0, len(session.messages) - 1), max_size=1)) if session.messages else set()
    trace = simulate(session, rule, counted, write, pinned)
    if not len(trace):
        return
    said = normalized(data.draw(st.sampled_from(trace.messages)).content)
    at = data.draw(st.integers(0, max(0, len(said) - 1)))
    text, step = said[at : at + 12], data.draw(st.integers(0, last(trace)))
    found = search_of(trace.messages).places(text)
    if not found.places:
        return
    question = Question(Wanted(text, found.match), found.places, target_of(trace, step))
    trial = Trial(Ground(session, measured(session, counted), counted, 1_000_000), rule, write, tuple(pinned))
    assert question.kept(trace.pool, trace.compactions) == naive(trace, text, step)
    assert trial.keeps(question) == naive(trace, text, step)
    assert trial.price == price(trace.compactions, trace.measured)
    assert trial.price == (tuple(c.at for c in trace.compactions), max(s.tokens for s in trace.steps), sent(trace))


@pytest.mark.parametrize("rules", [tight(rule) for rule in policies()], ids=lambda rules: rules.name)
def test_every_row_keeps_it_and_one_less_does_not(rules: Policy) -> None:
    """The value found keeps the text at the step; the one before it, nearer to today's, does not; its price is the run's."""
    session = history()
    trace = simulate(session, rules, COUNTED, terse)
    step = next((s for s in reversed(range(len(trace))) if not naive(trace, RULE, s)), None)
    if step is None:
        assert all(found.now and found.kept for found in rows(trace, write=terse))
        return
    target = target_of(trace, step)
    first, *others = rows(trace, step=step, write=terse)
    assert (first.now, first.kept, first.change) == (True, False, "as it is")
    turned = {
        (knob.name, value_key(value)): (knob, k) for knob in knobs(rules, trace.measured) for k, value in near(knob)
    }
    for row in others:
        write = structural if row.change == "summaries" else terse
        again = simulate(session, row.policy, COUNTED, write, row.pinned)  # type: ignore[arg-type]
        assert target_says(again, target), row.text
        assert row.price == (tuple(c.at for c in again.compactions), max(s.tokens for s in again.steps), sent(again)), (
            row.text
        )
        if (row.change, value_key(row.value)) in turned:
            knob, k = turned[row.change, value_key(row.value)]
            less = knob.values[k - 1] if k else knob.now
            before = rules.with_settings({**rules.settings, knob.name: less})
            assert not target_says(simulate(session, before, COUNTED, terse), target), f"{row.text}: so does {less}"
            assert row.proved in ("all", "next")
            for value in [knob.values[j] for j in range(0, k, 1 + k // 5)] if row.proved == "all" else ():
                nearer = rules.with_settings({**rules.settings, knob.name: value})
                assert not target_says(simulate(session, nearer, COUNTED, terse), target), (
                    f"{row.text}: so does {value}"
                )


class _Holds:
    """Trials of which it is known whether they keep the text; each is a run of its own. None is one too long."""

    def __init__(self, said: dict[int, bool | None]) -> None:
        self.said, self.asked = said, set[int]()

    def knows(self, k: int) -> bool:
        return k in self.asked

    def keeps(self, k: int) -> bool:
        self.asked.add(k)
        return self.said.get(k) is not False

    def trial(self, k: int) -> str | None:
        return None if self.said.get(k) is None else "a run"

    def same(self, k: int) -> tuple[int, int]:
        return k, k


@pytest.mark.parametrize(
    ("said", "scan", "nearest", "tried"),
    [
        ("nnnny", 9, (4, True), 4),
        ("nynny", 9, (1, True), 2),  # it comes and goes: the first counts
        ("nnnny", 3, (4, False), 3),  # more than may be tried
        ("n?nny", 9, (4, False), 2),  # one that nobody waits for tells nothing
        ("y", 0, (0, True), 0),
    ],
)
def test_the_nearest_of_all_values_is_found_where_all_can_be_tried(
    said: str, scan: int, nearest: tuple[int, bool], tried: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the effect is not monotone, one less is no proof; what was not tried is not said to be."""
    rule = policy("agentkit.memory", budget=500, keep_recent=2)
    inquiry = Fixes(simulate(history(), rule, COUNTED, terse), RULE).inquiry
    monkeypatch.setattr(type(inquiry), "scan", scan)
    turned = Turned(inquiry, rule, next(knobs(rule, inquiry.base)))
    turned._real = known = _Holds({k: {"y": True, "n": False, "?": None}[c] for k, c in enumerate(said)})  # type: ignore[assignment]

    assert turned._nearest(len(said) - 1) == nearest
    assert len(known.asked) == tried


def test_what_was_not_tried_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer names the parameters of which only the next nearer value was tried."""
    trace = simulate(history(), policy("agentkit.memory", budget=500, keep_recent=2), COUNTED, terse)
    asked = Fixes(trace, RULE, last(trace), write=terse)
    assert {row.change: row.proved for row in asked if isinstance(row, Fix)}["keep_recent"] == "all"
    assert "may keep it, too" not in asked.note
    monkeypatch.setattr(type(asked.inquiry), "scan", 0)
    asked = Fixes(trace, RULE, last(trace), write=terse)
    assert {row.change: row.proved for row in asked if isinstance(row, Fix)}["keep_recent"] == "next"
    said = "Not every value of keep_recent and budget was tried: one nearer to today's may keep it, too."
    assert said in asked.note


def test_policies_that_were_left_out_are_counted_in_sentences() -> None:
    """Each reason has a sentence of its own."""
    asked = Fixes(simulate(history(), policy("agentkit.memory", budget=500), COUNTED, terse), RULE, write=terse)
    asked._idle, asked._long, asked._large = 21, 1, 2
    assert asked.note.endswith(
        "21 policies would never compact this session and are left out. "
        "1 policy would compact at nearly every call and is left out. "
        "2 changes would need a larger context window than the model has and are left out."
    )


def test_no_window_is_offered_that_the_agents_model_does_not_have() -> None:
    """A setting that keeps the text in a larger context window alone is counted, not offered."""
    needed = next(
        row.value for row in Fixes(_of_claude_code(), RULE) if isinstance(row, Fix) and row.change == "window"
    )
    for window, offered, said in ((needed, ["window"], False), (needed - 1, [], True)):
        asked = Fixes(_of_claude_code(), RULE)
        agent = asked._turnable
        assert isinstance(agent, AgentInquiry)
        agent.rule = agent.rule.with_settings({"window": window})
        own = [row.change for row in asked if isinstance(row, Fix) and row.of]
        assert own == ["pin", *offered]
        assert ("1 change would need a larger context window than the model has and is left out." in asked.note) is said


def value_key(value: Any) -> str:
    """A value that may be a list."""
    return repr(value)


def near(knob: Any) -> Iterator[tuple[int, Any]]:
    """The values of a knob, as far as a test looks."""
    return ((k, knob.values[k]) for k in range(min(len(knob.values), 20_000)))


def target_says(trace: Trace, target: Any) -> bool:
    """Whether the window of the moment says the rule, message by message."""
    pool = trace.pool
    return any(says(pool.message(i), Wanted(RULE)) for a, b in target.layout(trace.compactions) for i in range(a, b))


def test_without_a_step_the_text_never_leaves_the_window() -> None:
    """Each row is run again: the rule is in the window at every step from where it is said, not at the last one alone."""
    trace = simulate(history(), policy("agentkit.memory", budget=500, keep_recent=2), COUNTED, terse)
    found = [row for row in rows(trace, write=terse) if row.kept and row.policy and not row.in_summary]
    assert {row.change for row in found} >= {"pin", "keep_recent", "budget"}
    for row in found[:6]:
        assert row.policy is not None
        again = simulate(trace.session, row.policy, COUNTED, terse, pinned=row.pinned)
        assert all(naive(again, RULE, step) for step in range(2, len(again))), row.text
        assert row.until == ""
    assert [row.change for row in found if not row.helps] == [r.change for r in found if not r.price.compactions]


def test_a_change_that_keeps_a_text_only_for_a_while_says_until_when() -> None:
    """Asked about a step in the middle, a larger budget keeps it there: the next compaction of that run takes it."""
    trace = simulate(history(), policy("agentkit.memory", budget=500, keep_recent=2), COUNTED, terse)
    found = {row.change: row for row in rows(trace, step=trace.compaction_step(0) + 1, write=terse)}
    budget, pin = found["budget"], found["pin"]
    assert (budget.kept, budget.until, budget.cure) == (True, "compaction 1", False)
    assert budget.policy is not None
    again = simulate(trace.session, budget.policy, COUNTED, terse)
    assert [naive(again, RULE, again.compaction_step(0) + k) for k in (-1, 0)] == [True, False]
    assert (pin.kept, pin.until, pin.cure) == (True, "", True)


def test_the_rows_of_agentkit_worked_out_by_hand() -> None:
    """Eight messages of 10 tokens, calls before m2, m4 and m6, where 60 tokens are over the budget of 45; a summary is 19.

    m1 is then fifth from the end. Without the compaction the prompts are 20, 40 and 60.
    """
    session = as_session(list(_spoken("sys", "alpha", "b", "c", "d", "e", "f", "g")))
    rule = policy("agentkit.memory", budget=45, keep_recent=2)
    trace = simulate(session, rule, BY_HAND, always("S" * 40))
    found = {row.change: row for row in rows(trace, "alpha", meter=BY_HAND, write=always("S" * 40))}
    assert [c.at for c in trace.compactions] == [6]
    assert found["as it is"].price == ((6,), 69, 20 + 40 + 49)
    assert (found["keep_recent"].value, found["keep_recent"].text) == (5, "keep_recent 2 → 5")
    assert (found["pin"].value, found["pin"].pinned) == (session.messages[1].id, (1,))
    assert (found["budget"].value, found["budget"].price) == (60, ((), 80, 20 + 40 + 60))
    assert found["pin"].price == ((6,), 79, 20 + 40 + 59)
    assert not any(found[change].in_summary for change in ("keep_recent", "pin", "budget"))


def test_a_text_that_only_a_summary_has_is_marked() -> None:
    """Seven messages stay where keep_recent is 7, and m1 is among them; other summaries quote it instead."""
    session = as_session(list(_spoken("sys", "alpha", "b", "c", "d", "e", "f", "g")))
    rule = policy("agentkit.memory", budget=45, keep_recent=2)
    trace = simulate(session, rule, BY_HAND, FixedSize(19))
    found = {row.change: row for row in rows(trace, "alpha", meter=BY_HAND)}
    assert (found["summaries"].value, found["summaries"].kept, found["summaries"].in_summary) == (
        "structural",
        True,
        True,
    )
    assert (found["keep_recent"].kept, found["keep_recent"].in_summary) == (True, False)
    (now,) = rows(simulate(session, rule, BY_HAND, always("alpha")), "alpha", meter=BY_HAND, write=always("alpha"))
    assert (now.kept, now.in_summary) == (True, True)


def test_of_a_text_that_only_quotes_keep_the_rows_keep_it_in_a_message() -> None:
    """A summary that a model writes may leave it out; a pin keeps it."""
    session = as_session(list(_spoken("sys", "alpha", "b", "c", "d", "e", "f", "g")))
    trace = simulate(session, policy("agentkit.memory", budget=45, keep_recent=2), BY_HAND)
    now, *found = rows(trace, "alpha", meter=BY_HAND)
    assert (now.now, now.kept, now.in_summary) == (True, True, True)
    assert "pin" in {row.change for row in found if row.helps}
    assert [row.change for row in found if row.in_summary] == []


def _spoken(*words: str) -> Iterator[Message]:
    """Messages of 10 tokens: a system prompt, then user and assistant in turn."""
    yield system(words[0].ljust(40))
    for k, word in enumerate(words[1:]):
        yield (assistant if k % 2 else user)(word.ljust(40, "."))


def test_what_is_still_there_has_one_row() -> None:
    """Nothing has to change: neither where the window has it, nor where nothing ever said it."""
    trace = simulate(history(), policy("agentkit.memory", budget=10**6), COUNTED, terse)
    for text, kept in ((RULE, True), ("never said", False), ("", False)):
        assert [(row.now, row.kept) for row in rows(trace, text)] == [(True, kept)]
    empty = simulate(as_session([]), policy("agentkit.memory"), COUNTED)
    assert [(row.now, row.kept, row.price) for row in rows(empty)] == [(True, False, ((), 0, 0))]


def test_of_a_recorded_run_only_other_policies_are_tried() -> None:
    """They are at their defaults, with the largest window that was compacted as their budget."""
    run = simulate(history(), policy("agentkit.memory", budget=500, keep_recent=2), COUNTED)
    recorded = replay(_as_recorded(run), meter=COUNTED)
    said = recorded.message_step(search_of(recorded.messages).places("line 3 of it").places[-1])
    gone = next(s for s in range(said, len(recorded)) if not naive(recorded, "line 3 of it", s))
    first, *others = rows(recorded, "line 3 of it", gone)
    assert (first.text, first.kept, first.policy, first.price.compactions) == (
        "As recorded",
        False,
        None,
        len(run.compactions),
    )
    assert {row.change for row in others} == {"policy", "policy, same budget"}
    most = max(c.window_before for c in recorded.compactions)
    same = [row for row in others if row.change == "policy, same budget"]
    assert all(
        f"with the recorded run's room (~{most:,} tokens of messages, the most its window held" in row.text
        for row in same
    )
    assert same


def _of_claude_code(window: int = 33_500, trigger: str = "auto", said: Session | None = None) -> Trace:
    """A run of Claude Code that foldline knows the policy of, as its transcript records it: its window left 500 tokens."""
    made = simulate(said or history(), policy("claude_code.auto", window=window, output=20_000), COUNTED, terse)
    compactions = tuple(c.model_copy(update={"trigger": trigger, "policy": ""}) for c in _as_recorded(made).compactions)
    session = _as_recorded(made).model_copy(update={"format": "claude-code", "compactions": compactions})
    return replay(session, meter=COUNTED)


def test_a_pin_is_of_the_users_message_though_a_result_repeats_it_in_fewer_tokens() -> None:
    """The file of rules that a call reads has the rule alone; the user said it within a longer message."""
    front = [system("You are careful."), user(f"Fix the report, and tell me what was wrong with it. {RULE}")]
    read = [assistant("", calls("r", "read", path="RULES.md")), result("r", RULE)]
    trace = simulate(
        as_session([*front, *read, *islice(_work(), 60)]),
        policy("agentkit.memory", budget=600, keep_recent=4),
        COUNTED,
        always("S"),
    )
    (pin,) = [row for row in rows(trace, RULE, meter=COUNTED, write=always("S")) if row.change == "pin"]
    assert pin.pinned == (1,)


def test_in_a_recorded_run_the_users_message_is_pinned_though_a_result_says_it_first() -> None:
    """A pin stands for what the user can do there, and so for the message in which the user says it, wherever that is."""
    read = [assistant("", calls("r", "read", path="RULES.md")), result("r", RULE)]
    front = [system("You are careful."), user("Look into RULES.md."), *read, user(f"Fix the report. {RULE}")]
    recorded = _of_claude_code(said=as_session([*front, *islice(_work(), 60)]))
    (pin,) = [row for row in Fixes(recorded, RULE) if isinstance(row, Fix) and row.change == "pin"]
    assert pin.pinned == (4,)


def test_of_a_known_agent_its_own_settings_are_turned() -> None:
    """Its policy acts as near to the record as it can, and loses the text; the row found keeps it, one less does not."""
    recorded = _of_claude_code()
    asked = Fixes(recorded, RULE)
    first, *others = [found for found in asked if isinstance(found, Fix)]
    own = {row.change: row for row in others if row.of}
    assert not first.kept
    assert list(own) == ["pin", "window"]  # Claude Code lets nobody pin a message: it stands for a line of CLAUDE.md
    assert (own["pin"].text, own["pin"].pinned) == ("Pin message 2 (~18 tokens)", (1,))
    assert own["pin"].policy
    assert naive(simulate(recorded.session, own["pin"].policy, COUNTED, structural, (1,)), RULE, 60)
    assert "claude_code.auto" not in {row.value for row in others}
    assert {row.policy.name for row in own.values() if row.policy} == {"claude_code.auto"}
    assert {row.change.startswith("policy"): row.other for row in others} == {False: False, True: True}
    nearest = fitted(recorded)
    assert nearest
    most, window = nearest.acts_at, own["window"].value
    assert (
        f"acts at ~{most:,} tokens of the transcript (window {most + 33_000:,}), the limit that comes nearest"
        in asked.note
    )
    assert own["window"].full_text.startswith(f"claude_code.auto: window {most + 33_000:,} → {window:,}")
    for value, kept in ((window, True), (window - 1, False), (most + 33_000, False)):
        rule = policy("claude_code.auto", window=value)
        again = simulate(recorded.session, rule, COUNTED, Recorded(recorded.session))
        window_then = again.window(last(again))
        assert any(RULE in m.content for m in window_then if m.injected != "summary") is kept, value


def test_a_setting_of_an_agent_that_leaves_a_text_to_a_summary_alone_is_no_cure() -> None:
    """What keeps it word for word is offered; a recorded summary that quotes it, of another run, keeps it no longer."""
    session = _of_claude_code().session
    quoting = tuple(
        m.model_copy(update={"content": f"{m.content}\nThe user said: {RULE}"}) if m.id == "summary#2" else m
        for m in session.messages
    )
    recorded = replay(session.model_copy(update={"messages": quoting}), meter=COUNTED)
    (row,) = [row for row in rows(recorded, step=35) if row.of and row.change != "pin"]
    assert (row.text, row.kept, row.until, row.cure) == ("window 33,447 → 33,672", True, "compaction 1", False)


def test_what_the_next_compaction_takes_is_told_from_what_stays() -> None:
    """Of the newest six messages, at each new question: the rule, m5, goes with the third compaction, behind 11 messages.

    A run of 8 messages has one compaction, and the next one leaves it; one of 9 or 10 has two, and the next one takes it.
    """
    words = ["sys", "b", "c", "d", "e", "alpha", *"fghijk"]
    rule = policy("strands.sliding_window", window_size=6)

    def outcome(count: int, pinned: tuple[int, ...] = ()) -> tuple[int, bool, bool]:
        """How many compactions that run has, whether it keeps the text, and whether only because it ends."""
        trial, question = _to_the_end(as_session(list(_spoken(*words[:count]))), rule, "alpha", pinned)
        kept = trial.keeps(question)
        falls = trial.falls_next(question)
        return len(trial.compactions), kept, falls and kept

    assert [outcome(count) for count in (8, 9, 10, 11)] == [
        (1, True, False),
        (2, True, True),
        (2, True, True),
        (3, False, False),
    ]
    assert outcome(10, (5,)) == (2, True, False)


def test_where_a_policy_that_is_asked_does_more_than_by_itself_nothing_is_said_of_the_next() -> None:
    """It converted calls to text each time, and left the rule; asked to act it drops the oldest messages too."""
    rule = policy("agent_framework.context_window", max_context_window_tokens=1_200, max_output_tokens=1)
    trial, question = _to_the_end(history(), rule, RULE)
    assert trial.keeps(question)
    assert not trial.falls_next(question)
    last = trial.compactions[-1]
    assert last.tiers == ("tool eviction",)


def _to_the_end(session: Session, rule: Policy, text: str, pinned: tuple[int, ...] = ()) -> tuple[Trial, Question]:
    """A run of a policy, and whether a text stays word for word to its end."""
    found, base = search_of(session.messages).places(text), measured(session, COUNTED)
    target = Target(len(session.messages), after=True)
    question = Question(Wanted(text, found.match), found.places, target, verbatim=True)
    return Trial(Ground(session, base, COUNTED, 1_000), rule, None, pinned), question


def test_a_run_that_loses_a_text_does_not_say_until_when_it_keeps_it() -> None:
    """The agent's policy without a change has no compaction behind the step that would take it: it is gone."""
    recorded = _of_claude_code()
    base = [row for row in rows(recorded, step=35) if row.baseline]
    assert [(row.kept, row.until) for row in base] == [(False, "")]


def test_other_summaries_are_judged_by_what_they_say_behind_the_step_too() -> None:
    """Of recorded summaries no word counts under other settings; structural ones say it, and so does the next of them."""
    session = as_session(list(_spoken("sys", "alpha", *"bcdefghijklm")))
    rule = policy("agentkit.memory", budget=45, keep_recent=2)
    recorded = _as_recorded(simulate(session, rule, BY_HAND, always("S" * 40)))
    trace = simulate(recorded, rule, BY_HAND, Recorded(recorded))
    asked = Fixes(trace, "alpha", trace.compaction_step(0) + 1, meter=BY_HAND)
    assert asked.inquiry.question.verbatim
    assert len(trace.compactions) > 1
    found = {row.value: row for row in asked if isinstance(row, Fix) and row.change == "summaries"}
    row = found["structural"]
    assert (row.kept, row.in_summary, row.until) == (True, True, "")


def test_changes_of_an_agents_policy_stand_beside_its_run_without_a_change() -> None:
    """The record compacts elsewhere: its price is no measure of what a pin costs in a simulation."""
    recorded = _of_claude_code()
    asked = Fixes(recorded, RULE)
    base, *more = [found for found in asked if isinstance(found, Fix) and found.baseline]
    assert (more, base.kept, base.text) == ([], False, "claude_code.auto simulated, without a change")
    assert base.policy
    again = simulate(recorded.session, base.policy, COUNTED, Recorded(recorded.session))
    assert base.price == price(again.compactions, again.measured)
    assert base.price != price(recorded.compactions, recorded.measured)
    simulated = rows(simulate(history(), policy("agentkit.memory", budget=500, keep_recent=2), COUNTED, terse))
    assert not [found for found in simulated if found.baseline]


def test_other_policies_have_the_room_of_the_simulation_that_they_are_compared_with() -> None:
    """With the room of the record a policy would send more tokens than that simulation for its room alone."""
    found = [row for row in Fixes(_of_claude_code(), RULE) if isinstance(row, Fix)]
    (base,) = [row.policy for row in found if row.baseline and row.policy]
    same = [row for row in found if row.change == "policy, same budget"]
    assert same
    assert {row.policy.ceiling for row in same if row.policy} == {base.ceiling}
    room = f"with the room of claude_code.auto as it is simulated (~{base.ceiling:,} tokens of messages)"
    assert all(room in row.text for row in same)


def test_what_was_sent_on_record_is_said_beside_the_rows() -> None:
    """Rows count what the transcript shows; the recorded usage counts all that was sent."""
    run = simulate(history(), policy("agentkit.memory", budget=500, keep_recent=2), COUNTED)
    session = _as_recorded(run)
    said = "All tokens are of the part that this transcript shows."
    assert said not in Fixes(replay(session, meter=COUNTED), RULE).note
    paid = [
        m.model_copy(update={"usage": Usage(input_uncached=1_500)}) if m.role == "assistant" else m
        for m in session.messages
    ]
    asked = Fixes(replay(session.model_copy(update={"messages": tuple(paid)}), meter=COUNTED), RULE)
    calls = sum(m.role == "assistant" for m in paid)
    assert f"{said} Its usage records say that {1_500 * calls:,} tokens were sent in {calls} calls." in asked.note


def test_what_a_person_compacted_by_hand_the_policy_alone_would_have_kept() -> None:
    """Where the record tells only of commands, the cure is to give none; the policy is proved to keep it without them."""
    asked = Fixes(_of_claude_code(trigger="manual"), RULE)
    found = {row.text: row for row in asked if isinstance(row, Fix)}
    row = found["claude_code.auto alone, without a compaction by hand"]
    assert (row.kept, row.price.compactions) == (True, 0)
    assert not any(row.of for row in found.values())


def test_where_the_agents_policy_keeps_what_the_record_lost_that_is_said() -> None:
    """Codex keeps what a person typed, and so does its policy: a record that lost it differs, and no setting is offered."""
    recorded = _of_claude_code()
    session = recorded.session.model_copy(update={"format": "codex"})
    asked = Fixes(replay(session, meter=COUNTED), RULE)
    found = [row for row in asked if isinstance(row, Fix)]
    assert not any(row.of or row.value == "codex.local" for row in found)
    assert "codex.local, the policy of this agent, keeps the text in a simulation" in asked.note


def _as_recorded(run: Trace) -> Session:
    """The session of a run, with its compactions recorded."""
    return session_of(run.pool, list(run.compactions), run.meter, "")


def test_with_recorded_summaries_only_what_stays_word_for_word_counts() -> None:
    """The recorded summaries fit other settings by place at best; structural ones, which say it, are a row of their own."""
    made = simulate(history(), policy("agentkit.memory", budget=500, keep_recent=2), COUNTED)
    session = _as_recorded(made)
    trace = simulate(session, policy("agentkit.memory", budget=700, keep_recent=2), COUNTED, Recorded(session))
    asked = Fixes(trace, "line 3 of it")
    assert asked.inquiry.question.verbatim
    assert "only what stays word for word counts" in asked.note


def test_a_text_that_is_said_again_is_not_given_up_when_it_is_lost() -> None:
    """A trial stops where the text is gone for good; here the user repeats the rule in the last message but one."""
    session = as_session([*history().messages, user(f"Again: {RULE}"), assistant("Yes.")])
    rule = policy("agentkit.memory", budget=500, keep_recent=2)
    trace = simulate(session, rule, COUNTED, terse)
    found = search_of(trace.messages).places(RULE)
    question = Question(Wanted(RULE, found.match), found.places, target_of(trace, last(trace)))
    trial = Trial(Ground(session, measured(session, COUNTED), COUNTED, 1_000), rule, terse)
    assert not question.in_layout(trace.pool, trace.compactions[0].layout_after, {})
    assert trial.keeps(question)


def test_of_a_live_run_the_rows_are_for_the_run_so_far() -> None:
    """The same as of its simulation: a run that goes on is asked as it stands, under its last settings."""
    context = LiveContext(policy("agentkit.memory", budget=500, keep_recent=2), meter=COUNTED, summarizer=structural)
    for message in history().messages:
        if message.role == "assistant":
            context.maybe_compact("before_call")
        context.append(message)
    simulated = simulate(history(), policy("agentkit.memory", budget=500, keep_recent=2), COUNTED)
    live, again = (rows(trace, "line 3 of it") for trace in (context.trace(), simulated))
    assert not live[0].kept
    assert [replace(row, policy=None) for row in live] == [replace(row, policy=None) for row in again]
    context.set_policy(policy("agentkit.memory", budget=900, keep_recent=2))
    assert "changed on the way" in Fixes(context.trace(), RULE).note


def test_progress_comes_between_the_rows_and_work_stops_when_nobody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first row comes before anything is simulated; after that one idea at a time is tried."""
    trace = simulate(history(), policy("agentkit.memory", budget=500, keep_recent=2), COUNTED, terse)
    tried = list[int]()
    made = Trial.__init__

    def counting(self: Trial, *arguments: Any) -> None:
        tried.append(1)
        made(self, *arguments)

    monkeypatch.setattr(Trial, "__init__", counting)
    found = iter(Fixes(trace, RULE, write=terse))
    assert next(found).now  # type: ignore[union-attr]
    assert not tried
    while not isinstance(seen := next(found), Progress):
        pass
    assert seen.done == 1
    before = len(tried)
    found.close()  # type: ignore[attr-defined]
    assert len(tried) == before


def test_work_can_be_stopped_while_the_policy_of_an_agent_is_sought(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of its simulations comes behind a sign of life, which says that it is not known how many ideas there are."""
    tried = list[Policy]()
    monkeypatch.setattr(AgentInquiry, "keeps", lambda self, rule: bool(tried.append(rule)) or True)
    asked = Fixes(_of_claude_code(), RULE)
    found = iter(asked)
    assert next(found).now  # type: ignore[union-attr]
    assert [next(found), len(tried), next(found), len(tried)] == [Progress(0, 0), 0, Progress(0, 0), 1]
    found.close()  # type: ignore[attr-defined]
    assert len(tried) == 1
    assert "keeps the text in a simulation, but the recorded run lost it" in asked.note


@given(st.integers(1, 300), st.integers(0, 300), st.integers(0, 60))
def test_where_it_holds_from_one_place_on_that_place_is_found(count: int, first: int, scan: int) -> None:
    """By scan or bisection, from any guess; none where it holds nowhere."""
    expected = first if first < count else None
    assert least(count, lambda k: k >= first, scan) == expected
    for guess in {0, count // 2, count - 1}:
        assert settled(guess, count, lambda k: k >= first) == expected


@given(st.lists(st.booleans(), min_size=1, max_size=200), st.integers(0, 60))
def test_where_it_comes_and_goes_one_less_does_not_hold(flags: Sequence[bool], scan: int) -> None:
    """What is found holds, and the one before it does not; up to so many values are all looked at."""
    for found in (least(len(flags), flags.__getitem__, scan), settled(len(flags) // 2, len(flags), flags.__getitem__)):
        assert found is None or (flags[found] and (found == 0 or not flags[found - 1]))
    if len(flags) <= scan:
        assert least(len(flags), flags.__getitem__, scan) == (list(flags).index(True) if any(flags) else None)


def test_a_long_run_is_guessed_first_and_then_proved() -> None:
    """With the same rows as where every value is simulated with its own summaries."""
    trace = simulate(history(), policy("agentkit.memory", budget=500, keep_recent=2), COUNTED)
    short = Fixes(trace, "line 3 of it")
    guessed = Fixes(trace, "line 3 of it")
    guessed.inquiry.weight = 10**9
    for change in ("keep_recent", "budget", "pin"):
        one, other = ([f for f in asked if isinstance(f, Fix) and f.change == change] for asked in (short, guessed))
        assert [replace(f, text="", proved="") for f in one] == [replace(f, text="", proved="") for f in other]


LIMITED = [rule for rule in map(loosened, policies()) if rule.limit_name and only_triggers(rule, rule.limit_name)]


@pytest.mark.parametrize("rule", LIMITED, ids=lambda rule: rule.name)
@given(data=st.data())
def test_limits_that_give_the_same_run_do(rule: Policy, data: st.DataObject) -> None:
    """At the first and the last of them, and as far as is asked, every window is laid out alike; and not so beyond."""
    session, limit = data.draw(sessions()), data.draw(st.integers(1, 600))
    counted, write = data.draw(METERS), data.draw(SUMMARIZERS)
    upto = data.draw(st.integers(0, len(session.messages)))

    def layouts(value: int) -> list[Any]:
        trace = simulate(session, rule.with_settings({rule.limit_name: value}), counted, write)
        return [(c.at, c.layout_after) for c in trace.compactions if c.at <= upto]

    trace = simulate(session, rule.with_settings({rule.limit_name: limit}), counted, write)
    assert trace.policy is not None
    if trace.failed:
        return
    found = same_run(trace.policy, limit, trace.compactions, upto, trace.measured)
    assert limit in found
    for value in {max(1, found[0]), found[-1]}:
        assert layouts(value) == layouts(limit), value


def test_most_of_the_limits_between_two_runs_are_not_tried() -> None:
    """agentkit.memory acts over its budget; others weigh it against more, or look at other moments."""
    assert "agentkit.memory" in [rule.name for rule in LIMITED]
    assert len(LIMITED) < len(policies()) / 2


@pytest.mark.parametrize(("attempts", "long"), [(250, 0), (3, 5_000)])
@pytest.mark.parametrize("kind", ["simulated", "recorded"])
def test_questions_that_share_their_runs_are_answered_as_each_alone(
    attempts: int, long: int, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows and notes, in whichever order they are asked: also where policies compact too often, and where guesses are made."""
    monkeypatch.setattr(inquiry, "_ATTEMPTS", attempts)
    monkeypatch.setattr(inquiry, "_LONG", long)
    simulated = simulate(history(), policy("agentkit.memory", budget=500, keep_recent=2), COUNTED)
    trace = simulated if kind == "simulated" else _of_claude_code()
    texts = (RULE, "line 3 of it", "Go on with part 7.") if kind == "simulated" else (RULE, "Go on")
    questions = [(text, step) for text in texts for step in (last(trace), last(trace) // 2)]
    shared = Runs()

    def answer(text: str, step: int, runs: Runs | None) -> tuple[list[Fix], tuple[str, ...]]:
        asked = Fixes(trace, text, step, runs=runs)
        return [row for row in asked if isinstance(row, Fix)], asked.notes

    together = [answer(text, step, shared) for text, step in questions]
    assert together == [answer(text, step, None) for text, step in questions]
    assert [answer(text, step, shared) for text, step in reversed(questions)] == together[::-1]
