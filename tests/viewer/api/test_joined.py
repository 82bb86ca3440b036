"""The front end as one module and one style sheet."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.testclient import TestClient

from viewer.api import joined
from viewer.api.joined import ROUTES
from viewer.wire import joining

MAIN = """\
// The page.
import { twice as double } from "./lib/twice.js";
export { one } from "./lib/one.js";
import {
  Counter,
} from "./counter.js";

export const shown = double(new Counter().next());
export async function later() {
  return "import no { thing } from here";
}
"""
COUNTER = """\
import { one } from "./lib/one.js";
export class Counter {
  next() {
    return one + one;
  }
}
"""
TWICE = """\
const factor = 2;
export function twice(x) {
  return factor * x;
}
"""
ONE = "const factor = 1;\nexport const one = factor;\n"


def written(folder: Path, **modules: str) -> Path:
    """A folder with these modules; gives the first."""
    (folder / "lib").mkdir(exist_ok=True)
    paths = [folder / f"{name.replace('__', '/')}.js" for name in modules]
    for path, text in zip(paths, modules.values(), strict=True):
        path.write_text(text, "utf-8")
    return paths[0]


def test_a_joined_module_exports_what_its_first_one_does(tmp_path: Path, node: str) -> None:
    """Each module runs once, behind what it imports, with constants of its own; names are passed on and renamed."""
    first = written(tmp_path, main=MAIN, counter=COUNTER, lib__twice=TWICE, lib__one=ONE)
    whole = tmp_path / "whole.mjs"
    whole.write_text(joining.joined(first), "utf-8")
    given = "[all.shown, all.one, await all.later(), Object.keys(all)]"
    show = f"import * as all from './whole.mjs'; console.log(JSON.stringify({given}))"

    ran = subprocess.run(
        [node, "--input-type=module", "-e", show], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert json.loads(ran.stdout or "0") == [4, 1, "import no { thing } from here", ["later", "one", "shown"]], (
        ran.stderr
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('import * as all from "./lib/one.js";\n', "cannot be joined at 'import \\* as all from"),
        ("export default 1;\n", "cannot be joined at 'export default 1;'"),
        ("export let one = 1;\n", "cannot be joined at 'export let one = 1;'"),
    ],
)
def test_a_form_that_cannot_be_joined_is_named(tmp_path: Path, text: str, why: str) -> None:
    """With its file and its line."""
    first = written(tmp_path, main=text, lib__one=ONE)
    with pytest.raises(ValueError, match=f"main.js: {why}"):
        joining.joined(first)


def test_modules_that_import_each_other_are_named(tmp_path: Path) -> None:
    """A cycle has no order to run in."""
    a, b = 'import { b } from "./b.js";\nexport const a = 1;\n', 'import { a } from "./a.js";\nexport const b = 1;\n'
    with pytest.raises(ValueError, match=r"b.js: imports './a.js', which imports it"):
        joining.joined(written(tmp_path, a=a, b=b))


def test_every_style_sheet_is_joined() -> None:
    """Each once."""
    found = {path.relative_to(joining.FRONTEND).as_posix() for path in joining.FRONTEND.rglob("*.css")}
    assert sorted(joining.SHEETS) == sorted(found)


def test_a_page_gets_no_comment_of_a_style_sheet() -> None:
    """Nothing else is left out: no string of ours looks like a comment, and none stands between two words alone."""
    written = "".join((joining.FRONTEND / name).read_text("utf-8") for name in joining.SHEETS)
    comment_or_not = re.compile(r"""(/\*.*?\*/)|("[^"\n]*"|'[^'\n]*'|[^"'/]+|/)""", re.DOTALL)
    rules = "".join(other for _, other in comment_or_not.findall(written))
    assert joining.joined_sheets().split() == rules.split()
    assert len(rules) < len(written)


def test_no_rule_is_about_an_attribute_of_streamlit() -> None:
    """A browser looks through everything below an element whose attribute a rule names, a shadow root's rule too.

    `data-stale` changes twice at each run: with a rule about it the whole debugger was styled anew, at each slider's move.
    """
    rules = joined.sheets(Request({"type": "http", "headers": []})).body.decode()
    assert [name for name in ("data-stale", "data-retained", "data-test-", "data-testid") if f"[{name}" in rules] == []


def test_both_files_are_sent_once() -> None:
    """A browser that has one is told so until it changes."""
    client = TestClient(Starlette(routes=ROUTES))
    for name, kind in (("joined.js", "text/javascript"), ("joined.css", "text/css")):
        answer = client.get(f"/viewer-assets/{name}")
        assert answer.headers["content-type"].startswith(kind)
        again = client.get(f"/viewer-assets/{name}", headers={"If-None-Match": answer.headers["etag"]})
        assert (again.status_code, again.text) == (304, "")


def test_both_files_are_packed_for_a_browser_that_unpacks() -> None:
    """Others get the same text as it is."""
    client = TestClient(Starlette(routes=ROUTES))
    for name in ("joined.js", "joined.css"):
        packed = client.get(f"/viewer-assets/{name}", headers={"Accept-Encoding": "gzip, br"})
        plain = client.get(f"/viewer-assets/{name}", headers={"Accept-Encoding": "identity"})
        assert (packed.headers["content-encoding"], "content-encoding" in plain.headers) == ("gzip", False)
        assert packed.text == plain.text
        assert int(packed.headers["content-length"]) < int(plain.headers["content-length"]) / 2
