"""All findings together: of one compaction, of a trace, of anything at all."""

import importlib
import json
import pickle
import pkgutil
from typing import NoReturn

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import core.analyse
from core import Compaction, Trace, meter, policies, policy, simulate
from core.analyse import findings, findings_at, kinds, trace_findings, user_sends_back
from core.analyse.losses import losses
from core.trace.trace import as_session
from tests.analyse.events import LONG, event, found_in, run, summary
from tests.support import EXAMPLES, METERS, SUMMARIZERS, assistant, sessions, system, tuned, user

KINDS = {
    "decision_reversed",
    "empty_summary",
    "error_shaped_summary",
    "failed_again",
    "first_user_message_lost",
    "inflated",
    "instruction_gone",
    "kept_tail_loss",
    "last_user_message_summarised",
    "leading_assistant",
    "lost_reference",
    "net_negative",
    "orphaned_call",
    "orphaned_later",
    "orphaned_tool_result",
    "prompt_shrank",
    "rework",
    "statement_gone",
    "role_alternation_broken",
    "still_over_budget",
    "summary_without_source",
    "summarizer_failed",
    "thrash",
    "threshold_differs",
    "user_sends_back",
}

ABOUT_REQUESTS = ("last_user_message_summarised", "first_user_message_lost", "instruction_gone")


def long_trace() -> Trace:
    """A run of twenty turns under a policy that has to act at nearly each of them."""
    texts = [m for i in range(20) for m in (user(f"question {i} {LONG}"), assistant(f"answer {i}"))]
    rule = policy("agentkit.memory", budget=400, keep_recent=3)
    return simulate(as_session([system("s"), *texts]), rule, meter=meter("agentkit"))


def test_every_kind_is_known() -> None:
    """The kinds of all modules, each once."""
    assert set(kinds()) == KINDS
    assert len(kinds()) == len(KINDS)


def test_every_module_makes_its_own_kinds_and_no_entry_is_needed() -> None:
    """A module beside the others with KINDS has a check, a check_in_trace or a check_calls, and is found by being there."""
    found = [importlib.import_module(f"core.analyse.{m.name}") for m in pkgutil.iter_modules(core.analyse.__path__)]
    checks = [module for module in found if hasattr(module, "KINDS")]
    assert {kind for module in checks for kind in module.KINDS} == KINDS
    names = ("check", "check_in_trace", "check_calls")
    assert all(any(hasattr(module, name) for name in names) for module in checks)


def test_a_window_left_alone_has_no_findings() -> None:
    """Where nothing was done there is nothing to find."""
    assert found_in(user("a"), keep=4, budget=1000) == ()


def test_the_findings_of_a_trace_are_those_of_its_compactions() -> None:
    """One by one or all at once, the findings are the same; compactions without any are left out."""
    one, other = long_trace(), long_trace()
    found = trace_findings(one)
    single = {k: findings_at(other, k) for k in range(len(other.compactions))}
    assert len(single) > 5
    assert dict(found) == {k: some for k, some in single.items() if some}


def test_findings_are_worked_out_once_for_a_trace() -> None:
    """Asked again, a trace gives the same findings; a copy with other compactions has its own."""
    trace = long_trace()
    assert trace_findings(trace) is trace_findings(trace)
    bare = trace.model_copy(update={"compactions": ()})
    assert trace_findings(bare) == {}


def test_a_trace_that_was_looked_at_is_saved_as_before() -> None:
    """Findings are no part of a trace: it is compared, pickled and written as one that nobody looked at."""
    trace, untouched = long_trace(), long_trace()
    trace_findings(trace)
    assert trace == untouched
    assert trace.model_dump_json() == untouched.model_dump_json()
    assert pickle.loads(pickle.dumps(trace)) == untouched


def test_one_card_looks_at_its_own_window_and_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """The findings of one compaction read no other window."""
    trace, read = long_trace(), set[int]()
    before = Compaction.before.fget
    assert before

    def noted(self: Compaction) -> object:
        read.add(trace.compactions.index(self))
        return before(self)

    monkeypatch.setattr(Compaction, "before", property(noted))
    findings_at(trace, 5)
    assert read == {5}


def test_findings_of_some_kinds_run_no_other_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are those that all findings have of these kinds. The overview of a long session waits for no other search."""
    trace, other = long_trace(), long_trace()
    monkeypatch.setattr(user_sends_back, "check_in_trace", _never)
    some = {k: findings_at(trace, k, *ABOUT_REQUESTS) for k in range(len(trace.compactions))}
    monkeypatch.undo()
    whole = {k: findings_at(other, k) for k in some}

    assert {one.kind for found in some.values() for one in found} == {"first_user_message_lost"}
    assert some == {k: tuple(one for one in found if one.kind in ABOUT_REQUESTS) for k, found in whole.items()}
    assert findings_at(other, 0, *ABOUT_REQUESTS) == some[0], "as well where all are known"


def test_what_a_compaction_lost_waits_for_no_check_that_it_does_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search for what users send back to reads the whole session: it is a finding, and no part of the overview."""
    monkeypatch.setattr(user_sends_back, "check_in_trace", _never)
    assert losses(long_trace(), 0).taken > 0


def _never(*_: object) -> NoReturn:
    raise AssertionError("nothing asks for it")


def test_a_compaction_that_cannot_name_its_messages() -> None:
    """Read back from JSON alone, a compaction has its numbers and no messages: what follows from numbers is found."""
    alone = Compaction.model_validate_json(long_trace().compactions[0].model_dump_json())
    assert {f.kind for f in findings(alone)} <= KINDS


def _checked(trace: Trace) -> None:
    """Every finding is of a known kind, says something, and can be sent."""
    for found in trace_findings(trace).values():
        for one in found:
            assert one.kind in KINDS
            assert one.title
            assert one.text.endswith((".", "!"))
            assert json.loads(one.model_dump_json())


@settings(max_examples=EXAMPLES)
@given(data=st.data(), session=sessions(), count=METERS, summarizer=SUMMARIZERS)
def test_chains_of_every_policy_have_findings_and_no_errors(data, session, count, summarizer) -> None:  # type: ignore[no-untyped-def]
    """Whatever the session, the policy, the meter and the summarizer, looking raises nothing."""
    for rule in policies():
        _checked(simulate(session, data.draw(tuned(rule)), meter=count, summarizer=summarizer))


@st.composite
def chains(draw: st.DrawFn) -> Trace:
    """Up to six compactions of a session that take, drop and clear at random, in bounds and for no reason."""
    messages = draw(sessions(max_turns=6)).messages
    n, window, at, added, made = len(messages), list[int](), 0, 0, []
    for k in range(draw(st.integers(0, 6))):
        at_now = draw(st.integers(at, n))
        window, at = [*window, *range(at, at_now)], at_now
        gone = draw(st.lists(st.sampled_from(window), unique=True)) if window else []
        action = draw(st.sampled_from(("summarised", "dropped", "cleared")))
        put = [summary(draw(st.sampled_from(("", "text", LONG))), id=f"s{k}")] if draw(st.booleans()) else []
        left = [i for i in window if i not in gone]
        after = [*range(n + added, n + added + len(put)), *left]
        status = draw(st.sampled_from(("compacted", "inflated", "still_over_budget", "failed", "nothing_to_do")))
        edits = ((action, (i, i + 1)) for i in gone if draw(st.integers(0, 9)))
        singles = ([(i, i + 1) for i in window], [(i, i + 1) for i in after])
        made.append(event(at, *singles, *edits, put=put, status=status, recorded=draw(st.booleans())))
        window, added = after, added + len(put)
        if draw(st.integers(0, 4)) == 0:
            window = window[draw(st.integers(0, 2)) :]
    return run(messages, *made)


@given(trace=chains())
def test_chains_that_no_policy_made_have_findings_and_no_errors(trace: Trace) -> None:
    """Also windows that lose messages without a word, edits without effect and statuses that contradict them."""
    _checked(trace)
