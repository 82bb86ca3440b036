"""Takes the README's picture from the app itself: `make screenshot`."""

import sys
from pathlib import Path
from subprocess import DEVNULL, Popen
from urllib.parse import urlencode

from playwright.sync_api import sync_playwright

from scripts.chromium import found
from tests.serving import ROOT, free_port, wait_until_healthy

SHOWN = {
    "source": "sample:openai-chat/coding-session.json",
    "policy": "agentkit.memory",
    "budget": 16000,
    "keep_recent": 8,
}


def main() -> None:
    """Write docs/screenshot.png: the second compaction of the coding session, taken apart."""
    port, log = free_port(), ROOT / "docs" / "screenshot.png"
    with Popen([sys.executable, "-m", "viewer.serve", "--port", str(port)], cwd=ROOT, stdout=DEVNULL) as server:
        try:
            wait_until_healthy(f"http://127.0.0.1:{port}", server, log)
            take(f"http://127.0.0.1:{port}/?{urlencode(SHOWN)}", log)
        finally:
            server.terminate()


def take(url: str, path: Path) -> None:
    """Open the address, go to the second compaction, show what it folds, and save the picture."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1400, "height": 900}, reduced_motion="reduce")
        page.goto(url)
        page.locator(".fl-app[data-rendered]").wait_for()
        for key in ("n", "n", "2"):
            page.keyboard.press(key)
            page.wait_for_timeout(600)
        page.screenshot(path=path)
        browser.close()


if __name__ == "__main__":
    main()
