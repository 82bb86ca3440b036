"""Which Chromium the browser tests drive: an installed one first. `--install` gets one where there is none.

python scripts/chromium.py              prints its path, or nothing
python scripts/chromium.py --install    installs one if need be, prints its path; exit 1 and why if it cannot
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PLACES = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
MISSING = """\
The browser tests need Chromium, and none could be found or installed. One of these will do:
  install chromium or google-chrome so that it is on the PATH
  on Debian, as root: apt-get install chromium
  set FOLDLINE_CHROMIUM to the path of one"""


def found() -> str | None:
    """The path of a Chromium: FOLDLINE_CHROMIUM, else one on the PATH, in its usual place, or of Playwright."""
    named = os.environ.get("FOLDLINE_CHROMIUM")
    if named:
        return shutil.which(named)
    places = [*map(shutil.which, NAMES), *PLACES]
    return next((p for p in places if p and Path(p).is_file()), None) or of_playwright()


def of_playwright() -> str | None:
    """The path of the Chromium that Playwright has downloaded, or None."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).is_file() else None


def install() -> str | None:
    """Install a Chromium, by Debian's package or Playwright's download; its path, or None."""
    if debian() and all(map(run, (["apt-get", "update"], apt_get("chromium")))) and found():
        return found()
    run([sys.executable, "-m", "playwright", "install", "chromium"])
    return found()


def debian() -> bool:
    """Whether Debian's packages can be installed here: its apt-get, as root. (Ubuntu's chromium is but a snap.)"""
    release = Path("/etc/os-release")
    named = release.read_text().splitlines() if release.is_file() else []
    return "ID=debian" in named and shutil.which("apt-get") is not None and os.geteuid() == 0


def apt_get(package: str) -> list[str]:
    """The command that installs a package without questions."""
    return ["apt-get", "install", "-y", "--no-install-recommends", package]


def run(command: list[str]) -> bool:
    """Whether the command went well; what it prints goes to stderr."""
    print("+", *command, file=sys.stderr)
    return subprocess.run(command, stdout=sys.stderr, check=False).returncode == 0


def main(arguments: list[str]) -> int:
    """Print the path of a Chromium; 1 if `--install` was asked for and there is none."""
    named = os.environ.get("FOLDLINE_CHROMIUM")
    if named and not found():
        print(f"FOLDLINE_CHROMIUM is {named}, and no such program is there", file=sys.stderr)
        return 1
    path = found() or (install() if "--install" in arguments else None)
    if path:
        print(path)
    elif "--install" in arguments:
        print(MISSING, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
