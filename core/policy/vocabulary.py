"""The words a policy is made of: when it looks, what may go, what becomes of it, where that stands, what keeps it from harm.

All of it is data. Wherever a number is wanted a formula may stand instead: the name of a parameter, or arithmetic over
them (`core/formula.py`). What each word does is said here; `core/partition.py` and `core/compact` do it.
"""

from typing import Annotated, Literal

from pydantic import Field

from core.model import Frozen, Role

Formula = int | float | str
Unit = Literal["messages", "spoken", "conversation", "tokens", "turns", "fraction", "share", "results", "result_tokens"]
Measure = Literal["tokens", "messages", "turns", "new_turns", "results", "pause", "leading_reply"]
Phase = Literal["before_call", "turn_start", "turn_begun", "after_tools", "turn_end", "on_read", "on_write", "manual"]
PolicyFidelity = Literal["exact", "modelled", "approximate", "opaque"]
Status = Literal["not_triggered", "nothing_to_do", "compacted", "still_over_budget", "failed", "inflated"]
Snap = Literal[
    "none",
    "call",
    "off_results",
    "off_replies",
    "own_results",
    "off_pairs",
    "pairs",
    "user",
    "user_or_done",
    "user_or_pair",
    "turn",
    "exchange",
    "asked",
    "assistant",
    "back_to_assistant",
    "after_assistant",
    "group",
    "run",
    "closed",
    "answered",
]


class Size(Frozen):
    """An amount of messages, tokens, turns or tool results; `fraction` is of the context window, `share` of the window behind
    its head.

    `value` is a number or a formula. `result_tokens` are tokens of tool results alone, `spoken` messages all but those,
    `conversation` all but system messages.
    """

    unit: Unit
    value: Formula


class Condition(Frozen):
    """What is measured, and the value it must pass: above it, or at least it where `at_least`.

    `new_turns` are turns since the last compaction, `pause` the minutes from the newest reply to the newest message,
    `leading_reply` is 1 where the window begins with an assistant or tool message.
    """

    of: Measure = "tokens"
    value: Formula
    at_least: bool = False


class Trigger(Frozen):
    """When to compact: in a phase, if all conditions of one of the clauses hold. Without clauses only when it is asked.

    `also` are other moments at which the same clauses are looked at. `given` names a parameter of thresholds that holds
    the clauses instead, all of them "at least", or with `exceeds` more than that. `counts` is "window" for everything the
    model would be sent, "spoken" where the real system leaves system messages out of the count, "active" where it leaves
    out its own summary too, and "history" for a view: all that arrived, as if nothing had been taken out.
    """

    phase: Phase
    any_of: tuple[tuple[Condition, ...], ...] = ()
    given: str = ""
    also: tuple[Phase, ...] = ()
    exceeds: bool = False
    counts: Literal["window", "spoken", "active", "history"] = "window"


class Spare(Frozen):
    """Messages among those that would go which stay all the same: the newest typed ones within a size.

    `cut` is what becomes of the one that no longer fits: it goes, or its middle is cut out. With `read` the summarizer is
    given them too.
    """

    size: Size
    cut: Literal["goes", "middle"] = "goes"
    read: bool = False


class Scope(Frozen):
    """What may go. The head is pinned, then comes what is compactable, then the tail that stays verbatim.

    The head. "leading" pins the system messages at the very front, `head_limit` of them if given, `keep_systems` those
    anywhere. `first` pins that many messages more (a formula, also over `systems`, how many of those are pinned), with
    `snap_first` on to where no tool pair is parted. `pin_summary` takes a summary that stands first, in the system role,
    for the head: it is never folded again.

    An earlier summary is compactable again, unless `fold_summary` is False: then the summarizer is given it as `prior`, and
    the new one replaces it. `stacked` keeps every earlier summary, and the marks that a drop left. `overlap` are turns
    already gone that the summarizer reads once more.

    The tail is a size, several of which the longest counts, the name of a parameter that holds one, or None: nothing
    stays; with `of_tails` "shortest" the shortest counts. In tokens it is the longest that fits, or with `fit` "reach" the
    shortest that holds as many; with `with_head` the head is counted into it, and with `needs_room` nothing goes where the
    head alone is larger. `beyond` is counted on from where that tail ends.

    `evict` says instead how many go: a formula over `n`, the messages behind the head (of a stage that clears: the results
    in the window), `all`, those of the window, its `tokens`, `systems`, and `summaries`, the earlier ones behind the head;
    `count` is `n` where a parameter has that name. With `until` it is tried for `k` = 0, 1, … `tries` - 1 until head and
    tail count fewer tokens than that. `reach`, a formula over the same, are tokens that go at least, not counting
    system messages that stay; `least` messages always stay. Where fewer than `stay` would, nothing goes; where no more than
    `few` would go, all go.

    Then the cut moves to a place that `snap` allows:

        none               where it is
        call               back to the call whose result would come first, else forward past the results
        off_results        forward past tool results; back to the call where nothing else follows
        off_replies        forward past assistant and tool messages
        own_results        forward past the results of the call that goes last
        off_pairs          forward past tool results, and past calls whose result does not follow; nothing goes if
                           that ends nowhere
        pairs              forward to where no tool pair and no reply of several parts is parted; nothing goes if
                           there is no such place
        user               forward to the next user message, past the end if there is none
        user_or_done       the same; if there is none, past the end after a final answer, else back to the last one
        user_or_pair       the same as user; if there is none, to the next call whose result follows, else nothing goes
        turn               back to where a turn begins
        exchange           back to a user message; where that is the first, forward to the newest one or past the end, or, with
                           an earlier summary in front, to what follows that
        asked              forward to an assistant message, then back to a user message; the lowest place where no assistant
                           message stands before
        assistant          forward to the next assistant message, past the end if there is none
        back_to_assistant  back to an assistant message
        after_assistant    back to behind an assistant message
        group              back over tool results to the call they answer
        run                back to the first of a run of calls and results, then, no further than `look_back` messages
                           in front of where it was, to a user message if there is one
        closed             back to where no call waits for its result
        answered           the same, but a call that is never answered waits only in the newest turn

    A snap may be the name of a parameter too; with `snap_always` it moves the cut even where nothing would have to go.
    """

    head: Literal["leading", "none"] = "leading"
    head_limit: Formula | None = None
    first: Formula = 0
    pin_summary: bool = False
    stacked: bool = False
    fold_summary: bool = True
    tail: Size | tuple[Size, ...] | str | None = None
    beyond: Size | None = None
    of_tails: Literal["longest", "shortest"] = "longest"
    fit: Literal["within", "reach"] = "within"
    with_head: bool = False
    needs_room: bool = False
    evict: Formula | None = None
    until: Formula | None = None
    tries: int = 1
    reach: Formula | None = None
    least: int = 0
    stay: int = 0
    few: int = 0
    most: Formula | None = None
    snap: Snap | str = "none"
    look_back: Formula = 0
    snap_first: bool = False
    snap_always: bool = False
    keep_systems: bool = False
    overlap: Formula = 0
    spare: Spare | None = None


class Summarise(Frozen):
    """What goes is replaced by a text.

    `strip` takes white space off the reply, `empty` stands in for an empty one, `max_chars` cuts it: a number, or a
    formula times `chars_per`, in UTF-16 units if `utf16`, as in JavaScript. `call_on_nothing` asks for a summary
    even where there is nothing to fold. `keep_empty` False puts no message in for a summary without text.

    `reads` is how much of what goes the summarizer is given: its newest so many tokens, from a user message on; where
    nothing is left of it, `unread` is the summary (None: it is asked all the same), or with `reads_or_all` it is given
    everything, as it is where everything fits. With `reads_system` it is given a system message that stands first all the
    same, its tokens taken off; with `reads_part` the last lines of the message that no longer fits. With `reads_oldest` it
    is given the oldest instead. Where the scope's `few` takes everything, everything is read.

    What it `hides` it is not given: messages of "tools", only their "calls", or "results" and calls. With `split_turn` a turn
    that the cut parts is summarised apart, the text made from that template of {text}; `nothing_before` stands for the
    history where there is none.

    `on_empty` "fail" takes white space for a failure; `on_error` says what becomes of the window where the summarizer
    fails: it is kept, kept and the run ends ("raise"), or what goes is dropped, or with "drop_all" what stays as well. With
    `no_inflation` a summary that makes the window larger is refused.
    """

    kind: Literal["summarise"] = "summarise"
    strip: bool = False
    empty: str | None = None
    max_chars: Formula | None = None
    chars_per: int = 1
    utf16: bool = False
    call_on_nothing: bool = False
    keep_empty: bool = True
    reads: Formula | str | None = None
    reads_system: bool = False
    reads_part: bool = False
    reads_or_all: bool = False
    reads_oldest: bool = False
    unread: str | None = ""
    hides: Literal["nothing", "tools", "calls", "results"] = "nothing"
    split_turn: str = ""
    nothing_before: str = ""
    on_empty: Literal["accept", "fail"] = "accept"
    on_error: Literal["keep", "raise", "drop", "drop_all"] = "keep"
    no_inflation: bool = False


class Clear(Frozen):
    """What goes stays in its place with its body emptied or shortened.

    `results` empties tool results, `inputs` the arguments of their calls, `thinking` the thinking of replies. `text`
    stands in for a body ({lines}: how many it had, {cut}: how many characters are gone); with `above` only bodies of more
    characters are touched, and their first and last `head` and `tail` characters kept around it. `exclude` names tools that
    are left alone, `only` the ones that are not; without `errors` so are results that say a call failed; `nearest` leaves
    results alone whose call is not in the assistant message right before. Names of parameters may stand for all of these.
    `keeps` says what the scope's sizes in results count.

    Fewer tokens than `at_least` are not worth it ("needed"), or it is "enough" once they are freed.
    """

    kind: Literal["clear"] = "clear"
    results: bool = True
    inputs: bool | str = False
    thinking: bool = False
    text: str = "[cleared]"
    exclude: str | tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    errors: bool = True
    nearest: bool = False
    keeps: Literal["results", "emptied"] = "results"
    above: Formula | None = None
    head: Formula = 0
    tail: Formula = 0
    at_least: Formula = 0
    at_least_is: Literal["enough", "needed"] = "needed"
    at_least_of: Literal["freed", "emptied"] = "freed"


class Drop(Frozen):
    """What goes is gone; nothing stands for it but the placement's text, if there is one."""

    kind: Literal["drop"] = "drop"


class Digest(Frozen):
    """Each tool group that goes becomes one assistant message with its results as text, at most `most` characters.

    What is counted by `results` sizes are then groups: a call, or several at once, with their results.
    """

    kind: Literal["digest"] = "digest"
    most: int = 4096


class Opaque(Frozen):
    """What goes is replaced by an item that nobody can read: its content is `text`, its size is assumed."""

    kind: Literal["opaque"] = "opaque"
    tokens: Formula
    text: str


Transform = Annotated[Summarise | Clear | Drop | Digest | Opaque, Field(discriminator="kind")]


class Placement(Frozen):
    """Where the summary lands, as `role`, its text made from `template`; `ack` is a reply put behind it, with
    `ack_last` only where nothing else stands behind it.

    The template's fields are {n}, the number of the summary, {k}, how many messages it stands for, and {text}. It stands
    after the head, with `where` "end" behind everything that stays. `tail_as_text` takes what stays verbatim into the
    message as text, so that no tool pair can be parted: {tail} in the template. `again` is a user message put last where a
    turn is cut short: {request} in it is what was typed.
    """

    role: Role
    template: str
    ack: str | None = None
    ack_last: bool = False
    where: Literal["head", "end"] = "head"
    tail_as_text: bool = False
    again: str | None = None


class Guards(Frozen):
    """What keeps a policy from harm, as far as the real one has such: counts of messages or tries, shares from 0 to 1.

    `min_messages` fewer than this many that go are nothing to do; with `not_alone` an earlier summary does not count
    among them. `min_progress` is the share of the window's messages that must go, else there is nothing to do; so it is
    with `larger_than_last` where what goes counts no more tokens than the newest summary. After `strikes` failures in a
    row nothing is tried any more. With `then_fallback` the fallback is not for the pass that failed but for those after
    it: once a summary was refused because it made the window larger, no other is asked for. With `undo_tiers` what the
    tiers did is taken back where this stage comes to nothing. Where `off` is not 0 the policy's own stage is switched
    off: only the fallback is tried. After a compaction `cooldown` replies must arrive before the next. After `refills`
    compactions in a row, each within `refill_calls` model calls of the one before, nothing is tried any more.
    """

    min_messages: Formula = 1
    min_progress: Formula = 0
    not_alone: bool = False
    larger_than_last: bool = False
    strikes: int | None = None
    then_fallback: bool = False
    undo_tiers: bool = False
    off: Formula = 0
    cooldown: int = 0
    refills: int | None = None
    refill_calls: int = 3


class Stage(Frozen):
    """One way of making room. `phase` and `when` are its own moment and clauses; None: whenever the policy acts."""

    name: str = ""
    phase: Phase | None = None
    when: tuple[tuple[Condition, ...], ...] | None = None
    scope: Scope = Scope()
    transform: Transform = Summarise()
    placement: Placement | None = None
    guards: Guards = Guards()


class Source(Frozen):
    """Where a policy's rules come from: address, version or commit, licence, the day they were checked."""

    url: str
    version: str = ""
    licence: str = ""
    checked: str = ""
