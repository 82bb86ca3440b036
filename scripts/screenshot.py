"""Takes the pictures of README.md, docs/why.md and docs/tuning.md from the app itself: `make screenshot`."""

import os
import re
import sys
from pathlib import Path
from subprocess import DEVNULL, Popen, run
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import sync_playwright

from scripts.chromium import found
from tests.serving import ROOT, TOKEN, cookies, free_port, wait_until_healthy

SHOWN = {
    "source": "sample:openai-chat/coding-session.json",
    "policy": "agentkit.memory",
    "budget": 16000,
    "keep_recent": 8,
}
FORGOTTEN = {**SHOWN, "source": "sample:foldline/forgotten-rule.json", "meter": "o200k_base", "summaries": "recorded"}
RULE = "No new dependency, not even a small one"
TUNED = (
    "6113e919-67d3-417b-b525-c63700228d19",
    "6c0a282a-886f-458d-a426-93d95104b4a6",
    "dfbb4922-3529-4eab-a5dc-3c8d30b7c660",
)
"""The Claude Code sessions of docs/tuning.md; they are not part of the project."""
DECIDED = "no remove this again, the risk someone assumes it's a stable link is to big"
"""What the user decided in the first of them, and the second of its summaries leaves out."""
GRID = "agentkit.memory;budget=40000,60000,80000,100000,120000,160000,200000,250000;keep_recent=4,6,8,12,16,24,32,48"
DOCS = ROOT / "docs"


def main() -> None:
    """Write docs/screenshot.png, a compaction, docs/live.png, the demo agent at a breakpoint, docs/why*.png."""
    port = free_port()
    with TemporaryDirectory() as data:
        command = [sys.executable, "-m", "viewer.serve", "--port", str(port)]
        environment = os.environ | {"FOLDLINE_DATA": data, "FOLDLINE_TOKEN": TOKEN}
        with Popen(command, cwd=ROOT, stdout=DEVNULL, env=environment) as server:
            try:
                wait_until_healthy(f"http://127.0.0.1:{port}", server, DOCS / "screenshot.png")
                take(f"http://127.0.0.1:{port}")
            finally:
                server.terminate()


def take(url: str) -> None:
    """Open the pages, one after the other, and save their pictures."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found(), args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1400, "height": 900}, reduced_motion="reduce")
        context.add_cookies(cookies())
        page = context.new_page()
        debug(page, url, DOCS / "screenshot.png")
        why(page, url)
        why_in_a_real_session(page, url)
        live(page, url, DOCS / "live.png")
        tune(page, url)
        browser.close()


def debug(page: Any, url: str, path: Path) -> None:
    """The second compaction of the coding session: its card, and the window behind it."""
    page.goto(f"{url}/?{urlencode(SHOWN)}")
    page.locator(".fl-app[data-rendered]").wait_for()
    for key in ("n", "n"):
        page.keyboard.press(key)
        page.wait_for_timeout(600)
    page.screenshot(path=path)


def why(page: Any, url: str) -> None:
    """Where a rule went: the answer, what would have kept it, and a sentence of the summary that has half of another rule."""
    page.goto(f"{url}/?{urlencode({**FORGOTTEN, 'step': 185, 'why': RULE})}")
    every = page.get_by_role("button", name=re.compile(r"^All \d+ changes"))
    every.wait_for(timeout=60_000)
    page.screenshot(path=DOCS / "why.png")
    every.click()
    page.locator(".fl-why-section", has_text="What would have kept it").evaluate("(node) => node.scrollIntoView()")
    page.locator(".fl-inspector").screenshot(path=DOCS / "why-kept.png")
    page.goto(f"{url}/?{urlencode({**FORGOTTEN, 'step': 134})}")
    page.locator(".fl-s", has_text="the dashboard and the mailer").first.click(timeout=60_000)
    page.locator(".fl-source").first.wait_for()
    page.screenshot(path=DOCS / "why-summary.png")


def why_in_a_real_session(page: Any, url: str) -> None:
    """Where a decision of a user went in a session as it was recorded, and what the compaction took that lost it."""
    with TemporaryDirectory(prefix="one-session-") as folder:
        if not _masked(TUNED[:1], folder, "docs/why-real*.png"):
            return
        shown = {"source": f"path:{folder}/{TUNED[0]}.json"}
        page.goto(f"{url}/?{urlencode({**shown, 'step': 400, 'why': DECIDED})}")
        page.get_by_text("Each row is a run of this session").wait_for(
            state="attached", timeout=60_000
        )  # in the list of all changes
        page.locator(".fl-app").screenshot(path=DOCS / "why-real.png")
        page.goto(f"{url}/?{urlencode({**shown, 'step': 277})}")
        page.get_by_role("tab", name="Ledger").click(timeout=60_000)
        page.get_by_role("grid", name="Ledger").wait_for()
        page.wait_for_timeout(600)
        page.locator(".fl-inspector").screenshot(path=DOCS / "why-real-ledger.png")


def _masked(names: tuple[str, ...], folder: str, pictures: str) -> bool:
    """Put the real sessions, with masks, into the folder; says so where there are none."""
    sessions = Path(os.environ.get("FOLDLINE_SHARED") or "/nowhere") / "transcripts/claude-code"
    if not sessions.is_dir():
        print(f"{pictures} are as they were: FOLDLINE_SHARED names no folder with their sessions", file=sys.stderr)
        return False
    for name in names:
        named, masked = str(sessions / f"{name}.jsonl"), str(Path(folder) / f"{name}.json")
        run([sys.executable, "-m", "core", "redact", named, "-o", masked], cwd=ROOT, check=True, stdout=DEVNULL)
    return True


def tune(page: Any, url: str) -> None:
    """What each setting would have cost and lost in three real sessions, and the same for one of them."""
    with TemporaryDirectory(prefix="three-sessions-") as folder:
        if not _masked(TUNED, folder, "docs/tune*.png"):
            return
        now = urlencode({"policy": "agentkit.memory", "budget": 40000, "keep_recent": 8})
        query = {
            "sessions": "folder",
            "folder": folder,
            "meter": "o200k_base",
            "prices": "5,0.5,6.25,25",
            "grid": GRID,
            "now": now,
        }
        page.goto(f"{url}/tune?{urlencode(query)}")
        page.locator(".fl-tune-page[data-state=ready]").wait_for(timeout=60_000)
        page.get_by_role("button", name="Run", exact=True).click()
        page.locator("td[data-best=true]").wait_for(timeout=600_000)
        page.wait_for_timeout(600)
        page.screenshot(path=DOCS / "tune.png")
        page.locator(".fl-tune-mapcard").screenshot(path=DOCS / "tune-map.png")


def live(page: Any, url: str, path: Path) -> None:
    """The demo agent, paused where its window was compacted for the third time."""
    page.goto(f"{url}/live")
    page.locator(".fl-app[data-rendered]").wait_for()
    page.get_by_role("button", name="Breakpoints").click()
    page.get_by_label("Kind of breakpoint").select_option("compaction")
    page.get_by_role("button", name="Add").click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Start", exact=True).click()
    for compactions in range(1, 4):
        page.get_by_role("heading", name=f"Compaction {compactions} of {compactions}").wait_for(timeout=60_000)
        page.locator('.fl-status[data-status="paused"]').wait_for(timeout=60_000)
        if compactions < 3:
            page.keyboard.press("c")
    page.wait_for_timeout(800)
    page.screenshot(path=path)


if __name__ == "__main__":
    main()
