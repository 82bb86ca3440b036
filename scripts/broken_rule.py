"""Writes the sample foldline/broken-rule.json: a short run whose one summary leaves out a rule, which the agent then breaks.

python -m scripts.broken_rule

The run is made up. An agent looks after the site of a pottery; agentkit.memory compacts its window once, and the summary
below stands where a model would have written it. All of it is true of the messages that it replaces, but the one sentence
of the user that holds for good is not in it.
"""

import json
from collections.abc import Sequence
from pathlib import Path

from core import Message, Session, ToolCall, meter, policy, simulate
from core.model.session import Driven, PolicyUsed
from core.trace.recorded import session_of

SAMPLE = Path(__file__).parents[1] / "sample_sessions" / "foldline" / "broken-rule.json"
SETTINGS = {"budget": 1600, "keep_recent": 6}
RULE = "Never delete an original in photos/: the printed catalogue links to them by name."

SUMMARY = """\
The site of a small pottery: index.html, contact.html, gallery.html, style.css, and the pictures in photos/.

Done
- Summer hours from notes/hours.txt are on index.html (a list of five lines) and contact.html (one sentence). \
gallery.html only has the word hours in a caption.

In progress
- The six new pots, numbers 41 to 46, stand first in gallery.html, newest first. What is left: check the page, then \
say what was done.
- The newest pictures are last on disk, so the page counts down from 46. Each has its shape and its glaze as alt \
text. The page has 49 lines now."""

_GLAZES = ("ash", "celadon", "tenmoku", "oatmeal", "cobalt", "shino", "iron red", "clear")
_SHAPES = ("bowl", "jug", "plate", "mug", "vase", "tea bowl", "lidded jar", "platter")
_PICTURES = tuple(f"{_SHAPES[i % 8].replace(' ', '-')}-{i + 1:02}.jpg" for i in range(46))

_HOURS = """\
Summer, 1 May to 30 September
Monday and Tuesday closed
Wednesday to Friday 10 to 18
Saturday 9 to 16
First Sunday of the month: kiln opening, 11 to 15"""

_INDEX = """\
<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Lower Mill Pottery</title><link rel="stylesheet" href="style.css"></head>
<body>
<header><h1>Lower Mill Pottery</h1><nav><a href="gallery.html">Gallery</a> <a href="contact.html">Contact</a></nav></header>
<main>
<p>Stoneware for the table, thrown at the wheel and fired with wood twice a year.</p>
<section class="hours">
<h2>Opening hours</h2>
<ul><li>Monday to Friday 9 to 17</li><li>Saturday 9 to 13</li></ul>
</section>
<p>The printed catalogue lies at the till, and in the library.</p>
</main>
</body>
</html>"""

_CONTACT = """\
<main>
<h1>How to find us</h1>
<p>Behind the mill, across the small bridge. There is room for two cars and many bicycles.</p>
<p class="hours">Open Monday to Friday 9 to 17, Saturday 9 to 13.</p>
<p>Groups and schools: please write two weeks before, the kiln shed is small.</p>
</main>"""


def _figure(i: int) -> str:
    return f'<figure><img src="photos/{_PICTURES[i]}" alt="{_SHAPES[i % 8]}, {_GLAZES[i % 7]}"></figure>'


def _gallery() -> str:
    rows = "\n".join(_figure(i) for i in range(39, 25, -1))
    return f'<main class="gallery">\n<h1>Gallery</h1>\n{rows}\n<!-- and 26 more, down to bowl-01 -->\n</main>'


def _sizes() -> str:
    rows = (f"photos/{name}  4032x3024  {3.4 + (i * 7 % 13) / 10:.1f} MB" for i, name in enumerate(_PICTURES[:16]))
    return "\n".join((*rows, "… 30 more, all 4032x3024", "46 files, 187 MB"))


class _Story:
    """The messages of the run, told one after the other."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.calls = 0

    def says(self, role: str, text: str) -> None:
        """A message without a tool call."""
        self.messages.append(Message(id=f"pottery-{len(self.messages)}", role=role, content=text))

    def does(self, text: str, tool: str, arguments: dict[str, str], result: str) -> None:
        """A tool call with its result, behind a sentence of the model or none."""
        self.calls += 1
        call = ToolCall(id=f"c{self.calls}", name=tool, arguments=arguments)
        self.messages.append(
            Message(id=f"pottery-{len(self.messages)}", role="assistant", content=text, tool_calls=(call,))
        )
        answer = Message(
            id=f"pottery-{len(self.messages)}", role="tool", content=result, tool_call_id=call.id, name=tool
        )
        self.messages.append(answer)


def _hours(story: _Story) -> None:
    story.says(
        "system",
        "You look after the web site of a small pottery. You can list, read and edit files, and run commands. "
        "Work in small steps, and say what you did.",
    )
    story.says(
        "user",
        "The opening hours on the site are those of the winter. The summer hours are in notes/hours.txt. "
        "Put them on every page that shows hours, please.",
    )
    story.does("", "read_file", {"path": "notes/hours.txt"}, _HOURS)
    story.does(
        "Which pages show hours?", "run", {"command": "grep -l hours *.html"}, "contact.html\ngallery.html\nindex.html"
    )
    story.does("", "read_file", {"path": "index.html"}, _INDEX)
    story.does("", "read_file", {"path": "contact.html"}, _CONTACT)
    story.does(
        "",
        "edit_file",
        {"path": "index.html", "change": "summer hours in the list, five lines"},
        "edited index.html",
    )
    story.does(
        "", "edit_file", {"path": "contact.html", "change": "summer hours in one sentence"}, "edited contact.html"
    )
    story.says(
        "assistant",
        "index.html and contact.html show the summer hours now. gallery.html only has the word in a caption, I left it alone.",
    )


def _gallery_turn(story: _Story) -> None:
    story.says(
        "user",
        "Good. Now the gallery: the pictures of six new pots are in photos/, numbers 41 to 46. Put them on the page, newest "
        f"first. And one thing for all you do here. {RULE}",
    )
    story.does(
        "",
        "list_files",
        {"folder": "photos"},
        "\n".join((*_PICTURES[:4], "…", *_PICTURES[38:], "46 files")),
    )
    story.does("", "read_file", {"path": "gallery.html"}, _gallery())
    story.does(
        "The newest are last on disk, so I count down from 46.",
        "edit_file",
        {"path": "gallery.html", "change": "\n".join(_figure(i) for i in range(45, 39, -1))},
        "edited gallery.html, 49 lines now",
    )
    story.does("", "run", {"command": "python tools/check_links.py"}, "46 pictures, 0 broken links")
    story.says("assistant", "The six new pots come first, each with its glaze. No link is broken.")


def _slow(story: _Story) -> None:
    story.says(
        "user",
        "A customer says that the gallery takes ten seconds on her phone. Find out why before you change anything.",
    )
    story.does("", "run", {"command": "identify photos/*.jpg; du -sh photos"}, _sizes())
    story.does(
        "How large does the page show them?",
        "run",
        {"command": "grep -n -A4 gallery style.css"},
        "31:.gallery img {\n32-  width: 400px;\n33-  height: auto;\n34-}",
    )
    story.says(
        "assistant",
        "The page loads 46 pictures of 4,032 pixels, 187 MB together, and shows them 400 pixels wide. As WebP files of "
        "800 pixels they would come to some 3 MB. Shall I?",
    )


def _broken(story: _Story) -> None:
    story.says("user", "Yes, please.")
    story.does(
        "First the small copies.",
        "run",
        {"command": "for f in photos/*.jpg; do cwebp -resize 800 0 $f -o ${f%.jpg}.webp; done"},
        "46 files written, 3.1 MB",
    )
    story.does(
        "Now the page.", "run", {"command": "sed -i 's/\\.jpg/.webp/' gallery.html"}, "gallery.html: 46 lines changed"
    )
    story.does(
        "Nothing on the site links to the large ones any more, so I delete the originals.",
        "run",
        {"command": "rm photos/*.jpg"},
        "removed 46 files",
    )
    story.does("", "run", {"command": "python tools/check_links.py"}, "46 pictures, 0 broken links")
    story.says(
        "assistant",
        "Done. The gallery loads 3 MB in place of 187 and is there in under a second. photos/ has only the small copies now.",
    )


def _repaired(story: _Story) -> None:
    story.says(
        "user",
        "Every code in the printed catalogue leads to an error page now! I told you: never delete an original.",
    )
    story.does(
        "I bring them back.", "run", {"command": "git checkout -- 'photos/*.jpg'"}, "Updated 46 paths from the index"
    )
    story.says(
        "assistant",
        "All 46 files are back under their old names, beside the small copies. I am sorry: when I took them away, I no longer "
        "had your rule before me.",
    )


def _written(messages: Sequence[Message], prior: str | None = None) -> str:
    return SUMMARY


def broken_rule() -> Session:
    """The session of the sample."""
    story = _Story()
    for part in (_hours, _gallery_turn, _slow, _broken, _repaired):
        part(story)
    session = Session(messages=tuple(story.messages), model="made-up")
    rule = policy("agentkit.memory", **SETTINGS)
    trace = simulate(session, rule, meter=meter("o200k_base"), summarizer=_written)
    assert len(trace.compactions) == 1, f"{len(trace.compactions)} compactions"
    found = session_of(trace.pool, trace.compactions, "o200k_base", session.model)
    driven = Driven(
        meter="o200k_base", policies=(PolicyUsed(since=0, name="agentkit.memory", parameters=dict(SETTINGS)),)
    )
    return found.model_copy(
        update={"id": "broken-rule", "format": "foldline", "title": "A pottery and its photos", "driven": driven}
    )


def main() -> None:
    """Write the sample as foldline saves a session, without what is not set."""
    value = {"foldline": "session", "version": 1, **broken_rule().model_dump(mode="json", exclude_defaults=True)}
    SAMPLE.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
