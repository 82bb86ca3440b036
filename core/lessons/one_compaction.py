"""Lesson 2: one compaction, phase by phase, and the half of a tool pair that it leaves behind."""

from collections.abc import Mapping
from math import inf
from typing import Any

from core.analyse.findings import findings_at
from core.lessons.lesson import Ask, Attempt, Choice, Condition, Facts, Lesson, Look, Origin, Step, Task, Verdict
from core.lessons.run import NONE, Run, Scene
from core.lessons.the_bill import sent_bars
from core.lessons.words import several
from core.measure.calls import calls_of
from core.measure.orphans import orphaned_pairs
from core.model.tool_pairs import tool_pairs
from core.policies import policy
from core.policy.vocabulary import Phase
from core.trace.compaction import Compaction
from core.trace.denied import denying_prompts

SCENE = Scene(
    source="sample:inspect/cold-room.json",
    policy="agentkit.memory",
    settings={"budget": 400, "keep_recent": 3},
    meter="o200k_base",
)
YOURS = Scene(
    source="sample:openai-chat/coding-session.json",
    policy="agentkit.memory",
    settings={"budget": 16_000, "keep_recent": 8},
    meter="o200k_base",
)
KEPT = (1, 8)
"""The least and the most that the task's slider goes to."""

_UNSORTED = (
    "tile-2",
    "plan",
    "tiles",
    "card",
    "summary",
    "tabs",
    "findings",
    "legend",
    "gauge",
    "regions",
    "timeline-after",
)
"""What is covered while nothing may tell which messages stay, nor what comes of the others."""

_UNWRITTEN = ("tile-3", "plan", "tiles", "card", "summary", "tabs", "findings", "timeline-after")
_UNPLACED = ("tile-4", "plan", "card", "tabs", "findings", "timeline-after")
_UNJUDGED = ("findings", "tabs")

_WHEN: Mapping[str, Phase] = {"A": "after_tools", "B": "before_call", "C": "turn_end"}


def _first(run: Run) -> tuple[int, Compaction]:
    """The step and the record of the first compaction."""
    return run.trace.compaction_step(0), run.trace.compactions[0]


def _facts(run: Run) -> Facts:
    """The figures of the first compaction."""
    step, found = _first(run)
    regions = run.trace.region_list(step - 1)
    return {
        "before": run.tokens(found.window_before),
        "after": run.tokens(found.window_after),
        "budget": run.scene.settings.get("budget", 0),
        "over": found.window_before - (found.limit or 0),
        "keep_recent": run.scene.settings.get("keep_recent", 0),
        "pinned_are": _are(regions.count("system")),
        "folded": len(found.removed),
        "recent": regions.count("recent"),
        "removed": run.tokens(found.removed_tokens),
        "summary": run.tokens(found.summary_tokens),
        "role": found.summary.role if found.summary else "",
        "freed": found.window_before - found.window_after,
        "saved": _share(found.window_before, found.window_after),
    }


def _share(before: int, after: int) -> str:
    """How much smaller a window is, in per cent: "24 % less"; "3 % more" where it grew."""
    change = round(100 * (after - before) / max(1, before))
    return f"{abs(change)} % {'more' if change > 0 else 'less'}"


def _trigger(run: Run) -> Look:
    step, _ = _first(run)
    phase = run.trace.policy.trigger.phase if run.trace.policy else None
    answer = next((key for key, moment in _WHEN.items() if moment == phase), None)
    return Look(_facts(run), step - 1, 1, answer, figures=_requests(run))


def _requests(run: Run) -> dict[str, Any]:
    """The requests up to the first compaction, and the next one as it would be without, with the budget."""
    step, found = _first(run)
    bars = sent_bars(run.by(NONE), False)
    made = [call for call in bars["calls"] if call["step"] < step]
    coming = [call | {"step": step + 1} for call in bars["calls"][len(made) : len(made) + 1]]
    return {**bars, "calls": [*made, *coming], "limit": found.limit}


def _partition(run: Run) -> Look:
    step, found = _first(run)
    stays = _stays(run)
    return Look(_facts(run), step - 1, 2, stays if stays < len(found.before) else None)


def _stays(run: Run) -> int:
    """The place of the first message that stays behind what the first compaction folds; that of its end if none does."""
    step, found = _first(run)
    regions = run.trace.region_list(step - 1)
    return regions.index("recent") if "recent" in regions else len(found.before)


def _write(run: Run) -> Look:
    """The answer is the choice that holds the summary's size: A is the number of messages, C what they took."""
    step, _ = _first(run)
    return Look({**_facts(run), **_longest(run)}, step - 1, 3, "B")


def _longest(run: Run) -> Facts:
    """The tokens of the longest message before the first compaction, and the least number of the newest that keeps it."""
    step, _ = _first(run)
    window = run.trace.window_of(step - 1)
    sizes = [window.pool.tokens((place, place + 1)) for a, b in window.ranges for place in range(a, b)]
    return {"longest": run.tokens(max(sizes)), "keeps_longest": len(sizes) - sizes.index(max(sizes))}


def _splice(run: Run) -> Look:
    """The slots lie before everything, behind what is folded, and behind everything."""
    step, found = _first(run)
    end = _stays(run)
    lands = next(place for place, message in enumerate(found.after) if message.injected == "summary")
    there = {"A": 0, "B": end - len(found.removed), "C": len(found.after) - 1}
    answer = next((key for key, place in there.items() if place == lands), None)
    return Look(_facts(run), step - 1, 4, answer, (0, end, None))


def _trouble(run: Run) -> Look:
    step, _ = _first(run)
    orphan = next((found for found in findings_at(run.trace, 0) if found.kind == "orphaned_tool_result"), None)
    if orphan is None:
        return Look({**_facts(run), "orphan": 0, "caller": 0}, step)
    place = run.trace.measured.places[orphan.messages[0]]
    pairs = tool_pairs(enumerate(run.trace.messages))
    caller = next(pair.call_at for pair in pairs if pair.result_at == place) + 1
    return Look({**_facts(run), "orphan": place + 1, "caller": caller}, step, answer=place)


def _are(number: int) -> str:
    """ "1 message is", "2 messages are"."""
    return f"{several(number, 'message')} {'is' if number == 1 else 'are'}"


def _task(run: Run) -> Look:
    return Look({**_facts(run), **_longest(run)}, _first(run)[0])


def _check(attempt: Attempt) -> Verdict:
    """A compaction happens, leaves no half of a tool pair, and ends within the budget."""
    facts, conditions = _judged(attempt.run)
    passed = all(condition.passed for condition in conditions)
    return Verdict(conditions, facts, _strip(attempt.run) if passed else None)


def _judged(run: Run) -> tuple[dict[str, Any], tuple[Condition, ...]]:
    trace = run.trace
    broken, pairs = orphaned_pairs(trace), sum(pair.first for pair in tool_pairs(enumerate(trace.messages)))
    after = max((found.window_after for found in trace.compactions), default=_largest_sent(run))
    budget, count = run.scene.settings["budget"], len(trace.compactions)
    facts = {
        "keep_recent": run.scene.settings["keep_recent"],
        "compactions": count,
        "broken": broken,
        "pairs": pairs,
        "after": run.tokens(after),
        "budget": budget,
    }
    return facts, (
        Condition("a compaction happens", "{compactions}", count > 0, "No compaction happens."),
        Condition(
            "no tool pair is parted",
            "{broken} of {pairs}",
            broken == 0,
            "Pairs with one half gone: {broken} of {pairs}.",
        ),
        Condition(
            "the window ends within the budget",
            "{after} of {budget}",
            count > 0 and after <= budget,
            "The window ends with {after} tokens; the budget is {budget}.",
        ),
    )


def _largest_sent(run: Run) -> int:
    """The largest window that a request would send if nothing were compacted."""
    measured = run.trace.measured
    return max((measured.running[call.at] for call in calls_of(measured)), default=measured.running[-1])


def _strip(run: Run) -> dict[str, Any]:
    """Every value of the slider, with what its own run comes to."""
    rows = [_bar(run.under(keep_recent=kept)) for kept in range(KEPT[0], KEPT[1] + 1)]
    return {"kind": "strip", "name": "keep_recent", "limit": run.scene.settings["budget"], "rows": rows}


def _bar(run: Run) -> dict[str, Any]:
    """The largest window that a compaction of a run leaves: its tokens, those of its summary, and whether that passes.

    Of a run without a compaction it is the largest window that is sent.
    """
    facts, conditions = _judged(run)
    happens, whole, within = (condition.passed for condition in conditions)
    state = "none" if not happens else "cuts" if not whole else "passes" if within else "over"
    largest = max(run.trace.compactions, key=lambda found: found.window_after, default=None)
    summary = largest.summary_tokens if largest else 0
    return {"value": facts["keep_recent"], "tokens": facts["after"], "summary": summary, "state": state}


def _yours(run: Run) -> Look:
    if not run.trace.compactions:
        peak = run.trace.measured.running[-1]
        messages = several(len(run.trace.messages), "message")
        return Look({"tokens": run.tokens(peak), "messages": messages}, empty=_NEVER)
    step, _ = _first(run)
    sizes = _sizes(run)
    mark = "" if sizes else run.mark
    facts = {**_facts(run), **sizes, "compactions": len(run.trace.compactions)}
    return Look({**facts, "point": _point(run, facts["before"] - facts["after"], mark)}, step, 1)


def _point(run: Run, freed: int, mark: str) -> str:
    """How much shorter the first compaction makes each request until the next one that follows a request, and all together."""
    first, *later = [found.at for found in run.trace.compactions]
    calls = [call.at for call in calls_of(run.trace.measured) if call.at >= first]
    if freed <= 0 or not calls:
        return "No later request becomes shorter."
    end = next((at for at in later if at > calls[0]), inf)
    count = sum(at < end for at in calls)
    until = " before the next compaction" if end < inf else " after it"
    each = f"Each of the {several(count, 'request')}{until}" if count > 1 else f"The only request{until}"
    return f"{each} sends {mark}{freed:,} tokens less" + (f": {mark}{count * freed:,} in all." if count > 1 else ".")


def _sizes(run: Run) -> Facts:
    """The window around the first compaction, in the numbers that its card leads with: those on record where both are."""
    _, found = _first(run)
    before, after = found.size_before, found.size_after
    if not found.recorded or before is None or after is None or denying_prompts(run.trace, 0):
        return {}
    return {"before": before, "after": after, "saved": _share(before, after)}


_NEVER = (
    "This session never fills its window: {messages}, {tokens} tokens. Choose a longer file, or a smaller budget"
    " in Debug."
)

LESSON = Lesson(
    number=2,
    key="one-compaction",
    title="One compaction",
    about="In slow motion: why it starts, what goes, what is written, where that lands.",
    does="Stop a compaction at each of its moments and guess what comes next. Then find a setting that breaks nothing.",
    minutes=5,
    scene=SCENE,
    saw=(
        "A compaction begins only when something is about to be sent, and the window is over its budget.",
        "The policy sorts the messages. What is pinned and the newest stay; the others become one summary. Here it"
        " takes their place; in another agent it may come last.",
        "Where it counts messages and does not look at pairs, a result may lose its call.",
        "A compaction shortens every request until the next one. Short messages leave little to save; long tool results leave"
        " much.",
    ),
    steps=(
        Step(
            title="Guess when it starts",
            caption="The window holds {before} tokens. The budget of this agent is {budget}.",
            look=_trigger,
            veil=("when", *_UNSORTED),
            still=_UNSORTED,
            words=("budget", "policy"),
            spot="timeline",
            ask=Ask(
                kind="choice",
                question="When does the policy step in?",
                choices=(
                    Choice(
                        "A",
                        "At once, when the result arrives",
                        "Nothing is sent then, so nothing has to be shorter yet.",
                    ),
                    Choice("B", "Before the next model call"),
                    Choice("C", "After the final answer", "By then the long request would have been sent."),
                ),
                because="The policy looks only when a request is about to be sent. Until then, being over budget costs"
                " nothing.",
            ),
        ),
        Step(
            title="Find what stays",
            caption="The policy first sorts the window: what is pinned, what may go, and the newest {keep_recent}, which stay.",
            look=_partition,
            veil=_UNSORTED,
            still=_UNWRITTEN,
            words=("partition", "pinned"),
            ask=Ask(
                kind="message",
                question="The newest {keep_recent} messages stay. Click the oldest of them.",
                because="{pinned_are} pinned, {folded} may go, and {recent} stay. What the user asked for is among those that"
                " may go.",
            ),
        ),
        Step(
            title="Guess the summary's size",
            caption="The {folded} messages that may go hold {removed} tokens. A summarizer, mostly a model, writes one message"
            " instead. Here a stand-in does: it only quotes.",
            look=_write,
            veil=_UNWRITTEN,
            still=_UNPLACED,
            spot="card",
            ask=Ask(
                kind="choice",
                question="How large is that one message?",
                unit="tokens",
                choices=(
                    Choice("A", "{folded}", "That is the number of messages, not of tokens."),
                    Choice("B", "{summary}"),
                    Choice("C", "{removed}", "That is what goes: a summary as long would save nothing."),
                ),
                because="{removed} tokens became {summary}. One long result held {longest} of them: short messages leave little"
                " to save, long results leave much.",
            ),
        ),
        Step(
            title="Place the summary",
            caption="The summary is written: {summary} tokens for {removed}. Now it has to go into the window.",
            look=_splice,
            veil=_UNPLACED,
            still=_UNJUDGED,
            words=("splice", "role"),
            ask=Ask(
                kind="place",
                question="Where does the summary land in this agent?",
                choices=(
                    Choice(
                        "A",
                        "In front of everything, before the instructions",
                        "The instructions are pinned: they stay in front.",
                    ),
                    Choice("B", "Where the old messages stood"),
                    Choice(
                        "C",
                        "At the end, as the newest message",
                        "Codex puts it there, below the messages that it keeps. This agent does not.",
                    ),
                ),
                because="It takes the place of what it stands for, with the role {role}: background, nothing to reply to."
                " {before} tokens become {after}, {saved}. Another agent may place it elsewhere: in Codex it comes last.",
                source=Origin("compact.rs in openai/codex", policy("codex.local").source.url),
            ),
        ),
        Step(
            title="Find what an API refuses",
            caption="The window is smaller now. One message in it would still make a real API refuse the request.",
            look=_trouble,
            veil=_UNJUDGED,
            words=("tool call", "API"),
            ask=Ask(
                kind="message",
                question="Click the message an API would refuse.",
                because="Message {orphan} answers a call that stood in message {caller}. That call went into the summary:"
                " the window has a result without its call.",
            ),
        ),
        Step(
            title="Keep the pairs whole",
            caption="Keeping {keep_recent} messages left a result without its call. Try other numbers.",
            look=_task,
            task=Task(
                text="Find a keep_recent that parts no tool pair and ends within the budget.",
                controls=("keep_recent",),
                ranges={"keep_recent": (*KEPT, 1)},
                check=_check,
                passed="With {keep_recent}, a result stood alone: this policy counts messages, not pairs. From {keeps_longest}"
                " on it keeps the long result, and saves little or nothing.",
            ),
        ),
        Step(
            title="Try your own session",
            caption="{Whose}, first {simulated}compaction of {compactions}: {before} tokens become {after}, {saved}."
            " Its tiles show how. {point}",
            look=_yours,
            spot="card",
            scene=YOURS,
            yours=True,
            recorded=True,
        ),
    ),
)
