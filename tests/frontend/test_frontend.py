"""The front end's own tests, run by Node."""

import subprocess

from tests.serving import PATIENCE, ROOT
from tests.slow_pages import LATE


def test_the_front_end_modules(node: str) -> None:
    """Every test in tests/frontend passes under `node --test`."""
    files = sorted((ROOT / "tests" / "frontend").glob("*.test.*js"))
    assert files
    late = ["--import", "./tests/frontend/late.mjs"] if LATE else []
    ran = subprocess.run(
        [node, *late, "--test", "--test-force-exit", "--test-reporter=spec", *files],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=5 * PATIENCE,
    )
    assert ran.returncode == 0, ran.stdout[-8000:] + ran.stderr[-2000:]
