"""Lesson 6: choose what stays at one compaction, and be measured against real policies and the best choice there is."""

from collections.abc import Sequence
from typing import Any

from core.lessons.game import Game, Group, Need, Score
from core.lessons.lesson import Ask, Attempt, Condition, Facts, Lesson, Look, Step, Task, Verdict
from core.lessons.run import Run, Scene
from core.lessons.words import several
from core.model.text import clean, cut

SCENE = Scene(
    source="sample:openai-chat/coding-session.json",
    policy="agentkit.memory",
    settings={"budget": 16_000, "keep_recent": 8},
    meter="o200k_base",
)
SMALL = Scene(
    source="sample:foldline/broken-rule.json",
    policy="agentkit.memory",
    settings={"budget": 1_400, "keep_recent": 4},
    meter="o200k_base",
)
LARGE = SCENE.under(budget=24_000)
TO_BEAT = 2
RULE = 22
"""The place of a message in which the user sets a rule, and which shows no name that is needed later."""

_PREVIEW = 96  # characters
_PLAYED: list[Game] = []
"""The game that was played last: each choice is scored on the same one."""


def _game(run: Run) -> Game:
    """The game of a run; IndexError where the run has no compaction."""
    for game in _PLAYED[-1:]:
        if game.run.session is run.session and game.run.scene == run.scene:
            return game
    game = Game(run)
    _PLAYED[:] = [game]
    return game


def _facts(game: Game) -> Facts:
    fewest, *_ = game.rivals
    summarized = max(game.rivals, key=lambda rival: rival.summary)
    return {
        "before": game.found.window_before,
        "budget": game.run.scene.settings.get("budget", 0),
        "groups": len(game.groups),
        "past": game.tokens,
        "room": game.room,
        "recent": len(game.kept) - sum(game.trace.messages[i].role == "system" for i in game.kept),
        "names": len(game.needs),
        "best": len(game.score(game.best.groups).missed),
        "chosen": sum(group.tokens for group in game.best.groups),
        "rival": fewest.policy,
        "fewest": len(fewest.missed),
        "size": fewest.window,
        "window": sum(game.stays.values()) + game.room,
        "writer": summarized.policy,
        "written": summarized.summary,
        "lost": len(summarized.missed),
        "beat": TO_BEAT,
    }


def _drawn(game: Game, picks: Sequence[Group] | None, scored: bool, yours: bool = True) -> dict[str, Any]:
    """The groups, and once it is `scored` what each choice misses: of the policies, the best one, and `yours`."""
    mine = game.score(picks or ())
    missed = set(mine.missed)
    return {
        "kind": "game",
        "room": game.room,
        "past": game.tokens,
        "stays": game.stays,
        "groups": [_row(game, group, scored) for group in game.groups],
        "kept": [group.id for group in picks or ()],
        "scores": _scores(game, mine if yours else None, picks or ()) if scored else None,
        "missed": [_need(game, need) for need in mine.missed] if scored else [],
        "seen": [_need(game, need) for need in game.needs if need not in missed] if scored else [],
    }


def _row(game: Game, group: Group, scored: bool) -> dict[str, Any]:
    first = game.trace.messages[group.id]
    calls = first.tool_calls[0].name if first.tool_calls else first.role
    more = f" +{len(first.tool_calls) - 1}" if len(first.tool_calls) > 1 else ""
    text = first.content or " ".join(str(value) for call in first.tool_calls for value in call.arguments.values())
    return {
        "id": group.id,
        "label": ("→ " if first.tool_calls else "") + cut(clean(calls), 40) + more,
        "count": len(group.places),
        "preview": cut(clean(text[:400]), _PREVIEW),
        "tokens": group.tokens,
        "later": game.later(group) if scored else None,
    }


def _need(game: Game, need: Need) -> dict[str, Any]:
    return {"name": cut(clean(need.name.key), 80), "was": need.was, "at": need.at}


def _scores(game: Game, mine: Score | None, picks: Sequence[Group]) -> list[dict[str, Any]]:
    best, exact = game.score(game.best.groups), game.best.exact
    rows = [_score(mine, "You", several(len(picks), "group")) | {"you": True}] if mine else []
    for rival in game.rivals:
        about = f"a summary of {rival.summary:,}" if rival.summary else "no summary"
        rows.append(_score(rival, rival.policy, about))
    about = several(len(game.best.groups), "group")
    return [*rows, _score(best, "Best possible" if exact else "Best found", about) | {"best": True}]


def _score(score: Score, name: str, about: str) -> dict[str, Any]:
    about = f"{about} · window {score.window:,}"
    return {"name": name, "about": about, "window": score.window, "misses": len(score.missed)}


def _step(run: Run) -> int:
    return run.trace.compaction_step(0) - 1


def _play(run: Run) -> Look:
    return _begun(_game(run))


def _begun(game: Game) -> Look:
    return Look(_facts(game), _step(game.run), figures=_drawn(game, None, False))


def _fits(game: Game, attempt: Attempt) -> tuple[list[Group], dict[str, Any], Condition]:
    """The picks, their figures, and whether there are any and they fit."""
    picks = game.chosen(int(id) for id in attempt.keep if id.isdecimal())
    used = sum(group.tokens for group in picks)
    fits = Condition(
        "something is kept, and it fits into the room",
        "{used} of {room}",
        0 < used <= game.room,
        "Keep one group or more, {room} tokens at most. These are {used}.",
    )
    return picks, {**_facts(game), "used": used}, fits


def _check_pick(attempt: Attempt) -> Verdict:
    """What is kept fits."""
    game = _game(attempt.run)
    picks, facts, fits = _fits(game, attempt)
    return Verdict((fits,), facts, _drawn(game, picks, False))


def _check_score(attempt: Attempt) -> Verdict:
    """It fits, and misses fewer names than two of the four policies."""
    game = _game(attempt.run)
    picks, facts, fits = _fits(game, attempt)
    mine = len(game.score(picks).missed)
    beaten = sum(mine < len(rival.missed) for rival in game.rivals)
    enough = Condition(
        "fewer misses than {beat} of the policies",
        "{mine} missed",
        beaten >= TO_BEAT,
        "Misses: {mine}. That beats {beaten} of the four policies; {beat} are asked for.",
        scores=True,
    )
    return Verdict((fits, enough), {**facts, "mine": mine, "beaten": beaten}, _drawn(game, picks, True))


def _sheet(run: Run, scored: bool) -> dict[str, Any]:
    """What any choice is scored by without the engine: names are numbered, and each group has those that it shows.

    The texts of conditions are as they are before figures are filled in; `facts` has those figures that no choice changes.
    """
    game = _game(run)
    verdict = (_check_score if scored else _check_pick)(Attempt(run))
    return {
        "room": game.room,
        "stays": sum(game.stays.values()),
        "facts": _facts(game),
        "conditions": [[one.text, one.figure, one.missing, one.scores] for one in verdict.conditions],
        "shows": [game.shown_by(group) for group in game.groups],
        "needs": [_need(game, need) for need in game.needs],
        "rivals": [len(rival.missed) for rival in game.rivals],
        "figure": _drawn(game, None, scored, yours=False),
    }


def _pick_sheet(run: Run) -> dict[str, Any]:
    return _sheet(run, scored=False)


def _score_sheet(run: Run) -> dict[str, Any]:
    return _sheet(run, scored=True)


def _best_kept(run: Run) -> tuple[str, ...]:
    """The ids of the best choice."""
    return tuple(str(group.id) for group in _game(run).best.groups)


def _why(run: Run) -> Look:
    """How many needed names the message with the user's rule shows, with the best choice drawn."""
    game = _game(run)
    rule = next((group for group in game.groups if RULE in group.places), None)
    answer = None if rule is None else game.later(rule)
    figures = _drawn(game, game.best.groups, True, yours=False)
    return Look({**_facts(game), "rule": RULE + 1}, _step(run), answer=answer, figures=figures)


def _yours(run: Run) -> Look:
    if not run.trace.compactions:
        return Look({"messages": several(len(run.trace.messages), "message")}, empty=_NEVER)
    game = _game(run)
    if not game.needs or not game.room:
        return Look({"past": game.tokens}, empty=_FREE)
    return _begun(game)


_NEVER = "This session never fills its window: {messages}. Choose a longer file."
_FREE = (
    "After the first compaction of this session the agent used no name that only the {past} tokens before it show. Choose"
    " another file."
)
_ROOM = "Keep what fits into {room} of {past} tokens, and miss fewer names than {beat} of the four policies."


def _round(title: str, caption: str, scene: Scene, yours: bool = False, words: tuple[str, ...] = ()) -> Step:
    """A round of the game that is scored as it is played."""
    return Step(
        title=title,
        caption=caption,
        look=_yours if yours else _play,
        veil=("later",),
        spot="figures",
        scene=scene,
        yours=yours,
        words=words,
        task=Task(
            text=_ROOM,
            controls=("keep",),
            check=_check_score,
            kept=_best_kept,
            sheet=_score_sheet,
            blind=True,
            passed="Of {names} names the best choice misses {best}. Of the policies {rival} misses fewest, {fewest}, with"
            " a window of {size} tokens; yours may hold {window}.",
        ),
    )


LESSON = Lesson(
    number=6,
    key="be-the-policy",
    title="Be the policy",
    about="One compaction, little room. You choose what stays, and are scored on what the agent needs later.",
    does="Tick the messages that a small window keeps, and compare your score with those of real policies.",
    minutes=5,
    scene=SCENE,
    saw=(
        "Little room means that something goes, and what the agent needs later is not known yet.",
        "A choice is scored by the names that the agent uses afterwards and can no longer see.",
        "Misses are the least that is lost: a rule need not name anything, and still must not be lost.",
    ),
    steps=(
        Step(
            title="Read the messages",
            caption="The window holds {before} tokens, too many for {budget}. All but the system message and the newest"
            " {recent} may go: {past} tokens in {groups} groups. Choose a row to read it.",
            look=_play,
            veil=("later",),
            words=("group",),
        ),
        Step(
            title="Choose what stays",
            caption="Now you are the policy. The budget of {budget} says when to compact. Of what may go, you may keep {room}"
            " tokens; the rest goes for good.",
            look=_play,
            veil=("later",),
            spot="figures",
            task=Task(
                text="Keep what you think the agent needs again.",
                controls=("keep",),
                check=_check_pick,
                kept=_best_kept,
                sheet=_pick_sheet,
                passed="It fits. The next step tells what the agent wrote afterwards, and scores this choice.",
            ),
        ),
        _round(
            "See your score",
            "Afterwards the agent wrote {names} names that only this past shows. A name your window lacks is a miss.",
            SCENE,
            words=("name",),
        ),
        Step(
            title="See the best choice",
            caption="The best choice there is keeps {chosen} tokens of this past and misses {best} of {names} names."
            " {writer} keeps less, a summary of {written}, and misses {lost}.",
            look=_why,
            veil=("later",),
            spot="figures",
            ask=Ask(
                kind="number",
                question="Message {rule} holds a rule of the user. How many of the {names} names does it show?",
                unit="names",
                because="A rule need not name anything, and still must not be lost. Misses are the least that is lost, not all"
                " of it.",
            ),
        ),
        _round(
            "Play a small session",
            "Another session, a small one: {groups} groups, room for {room} tokens. One of them holds a rule of the user,"
            " which this agent later breaks.",
            SMALL,
        ),
        _round(
            "Play a larger budget",
            "The first session under a larger budget: {groups} groups, {past} tokens. The agent wrote {names} names of it"
            " later.",
            LARGE,
        ),
        _round(
            "Try your own session",
            "{Whose}: {groups} groups, room for {room} of {past} tokens.",
            SCENE,
            yours=True,
        ),
    ),
)
