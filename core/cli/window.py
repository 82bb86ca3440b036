"""`foldline window FILE --message M`, or `--step I`: the window there, and what a compaction would do there."""

import argparse
import re
from collections import Counter
from typing import Any

from core.cli.loading import message_preview, one_session, tilde
from core.cli.messages import tokens_text
from core.cli.terminal import print_error, print_facts, print_json, print_table
from core.engine.default_meter import session_meter
from core.engine.due import trigger_text
from core.engine.meter_text import meter_text
from core.engine.pins import pins
from core.engine.plan import planned
from core.engine.replay import replay
from core.engine.simulate import simulate
from core.meters import Meter
from core.model.errors import FoldlineError
from core.policies import policy
from core.summaries.summarizers import Summarizer, summarizer
from core.trace.next_prompt import next_prompt
from core.trace.places import step_name
from core.trace.prompt_falls import prompt_falls
from core.trace.trace import Trace
from core.window.heads import leading_systems


def run(options: argparse.Namespace) -> int:
    """Print the window at a step and the plan; returns 0, or 2 for --set or --pin without --policy."""
    if needs_policy(options):
        return 2
    session = one_session(options)
    rule = policy(options.policy, **dict(options.set)) if options.policy else None
    counter = session_meter(options.meter, session, rule)
    write = summarizer(options.summaries, tokens=options.summary_tokens, session=session)
    pinned = pins(session, options.pin)
    trace = simulate(session, rule, counter, write, pinned) if rule else replay(session, meter=counter)
    step = options.step if options.message is None else _step_of(trace, options.message)
    found = at_step(trace, step, counter, write)
    if options.json:
        print_json(found)
    else:
        _print(found, trace, tilde(counter, session), meter_text(trace.meter, session))
    return 0


def _step_of(trace: Trace, number: int) -> int:
    """The step at which the message with this number, from 1, arrived. Raises FoldlineError where there is none."""
    count = len(trace.messages)
    if 1 <= number <= count:
        return trace.message_step(number - 1)
    raise FoldlineError(
        f"there is no message {number}", f"there are {count:,}, counted from 1" if count else "there are none"
    )


def needs_policy(options: argparse.Namespace) -> bool:
    """Whether an option is given that takes a policy and none is, which is printed as an error."""
    if options.policy or not (options.set or options.pin):
        return False
    if options.set:
        print_error("--set needs --policy", "a recorded run has no parameters")
    else:
        print_error("--pin needs --policy", "what a recorded run kept cannot be changed")
    return True


def at_step(trace: Trace, i: int, counter: Meter, write: Summarizer) -> dict[str, Any]:
    """The window at step i: every message with region and tokens, the sums by region, and the plan."""
    step, rule, rows = trace.step(i), trace.policy_at(i), _rows(trace, i)
    sums = Counter[str]()
    for row in rows:
        sums[row["region"]] += row["tokens"] or 0
    return {
        "step": i,
        "steps": len(trace),
        "kind": step.kind,
        "recorded": trace.kind == "replay",
        "policy": rule.name if rule else None,
        "settings": rule.settings if rule else {},
        "meter": trace.meter,
        "tokens": step.tokens,
        "next_prompt": next_prompt(trace, i),
        "uncertain_from": prompt_falls(trace).uncertain_from(i),
        "regions": sums,
        "hindsight": hindsight(trace, i),
        "messages": rows,
        "plan": plan(trace, i, counter, write),
    }


def _rows(trace: Trace, i: int) -> list[dict[str, Any]]:
    """Every message of the window at step i with its region and tokens: None of a summary that nobody can read."""
    window, rule = trace.window_of(i), trace.policy_at(i)
    tokens = [t for part in window.ranges for t in map(window.pool.tokens, ((k, k + 1) for k in range(*part)))]
    unknown = trace.session.unreadable_summaries if trace.kind == "replay" else ()
    sure = leading_systems(window) if rule and rule.may_take_more else len(window)
    return [
        {
            "id": m.id,
            "role": m.role,
            "region": region,
            "may_stay": k >= sure and region in ("system", "recent"),
            "tokens": None if m.id in unknown else t,
            "line": m.line,
            "preview": message_preview(m),
        }
        for k, (m, region, t) in enumerate(zip(window.messages, trace.region_list(i), tokens, strict=True))
    ]


def hindsight(trace: Trace, i: int) -> dict[str, Any] | None:
    """The recorded compaction that took what is compactable at step i: its step and how far its record can be trusted.

    None under a policy, where no later one follows, or where the transcript does not say what it took.
    """
    if trace.hindsight(i) is None:
        return None
    k = next(k for k in range(len(trace.compactions)) if trace.compaction_step(k) > i)
    return {"compaction": k, "step": trace.compaction_step(k), "fidelity": trace.compactions[k].fidelity}


def plan(trace: Trace, i: int, counter: Meter, write: Summarizer) -> dict[str, Any] | None:
    """What a compaction at step i would do, and whether it is due; None for a replay, which has no policy."""
    found, rule = planned(trace, i, counter, write), trace.policy_at(i)
    if found is None or rule is None:
        return None
    counted, limit = trace.counted(i), rule.limit
    return {
        "over_budget": limit is not None and counted > limit,
        "counted": counted,
        "limit": rule.ceiling,
        "when": trigger_text(rule.clauses),
        "phase": rule.trigger.phase,
        "status": found.status,
        "tokens_before": found.tokens_before,
        "tokens_after": found.tokens_after,
        "removed": list(found.removed),
        "kept": list(found.kept),
        "summary": found.summary.content if found.summary else None,
    }


def _print(found: dict[str, Any], trace: Trace, mark: str, counted: str) -> None:
    under = f"{found['policy']} {settings_text(found['settings'])}".strip() if found["policy"] else ""
    name = ", under ".join(filter(None, ("as recorded" if found["recorded"] else "", under)))
    sums = ", ".join(f"{region} {mark}{tokens:,}" for region, tokens in found["regions"].items() if tokens)
    print_facts(
        [
            (
                "window at",
                f"{step_name(trace, found['step'])} (step {found['step']} of 0 to {found['steps'] - 1}), {name}",
            ),
            ("tokens", f"{mark}{found['tokens']:,} by {counted}: {sums}"),
            *_unknown_size(found["messages"]),
            *_next_prompt(found["next_prompt"]),
            *_hindsight(found, trace),
            *_doubt(found["uncertain_from"], trace),
            ("plan", _plan_text(found["plan"], mark)),
        ]
    )
    print()
    cells = [
        [_region_text(r), r["role"], tokens_text(r["tokens"], mark), r["id"], r["line"], r["preview"]]
        for r in found["messages"]
    ]
    print_table(("region", "role", "tokens", "id", "line", "preview"), cells, cut=True)


def _unknown_size(rows: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """That a summary is in no sum, as a fact; none where every size is known."""
    unknown = any(row["tokens"] is None for row in rows)
    return [("summary", "nobody can read it: its size is unknown, and in no sum")] if unknown else []


def _region_text(row: dict[str, Any]) -> str:
    return f"{row['region']}, may stay" if row["may_stay"] else str(row["region"])


def _next_prompt(tokens: int | None) -> list[tuple[str, str]]:
    """What a prompt sent now would hold, as a fact; none where no recorded prompt tells."""
    return (
        []
        if tokens is None
        else [("next prompt", f"~{tokens:,} tokens: the last recorded prompt, and what arrived since")]
    )


def _hindsight(found: dict[str, Any], trace: Trace) -> list[tuple[str, str]]:
    """How the regions of a recorded run are told, as a fact; none under a policy."""
    if found["policy"]:
        return []
    seen = found["hindsight"]
    if seen is None:
        return (
            [("regions", "no later compaction is recorded, or the record does not say what it removed")]
            if found["messages"]
            else []
        )
    record = "" if seen["fidelity"] == "exact" else f" ({seen['fidelity']} record)"
    took = f"compactable is what {step_name(trace, seen['step'])}, the next, removed or cleared{record}"
    return [("regions", f"with hindsight: {took}, recent what it kept")]


def _doubt(since: int | None, trace: Trace) -> list[tuple[str, str]]:
    """That the window may not be what was sent, as a fact; none where it is not in doubt."""
    return (
        [] if since is None else [("note", f"uncertain from {step_name(trace, since)} on: the recorded prompt shrank")]
    )


def settings_text(settings: dict[str, Any]) -> str:
    """The settings as `name=value`, without those that are unset."""
    return " ".join(f"{name}={value}" for name, value in settings.items() if value is not None)


def _plan_text(plan: dict[str, Any] | None, mark: str) -> str:
    if plan is None:
        return "none without --policy"
    before, after, due = plan["tokens_before"], plan["tokens_after"], _due_text(plan, mark)
    if before == after and not plan["removed"]:
        return f"{due}; everything is pinned, so a compaction changes nothing"
    gone = len(plan["removed"])
    done = f"removes {gone} message{'s' * (gone != 1)} and keeps {len(plan['kept'])}"
    return f"{due}; a compaction now {done}, {mark}{before:,} -> {mark}{after:,} tokens"


def _due_text(plan: dict[str, Any], mark: str) -> str:
    """How far the window is from the policy's token limit; if tokens alone do not decide, when the policy acts."""
    limit, when = plan["limit"], plan["when"]
    if not when:
        return "manual trigger only"
    if limit is None or not re.fullmatch(r"tokens [>≥] [\d,]+", when):
        return f"acts when {when}"
    return f"{mark}{abs(plan['counted'] - limit):,} tokens {'over' if plan['over_budget'] else 'below'} budget"
