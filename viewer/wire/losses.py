"""What the compactions of a trace lost, as the overview shows it: the texts that matter most, the rest as counts."""

import re
from typing import Any

from core.analyse.asked_places import asked_by_file
from core.analyse.brought_back import brought_back
from core.analyse.gist import gist, opening
from core.analyse.losses import Loss, Losses, LossKind, losses
from core.analyse.moment import moment, since_ended
from core.analyse.occasion import started
from core.analyse.question_before import question_before
from core.analyse.rework import asked_again
from core.analyse.too_long import not_looked_for
from core.analyse.user_sends_back import sent_back_to
from core.model.own_text import own_text
from core.origins.follow import whole_sentences
from core.origins.named import is_read_whole
from core.summaries.standing import is_standing
from core.summaries.written_later import quotes_at
from core.trace.trace import Trace
from viewer.wire.preview import one_line
from viewer.wire.requests import LINE, requests_at

PAGE = 8  # compactions in one answer: each takes up to a third of a second
TEXTS = 6  # texts of a kind in a row
CALLS = 24  # calls that a row names
FILES = 2  # of those asked for again that a row names
SHOWN = 3  # messages that showed before what a call brings back, the newest
QUOTE = 240  # of a message that a story quotes, to the end of a sentence
_CONTINUES = re.compile(r"[,;:]?[ \t]+\w|[,;]")  # on its line, behind a part of a sentence

_GROUPS: dict[str, tuple[LossKind, ...]] = {"told": ("newest", "first", "rule", "said"), "names": ("name",)}
_OTHERS: tuple[LossKind, ...] = ("command", "error", "task")


def loss_list(trace: Trace, start: int = 0, most: int = PAGE) -> dict[str, Any]:
    """What at most `most` compactions lost, from one on; `total` counts all. `unsought`: nobody looked for needs."""
    total = len(trace.compactions)
    rows = [_row(trace, losses(trace, k)) for k in range(start, min(total, start + most))]
    limits, unsought = list(not_looked_for(trace)), not is_read_whole(trace)
    return {"total": total, "from": start, "rows": rows, "limits": limits, "unsought": unsought}


def _row(trace: Trace, found: Losses) -> dict[str, Any]:
    texts = {name: [one for one in found.texts if one.kind in kinds] for name, kinds in _GROUPS.items()}
    rules = rules_in(found)
    return {
        "index": found.index,
        "step": found.step,
        "taken": found.taken,
        "timestamp": trace.compactions[found.index].timestamp,
        "how": started(trace.compactions[found.index]),
        "instructions": one_line(trace.compactions[found.index].instructions, LINE),
        **_gist(trace, found.index),
        **_moment(trace, found.index),
        **{name: [_text(trace, one) for one in some[:TEXTS]] for name, some in texts.items()},
        **{f"{name}_total": len(some) for name, some in texts.items()},
        "others": [_text(trace, one) for one in found.texts if one.kind in _OTHERS],
        "results": found.results,
        "result_tokens": found.result_tokens,
        "again": len(found.again),
        "again_steps": list(found.again[:CALLS]),
        "again_tokens": found.again_tokens,
        **_again(trace, found.index),
        "sent_back": _sent_back(trace, found.index),
        "unseen": found.unseen,
        "unseen_more": found.unseen_more,
        "unreadable": found.unreadable,
        "requests": requests_at(trace, found.index, found.requests),
        "typed": list(found.typed),
        "quoted": list(found.quoted),
        "rules": [len(rules), sum(one.used_at is not None or one.said_again_at is not None for one in rules)],
    }


def _gist(trace: Trace, k: int) -> dict[str, Any]:
    """The task and the work at hand in the summary's own words, else how it begins; "" where no model wrote a readable one."""
    event = trace.compactions[k]
    if event.unreadable or quotes_at(trace, k) or not event.summary:
        return {"goal": "", "points": 0, "work": "", "opening": ""}
    found = gist(event.summary)
    begins = "" if found.goal or found.work else opening(event.summary)
    said = {"goal": one_line(found.goal, LINE), "work": one_line(found.work, LINE), "opening": one_line(begins, LINE)}
    return {**said, "points": found.points}


def _again(trace: Trace, k: int) -> dict[str, Any]:
    """Of the calls that asked again: what showed it before and how often its file was written since; the files, in words."""
    again = asked_again(trace, k)
    found, files = [brought_back(trace, repeat) for repeat in again], asked_by_file(trace, again)
    told = [(one.at, one.shown[-SHOWN:], one.edits) for one in found[:CALLS]]
    named = {"again_files": [one.words for one in files[:FILES]], "again_files_total": len(files)}
    return {"again_of": told, "again_edited": sum(one.edits > 0 for one in found), **named}


def _sent_back(trace: Trace, k: int) -> list[tuple[int, str]]:
    """The messages in which the user sends the agent back to what it took, each once, with their words."""
    asked = {one.place: one.quote for one in reversed(sent_back_to(trace, k)) if one.match == "asked"}
    return [(place, one_line(asked[place], LINE)) for place in sorted(asked)]


def _moment(trace: Trace, k: int) -> dict[str, Any]:
    """What had ended the turn in which it happened, how long ago; the request of the turn in which its summary ends, or -1."""
    found = moment(trace, k)
    return {"ended": found.ended, "ended_ago": since_ended(trace, k), "ends": found.ends}


def rules_in(found: Losses) -> list[Loss]:
    """What went of the user's rules and statements."""
    return [one for one in found.texts if one.kind in ("rule", "said")]


def _text(trace: Trace, loss: Loss) -> dict[str, Any]:
    return {
        "kind": loss.kind,
        "standing": is_standing(loss.followed or loss.text),
        "text": with_ellipsis(trace, loss),
        "followed": loss.followed,
        "at": loss.place,
        "used_at": -1 if loss.used_at is None else loss.used_at,
        "said_again_at": -1 if loss.said_again_at is None else loss.said_again_at,
        "carried_at": -1 if loss.carried_at is None else loss.carried_at,
        "used": _quote(trace, loss.used_at),
        "said_again": _quote(trace, loss.said_again_at),
        "answers": whole_sentences(question_before(trace, loss.place), QUOTE) if loss.kind == "said" else "",
        "kept": loss.kept,
        "words": loss.words,
        "rank": loss.rank,
    }


def with_ellipsis(trace: Trace, loss: Loss) -> str:
    """The text that is gone, with "…" where its sentence goes on at each place: a part may say the opposite of the whole."""
    text = one_line(loss.text, LINE)
    if loss.kind not in ("rule", "said") or text.endswith((".", "!", "?", "…")):
        return text
    said = own_text(trace.messages[loss.place])
    ends = [one.end() for one in re.finditer(re.escape(loss.text), said)]
    return f"{text}…" if ends and all(_CONTINUES.match(said, end) for end in ends) else text


def _quote(trace: Trace, step: int | None) -> str:
    """What the message of a step says, up to the end of a sentence; "" of none, and of one without words."""
    if step is None:
        return ""
    return whole_sentences(one_line(own_text(trace.messages[trace.step(step).messages - 1]), LINE), QUOTE)
