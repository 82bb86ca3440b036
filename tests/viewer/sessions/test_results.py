"""Where the sessions of a kept result are."""

import json
from pathlib import Path
from zipfile import ZipFile

from core.tune.files import file_at, sessions_of
from viewer.sessions.opening import open_source
from viewer.sessions.results import place_of
from viewer.sessions.sources import Source


def test_the_name_of_a_row_opens_its_session(tmp_path: Path) -> None:
    """By its own id, or by the one that a sweep made of what it says; also in an archive. What is not here has no place."""
    said = [
        {"messages": [{"role": "user", "content": f"Hello {n}"}, {"role": "assistant", "content": "Yes"}]}
        for n in (1, 2)
    ]
    (tmp_path / "two.jsonl").write_text("\n".join([json.dumps({"id": "mine", **said[0]}), json.dumps(said[1])]))
    with ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.write(tmp_path / "two.jsonl", "runs/two.jsonl")
    inside = sessions_of(file_at(str(tmp_path / "all.zip"), "runs/two.jsonl"))
    names = [name for found in (sessions_of(file_at(str(tmp_path / "two.jsonl"))), inside) for name, _ in found]
    places = [place_of(name) for name in names]
    assert [session.partition("-")[0] for _, session in places] == [
        *("mine", "conversation"),
        *("./runs/two.jsonl#mine", "./runs/two.jsonl#conversation"),
    ]
    opened = [open_source(Source("path", path), True, session).session for path, session in places]
    assert [one.messages[0].content for one in opened] == ["Hello 1", "Hello 2"] * 2
    assert place_of(str(tmp_path / "gone.jsonl")) == ("", "")
