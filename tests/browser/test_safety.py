"""A transcript is hostile input: what it says is shown, never done."""

import json
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from tests.browser.looking import PAINTED, drawn, look, press, value, wait_for
from tests.conftest import new_context
from tests.serving import TOKEN, fetched
from tests.slow_pages import slowed

pytestmark = pytest.mark.browser

CANARY = "window.__ran = (window.__ran || 0) + 1"
MARKDOWN = """\
[a](javascript:window.__ran=1) [b](//evil.example/b) ![c](http://evil.example/c.png)
![d](data:image/svg+xml,<svg/onload=alert(1)>)
<http://evil.example/e> http://evil.example/f [g][h] [![i](//evil.example/i)](javascript:alert(1))

[h]: http://evil.example/h

| <img src=//evil.example/j onerror=alert(1)> |
|---|
| [k](JaVaScRiPt:alert(1)) |

- [ ] <iframe src=//evil.example/l>
> <a href=//evil.example/m>m</a>

```html
<script src=//evil.example/n></script>
```
# <style>@import '//evil.example/o'</style>
`<base href=//evil.example/p>` <b style='background:url(//evil.example/q)'>"""
HOSTILE = [
    f"<script>{CANARY}</script>",
    f'<img src=x onerror="{CANARY}"><svg onload="{CANARY}"></svg>',
    "![beacon](http://evil.example/beacon.png) [link](javascript:alert(1)) <a href='javascript:window.__ran=1'>go</a>",
    "<style>* { background: url(http://evil.example/css) !important; display: none }</style>",
    MARKDOWN,
    "\x1b[31mred\x1b[0m \x1b]8;;http://evil.example\x07click\x1b]8;;\x07",
    "user\u202egnp.exe \u2066hidden\u2069 zero\u200bwidth",
    f"<iframe srcdoc='<script>{CANARY}</script>'></iframe><object data='http://evil.example/o'></object>",
    "\ud800 lone surrogate, \x00 null, \ufeff mark",
]

MADE_OF_TEXT = (
    ".fl-inspector :is(a, img, iframe, object, script, style, base, [href], [src], [onerror], [onload])"
    ":not(.fl-stand-in > a)"  # which leads to Live
)


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
    """No script runs, nothing is fetched of another origin, and the text is there to be read."""
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
    for key in ("g", *9 * ["ArrowRight"], "n", "n", "G", "/"):
        press(page, key)
        drawn(page)
        assert page.locator(MADE_OF_TEXT).count() == 0
    page.keyboard.type("evil.example")
    page.locator(".fl-place").get_by_text(" of ").wait_for()
    page.keyboard.press("Enter")
    for tab in ("Removed", "Findings", "Summary"):
        press(page, "p")
        if page.get_by_role("tab", name=tab).count():
            page.get_by_role("tab", name=tab).first.click()
            drawn(page)


STRANGER = """
<!doctype html><a href="{url}/?step=5">foldline</a>
<script>
  const image = Object.assign(new Image(), {{ src: "{url}/favicon.png" }});
  const loaded = new Promise((done) => {{ image.onload = () => done("loaded"); image.onerror = () => done("refused"); }});
  const socket = new WebSocket("{socket}/_stcore/stream", ["streamlit"]);
  const opened = new Promise((done) => {{ socket.onopen = () => done("opened"); socket.onerror = () => done("refused"); }});
  const read = fetch("{url}/api/find/x?q=a", {{ credentials: "include" }}).then(() => "read", () => "refused");
  const frame = Object.assign(document.createElement("iframe"), {{ src: "{url}/" }});
  document.body.append(frame);
  window.tried = Promise.all([loaded, opened, read]);
</script>
"""


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_a_page_of_another_server_gets_nothing(fresh_page: Any, server: Any, httpserver: HTTPServer, name: str) -> None:
    """Neither file, WebSocket, answer nor frame, though the browser has the cookie; but its link leads in, as any link does."""
    page, _ = fresh_page(server.url)
    socket = server.url.replace("http", "ws")
    httpserver.expect_request("/").respond_with_data(
        STRANGER.format(url=server.url, socket=socket), content_type="text/html"
    )
    page.goto(f"http://{name}:{httpserver.port}/")

    assert page.evaluate("() => window.tried") == ["refused", "refused", "refused"]
    assert all(server.url not in frame.url for frame in page.frames)

    page.get_by_text("foldline").click()
    wait_for(page, PAINTED)
    assert value(page, "step") == "5"


def test_a_page_knows_where_its_server_is(fresh_page: Any, server: Any) -> None:
    """No page asks for Streamlit's parts below its own path first, which would be errors on its console."""
    page, watch = fresh_page(server.url)
    for name in ("learn", "library", "runs"):
        page.goto(f"{server.url}/{name}")
        page.locator(f".fl-{name}").first.wait_for()
    assert watch.errors == []


def test_without_the_link_a_page_says_where_it_is(browser: Any, server: Any) -> None:
    """Another browser is told; the link lets it in, the token leaves the address, the rest stays; a second tab is let in."""
    with new_context(browser) as context:
        page = slowed(context.new_page())
        page.goto(f"{server.url}/?step=5")
        page.get_by_role("heading", name="This page needs its link").wait_for()

        page.goto(f"{server.url}/?step=5&token={TOKEN}")
        wait_for(page, PAINTED)
        assert (value(page, "step"), TOKEN in page.url) == ("5", False)
        page.reload()
        wait_for(page, PAINTED)
        look(context.new_page(), server.url)


def test_foreign_handshakes_are_refused_at_once(server: Any) -> None:
    """Each is answered before Streamlit sees it, which would ask the network for its own address; the app goes on."""
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": 22 * "A" + "==",
    }
    for number in range(10):
        assert fetched(server.url, "/_stcore/stream", Origin=f"http://localhost:{9990 + number}", **upgrade)[0] == 403
    assert fetched(server.url, "/_stcore/health")[0] == 200


@pytest.mark.parametrize(
    "path", ["/", "/library", "/api/find/none?q=x", "/viewer-assets/main.js", "/_stcore/health", "/_stcore/host-config"]
)
def test_the_running_app_answers_its_user_alone(server: Any, path: str) -> None:
    """Under its own name and with the cookie; every answer carries the policy."""
    assert fetched(server.url, path, Host="evil.example")[0] == 403
    assert fetched(server.url, path, Origin="http://evil.example")[0] == 403
    assert fetched(server.url, path, Cookie="")[0] == 403
    status, headers, _ = fetched(server.url, path)
    assert status in (200, 404)
    assert "default-src 'self'" in headers["content-security-policy"]
