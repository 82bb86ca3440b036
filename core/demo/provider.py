"""The demo agent: a scripted model that needs no key and no network.

It investigates the folder `FOLDER` that ships with foldline, with some forty replies and real tool calls. It looks for the
user's rules in the messages it is sent, so that another budget, `keep_recent` or policy changes its answer.
"""

import re
import time
from itertools import chain, count
from pathlib import Path
from typing import Any

from core.demo.script import FIND, OWED, PATCH, Step
from core.demo.summary import asks_for_summary, summary_of
from core.demo.window_reading import RULES, count_rules, describe_window, find_rules, report_rules
from core.llm.protocol import Cancelled, Messages, OnText, Tools
from core.llm.provider import Provider
from core.meters import meter
from core.meters.tokenizer import count_text
from core.model.errors import RunCancelledError
from core.model.session import Message, ToolCall, Usage
from core.model.text import cut
from core.summaries.facts import is_earlier_summary

PROVIDER = Provider(
    name="demo",
    label="Demo agent, offline",
    models=("demo",),
    needs_key=False,
    about="A script over a sample folder: no key, no network, the same every time. Its tool calls are real.",
)

FOLDER = Path(__file__).parent / "desk"
"""The sample folder that the script reads with the files tools."""

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

HELP = f"I am a script, not a model: I can answer only these messages:\n- {GOAL.splitlines()[0]}\n" + "\n".join(
    f"- {text}" for text in FOLLOW_UPS
)
LOST = (
    "My window no longer holds what I was asked, nor what I did last. I am a script and stop here; a real model would guess. "
    "Ask me again, or give me a larger budget."
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

    `made` is how many replies of the first script a reopened run holds already: it counts only where the window holds none of
    their calls. `delay` is the seconds between two streamed words.
    """
    return DemoLLM(made=made, delay=delay, model=model or "demo")


class DemoLLM:
    """A scripted model. Its place in the script is that of its newest call in the window: what has left the window is done
    again, under a new id. If the window holds none of its calls, it continues after its last reply.
    """

    def __init__(self, made: int = 0, delay: float = DELAY, model: str = "demo") -> None:
        self.model, self.delay = model, delay
        self._place: Place | None = None
        self._issued = set[str]()
        self.made = made

    @property
    def made(self) -> int:
        """How many replies of the script it has made."""
        return self._place[1] if self._place else 0

    @made.setter
    def made(self, made: int) -> None:
        self._place = ("find", made) if made > 0 else None

    def complete(self, messages: Messages, tools: Tools = ()) -> Message:
        """The next reply of the script, a summary if one is asked for, or what it can do."""
        reply, place = self._reply(messages, tools)
        self._place = place or self._place
        return reply

    def stream(self, messages: Messages, tools: Tools, on_text: OnText, cancelled: Cancelled) -> Message:
        """The same, word by word. Raises RunCancelledError; the reply then counts as not made."""
        reply, place = self._reply(messages, tools)
        for word in _WORDS.findall(reply.content):
            self._wait(cancelled)
            on_text(word)
        self._wait(cancelled)
        self._place = place or self._place
        return reply

    def count_tokens(self, messages: Messages, tools: Tools) -> int:
        """Input tokens by o200k_base: of the messages, and of the tools as JSON."""
        counts = meter(METER)
        return sum(map(counts.count, messages)) + (count_text(str(list(tools)))[0] if tools else 0)

    def request(self, messages: Messages, tools: Tools, streamed: bool = False) -> dict[str, Any]:
        """The messages and the tools, as the script reads them, streamed or not."""
        kept = {"role", "content", "tool_calls", "tool_call_id"}
        sent = [m.model_dump(include=kept, exclude_defaults=True) for m in messages]
        return {"model": self.model, "messages": sent, "tools": list(tools)}

    def _wait(self, cancelled: Cancelled) -> None:
        if self.delay:
            time.sleep(self.delay)
        if cancelled():
            raise RunCancelledError

    def _reply(self, messages: Messages, tools: Tools) -> tuple[Message, Place | None]:
        if asks_for_summary(messages, tools):
            return self._message(messages, tools, summary_of(messages)), None
        place = self._next(messages)
        if place is None:
            last = messages[-1] if messages else None
            return self._message(messages, tools, HELP if last is not None and _is_question(last) else LOST), None
        name, number = place
        step = _SCRIPTS[name][number]
        if missing := {tool for tool, _ in step.calls} - {spec["name"] for spec in tools}:
            return self._message(messages, tools, _without(missing)), None
        calls = _calls(place, step, self._issued | _ids(messages))
        self._issued |= {call.id for call in calls}
        return self._message(messages, tools, _text(place, messages), calls), (name, number + 1)

    def _next(self, messages: Messages) -> Place | None:
        """The script and the reply to give in it, or None where there is none."""
        last = messages[-1] if messages else None
        if last is not None and _is_question(last) and not _GO_ON.match(last.content):
            return _script_for(last.content)
        place = _place_in(messages) or self._place or _script_in_summary(messages)
        in_result = last is not None and last.role == "tool"
        if place is not None and self._place is not None and place[0] == self._place[0] and not in_result:
            place = max(place, self._place)
        return place if place is not None and place[1] < len(_SCRIPTS[place[0]]) else None

    def _message(self, messages: Messages, tools: Tools, text: str, calls: tuple[ToolCall, ...] = ()) -> Message:
        reply = Message(role="assistant", content=text, tool_calls=calls, model=self.model)
        usage = Usage(input_uncached=self.count_tokens(messages, tools), output=meter(METER).count(reply))
        return reply.model_copy(update={"usage": usage})


def _is_question(message: Message) -> bool:
    """Whether a typed message has to be answered."""
    return message.typed and not is_earlier_summary(message)


def _script_for(text: str) -> Place | None:
    """The start of the script that a text asks for."""
    return next(((name, 0) for name, words in _ASKED if words.search(text)), None)


def _script_in_summary(messages: Messages) -> Place | None:
    """The start of the script that a summary mentions: the question was summarized before it was answered."""
    return next(filter(None, (_script_for(m.content) for m in reversed(messages) if is_earlier_summary(m))), None)


def _place_in(messages: Messages) -> Place | None:
    """The place after the newest call of a script in the window, by the call or by its result."""
    for message in reversed(messages):
        ids = [message.tool_call_id or "", *(call.id for call in message.tool_calls)]
        if found := next(filter(None, map(_CALL_ID.match, reversed(ids))), None):
            return found[1], int(found[2])
    return None


def _calls(place: Place, step: Step, taken: set[str]) -> tuple[ToolCall, ...]:
    """The step's calls, with ids that hold their place in the script: `find-7`, `find-7b`; `find-7-2` if it is taken."""
    stems = _stems(*place)
    return tuple(
        ToolCall(id=_free_id(stem, taken), name=tool, arguments=arguments)
        for stem, (tool, arguments) in zip(stems, step.calls, strict=True)
    )


def _stems(name: str, number: int) -> list[str]:
    """The ids of a step's calls, without a further number."""
    return [f"{name}-{number + 1}{'abcdefgh'[i] if i else ''}" for i in range(len(_SCRIPTS[name][number].calls))]


def _ids(messages: Messages) -> set[str]:
    """The ids of calls in the window, by the call or by its result."""
    return {call.id for message in messages for call in message.tool_calls} | {m.tool_call_id or "" for m in messages}


def _free_id(stem: str, taken: set[str]) -> str:
    return next(one for one in chain([stem], (f"{stem}-{n}" for n in count(2))) if one not in taken)


def _without(missing: set[str]) -> str:
    families = ", ".join(FAMILIES)
    return f"I am a script and need the tools {', '.join(sorted(missing))} for this: give me the families {families}."


def _text(place: Place, messages: Messages) -> str:
    """The text of the step at this place, with its fields filled from the window."""
    step = _SCRIPTS[place[0]][place[1]]
    if "{" not in step.text:
        return step.text
    form = next(one for one in find_rules(messages) if one.rule is RULES[2])
    return step.text.format(
        answer=_answer(messages, place),
        rules=count_rules(messages),
        account=report_rules(messages),
        window=describe_window(messages),
        verdict=_VERDICT if form.where else "",
    )


def _answer(messages: Messages, place: Place) -> str:
    """The last line of the result of the previous reply's last call."""
    name, number = place
    before = _stems(name, number - 1)[-1:] if number else []
    wanted = re.compile(rf"({'|'.join(before)})(-\d+)?\Z") if before else None
    found = (m.content for m in reversed(messages) if wanted and wanted.match(m.tool_call_id or "") and not m.is_error)
    lines = next(found, "").strip().splitlines()
    return cut(lines[-1], 60) if lines else "(the result is not in view)"
