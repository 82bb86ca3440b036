"""The texts in a user message of Cline or Roo Code: what a person typed, what came of a tool, what was put in around it."""

import re
from collections.abc import Sequence

_ANSWERS = "user_message|feedback|answer|user_feedback"
_TYPED = re.compile(rf"<(?:task|{_ANSWERS})>")
_TAGS = re.compile(rf"</?(?:task|{_ANSWERS})>")
_REPLIED = re.compile(rf"\s*(?:The user [^<]{{0,400}})?<(?:{_ANSWERS})>")
_AROUND = re.compile(r"\s*<(environment_details|SYSTEM_NOTICE)\b")
_RESULT = re.compile(r"\s*\[[a-z_]+(?: .{0,4000}?)?\] Result:", re.DOTALL)
_HARNESS = re.compile(
    r"\s*(?:\[(?:ERROR|TASK RESUMPTION|NOTE|FATAL ERROR)\]|# (?:TODO LIST|task_progress)\b"
    r"|<(?:explicit_instructions|hook_context)\b)"
)

_FOLDER = re.compile(r"# Current (?:Working|Workspace) Directory \(([^)\n]+)\)")
_MODEL = re.compile(r"<model>([^<\n]{1,200})</model>")


def injected(texts: Sequence[str]) -> str:
    """Empty where a person typed any of the texts; else what they are: "observation" rather than what stands around it.

    What came of a tool stands in one text with its heading, or in the text behind it.
    """
    kinds, below = [], False
    for text in texts:
        heading = _RESULT.match(text)
        around = _AROUND.match(text)
        if heading or (below and not around):
            body = text[heading.end() :] if heading else text
            kinds.append("" if _REPLIED.match(body) else "observation")
            below = not body.strip()
        else:
            kinds.append(_kind(text, around))
            below = False
    if not kinds or "" in kinds:
        return ""
    return next((kind for kind in kinds if kind != "environment"), "environment")


def _kind(text: str, around: "re.Match[str] | None") -> str:
    """What a text is that came of no tool; empty where a person typed it."""
    if around:
        return "environment" if around[1] == "environment_details" else "notice"
    return "meta" if _HARNESS.match(text) and not _TYPED.search(text) else ""


def is_notice(text: str) -> bool:
    """Whether a text is what Cline's SDK put in the place of what it removed."""
    return text.lstrip().startswith("<SYSTEM_NOTICE>")


def has_details(text: str) -> bool:
    """Whether a text is the environment details that only Cline and its forks put in."""
    return text.lstrip().startswith("<environment_details>")


def typed_text(text: str) -> str:
    """What a person typed, without the tags around it and what was put in behind it."""
    return _TAGS.sub("", text.split("<environment_details>")[0]).strip()


def project_of(texts: Sequence[str]) -> str:
    """The folder that the environment details name; empty where there are none."""
    return next((found[1] for text in texts if has_details(text) and (found := _FOLDER.search(text))), "")


def model_of(texts: Sequence[str]) -> str:
    """The model that Roo Code's environment details name."""
    return next((found[1].strip() for text in texts if has_details(text) and (found := _MODEL.search(text))), "")
