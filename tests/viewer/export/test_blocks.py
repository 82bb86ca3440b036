"""How the data of an exported file is packed, and what the browser makes of it."""

import bz2
import json
import random
import subprocess
from pathlib import Path

import pytest

from tests.serving import ROOT
from viewer.api.joined import FIRST
from viewer.export import page
from viewer.export.blocks import Blocks, Bundle, as_text
from viewer.wire.joining import FRONTEND, joined_whole

NOISE = random.Random(7).randbytes(150_000)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"a",
        bytes(range(256)) * 40,
        NOISE,
        b"ab" * 600_000,
        *(b"x" * length + b"y" for length in (3, 4, 5, 258, 259, 260)),
        (b"x" * 259 + b"y") * 9_000,
        "Straße 你好 🙂 ".encode() * 70_000,
    ],
    ids=lambda data: f"{len(data)}",
)
def test_the_page_unpacks_bzip2(data: bytes, node: str) -> None:
    """Runs of every length, every byte, more than one block, and nothing at all."""
    script = ROOT / "tests" / "frontend" / "unbzip.mjs"
    assert subprocess.run([node, script], input=bz2.compress(data), capture_output=True, check=True).stdout == data


def test_what_bzip2_cut_short_gives_is_an_error(node: str) -> None:
    """Not a hang, and not a part of the text."""
    script = ROOT / "tests" / "frontend" / "unbzip.mjs"
    ran = subprocess.run([node, script], input=bz2.compress(NOISE)[:90_000], capture_output=True, check=False)
    assert b"it ends too soon" in ran.stderr


def test_long_texts_are_packed_beside_the_work_and_stand_where_they_were_added() -> None:
    """What a thread packs is in the file whole, in the order of the blocks, and counts among their bytes."""
    blocks, long = Blocks(), json.dumps(NOISE.hex()).encode()
    for name, data in (("a-1", long), ("b-1", b"[1]"), ("a-2", b"[2]")):
        blocks.add_json(name, data)
    elements = list(blocks.html())
    assert [element.partition('id="fl-')[2][:3] for element in elements] == ["a-1", "b-1", "a-2"]
    assert as_text(bz2.compress(long)) in elements[0]
    assert blocks.size() == sum(len(element.encode()) for element in elements)
    assert blocks.size("a") == len(elements[0].encode()) + len(elements[2].encode())


def test_parts_of_a_kind_stand_together() -> None:
    """One behind the other in the order in which they came, each with its length in the first line."""
    bundle = Bundle()
    for name, data in (("view-a", b"1"), ("added-a", b"22"), ("view-b", b"333"), ("added-b", b"4")):
        bundle.add_bytes(name, data)
    head, _, rest = bundle.joined().partition(b"\n")
    assert json.loads(head) == {"added-a": 2, "added-b": 1, "view-a": 1, "view-b": 3}
    assert rest == b"2241333"


def test_a_program_differs_from_its_modules_in_comments_alone(node: str, tmp_path: Path) -> None:
    """The compiler writes the same of both without comments; a quarter of the text is gone at least."""
    compiler = ROOT / "node_modules" / "typescript" / "lib" / "tsc.js"
    options = ("--allowJs", "--removeComments", "--noCheck", "--target", "esnext", "--outDir", str(tmp_path / "out"))
    programs = {"session": page.SESSION, "lesson": page.LESSON, "lanes": page.LANES, "app": FRONTEND / FIRST}
    for name, first in programs.items():
        (tmp_path / f"{name}.whole.js").write_text(joined_whole(first), "utf-8")
        (tmp_path / f"{name}.short.js").write_text(page.script(first), "utf-8")
    subprocess.run([node, compiler, *options, *tmp_path.glob("*.js")], check=True, cwd=tmp_path)
    for name in programs:
        whole, short = ((tmp_path / "out" / f"{name}.{kind}.js").read_text("utf-8") for kind in ("whole", "short"))
        assert short == whole
    assert len(page.script(page.SESSION)) < 0.75 * len(joined_whole(page.SESSION))


def test_bzip2_with_a_byte_altered_is_an_error(node: str) -> None:
    """Wherever it is: what was unpacked is held against the checksum that it was packed with."""
    script, packed = (
        ROOT / "tests" / "frontend" / "unbzip.mjs",
        bytearray(bz2.compress(b"one rule, said twice; " * 40 + NOISE[:400])),
    )
    for place in (13, 40, len(packed) // 2, len(packed) - 20):
        altered = packed.copy()
        altered[place] ^= 4
        assert subprocess.run([node, script], input=altered, capture_output=True, check=False).returncode, place
