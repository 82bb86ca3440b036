"""Lesson 3: a cut may part a tool call from its result; turn boundaries never do; the rolling summary keeps to them."""

from typing import Any

from core.engine.compaction import compact
from core.engine.plan import planned
from core.lessons.cuts import Cuts
from core.lessons.lesson import Ask, Attempt, Condition, Facts, Lesson, Look, Step, Task, Verdict
from core.lessons.run import NONE, Run, Scene
from core.lessons.words import in_words, several
from core.policies import policy
from core.trace.compaction import Compaction

SOURCE = "sample:anthropic-messages/parallel-tools.json"
SCENE = Scene(source=SOURCE, policy=NONE, meter="o200k_base")
ROLLING = Scene(source=SOURCE, policy="minimal_agent.rolling", meter="o200k_base", settings={"keep_recent_turns": 3})
YOURS = Scene(
    source="sample:openai-chat/coding-session.json",
    policy="agentkit.memory",
    settings={"budget": 16_000, "keep_recent": 8},
    meter="o200k_base",
)
BY_HAND = "minimal_agent.compact"
TURNS = (0, 3)
"""The fewest and the most turns that the task's slider keeps."""

WIDEST = 400
"""Of a wider window the newest messages are cut: more cannot be drawn."""


def _end(run: Run) -> int:
    return len(run.trace) - 1


def cuts_of(run: Run) -> Cuts:
    """The places to cut the last window of a run."""
    window = run.trace.window_of(_end(run))
    tokens = [window.pool.tokens((place, place + 1)) for a, b in window.ranges for place in range(a, b)]
    return Cuts(window.messages[-WIDEST:], tokens[-WIDEST:])


def _facts(cuts: Cuts) -> Facts:
    return {
        "messages": len(cuts.base.messages),
        "pairs": len(cuts.pairs),
        "of_pairs": several(len(cuts.pairs), "tool pair"),
        "calls": len({pair.call for pair in cuts.pairs}),
        "pinned": _pinned(cuts.base.leading_systems),
        "behind": len(cuts.places) + 1,
        "places": len(cuts.places),
        "safe": len(cuts.safe),
        "turns": len(cuts.boundaries),
        "others": len(cuts.safe) - len(cuts.boundaries),
        "which": f"message{'s' * (len(cuts.safe) > 1)} {in_words([f'{place + 1:,}' for place in cuts.safe])}",
    }


def _pinned(front: int) -> str:
    """How many messages in front no cut takes, as a part of a sentence."""
    return f", the first {front if front > 1 else 'one'} pinned" if front else ""


def _pairs(run: Run) -> Look:
    cuts = cuts_of(run)
    return Look(_facts(cuts), _end(run), figures=cuts.drawn())


def _count(run: Run) -> Look:
    cuts = cuts_of(run)
    return Look(_facts(cuts), _end(run), answer=len(cuts.safe), figures=cuts.drawn(safe=True))


def _drag(run: Run) -> Look:
    """Begins at the first place that parts a pair."""
    cuts = cuts_of(run)
    ranges = {"cut": (cuts.first, cuts.last, 1)}
    return Look(_facts(cuts), _end(run), figures=cuts.drawn(_start(cuts)), ranges=ranges)


def _start(cuts: Cuts) -> int:
    return next((place for place in cuts.places if cuts.parted(place)), cuts.first)


def _check_cut(attempt: Attempt) -> Verdict:
    """The cut, which begins at a place that parts a pair, parts none."""
    cuts = cuts_of(attempt.run)
    cut = _start(cuts) if attempt.cut is None else min(max(attempt.cut, cuts.first), cuts.last)
    parted = len(cuts.parted(cut))
    whole = Condition("no tool pair is parted", "{parted} parted", parted == 0, "This cut parts pairs: {parted}.")
    return Verdict((whole,), {**_facts(cuts), "parted": parted}, cuts.drawn(cut, safe=whole.passed))


def _turns(run: Run) -> Look:
    cuts = cuts_of(run)
    return Look(
        _facts(cuts), _end(run), answer=next(iter(cuts.boundaries), None), figures=cuts.drawn(safe=True, turns=True)
    )


def _plan(run: Run) -> Compaction:
    """What the policy would do to the last window."""
    found = planned(run.trace, _end(run), run.meter)
    assert found is not None
    return found


def _by_hand(run: Run) -> Compaction:
    """What /compact does to the last window."""
    return compact(run.trace.window(_end(run)), policy(BY_HAND), run.meter, force=True)


def _rolling_facts(run: Run) -> dict[str, Any]:
    asked = _by_hand(run)
    return {
        "all": len(asked.removed),
        "before": run.tokens(asked.window_before),
        "least": run.tokens(asked.window_after),
    }


def _rolling(run: Run) -> Look:
    return Look(_rolling_facts(run), _end(run))


def _check_rolling(attempt: Attempt) -> Verdict:
    """Something is summarized, from one turn boundary on everything stays, and no pair is parted."""
    run, found = attempt.run, _plan(attempt.run)
    cuts, cut = cuts_of(run), _cut(run, found)
    facts = {
        "folded": len(found.removed),
        "kept": several(min(run.scene.settings["keep_recent_turns"], len(cuts.base.turn_starts)), "turn"),
        "parted": len(cuts.parted(cut)),
    }
    turn = not found.acted or cut in cuts.boundaries
    conditions = (
        Condition(
            "something is summarized", "{folded} messages", found.acted, "Nothing is summarized: every turn is kept."
        ),
        Condition("what stays begins with a turn", "{kept} kept", turn, "No turn stays whole: the newest has to."),
        Condition("no tool pair is parted", "{parted} parted", not facts["parted"], "Pairs parted: {parted}."),
    )
    return Verdict(conditions, facts)


def _cut(run: Run, found: Compaction) -> int:
    """The place behind the last message that goes."""
    return max((run.trace.measured.places[id] + 1 for id in found.removed), default=0)


def _yours(run: Run) -> Look:
    cuts = cuts_of(run)
    if not cuts.pairs:
        return Look({"messages": several(len(cuts.base.messages), "message")}, empty=_NO_PAIRS)
    used = {"policy": run.scene.policy, "budget": run.trace.policy.ceiling if run.trace.policy else 0}
    return Look({**_facts(cuts), **used}, _end(run), answer=len(cuts.safe), figures=cuts.drawn(safe=True, turns=True))


_NO_PAIRS = (
    "The window at the end of this session has no tool calls, so no cut parts a pair. It holds {messages}. Choose a"
    " session of an agent with tools."
)

LESSON = Lesson(
    number=3,
    key="where-to-cut",
    title="Where may I cut?",
    about="A cut between a call and its result breaks the run. At a turn boundary it never does.",
    does="Drag a cut through a window of calls and results, and find the places where it breaks nothing.",
    minutes=5,
    scene=SCENE,
    saw=(
        "A tool call and its result form a pair. A cut between them leaves a result that an API refuses.",
        "A cut is safe where it parts no pair. Each boundary between two turns is such a place.",
        "A policy that cuts between turns parts no pair. One that only counts messages finds such a place by luck.",
    ),
    steps=(
        Step(
            title="See calls and results",
            caption="A tool call and the result that answers it form a pair. An API takes both or neither. Here {calls} replies"
            " ask for {pairs} results.",
            look=_pairs,
            spot="figures",
            words=("tool call", "API"),
        ),
        Step(
            title="Count the safe cuts",
            caption="A compaction cuts the window: the older part goes, the newer stays. A cut under an arc parts that pair.",
            look=_count,
            veil=("safe",),
            spot="figures",
            words=("compaction",),
            ask=Ask(
                kind="number",
                question="The system message always stays. Between the {behind} behind it are {places} places to cut. At"
                " how many of them is no pair parted?",
                because="They lie before {which}. Everywhere else a result would lose its call.",
            ),
        ),
        Step(
            title="Move the cut",
            caption="Move the cut: the messages before it go. Arcs it crosses turn red, because a result would come without"
            " its call.",
            look=_drag,
            spot="figures",
            task=Task(
                text="Put the cut where it parts nothing.",
                controls=("cut",),
                check=_check_cut,
                passed="One of {safe} places. A policy that only counts messages finds them by luck.",
            ),
        ),
        Step(
            title="Find the newest turn",
            caption="A turn begins when the user speaks, and ends when the user speaks again. Calls and results in between"
            " belong to it.",
            look=_turns,
            veil=("boundaries",),
            spot="window",
            ask=Ask(
                kind="message",
                question="Click the message with which the newest turn begins.",
                because="The user speaks again here. A cut between two turns parts no pair: {turns} of the {safe} safe places."
                " The other {others} lie inside a turn.",
            ),
        ),
        Step(
            title="Cut between turns",
            caption="The policy minimal_agent.rolling cuts only between turns, and keeps the newest ones. The window shows"
            " what it would summarize now.",
            look=_rolling,
            scene=ROLLING,
            words=("policy",),
            task=Task(
                text="Summarize the old turn and keep the newest whole.",
                controls=("keep_recent_turns",),
                ranges={"keep_recent_turns": (*TURNS, 1)},
                check=_check_rolling,
                passed="Try to keep none: that is what its command /compact does. {all} messages go, {before} tokens become"
                " {least}, and what the user waits for goes with them.",
            ),
        ),
        Step(
            title="Try your own session",
            caption="Under {policy} with a budget of {budget} tokens, the window at the end of {whose} holds"
            " {messages} messages{pinned}, {of_pairs}.",
            look=_yours,
            veil=("safe",),
            spot="figures",
            scene=YOURS,
            yours=True,
            ask=Ask(
                kind="number",
                question="At how many of its {places} places to cut is no pair parted?",
                because="Turn boundaries among them: {turns}. Everywhere else a result would lose its call.",
            ),
        ),
    ),
)
