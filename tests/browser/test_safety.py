"""A transcript is hostile input: what it says is shown, never done."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.browser.looking import drawn, look, press
from tests.serving import PATIENCE

pytestmark = pytest.mark.browser

CANARY = "window.__ran = (window.__ran || 0) + 1"
HOSTILE = [
    f"<script>{CANARY}</script>",
    f'<img src=x onerror="{CANARY}"><svg onload="{CANARY}"></svg>',
    "![beacon](http://evil.example/beacon.png) [link](javascript:alert(1)) <a href='javascript:window.__ran=1'>go</a>",
    "<style>* { background: url(http://evil.example/css) !important; display: none }</style>",
    "\x1b[31mred\x1b[0m \x1b]8;;http://evil.example\x07click\x1b]8;;\x07",
    "user\u202egnp.exe \u2066hidden\u2069 zero\u200bwidth",
    f"<iframe srcdoc='<script>{CANARY}</script>'></iframe><object data='http://evil.example/o'></object>",
    "\ud800 lone surrogate, \x00 null, \ufeff mark",
]


def hostile() -> bytes:
    """A transcript in which every text is an attack: contents, names, arguments, ids, the title and the model."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": HOSTILE[0]}]
    for number, text in enumerate(HOSTILE):
        call = {"id": text, "type": "function", "function": {"name": text, "arguments": json.dumps({text: text})}}
        messages += [
            {"role": "user", "content": text},
            {"role": "assistant", "content": text, "tool_calls": [call | {"id": f"{number}{text}"}]},
            {"role": "tool", "tool_call_id": f"{number}{text}", "content": text * 30},
        ]
    return json.dumps({"model": HOSTILE[1], "messages": messages}).encode()


def test_nothing_a_transcript_says_is_done(fresh_page: Any, server: Any, tmp_path: Path) -> None:
    """No script runs, nothing is asked of another origin, and the text is there to be read."""
    page, watch = fresh_page(server.url)
    path = tmp_path / "<img src=x onerror=alert(1)>.json"
    path.write_bytes(hostile())
    page.on("dialog", lambda dialog: pytest.fail("a dialog opened"))

    with watch.requests(page):
        walked(page, server.url, path)

    assert page.evaluate("() => window.__ran") is None
    assert watch.strangers == []
    assert [error for error in watch.errors if "evil" in error or "Content" in error] == []
    assert page.locator(".fl-row").first.is_visible()


def walked(page: Any, url: str, path: Path) -> None:
    """Step through the file, search it and open what its cards have."""
    look(page, url, source=f"path:{path}", policy="agentkit.memory", budget=200, keep_recent=3)
    for key in ("g", "ArrowRight", "ArrowRight", "ArrowRight", "n", "n", "G", "/"):
        press(page, key)
        drawn(page)
    page.keyboard.type("evil.example")
    page.get_by_text("1 of", exact=False).first.wait_for()
    page.keyboard.press("Enter")
    for tab in ("Removed", "Findings", "Summary"):
        press(page, "p")
        if page.get_by_role("tab", name=tab).count():
            page.get_by_role("tab", name=tab).first.click()
            drawn(page)


def test_only_known_hosts_are_answered(server: Any) -> None:
    """A request under another name gets nothing, page and API alike; every answer carries the policy."""
    import urllib.error
    import urllib.request

    for path in ("/", "/api/find/none?q=x", "/viewer-assets/main.js"):
        strange = urllib.request.Request(server.url + path, headers={"Host": "evil.example"})
        with pytest.raises(urllib.error.HTTPError, match="400"):
            urllib.request.urlopen(strange, timeout=PATIENCE)
    with urllib.request.urlopen(server.url, timeout=PATIENCE) as answer:
        assert "default-src 'self'" in answer.headers["content-security-policy"]
