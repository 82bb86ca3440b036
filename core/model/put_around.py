"""What agents put around a request before they send it: the folder, the time, a mode, files that were mentioned, notices.

Of Cline and Roo Code, opencode, Copilot CLI, Codex and Gemini CLI, as their transcripts have it.
"""

import re

_BLOCKS = "environment_details|SYSTEM_NOTICE|system_reminder|system-reminder|current_datetime"
_BLOCK = re.compile(rf"(?:^|\n)[ \t]*<({_BLOCKS})>.*?</\1>[ \t]*", re.DOTALL)
_OPEN = re.compile(rf"(?:^|\n)[ \t]*<(?:{_BLOCKS})>")  # a block whose end was cut off
_PICTURE = re.compile(r"[ \t]*<image name=\[[^\]\n]{1,80}\]>\s*(?:</image>)?")
_TAGS = re.compile(r"\s*<(task|user_message|feedback|answer|user_feedback)>(.*?)</\1>", re.DOTALL)
_BEHIND = re.compile(
    r"\n--- Content from referenced files ---"  # Gemini CLI
    r"|\nCalled the (?:Read|list) tool with the following input: \{"  # opencode
)
_FILE = re.compile(r"\n((?:/|[A-Za-z]:[\\/])[^\n]{1,400})\n")  # Cline: a line with a path, and the file below it
_MARKS = ("<", "\n---", "\nCalled the ", "\n/", ":\\", ":/")


def without_put_around(text: str) -> str:
    """A request without what its agent put around it; the text as it is where nothing of the person's is left."""
    if not any(mark in text for mark in _MARKS):
        return text
    left = _PICTURE.sub("", _BLOCK.sub("", text))
    for end in (_OPEN, _BEHIND):
        if found := end.search(left):
            left = left[: found.start()]
    left = _without_files(left)
    if tagged := _TAGS.match(left):
        left = tagged[2] + left[tagged.end() :]
    return left.strip() if left != text and left.strip() else text


def _without_files(text: str) -> str:
    """The text in front of the first file that stands below it and that it mentions with an @."""
    for found in _FILE.finditer(text):
        above, path = text[: found.start()], found[1].replace("\\", "/")
        if any(path.endswith(name.rstrip(".,;:)")) for name in re.findall(r"@([\w./\\-]{3,400})", above)):
            return above
    return text
