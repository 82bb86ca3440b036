"""The measures once more, the slow way: window by window, message by message."""

from collections.abc import Sequence

from core import Message, ToolCall, Trace
from core.entities.entity import Entity, bare
from core.entities.kinds import Names

Reply = list[int]


def replies(trace: Trace) -> list[Reply]:
    """The places of the messages of each reply."""
    found: list[Reply] = []
    last = ""
    for i, m in enumerate(trace.messages):
        if m.role == "assistant" and not m.injected:
            if found and m.reply_id and m.reply_id == last:
                found[-1].append(i)
            else:
                found.append([i])
            last = m.reply_id or ""
    return found


def window_before(trace: Trace, reply: Reply) -> list[Message]:
    """The prompt of a reply."""
    step = trace.message_step(reply[0])
    return trace.window(step - 1) if step else []


def tokens_before(trace: Trace, reply: Reply) -> int:
    """The tokens of that prompt."""
    step = trace.message_step(reply[0])
    return trace.step(step - 1).tokens if step else 0


def names(message: Message) -> set[Entity]:
    """The names that a message uses."""
    return Names().of_message(message)


def shows(message: Message, name: Entity) -> bool:
    """Whether a message shows a name."""
    return name in names(message) or name in set(map(bare, names(message)))


def misses(trace: Trace, real: bool) -> tuple[int, list[tuple[int, Entity]]]:
    """How many uses there are, and those missed; `real`: whether summaries count."""
    count, found = 0, []
    for n, reply in enumerate(replies(trace)):
        window = [m for m in window_before(trace, reply) if real or m.injected != "summary"]
        for name in {name for i in reply for name in names(trace.messages[i])}:
            if any(shows(m, name) for m in trace.messages[: reply[0]]):
                count += 1
                found += [] if any(shows(m, name) for m in window) else [(n, name)]
    return count, sorted(found)


def worst_step(trace: Trace, real: bool) -> int | None:
    """The step of the first miss of what the compaction with the most misses took, from every step's window."""
    starts, blamed = replies(trace), dict[int, list[int]]()
    for n, name in misses(trace, real)[1]:
        place = max(i for i in range(starts[n][0]) if shows(trace.messages[i], name))
        message, steps = trace.messages[place], [trace.compaction_step(k) for k in range(len(trace.compactions))]
        gone = next(i for i in steps if i > trace.message_step(place) and message not in trace.window(i))
        blamed.setdefault(gone, []).append(trace.message_step(starts[n][0]))
    return min((-len(found), gone, min(found)) for gone, found in blamed.items())[2] if blamed else None


def common(trace: Trace) -> list[list[Message]]:
    """The equal messages at the beginning of each prompt and the one before."""
    found, before = [], list[Message]()
    for n, reply in enumerate(replies(trace)):
        now, same = window_before(trace, reply), list[Message]()
        for a, b in zip(before, now, strict=False):
            if (a.role, a.content, a.tool_calls, a.tool_call_id) != (b.role, b.content, b.tool_calls, b.tool_call_id):
                break
            same.append(b)
        found.append(same if n else [])
        before = now
    return found


Made = tuple[int, int, ToolCall, int]


def made(trace: Trace) -> list[Made]:
    """Every tool call: its reply, its message, itself, its result or -1."""
    found: list[Made] = []
    for n, reply in enumerate(replies(trace)):
        found += [
            (n, i, call, result(trace.messages, i, call.id)) for i in reply for call in trace.messages[i].tool_calls
        ]
    return found


def result(messages: Sequence[Message], place: int, id: str) -> int:
    """Where the result of a call arrives, -1 where none does."""
    return next((i for i in range(place + 1, len(messages)) if messages[i].tool_call_id == id), -1)


def faults(trace: Trace) -> tuple[int, int, int]:
    """Repeats, faults and rework tokens."""
    everything, starts = made(trace), replies(trace)
    repeats, missing, tokens = 0, 0, 0
    for k, (n, _, _call, own) in enumerate(everything):
        sources = [s for s in range(k) if is_source(everything, s, k, starts[n][0])]
        if not sources:
            continue
        repeats += 1
        window = window_before(trace, starts[n])
        if not any(trace.messages[everything[s][3]] in window for s in sources):
            missing += 1
            tokens += trace.tokens[own] if own >= 0 else 0
    return repeats, missing, tokens


def is_source(everything: Sequence[Made], s: int, k: int, at: int) -> bool:
    """Whether call s answers what call k asks."""
    source, asked, answer = everything[s][2], everything[k][2], everything[s][3]
    written = [call.arguments["path"] for _, _, call, _ in everything[s + 1 : k] if call.name == "edit_file"]
    if not 0 <= answer < at:
        return False
    if (source.name, source.arguments) == (asked.name, asked.arguments) and not written:
        return True
    reads = source.name == asked.name == "read_file" and source.arguments["path"] == asked.arguments["path"]
    return reads and source.arguments["path"] not in written and bool(lines(source) & lines(asked))


def lines(call: ToolCall) -> set[int]:
    """The lines that a call reads, of a file of a hundred."""
    first = call.arguments.get("offset", 0)
    return set(range(first, min(100, first + call.arguments.get("limit", 100))))


def clairvoyant(trace: Trace) -> int:
    """The misses of one who knows the future, keeping at each event what it will need next, as measures.md words it."""
    used = [(sorted({n for i in r for n in names(trace.messages[i])}), r[0]) for r in replies(trace)]
    held, arrived, missed = list[int](), 0, 0
    for n, (wanted, at) in enumerate(used):
        acted = [c for c in trace.compactions if c.at <= at and (n == 0 or c.at > used[n - 1][1])]
        if acted:
            last = acted[-1].at
            held, arrived = keep(trace, [*held, *range(arrived, last)], acted[-1].window_after, used[n:]), last
        there = [*held, *range(arrived, at)]
        for name in wanted:
            known = any(shows(trace.messages[i], name) for i in range(at))
            missed += known and not any(shows(trace.messages[i], name) for i in there)
    return missed


def keep(trace: Trace, there: list[int], room: int, used: Sequence[tuple[list[Entity], int]]) -> list[int]:
    """What it keeps of the messages it has."""
    size, kept = trace.tokens, list[int]()
    for i in there:
        if all(m.role == "system" for m in trace.messages[: i + 1]) or i == there[-1]:
            kept.append(i)
    room -= sum(size[i] for i in kept)
    for name in dict.fromkeys(name for wanted, _ in used for name in wanted):
        showing = [i for i in there if shows(trace.messages[i], name)]
        if showing and not set(showing) & set(kept):
            best = min(showing, key=lambda i: (size[i], -i))
            if size[best] <= room:
                kept.append(best)
                room -= size[best]
    for i in reversed(there):
        if i not in kept and size[i] <= room:
            kept.append(i)
            room -= size[i]
    return sorted(kept)


def orphaned(trace: Trace) -> set[tuple[str, str]]:
    """The ids of calls and results of which a compaction left one without the other."""
    found = set[tuple[str, str]]()
    for compaction in trace.compactions:
        there = {m.id for m in compaction.after}
        for _, place, _call, answer in made(trace):
            if 0 <= answer < compaction.at:
                ids = trace.messages[place].id, trace.messages[answer].id
                found |= {ids} if (ids[0] in there) != (ids[1] in there) else set()
    return found
