"""Lesson 4: a summary is made of the summary before it; a sentence that survives one copy may be gone in the next."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from core.lessons.lesson import Ask, Attempt, Choice, Condition, Facts, Lesson, Look, Step, Task, Verdict
from core.lessons.run import RECORDED, Run, Scene
from core.lessons.words import several
from core.measure.calls import calls_of
from core.model.own_text import own_text
from core.model.text import clean, cut, is_bare_command
from core.origins.reworded import reworded
from core.trace.trace import Trace
from core.why.fate import Fate, fate

SCENE = Scene(source="sample:foldline/forgotten-rule.json", policy=RECORDED, meter="o200k_base")
"""A made-up day whose summaries are written out as a model writes them: what they leave out can be read in them."""

QUOTED = Scene(
    source="sample:openai-chat/coding-session.json",
    policy="agentkit.memory",
    settings={"budget": 20_000, "keep_recent": 12},
    meter="o200k_base",
)
"""The same day under other settings: a stand-in writes the summaries, which quotes and says nothing in other words."""

RUNNING = Scene(
    source=QUOTED.source,
    policy="agentlib.summarizing",
    settings={"active_window_tokens": 3_000, "summary_max_tokens": 600},
    meter="agentlib",
)
"""The limits that the real library begins with."""

RULE = "no new dependency, not even a small one"
KEPT = "Keep Transaction.month as it is"
SHORT_LIVED = "unknown time zone name should be an error"
LASTING = "not change the public API"
_FOLLOWED = (RULE, KEPT, SHORT_LIVED, LASTING)
LOSES_MORE = {"budget": 24_000, "keep_recent": 8}
"""Settings with a larger budget that lose the rule sooner."""

MOST_TRIED = 12
"""So many sentences of a person's own session are followed to find one worth a guess."""

_BREAK = re.compile(r"(?<=[.!?])\s+|\n")
_SHORT, _LONG = 20, 140
_LETTERS = "ABC"


def _dies(found: Fate) -> int:
    """The number, from 1, of the first compaction that leaves a text nowhere in the window word for word; 0 if none does."""
    trace, lane = found.trace, found.lane
    for k in range(len(trace.compactions)):
        step = trace.compaction_step(k)
        if step and lane.state(step) == "gone" and lane.state(step - 1) in ("verbatim", "summary"):
            return k + 1
    return 0


def _end(trace: Trace) -> int:
    return len(trace) - 1


def _steps(trace: Trace) -> list[int]:
    """The step of every compaction."""
    return [trace.compaction_step(k) for k in range(len(trace.compactions))]


def _first_place(found: Fate) -> int:
    """The place of the message that says a text first."""
    return found.places[0] if found.places else 0


def _facts(run: Run, text: str) -> Facts:
    found = fate(run.trace, text)
    return {
        "text": _on_screen(text),
        "message": _first_place(found) + 1,
        "count": len(run.trace.compactions),
        "compactions": several(len(run.trace.compactions), f"{run.simulated}compaction"),
        "dies": _dies(found),
        "left": _left(found),
        "budget": run.scene.settings.get("budget", 0),
        "keep_recent": run.scene.settings.get("keep_recent", 0),
    }


def _left(found: Fate) -> str:
    """What is left of a text behind the compaction that loses its words, and until when."""
    dies = _dies(found)
    if not dies:
        return ""
    after = [_said_as(found, step) for step in _steps(found.trace)[dies - 1 :]]
    if after[0] == "gone":
        return "Nothing else in the window says it: it is forgotten."
    still = f"The summary has it {after[0]}: not forgotten, but no longer the user's own words."
    return f"{still} Compaction {dies + after.index('gone')} loses that, too." if "gone" in after else still


def _said_as(found: Fate, step: int) -> str:
    """How the window of a step has a text: "held" word for word, else as the app says it."""
    if found.lane.state(step) in ("verbatim", "summary"):
        return "held"
    row = next((row for row in reworded(found) if row.start <= step <= row.end), None)
    if row is None:
        return "gone"
    return "in part" if row.words else "in other words"


def _on_screen(text: str) -> str:
    """A text of a session on one line, without what would hide or turn around a part of it."""
    return cut(clean(text), _LONG)


def _thread(run: Run, text: str) -> dict[str, Any]:
    """A text along the run: where it is said, how each compaction left it in the window, and at the end."""
    trace, found = run.trace, fate(run.trace, text)
    steps = [trace.message_step(_first_place(found)), *_steps(trace)]
    names = ["when it is said", *(f"after compaction {k + 1}" for k in range(len(trace.compactions))), "at the end"]
    marks = [
        {"step": step, "name": name, "is": _said_as(found, step)}
        for step, name in zip([*steps, _end(trace)], names, strict=True)
        if step >= steps[0]
    ]
    return {"kind": "fate", "text": _on_screen(text), "marks": marks}


def _tag(run: Run) -> Look:
    """Before the first compaction: where it is said is drawn, and what is asked of each compaction and of the end."""
    facts = _facts(run, RULE)
    thread = _thread(run, RULE)
    said, *later = thread["marks"]
    marks = [said, *({**mark, "is": "asked"} for mark in later)]
    return Look(facts, run.trace.message_step(facts["message"] - 1), figures={**thread, "marks": marks})


def _guess(run: Run) -> Look:
    facts = _facts(run, RULE)
    dies = facts["dies"]
    answer = _LETTERS[dies - 1] if 0 < dies <= len(_LETTERS) else "D" if not dies else None
    numbers = {"one": 1, "two": 2, "three": 3}
    return Look({**facts, **numbers}, _end(run.trace), answer=answer, figures=_thread(run, RULE))


def _two_more(run: Run) -> Look:
    """Two texts that are put in other words: which of them does the last window not say at all?"""
    first, second = (fate(run.trace, text) for text in (SHORT_LIVED, LASTING))
    gone = [_said_as(found, _end(run.trace)) == "gone" for found in (first, second)]
    answer = {(True, False): "A", (False, True): "B", (False, False): "C"}.get((gone[0], gone[1]))
    silent = [k + 1 for k, step in enumerate(_steps(run.trace)) if _said_as(first, step) == "gone"]
    facts = {"first": SHORT_LIVED, "second": LASTING, "put": _dies(first), "gone": silent[0], "anew": _dies(second)}
    threads = [_thread(run, text) for text in (SHORT_LIVED, LASTING)]
    return Look(facts, _end(run.trace), answer=answer, figures={"kind": "many", "figures": threads})


def _running(run: Run) -> Look:
    """A sentence in a summary that is written anew each time."""
    facts, trace, lane = _facts(run, SHORT_LIVED), run.trace, fate(run.trace, SHORT_LIVED).lane
    states = [lane.state(trace.compaction_step(k)) for k in range(facts["dies"])]
    more = {
        "copies": several(states.count("summary"), "summary", "summaries"),
        "limit": run.scene.settings["active_window_tokens"],
        "longest": run.scene.settings["summary_max_tokens"],
    }
    return Look({**facts, **more}, _end(trace), answer=facts["dies"] or None, figures=_thread(run, SHORT_LIVED))


def _task(run: Run) -> Look:
    larger = run.under(**LOSES_MORE)
    found = _facts(larger, KEPT)
    more = {"larger": found["budget"], "fewer": found["keep_recent"], "sooner": found["dies"], "of": found["count"]}
    here = _facts(run, KEPT)
    why = {"newest": _newest_taken(run.trace, here["dies"] - 1)}
    return Look({**here, **more, **why}, _end(run.trace), figures=_thread(run, KEPT))


def _newest_taken(trace: Trace, k: int) -> int:
    """The number of the newest message of the user that compaction k takes; 0 if it takes none."""
    taken = set(trace.compactions[k].removed)
    return max(
        (place + 1 for place, one in enumerate(trace.messages) if one.role == "user" and one.id in taken), default=0
    )


def _check(attempt: Attempt) -> Verdict:
    """The rule stands in the last window word for word, and something was compacted."""
    run = attempt.run
    count = len(run.trace.compactions)
    held = fate(run.trace, KEPT).lane.state(_end(run.trace)) in ("verbatim", "summary")
    facts = {"count": count, "dies": _dies(fate(run.trace, KEPT)), "last": "yes" if held else "no"}
    return Verdict(
        (
            Condition("a compaction happens", "{count}", count > 0, "No compaction: without one, no rule is lost."),
            Condition(
                "its words are in the last window",
                "{last}",
                held,
                "Its words are gone: compaction {dies} of {count} lost them.",
            ),
        ),
        facts,
        _thread(run, KEPT),
    )


def _sentences(trace: Trace) -> Iterator[str]:
    """Sentences that a person typed before the last compaction, the first of each message first."""
    last = trace.compactions[-1].at if trace.compactions else 0
    for message in trace.messages[:last]:
        if message.role == "user" and not message.injected:
            parts = (part.strip(" .!?") for part in _BREAK.split(own_text(message)[:2_000]))
            said = (part for part in parts if _SHORT <= len(part) <= _LONG and part in message.content)
            yield from islice((part for part in said if not is_bare_command(part)), 2)


def _worth(trace: Trace) -> str:
    """Of the first sentences that no step has followed the one that lives longest and still dies; else the first, or none."""
    new = (text for text in _sentences(trace) if not any(known in text for known in _FOLLOWED))
    tried = {text: _dies(fate(trace, text)) for text in islice(new, MOST_TRIED)}
    return max(tried, key=tried.__getitem__, default="")


def _yours(run: Run) -> Look:
    trace = run.trace
    text = _worth(trace)
    if not text:
        calls = several(len(calls_of(trace.measured)), "call")
        return Look({"calls": calls, "compactions": several(len(trace.compactions), "compaction")}, empty=_NOTHING)
    facts = _facts(run, text)
    end = (
        "Compaction {dies} left its words out. {left}" if facts["dies"] else "It is in the last window, word for word."
    )
    return Look({**facts, "end": end.format_map(facts)}, _end(trace), answer=facts["dies"], figures=_thread(run, text))


_NOTHING = (
    "This session has {calls}, {compactions}, and no sentence that somebody typed before one. Choose a longer"
    " conversation."
)

LESSON = Lesson(
    number=4,
    key="photocopies",
    title="Photocopies",
    about="A summary of a summary is a copy of a copy. Follow the rules of a user from one to the next.",
    does="Follow what a user asked for through summary after summary, guess where it is lost, then keep it to the end.",
    minutes=5,
    scene=SCENE,
    saw=(
        "Each compaction writes a new summary from the last one and what came since: a copy of a copy.",
        "A sentence may stand in one copy and be missing from the next. Standing in several promises nothing.",
        "A larger budget is no cure by itself: it only moves the places where the window is cut.",
    ),
    steps=(
        Step(
            title="Read the rule",
            caption="In message {message} the user sets a rule: “{text}”. Does the model still see it at the end of the day?",
            look=_tag,
            words=("window", "compaction"),
        ),
        Step(
            title="Guess where it is lost",
            caption="{count} compactions come. Each writes a new summary from the last one and what came since. This day is"
            " made up, and so are its summaries: they stand for those of a model.",
            look=_guess,
            veil=("fate", "summary", "card", "findings"),
            spot="figures",
            ask=Ask(
                kind="choice",
                question="Which compaction loses the rule?",
                choices=(
                    Choice("A", "Compaction {one}", "Its summary still quotes the rule."),
                    Choice("B", "Compaction {two}"),
                    Choice("C", "Compaction {three}", "The summary it read had lost the rule already."),
                    Choice("D", "None: it stays", "The last two summaries say nothing of it."),
                ),
                because="Compaction {dies} of {count}: its summary leaves the rule out. {left} The line below the timeline"
                " shows how long it lived.",
            ),
        ),
        Step(
            title="Follow two sentences",
            caption="A summary may also say a thing in other words. Two more sentences of the user: “{first}”, and “{second}”.",
            look=_two_more,
            veil=("fate", "summary", "card", "findings"),
            spot="figures",
            ask=Ask(
                kind="choice",
                question="At the end, which of the two is gone, even in other words?",
                choices=(
                    Choice("A", "“{first}”"),
                    Choice("B", "“{second}”", "Its words are gone, but every later summary says the same in its own."),
                    Choice("C", "Neither is", "One of them is: the last two summaries say nothing of it."),
                ),
                because="Compaction {put} put it in other words, and compaction {gone} left those out. Compaction {anew} put"
                " the other one in other words, and there it stays.",
            ),
        ),
        Step(
            title="Try a running summary",
            caption="Now a stand-in writes the summaries: it only quotes sentences, and no model is asked. The policy"
            " agentlib.summarizing has it write one running summary of at most {longest} tokens.",
            look=_running,
            veil=("fate", "summary", "card", "findings"),
            spot="figures",
            scene=RUNNING,
            ask=Ask(
                kind="number",
                question="Which compaction loses the words “{text}”?",
                because="Compaction {dies} of {count}, after they had stood in {copies}. That one copy holds a sentence"
                " promises nothing for the next.",
            ),
        ),
        Step(
            title="Keep the rule",
            caption="Another policy, agentkit.memory, with the same stand-in: the last summary leaves out “{text}”. Other"
            " settings compact elsewhere.",
            look=_task,
            spot="figures",
            scene=QUOTED,
            task=Task(
                text="Keep the rule in sight, word for word, to the last step, with at least one compaction.",
                controls=("budget", "keep_recent"),
                ranges={"budget": (12_000, 40_000, 2_000), "keep_recent": (4, 32, 4)},
                check=_check,
                passed="Why: a summary has room for only so many rules. With budget {budget} the last compaction also took"
                " message {newest}, whose new rules pushed this one out. A larger budget alone is no cure: {larger} with"
                " {fewer} kept loses the words at compaction {sooner} of {of}.",
            ),
        ),
        Step(
            title="Try your own session",
            caption="A sentence of {whose}: “{text}”. It meets {compactions}.",
            look=_yours,
            veil=("fate", "summary", "card", "findings"),
            spot="figures",
            scene=QUOTED,
            yours=True,
            recorded=True,
            ask=Ask(
                kind="number",
                question="Which compaction loses its words? Zero stands for none.",
                because="{end}",
            ),
        ),
    ),
)
