"""The words a policy is made of: when it looks, what may go, what becomes of it, where that stands, what keeps it from harm.

All of it is data. Wherever a number is wanted a formula may stand instead: the name of a parameter, or arithmetic over
them (`core/policy/formula.py`). What each word does is said here; `core/window/partition.py` and `core/engine` do it.
"""

from typing import Annotated, Literal

from pydantic import AliasChoices, Field

from core.model.session import Frozen, Role
from core.policy.rules import Boundary, Cut, Head, Marker, Reading, Writing

Formula = int | float | str
Unit = Literal["messages", "tokens", "turns", "fraction", "results"]
Measure = Literal["tokens", "messages", "turns", "new_turns", "results", "pause", "leading_reply"]
Phase = Literal["before_call", "turn_start", "turn_begun", "after_tools", "turn_end", "on_read", "on_write", "manual"]
PolicyFidelity = Literal["exact", "modelled", "approximate", "opaque"]
Counts = Literal["window", "spoken", "active", "history", "wordless"]
Grouping = Literal["none", "results", "calls"]
Status = Literal["not_triggered", "nothing_to_do", "compacted", "still_over_budget", "failed", "inflated"]


class Size(Frozen):
    """An amount of messages, tokens, turns or tool results, or a `fraction` of the context window: a number or a formula."""

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
    out its own summary too, and "history" for a view: all that arrived, as if nothing had been taken out. "wordless" is
    everything, and one token more for each reply that has no text and only calls tools: a library that turns the missing
    text into a string counts the word "None". A tail in tokens is then counted like that too.
    """

    phase: Phase
    any_of: tuple[tuple[Condition, ...], ...] = ()
    given: str = ""
    also: tuple[Phase, ...] = ()
    exceeds: bool = False
    counts: Counts = "window"


class Protect(Frozen):
    """Typed messages that stay although they stand among those that go: the newest within a size.

    `cut` says what becomes of the one that no longer fits: it goes, or its middle is cut out. With `read` the summarizer is
    given them too.
    """

    size: Size
    cut: Literal["goes", "middle"] = "goes"
    read: bool = False


class Scope(Frozen):
    """What may go. The head is pinned, then comes what is compactable, then the tail that stays verbatim.

    The head. "leading" pins the system messages at the very front, `head_limit` of them if given, `keep_systems` those
    anywhere. `first` pins that many messages more. An earlier summary is compactable again, unless `fold_summary` is False:
    then the summarizer is given it as `prior`, and the new one replaces it. `stacked` keeps every earlier summary, and the
    marks that a drop left. `protect` keeps typed messages wherever they stand.

    The tail is a size, several of which the longest counts, or None: nothing stays; the name of a parameter stands for the
    sizes it holds. With `of_tails` "shortest" the shortest counts. In tokens it is the longest that fits, or with `fit` "reach"
    the shortest that holds as many. `beyond` goes further back, until the results in front of that tail hold so many tokens.

    `evict` says instead how many go: a formula over `n`, the messages behind the head (of a stage that clears: the results
    in the window), `all`, those of the window, and its `tokens`; `count` is `n` where a parameter has that name. `reach`, a
    formula over the same, are tokens that go at least, not counting system messages that stay.

    Then the cut moves to where it may fall, by `cut_boundary`:

        none         where it is
        off_results  forward past tool results; back to the call where nothing else follows
        pairs        forward to where no tool pair and no reply of several messages is parted; nothing goes if there is
                     no such place

    What only one policy needs is a function in that policy's file (`core/policy/rules.py`): a `Head` or a `Boundary` in place
    of the word, or a `Cut` that says where the tail begins in place of all of the above, and may read `tail`.
    """

    head: Literal["leading", "none"] | Head = "leading"
    head_limit: Formula | None = None
    first: Formula = 0
    keep_systems: bool = False
    stacked: bool = False
    fold_summary: bool = True
    protect: Protect | None = Field(default=None, validation_alias=AliasChoices("protect", "spare"))
    tail: Size | str | tuple[Size | str, ...] | None = None
    of_tails: Literal["longest", "shortest"] = "longest"
    fit: Literal["within", "reach"] = "within"
    beyond: Formula | None = None
    evict: Formula | None = None
    reach: Formula | None = None
    cut_boundary: Literal["none", "off_results", "pairs"] | Boundary = Field(
        default="none", validation_alias=AliasChoices("cut_boundary", "snap")
    )
    cut: Cut | None = None


class Summarize(Frozen):
    """What goes is replaced by a text.

    `strip` takes white space off the reply, `empty` stands in for an empty one, `max_chars` cuts it, in UTF-16 units if
    `utf16`, as in JavaScript. `call_on_nothing` asks for a summary even where nothing goes. `keep_empty` False puts no message
    in for a summary without text.

    `reads` is a rule of the policy: what the summarizer is given of the messages that go. Where that is nothing, `unread` is
    the summary; where that is "", there is none, and where it is None the summarizer is asked all the same. `writes` is
    another: how the summary is made where one call is not enough.

    `on_empty` "fail" takes white space for a failure; `on_error` says what becomes of the window where the summarizer
    fails: it is kept, kept and the run ends ("raise"), or what goes is dropped, or with "drop_all" what stays as well. With
    `no_inflation` a summary that makes the window larger is refused.
    """

    kind: Literal["summarise"] = "summarise"
    strip: bool = False
    empty: str | None = None
    max_chars: Formula | None = None
    utf16: bool = False
    call_on_nothing: bool = False
    keep_empty: bool = True
    reads: Reading | None = None
    unread: str | None = ""
    writes: Writing | None = None
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
    """Each tool group that goes becomes one assistant message with its results as text, of 4,096 characters at most.

    What is counted by `results` sizes are then groups: a call, or several at once, with their results.
    """

    kind: Literal["digest"] = "digest"


class EarlierLimit(Frozen):
    """The limit that versions of the real system before `until` had, as a formula over the parameters."""

    value: str
    until: str


class Opaque(Frozen):
    """What goes is replaced by an item that nobody can read: its content is `text`, its size is assumed."""

    kind: Literal["opaque"] = "opaque"
    tokens: Formula
    text: str


Transform = Annotated[Summarize | Clear | Drop | Digest | Opaque, Field(discriminator="kind")]


class Placement(Frozen):
    """Where the summary lands, as `role`, its text made from `template`; `ack` is a reply put behind it, with
    `ack_last` only where nothing else stands behind it.

    The template's fields are {n}, the number of the summary, {k}, how many messages it stands for, and {text}. It stands
    after the head, with `where` "end" behind everything that stays. `tail_as_text` takes what stays verbatim into the
    message as text, so that no tool pair can be parted: {tail} in the template. `again` is a user message put last where a
    turn is cut short: {request} in it is what was typed. `marker` is a rule of a policy that drops: the text, where the
    template cannot say it.
    """

    role: Role
    template: str
    ack: str | None = None
    ack_last: bool = False
    where: Literal["head", "end"] = "head"
    tail_as_text: bool = False
    again: str | None = None
    marker: Marker | None = None


class Guards(Frozen):
    """What keeps a policy from harm, as far as the real one has such: counts of messages or tries, shares from 0 to 1.

    `min_messages` fewer than this many that go are nothing to do; with `not_alone` an earlier summary does not count
    among them. `min_progress` is the share of the window's messages that must go, else there is nothing to do; so it is
    with `larger_than_last` where what goes counts no more tokens than the newest summary. After `strikes` failures in a
    row nothing is tried any more. With `then_fallback` the fallback is not for the pass that failed but for those after
    it: once a summary was refused because it made the window larger, no other is asked for. With `undo_tiers` what the
    tiers did is taken back where this stage comes to nothing. Where `off` is not 0 the policy's own stage is switched
    off: only the fallback is tried. After a compaction `cooldown` replies must arrive before the next. After `refills`
    compactions in a row, each within three model calls of the one before, nothing is tried any more.
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


class Stage(Frozen):
    """One way of making room. `phase` and `when` are its own moment and clauses; None: whenever the policy acts."""

    name: str = ""
    phase: Phase | None = None
    when: tuple[tuple[Condition, ...], ...] | None = None
    scope: Scope = Scope()
    transform: Transform = Summarize()
    placement: Placement | None = None


class Source(Frozen):
    """Where a policy's rules come from: address, version or commit, licence, the day they were checked."""

    url: str
    version: str = ""
    licence: str = ""
    checked: str = ""
