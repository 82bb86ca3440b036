"""Lesson 1: every model call sends the whole window again, so the tokens sent grow with the square of the run."""

from typing import Any

from core.engine.default_meter import CALIBRATED
from core.engine.meter_text import error_text
from core.lessons.lesson import Ask, Attempt, Choice, Condition, Facts, Lesson, Look, Step, Task, Verdict
from core.lessons.over_budget import over_budget
from core.lessons.run import NONE, Run, Scene, run_of
from core.lessons.words import several
from core.measure.cache import common_tokens
from core.measure.prompts import Prompts, prompts_of

SCENE = Scene(
    source="sample:foldline/lesson-3-calculator.json",
    policy=NONE,
    settings={"budget": 100, "keep_recent": 3},  # where the sliders of the task begin
    meter="agentkit",
    summaries="recorded",
)
CHECKED = Scene(source="sample:foldline/calculator-checked.json", policy=NONE, meter="agentkit")
"""The same run, which goes on: each sum is worked out a second time."""

POLICY = Scene(
    source=SCENE.source,
    policy="agentkit.memory",
    settings={"budget": 100, "keep_recent": 3},
    meter="agentkit",
    summaries="recorded",
)
YOURS = Scene(
    source="sample:openai-chat/coding-session.json",
    policy="agentkit.memory",
    settings={"budget": 16_000, "keep_recent": 8},
    meter="o200k_base",
)


def _prompts(run: Run) -> Prompts:
    return prompts_of(run.trace)


def sent(run: Run) -> int:
    """Tokens of all prompts together."""
    return int(_prompts(run).tokens.sum())


def _facts(run: Run) -> Facts:
    """The bill of the run without a policy."""
    never = run.by(NONE)
    each = [f"{tokens:,}" for tokens in _prompts(never).tokens.tolist()]
    total = sent(never)
    return {
        "tokens": never.trace.measured.running[-1],
        "calls": len(each),
        "sent": total,
        "sum": f"{' + '.join(each)} = {total:,}",
        "target": total * 9 // 10 // 10 * 10,
    }


def sent_bars(run: Run, total: bool) -> dict[str, Any]:
    """What each call is sent: what the call before was sent as well, and what is new. `total` only where it is known."""
    prompts, trace = _prompts(run), run.trace
    parts = zip(prompts.calls, prompts.tokens.tolist(), common_tokens(prompts).tolist(), strict=True)
    calls = [{"step": trace.message_step(call.at), "old": old, "new": size - old} for call, size, old in parts]
    return {"kind": "sent", "calls": calls, "total": sent(run) if total else None}


def _again(run: Run) -> Look:
    return Look(_facts(run), 0, figures=sent_bars(run, False))


def _total(run: Run) -> Look:
    facts = _facts(run)
    return Look(facts, _end(run), answer=facts["sent"], figures=sent_bars(run, True))


def _end(run: Run) -> int:
    return len(run.trace) - 1


def _twice(run: Run) -> Look:
    """As far as the shorter run; with the answer to the end."""
    facts, figures = _facts(run_of(SCENE)), sent_bars(run, True)
    calls, doubled = figures["calls"], figures["total"]
    more = {"doubled": doubled, "longer": len(calls), "ratio": doubled / facts["sent"]}
    return Look({**facts, **more}, calls[facts["calls"] - 1]["step"], answer="B", figures=figures, then=_end(run))


def _task(run: Run) -> Look:
    return Look(_facts(run), _end(run), figures=sent_bars(run, True))


def _check(attempt: Attempt) -> Verdict:
    """A compaction happens, and all calls together are sent less than the target."""
    run, count = attempt.run, len(attempt.run.trace.compactions)
    facts = {**_facts(run), "now": sent(run), "compactions": count}
    return Verdict(
        (
            Condition("a compaction happens", "{compactions}", count > 0, "No compaction yet."),
            Condition(
                "fewer tokens are sent than {target}",
                "{now} of {target}",
                facts["now"] < facts["target"],
                "{now} tokens are sent; fewer than {target} are asked for.",
            ),
        ),
        facts,
        sent_bars(run, True),
        over_budget(run),
    )


def _summarizer(run: Run) -> Look:
    """Whether the run still saves once the tokens that the summarizer reads are paid, too."""
    facts, now = _facts(run), sent(run)
    read = sum(found.removed_tokens for found in run.trace.compactions)
    paid = now + read
    answer = "A" if paid < facts["sent"] else "B"
    more = {**run.scene.settings, "now": now, "read": read, "paid": paid}
    return Look({**facts, **more}, _end(run), answer=answer, figures=sent_bars(run, True))


def _yours(run: Run) -> Look:
    facts, trace = _facts(run), run.trace
    if not facts["calls"]:
        return Look({"messages": several(len(trace.messages), "message")}, empty=_SILENT)
    if not trace.compactions:
        policy = f"{run.scene.policy} would never act here: the window stays within its budget."
    else:
        limit = f"{trace.policy.limit:,}" if trace.policy and trace.policy.limit else "its default"
        policy = f"{run.scene.policy} with a budget of {limit} would send {run.mark}{sent(run):,}."
    never = run.by(NONE)
    mark = never.mark
    figures = {**sent_bars(never, True), "mark": mark}
    more = {**facts, **_counted(never), "policy": policy}
    return Look(more, _end(never), answer=facts["sent"], mark=mark, figures=figures, run=never)


def _counted(run: Run) -> Facts:
    """What is counted, and by which meter: summaries of the transcript are left out: no policy, none of them."""
    messages = run.session.messages
    summaries = len(messages) - len(run.trace.messages)
    tokens = f"{run.mark}{run.trace.measured.running[-1]:,} tokens"
    error = error_text(CALIBRATED, run.session) if run.trace.meter == CALIBRATED else ""
    return {
        "messages": several(len(run.trace.messages), "message"),
        "tokens": tokens + (f", without its {several(summaries, 'summary', 'summaries')}" if summaries else ""),
        "meter": f"{run.trace.meter} ({error} of the prompt)" if error else run.trace.meter,
    }


_SILENT = "This session has {messages} and no reply of a model, so nothing was sent. Choose another file."

LESSON = Lesson(
    number=1,
    key="the-bill",
    title="The bill",
    about="A model keeps nothing between calls. What that costs over a whole run.",
    does="Watch the requests of a run grow, guess what they add up to, then let a compaction make the run cheaper.",
    minutes=4,
    scene=SCENE,
    saw=(
        "A model keeps nothing between calls, so each request sends the whole window again.",
        "Early messages are paid for in every later request: the bill grows faster than the work.",
        "A compaction shortens what is sent. Its summary takes a model call of its own, which has to earn its price first.",
    ),
    steps=(
        Step(
            title="Watch requests grow",
            caption="A model remembers nothing between calls. So each request carries the whole conversation again, and the"
            " next one is longer. Watch {calls} of them grow. Press ▶.",
            look=_again,
            spot="figures",
            words=("token", "window"),
        ),
        Step(
            title="Guess the total",
            caption="Each bar is one request. The pale part was in the request before; the solid part is new.",
            look=_total,
            veil=("figures",),
            spot="figures",
            ask=Ask(
                kind="number",
                question="All messages together are {tokens} tokens. How many tokens do the {calls} requests send?",
                unit="tokens",
                because="{sum}. Early messages are paid for in every later request.",
            ),
        ),
        Step(
            title="Double the work",
            caption="This agent adds numbers: {calls} requests sent {sent} tokens. Now it works out each sum a second time, to"
            " be sure: twice the work.",
            look=_twice,
            veil=("timeline-after",),
            spot="figures",
            scene=CHECKED,
            ask=Ask(
                kind="choice",
                question="What happens to the tokens sent?",
                choices=(
                    Choice("A", "They double", "Later requests are longer: each carries all that came before."),
                    Choice("B", "They grow {ratio} times"),
                    Choice("C", "They grow four times", "That is where a long run leads; this one is short."),
                ),
                because="{longer} requests send {doubled} tokens instead of {sent}. The longer a run, the closer twice the work"
                " comes to four times the bill.",
            ),
        ),
        Step(
            title="Send fewer tokens",
            caption="When the window passes its budget, a policy puts a summary in the place of old messages. That is a"
            " compaction. Switch a policy on.",
            look=_task,
            spot="figures",
            words=("budget",),
            task=Task(
                text="Send fewer than {target} tokens in all.",
                controls=("policy", "budget", "keep_recent"),
                ranges={
                    "policy": (NONE, "agentkit.memory"),
                    "budget": (70, 200, 10),
                    "keep_recent": (1, 8, 1),
                },
                check=_check,
                passed="Without a policy it was {sent}. The smallest budget need not send the least: a summary takes room,"
                " too.",
            ),
        ),
        Step(
            title="Pay for the summary",
            caption="Somebody has to write the summary. That takes a model call of its own, which reads what goes. This step"
            " has its own setting: budget {budget}, the newest {keep_recent} kept.",
            look=_summarizer,
            spot="figures",
            scene=POLICY,
            ask=Ask(
                kind="choice",
                question="So the requests send {now} instead of {sent} tokens. Is that still less with the summarizer's call?",
                choices=(
                    Choice(
                        "A", "Yes", "The requests are shorter by less than the {read} tokens that the summarizer reads."
                    ),
                    Choice("B", "No"),
                ),
                because="{now} and the {read} it reads make {paid}, against {sent} without a policy; its prompt and reply"
                " come on top. A compaction must earn its price first.",
            ),
        ),
        Step(
            title="Try your own session",
            caption="{Whose}: {calls} requests; {messages} of {tokens}. Guess before you look.",
            look=_yours,
            veil=("figures",),
            spot="figures",
            scene=YOURS,
            yours=True,
            ask=Ask(
                kind="number",
                question="Without any policy, how many tokens would all requests send?",
                unit="tokens",
                because="{policy} Counted by {meter}.",
            ),
        ),
    ),
)
