"""The debugger in the output of a notebook's cell: an exported file in a frame, and no other front end.

Works where output may be HTML: Jupyter, VS Code, Colab. https://ipython.readthedocs.io/en/stable/config/integrating.html#rich-display
"""

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from core.importers.foldline import save
from core.model.errors import FoldlineError
from core.model.import_name import IMPORT_ROOT, import_name
from core.model.session import Session
from core.policies import policy as policy_of


@dataclass(frozen=True)
class Debugger:
    """An exported file that a notebook shows below its cell, in a frame of this height in pixels."""

    html: str
    height: int

    def _repr_html_(self) -> str:
        """What the notebook shows. The file has no address, and its Content-Security-Policy lets nothing be fetched."""
        style = f"width: 100%; height: {self.height}px; border: 0"
        allowed = "allow-scripts allow-downloads"
        return f'<iframe title="foldline" sandbox="{allowed}" style="{style}" srcdoc="{escape(self.html)}"></iframe>'


def show(
    source: Session | str | os.PathLike[str],
    policy: str = "",
    *,
    step: int | None = None,
    meter: str = "",
    height: int = 760,
    keep_secrets: bool = False,
    **settings: Any,
) -> Debugger:
    """The debugger on a session, or on the transcript at a path, for the last line of a notebook's cell.

    It opens as recorded, or under a policy with these settings, at a step. What looks secret or personal is masked unless
    `keep_secrets`: a notebook stores what it shows. Raises FoldlineError where a policy, setting, step or file is not there.
    """
    chosen = _options(policy, step, meter, settings) + ["--keep-secrets"] * keep_secrets
    with TemporaryDirectory(prefix="foldline-") as folder:
        out = Path(folder, "out.html")
        path = _saved(source, folder) if isinstance(source, Session) else os.fspath(source)
        _export([path, "-o", str(out), *chosen])
        return Debugger(out.read_text(encoding="utf-8"), height)


def _saved(session: Session, folder: str) -> str:
    """The path of a file with the session, written into a folder."""
    path = os.path.join(folder, "session.json")
    save(session, path)
    return path


def _options(policy: str, step: int | None, meter: str, settings: dict[str, Any]) -> list[str]:
    """What was chosen, as the command line has it. Raises what `policy` does."""
    named = {"--policy": policy, "--meter": meter, "--step": "" if step is None else str(step)}
    return [*(text for pair in named.items() if pair[1] for text in pair), *_set(policy, settings)]


def _set(policy: str, settings: dict[str, Any]) -> Iterator[str]:
    for parameter in policy_of(policy, **settings).parameters if policy else ():
        if parameter.name in settings:
            yield from ("--set", f"{parameter.name}={parameter.to_text(settings[parameter.name])}")


def _export(arguments: list[str]) -> None:
    """Run `foldline export`. Raises FoldlineError with what it says if it fails."""
    import subprocess  # only here: few processes that import foldline show a notebook anything

    command = [sys.executable, "-m", import_name("core"), "export", "--json", *arguments]
    there = {**os.environ, "PYTHONPATH": os.pathsep.join([str(IMPORT_ROOT), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=there)
    if done.returncode:
        error, _, hint = done.stderr.strip().partition("\n")
        raise FoldlineError(error.removeprefix("foldline: "), hint.strip())
