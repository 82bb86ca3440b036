"""What the model is told of an observation, put together as OpenHands does it from what was recorded."""

import json
from typing import Any

from core.importers._shapes.blocks import MessageParts, list_of, object_of, string
from core.importers._shapes.images import embedded, linked

_ERROR = "[An error occurred during execution.]"
_CELL_PICTURE = "![image](data:image/png;base64,"
_SHOWN = "![image](data:image/png;base64, ...) already displayed to user"
_PLUMBING = {"kind", "metadata", "is_error", "error", "full_output_save_dir"}


def observed(kind: str, content: Any, extras: dict[str, Any]) -> MessageParts:
    """The text of an observation of V0, and its pictures."""
    text = MessageParts().add(content).text
    if kind == "run":
        return MessageParts([terminal(text, extras.get("metadata"))])
    if kind == "run_ipython":
        lines = [_SHOWN if _CELL_PICTURE in line else line for line in text.split("\n")]
        return MessageParts(
            ["\n".join(lines)], images=[linked(url) for url in list_of(extras.get("image_urls")) if url]
        )
    if kind == "recall":
        return MessageParts(_recalled(extras))
    if kind == "delegate":
        return MessageParts([string(object_of(extras.get("outputs")).get("content")) or text])
    if kind == "error":
        return MessageParts([f"{text}\n[Error occurred in processing last action]"])
    if kind == "user_rejected":
        return MessageParts([f"OBSERVATION:\n{text}\n[Last action has been rejected by the user]"])
    return MessageParts([text])


def terminal(text: str, metadata: Any) -> str:
    """The output of a command with what the terminal said of it: the folder, the interpreter and the exit code."""
    known = object_of(metadata)
    text = f"{string(known.get('prefix'))}{text}{string(known.get('suffix'))}"
    code = known.get("exit_code")
    lines = [
        f"[Current working directory: {known['working_dir']}]" if string(known.get("working_dir")) else "",
        f"[Python interpreter: {known['py_interpreter_path']}]" if string(known.get("py_interpreter_path")) else "",
        f"[Command finished with exit code {code}]" if isinstance(code, int) and code != -1 else "",
    ]
    return "\n".join([text, *(line for line in lines if line)])


_RECALLED = {
    "repo_name": "Repository",
    "repo_directory": "Repository folder",
    "repo_branch": "Branch",
    "repo_instructions": "Repository instructions",
    "working_dir": "Working folder",
    "date": "Date",
    "additional_agent_instructions": "Instructions",
    "conversation_instructions": "Conversation instructions",
}


def _recalled(extras: dict[str, Any]) -> list[str]:
    """What was put into the prompt: its pieces are recorded, the words around them are not."""
    texts = [f"{label}: {extras[key]}" for key, label in _RECALLED.items() if string(extras.get(key)).strip()]
    hosts = ", ".join(f"{url} ({port})" for url, port in object_of(extras.get("runtime_hosts")).items())
    secrets = ", ".join(object_of(extras.get("custom_secrets_descriptions")))
    texts += [f"Hosts: {hosts}"] if hosts else []
    texts += [f"Secrets: {secrets}"] if secrets else []
    return texts + [text for text in map(_knowledge, list_of(extras.get("microagent_knowledge"))) if text]


def _knowledge(item: Any) -> str:
    return string(object_of(item).get("content"))


def shown(observation: Any) -> MessageParts:
    """The text of an observation of V1, and its pictures."""
    found = object_of(observation)
    parts = content_parts(found.get("content")) if "content" in found else MessageParts(_plain(found))
    if string(found.get("kind")) in ("TerminalObservation", "ExecuteBashObservation"):
        parts.texts = [terminal(parts.text, found.get("metadata"))]
    if found.get("is_error") is True or found.get("error") is True:
        parts.texts.insert(0, _ERROR)
    return parts


def _plain(found: dict[str, Any]) -> list[str]:
    """Older observations have fields of their own: an output, an error, or else all there is."""
    texts = [text for text in (string(found.get(key)) for key in ("output", "text", "error")) if text]
    rest = {key: value for key, value in found.items() if key not in _PLUMBING}
    return texts or ([json.dumps(rest, ensure_ascii=False)] if rest else [])


def content_parts(content: Any) -> MessageParts:
    """The texts and pictures of a message of V1."""
    parts = MessageParts()
    for block in content if isinstance(content, list) else [content]:
        urls = object_of(block).get("image_urls")
        if isinstance(urls, list):
            parts.images += [linked(url) for url in urls]
        elif object_of(block).get("type") == "image" and "data" in object_of(block):
            parts.images.append(embedded(object_of(block).get("mimeType"), object_of(block).get("data")))
        else:
            parts.add(block)
    return parts
