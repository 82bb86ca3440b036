"""Builds the wheel: the folders of the checkout become parts of one package, `foldline`.

Other packages have a `core` of their own, so none may stand in site-packages. In the wheel `core`, `viewer`,
`sample_sessions` and `app.py` lie in `foldline/`, and every import of them is renamed. `import foldline` has the public
names of `core`. The modules of the front end go without comments on lines of their own, as the page gets them.
https://hatch.pypa.io/latest/plugins/build-hook/custom/
"""

import re
from collections.abc import Callable
from pathlib import Path
from runpy import run_path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDERS = ("core", "viewer", "sample_sessions")
FROM = re.compile(rf"^(\s*from )((?:{'|'.join(FOLDERS)}|app)(?:\.[\w.]+)? import )", re.MULTILINE)
IMPORT = re.compile(rf"^(\s*)import ({'|'.join(FOLDERS)})$", re.MULTILINE)

EDITABLE = '''"""foldline, in a checkout: the same names as in the installed package."""

from core import *
from core import __all__ as __all__

__path__ = [{root!r}]
'''


def renamed(source: str) -> str:
    """The source of a module with its imports as they are in the installed package."""
    return IMPORT.sub(r"\1from foldline import \2", FROM.sub(r"\1foldline.\2", source))


class WheelBuilder(BuildHookInterface[Any]):
    """Adds the modules to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write every module with its imports renamed; of an editable install only the package that leads to the checkout."""
        if self.target_name != "wheel":
            return
        self.written = Path(mkdtemp())
        root, out = Path(self.root), self.written
        if version == "editable":
            (out / "__init__.py").write_text(EDITABLE.format(root=self.root), encoding="utf-8")
            build_data["force_include_editable"][str(out / "__init__.py")] = "foldline/__init__.py"
            return
        modules = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*.py"))]
        for path in [*modules, root / "app.py"]:
            self._add(path, path.relative_to(root).as_posix(), build_data["force_include"], renamed)
        for name in ("__init__.py", "__main__.py", "py.typed"):  # what is importable, runnable and typed is core
            self._add(root / "core" / name, name, build_data["force_include"], renamed)
        without_comments = run_path(str(root / "viewer" / "wire" / "joining.py"))["without_comments"]
        for path in sorted((root / "viewer" / "frontend").rglob("*.js")):
            self._add(path, path.relative_to(root).as_posix(), build_data["force_include"], without_comments)

    def _add(self, path: Path, name: str, included: dict[str, str], changed: Callable[[str], str]) -> None:
        to = self.written / name
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(changed(path.read_text(encoding="utf-8")), encoding="utf-8")
        included[str(to)] = f"foldline/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was written."""
        if self.target_name == "wheel":
            rmtree(self.written)
