"""The demo agent: a scripted model that needs no key and no network, and looks honestly at the window it is given.

It investigates the folder `FOLDER` that ships with foldline, with some forty replies and real tool calls. What it says of the
user's rules is found in the messages it is sent, so that another budget, `keep_recent` or policy changes its answer.
"""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from core.errors import RunCancelledError
from core.facts import is_earlier_summary
from core.llm._demo_script import FIND, OWED, PATCH, Step
from core.llm._demo_sight import RULES, account, in_short, seen, window_told
from core.llm._demo_summary import asks_for_summary, summary_of
from core.llm.protocol import ToolSpec
from core.llm.provider import Provider
from core.meters import meter
from core.model import Message, ToolCall, Usage
from core.text import cut
from core.tokenizer import count_text

PROVIDER = Provider(
    name="demo",
    label="Demo agent, offline",
    models=("demo",),
    needs_key=False,
    about="A script over a sample folder: no key, no network, the same every time; its tool calls are real.",
)

FOLDER = Path(__file__).parent.parent / "data" / "desk"
"""The sample folder the script works in: give it to the files tools."""

FAMILIES = ("calculator", "files", "notes")
SYSTEM = (
    "You maintain small services for a public library. Read before you conclude, work numbers out with the calculator, and "
    "keep what you find with add_note. Your tools can only read. Say what you are doing in a sentence before you do it."
)
GOAL = (
    "The lending desk in this folder has charged some borrowers one day too little since spring. Find out why, and tell me the "
    f"smallest fix that {RULES[0].words} in src/index.js.\n\n"
    f"Two more things. Whatever you propose, {RULES[1].words}. And end every answer to me with {RULES[2].words}:, "
    "so that I can find it."
)
FOLLOW_UPS = ("Write the fix as a patch.", "Who was charged too little, and how much?")
POLICY, BUDGET, KEEP_RECENT, METER = "agentkit.memory", 6_000, 6, "o200k_base"
MAX_TURNS = 60
DELAY = 0.02  # seconds a word

HELP = (
    "I am a script, not a model: I can only do what was written down for me. Ask me one of these:\n"
    f"- {GOAL.splitlines()[0]}\n" + "\n".join(f"- {text}" for text in FOLLOW_UPS)
)
LOST = (
    "I can no longer see what I was asked, nor what I did last: nothing of it is in my window. I am a script and stop here; "
    "a real model would guess. Ask me again, or give me a larger budget."
)

_VERDICT = (
    "\n\nVERDICT: daysBetween in src/dates.js rounds a day of 23 hours down; Math.round instead of Math.floor mends it."
)
_SCRIPTS: dict[str, tuple[Step, ...]] = {"find": FIND, "patch": PATCH, "owed": OWED}
_ASKED = (
    ("patch", re.compile(r"\b(patch|diff)\b", re.IGNORECASE)),
    ("owed", re.compile(r"\b(who|how much|owed?)\b", re.IGNORECASE)),
    ("find", re.compile(r"too little|find out why|\bwhy\b.*\bfine", re.IGNORECASE)),
)
_GO_ON = re.compile(r"\s*(please\s+)?(go on|continue|carry on|resume|weiter)\b", re.IGNORECASE)
_CALL_ID = re.compile(r"(find|patch|owed)-(\d+)[a-z]?(?:-\d+)?\Z")
_WORDS = re.compile(r"\S+\s*|\s+")

Place = tuple[str, int]
"""A script's name, and how many of its replies are made."""


def connect(
    model: str = "demo", key: str = "", base_url: str = "", *, made: int = 0, delay: float = DELAY, **settings: Any
) -> "DemoLLM":
    """The demo agent. `key`, `base_url` and other providers' settings are not used.

    `made` is how many replies of the first script a resumed run already holds: it counts only where the window no longer
    shows any of its calls. `delay` is the seconds a word takes when it streams.
    """
    return DemoLLM(made=made, delay=delay, model=model or "demo")


class DemoLLM:
    """A model by script. Its place in the script is read off the newest of its calls in the window: what is not in view any
    more is done again, under a new id. Only where no call is in view, it goes on after its last reply.
    """

    def __init__(self, made: int = 0, delay: float = DELAY, model: str = "demo") -> None:
        self.model, self.delay = model, delay
        self._place: Place | None = None
        self._issued = set[str]()
        self.made = made

    @property
    def made(self) -> int:
        """How many replies of the script it has made, as far as it knows."""
        return self._place[1] if self._place else 0

    @made.setter
    def made(self, made: int) -> None:
        self._place = ("find", made) if made > 0 else None

    def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec] = ()) -> Message:
        """The next reply of the script, a summary if one is asked for, or what it can do."""
        reply, place = self._reply(messages, tools)
        self._place = place or self._place
        return reply

    def stream(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        heard: Callable[[str], None],
        cancelled: Callable[[], bool],
    ) -> Message:
        """The same, told word by word. Raises RunCancelledError; the reply then counts as not made."""
        reply, place = self._reply(messages, tools)
        for word in _WORDS.findall(reply.content):
            self._wait(cancelled)
            heard(word)
        self._wait(cancelled)
        self._place = place or self._place
        return reply

    def count_tokens(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> int:
        """Input tokens by o200k_base: of the messages, and of the tools as JSON."""
        counts = meter(METER)
        return sum(map(counts.count, messages)) + (count_text(str(list(tools)))[0] if tools else 0)

    def request(self, messages: Sequence[Message], tools: Sequence[ToolSpec], streamed: bool = False) -> dict[str, Any]:
        """What the script looks at: the messages and the tools; the same whether or not it is told word by word."""
        kept = {"role", "content", "tool_calls", "tool_call_id"}
        sent = [m.model_dump(include=kept, exclude_defaults=True) for m in messages]
        return {"model": self.model, "messages": sent, "tools": list(tools)}

    def _wait(self, cancelled: Callable[[], bool]) -> None:
        if self.delay:
            time.sleep(self.delay)
        if cancelled():
            raise RunCancelledError

    def _reply(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> tuple[Message, Place | None]:
        if asks_for_summary(messages, tools):
            return self._said(messages, tools, summary_of(messages)), None
        place = self._next(messages)
        if place is None:
            last = messages[-1] if messages else None
            return self._said(messages, tools, HELP if last is not None and _asking(last) else LOST), None
        name, number = place
        step = _SCRIPTS[name][number]
        if missing := _needed(step) - {spec["name"] for spec in tools}:
            return self._said(messages, tools, _without(missing)), None
        calls = _calls(place, step, self._issued | _ids(messages))
        self._issued |= {call.id for call in calls}
        return self._said(messages, tools, _filled(place, messages), calls), (name, number + 1)

    def _next(self, messages: Sequence[Message]) -> Place | None:
        """The script and the reply to give in it, or None where there is none."""
        last = messages[-1] if messages else None
        if last is not None and _asking(last) and not _GO_ON.match(last.content):
            return _asked(last.content)
        place = _newest(messages) or self._place or _summarised(messages)
        if place is not None and self._place is not None and place[0] == self._place[0] and not _answers(last):
            place = max(place, self._place)
        return place if place is not None and place[1] < len(_SCRIPTS[place[0]]) else None

    def _said(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], text: str, calls: tuple[ToolCall, ...] = ()
    ) -> Message:
        reply = Message(role="assistant", content=text, tool_calls=calls, model=self.model)
        usage = Usage(input_uncached=self.count_tokens(messages, tools), output=meter(METER).count(reply))
        return reply.model_copy(update={"usage": usage})


def _asking(message: Message) -> bool:
    """Whether a person's words are what has to be answered."""
    return message.typed and not is_earlier_summary(message)


def _asked(text: str) -> Place | None:
    """The beginning of the script that a text asks for."""
    return next(((name, 0) for name, words in _ASKED if words.search(text)), None)


def _summarised(messages: Sequence[Message]) -> Place | None:
    """The beginning of the script that a summary tells of: of a run whose question was folded before it was answered."""
    return next(filter(None, (_asked(m.content) for m in reversed(messages) if is_earlier_summary(m))), None)


def _answers(message: Message | None) -> bool:
    return message is not None and message.role == "tool"


def _newest(messages: Sequence[Message]) -> Place | None:
    """The place after the newest of the script's calls that is in view, whether by the call or by its result."""
    for message in reversed(messages):
        ids = [message.tool_call_id or "", *(call.id for call in message.tool_calls)]
        if found := next(filter(None, map(_CALL_ID.match, reversed(ids))), None):
            return found[1], int(found[2])
    return None


def _calls(place: Place, step: Step, taken: set[str]) -> tuple[ToolCall, ...]:
    """The step's calls, with ids that say where in the script they are: `find-7`, `find-7b`; `find-7-2` if it is taken."""
    stems = _stems(*place)
    return tuple(
        ToolCall(id=next(one for one in _numbered(stem) if one not in taken), name=tool, arguments=arguments)
        for stem, (tool, arguments) in zip(stems, step.calls, strict=True)
    )


def _stems(name: str, number: int) -> list[str]:
    """The ids of a step's calls, before any is numbered on."""
    return [f"{name}-{number + 1}{'abcdefgh'[i] if i else ''}" for i in range(len(_SCRIPTS[name][number].calls))]


def _ids(messages: Sequence[Message]) -> set[str]:
    """The ids of calls in view, by the call or by its result."""
    return {call.id for message in messages for call in message.tool_calls} | {m.tool_call_id or "" for m in messages}


def _numbered(stem: str) -> Iterator[str]:
    yield stem
    number = 2
    while True:
        yield f"{stem}-{number}"
        number += 1


def _needed(step: Step) -> set[str]:
    return {name for name, _ in step.calls}


def _without(missing: set[str]) -> str:
    families = ", ".join(FAMILIES)
    return f"I am a script and need the tools {', '.join(sorted(missing))} for this: give me the families {families}."


def _filled(place: Place, messages: Sequence[Message]) -> str:
    """The text of the step at this place, with what the window says put in."""
    step = _SCRIPTS[place[0]][place[1]]
    if "{" not in step.text:
        return step.text
    form = next(one for one in seen(messages) if one.rule is RULES[2])
    return step.text.format(
        answer=_answer(messages, place),
        rules=in_short(messages),
        account=account(messages),
        window=window_told(messages),
        verdict=_VERDICT if form.where else "",
    )


def _answer(messages: Sequence[Message], place: Place) -> str:
    """The last line of what the last call of the reply before came to."""
    name, number = place
    before = _stems(name, number - 1)[-1:] if number else []
    wanted = re.compile(rf"({'|'.join(before)})(-\d+)?\Z") if before else None
    found = (m.content for m in reversed(messages) if wanted and wanted.match(m.tool_call_id or "") and not m.is_error)
    lines = next(found, "").strip().splitlines()
    return cut(lines[-1], 60) if lines else "(the result is not in view)"
