"""Transcripts packed with gzip or zstd, in zip archives, or in several of these."""

import gzip
import io
import json
import zipfile

import pytest
import zstandard

from core.importers import load, load_all
from core.importers._files import unpack as unpack_module
from core.model.errors import TranscriptError

CHAT = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "good day"}]
LINES = "".join(
    json.dumps(
        {"type": "user", "uuid": f"u{n}", "parentUuid": None, "message": {"role": "user", "content": f"{n} " * 40}}
    )
    + "\n"
    for n in range(2000)
).encode()


def zipped(**files: bytes) -> bytes:
    """A zip archive of these files; `__` in a name stands for a slash, `_` for a dot."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), data)
    return held.getvalue()


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_a_packed_file_opens_as_it_is_without(pack):
    """Also where it was packed in two pieces, one behind the other."""
    half = LINES.index(b"\n", len(LINES) // 2) + 1
    whole = load(name="x", data=LINES)
    assert load(name="x", data=pack(LINES)) == whole
    assert load(name="x", data=pack(LINES[:half]) + pack(LINES[half:])) == whole


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_a_packed_file_that_breaks_off_gives_what_it_still_holds(pack):
    """All but the last kilobyte or so can be read, and the note says that it breaks off."""
    packed = pack(LINES)
    session = load(name="x", data=packed[: len(packed) // 2])
    assert len(session.messages) > 100
    assert session.notes[-1] == "the compressed file is cut short; this is what could be unpacked"


@pytest.mark.parametrize(
    "data",
    [b"\x1f\x8brest", gzip.compress(LINES, mtime=0)[:12], zstandard.compress(LINES)[:9]],
    ids=["no header", "gzip", "zstd"],
)
def test_a_packed_file_of_which_nothing_is_left_says_so(data):
    """It is not called empty."""
    with pytest.raises(TranscriptError, match="is compressed, and cut short before anything can be read"):
        load(name="x", data=data)


def test_what_unpacks_to_far_more_than_text_does_is_refused(monkeypatch):
    """A bomb is left alone as soon as it is known to be one."""
    monkeypatch.setattr(unpack_module, "ALWAYS", 100_000)
    with pytest.raises(TranscriptError, match="expands to far more than a transcript could be"):
        load(name="x", data=gzip.compress(b'[{"role": "user", "content": "' + b"a" * 10_000_000 + b'"}]'))


def test_an_archive_of_one_file_is_that_file():
    """Whatever that is: a chat, or an archive again, packed or not."""
    chat = json.dumps(CHAT).encode()
    for data in (zipped(a_json=chat), zipped(b_zip=zipped(a_json=chat)), gzip.compress(zipped(a_json=chat))):
        assert [m.content for m in load(name="x", data=data).messages] == ["hello", "good day"]


def test_archives_nested_too_deeply_are_refused():
    """An archive that holds itself, as some do, ends somewhere."""
    data = zipped(a_json=json.dumps(CHAT).encode())
    for _ in range(4):
        data = zipped(a_zip=data)
    with pytest.raises(TranscriptError, match="archive inside an archive inside an archive"):
        load(name="x", data=data)


def test_an_archive_of_several_lists_each():
    """Every transcript in it is a session; what is none is left out."""
    chat = json.dumps(CHAT).encode()
    found = list(load_all(name="x", data=zipped(a_json=chat, b__c_jsonl=LINES, readme_txt=b"hello")))
    assert [(s.format, len(s.messages)) for s in found] == [("openai-chat", 2), ("claude-code", 2000)]
