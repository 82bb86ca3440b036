"""The installed app: the wheel holds all it needs, and works from where it was installed."""

import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.serving import ROOT, at_home, end, fetched, free_port, wait_until_healthy
from viewer.wire.joining import FRONTEND, joined

MOST_BYTES = 4_200_000  # the vocabulary is 1.7 MB of it


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the checkout without a network."""
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    return next(out.glob("foldline-*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder the wheel was installed to, beside others' packages of the same names, with the dependencies of the tests."""
    target = tmp_path_factory.mktemp("site with spaces")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    for name in ("core", "viewer", "sample_sessions", "app"):
        (target / name).mkdir()
        (target / name / "__init__.py").write_text("raise ImportError('this package is somebody else\\'s')")
    return target


@pytest.fixture
def elsewhere(installed: Path, tmp_path: Path) -> dict[str, str]:
    """The environment in which only the installed foldline is found, with an empty home."""
    return at_home(tmp_path) | {"PYTHONPATH": str(installed)}


COMMANDS = """
import contextlib, io, json, sys
from foldline.core.cli import main
for arguments in json.load(sys.stdin):
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        status = main(arguments)
    assert not status, (arguments, status)
    print(json.dumps(json.loads(printed.getvalue())))
"""


def run(environment: dict[str, str], cwd: Path, commands: list[list[str]]) -> list[Any]:
    """The JSON that the installed `foldline` prints for each of these arguments, all run in one process."""
    done = subprocess.run(
        [sys.executable, "-c", COMMANDS],
        input=json.dumps(commands),
        env=environment,
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_wheel_holds_the_whole_app(wheel: Path) -> None:
    """Engine, viewer with its assets, samples, vocabulary, launcher, licence and notice are inside, and no tests."""
    with zipfile.ZipFile(wheel) as archive:
        listed = set(archive.namelist())
    names = {name.removeprefix("foldline/") for name in listed}
    assert {"app.py", "core/cli/__init__.py", "viewer/pages/main.py", "viewer/serve.py", "py.typed"} <= names
    assert "core/meters/tiktoken/fb374d419588a4632f3f557e76b4b70aebbca790" in names
    desk = [p for p in (ROOT / "core" / "demo" / "desk").rglob("*") if p.is_file() and p.suffix != ".pyc"]
    assert desk
    assert {p.relative_to(ROOT).as_posix() for p in desk} <= names
    assert {n.rpartition(".")[2] for n in names if n.startswith("viewer/frontend/")} >= {"js", "css"}
    wanted = {p.relative_to(ROOT).as_posix() for p in (ROOT / "sample_sessions").rglob("*") if p.is_file()}
    assert {n for n in wanted if "__pycache__" not in n} <= names
    assert {n.rpartition("/")[2] for n in names if "/licenses/" in n} == {"LICENSE", "NOTICE"}
    tops = {n.partition("/")[0] for n in listed}
    assert {t for t in tops if not t.endswith(".dist-info")} == {"foldline"}
    assert wheel.stat().st_size < MOST_BYTES


def test_the_modules_of_the_wheel_join_to_the_same_page(installed: Path) -> None:
    """They are without comments on lines of their own: nobody downloads what no page gets."""
    frontend = installed / "foldline" / "viewer" / "frontend"
    assert joined(frontend / "main.js") == joined(FRONTEND / "main.js")
    assert not [path for path in frontend.rglob("*.js") if path.read_text("utf-8").startswith("//")]


def test_the_wheel_installs_the_command_and_the_pytest_plugin(wheel: Path) -> None:
    """The installed command is `foldline`, and so is the plugin."""
    with zipfile.ZipFile(wheel) as archive:
        entry = next(n for n in archive.namelist() if n.endswith("entry_points.txt"))
        command, plugin = archive.read(entry).decode().strip().split("\n\n")
    assert command.split() == ["[console_scripts]", "foldline", "=", "foldline.core.cli:main"]
    assert plugin.split() == ["[pytest11]", "foldline", "=", "foldline.core.check.plugin"]


def test_the_installed_command_works(elsewhere: dict[str, str], installed: Path, tmp_path: Path) -> None:
    """Away from the checkout the command lists the policies and opens every sample."""
    samples = sorted(
        p for p in (installed / "foldline" / "sample_sessions").glob("*/*") if p.suffix in (".json", ".jsonl")
    )
    commands = [["policies", "--json"], *(["show", str(sample), "--json"] for sample in samples)]
    listed, *shown = run(elsewhere, tmp_path, commands)
    assert "agentkit.memory" in {p["name"] for p in listed}
    assert len(shown) == len(samples) > 10
    assert all(one["counts"]["messages"] for one in shown)


def test_the_installed_command_exports(elsewhere: dict[str, str], installed: Path, tmp_path: Path) -> None:
    """The front end, joined, is in the file that it writes."""
    sample = installed / "foldline" / "sample_sessions" / "foldline" / "forgotten-rule.json"
    command = [sys.executable, "-m", "foldline", "export", sample, "--keep-secrets", "-o", "out.html"]
    subprocess.run(command, env=elsewhere, cwd=tmp_path, capture_output=True, check=True)
    assert (tmp_path / "out.html").stat().st_size > 200_000


def test_the_installed_command_has_the_version_of_the_wheel(
    wheel: Path, elsewhere: dict[str, str], tmp_path: Path
) -> None:
    """Away from pyproject.toml it reads its own metadata."""
    command = [sys.executable, "-m", "foldline", "--version"]
    said = subprocess.run(command, env=elsewhere, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert said == f"foldline {wheel.name.split('-')[1]}\n"


@pytest.fixture
def running(elsewhere: dict[str, str], tmp_path: Path) -> Iterator[str]:
    """The address of the installed app, started by its command in an empty folder."""
    port, log = free_port(), tmp_path / "log"
    command = [sys.executable, "-m", "foldline", "serve", "--port", str(port)]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, env=elsewhere, cwd=tmp_path, stdout=output, stderr=output, start_new_session=True
        )
    wait_until_healthy(f"http://127.0.0.1:{port}", process, log)
    yield f"http://127.0.0.1:{port}"
    end(process)


def test_the_installed_app_serves(running: str) -> None:
    """The installed app answers, and gives its page and its own modules."""
    assert "default-src 'self'" in fetched(running)[1]["Content-Security-Policy"]
    frontend = ROOT / "viewer" / "frontend"
    assert (frontend / "main.js").is_file()
    for asset in (path.relative_to(frontend).as_posix() for path in frontend.rglob("*.js")):
        assert "javascript" in fetched(running, f"/viewer-assets/{asset}")[1]["Content-Type"]


LIBRARY = """
import foldline, sys
from foldline import load, policy, simulate
trace = simulate(load(sys.argv[1]), policy("agentkit.memory", budget=16_000))
restored = foldline.Trace.model_validate_json(trace.model_dump_json())
taken = {"core", "viewer"} & set(sys.modules)
print(len(trace.compactions), len(restored.compactions), len(foldline.policies()) > 30, *taken)
"""


def test_the_installed_package_is_a_library(elsewhere: dict[str, str], installed: Path, tmp_path: Path) -> None:
    """`import foldline` has the public names of core; a trace is read back; no module has a name of somebody else's."""
    sample = installed / "foldline" / "sample_sessions" / "openai-chat" / "coding-session.json"
    command = [sys.executable, "-c", LIBRARY, str(sample)]
    done = subprocess.run(command, env=elsewhere, cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "2 2 True\n", done.stderr


def test_the_wheel_of_the_sdist_is_the_same(wheel: Path, tmp_path: Path) -> None:
    """What is published as source builds the same files."""
    command = [
        sys.executable,
        "-m",
        "build",
        "--no-isolation",
        "--outdir",
        str(tmp_path),
        str(ROOT),
    ]  # by way of an sdist
    subprocess.run(command, check=True, capture_output=True)
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as other:
        assert {i.filename: i.CRC for i in one.infolist()} == {i.filename: i.CRC for i in other.infolist()}
