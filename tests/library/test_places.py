"""Where the library looks: where agents keep their sessions, and the folders that a user has added."""

import os
from importlib import import_module
from pathlib import Path

import pytest

from core import FoldlineError
from core.library import Place, add_place, places, remove_place
from core.library.places import Looked

walking = import_module("core.library.places")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the test's own, in which nothing is set."""
    for name in [name for name in os.environ if name.startswith(("XDG_", "FOLDLINE_", "CLAUDE_", "CODEX_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def there(home: Path, *names: str) -> None:
    """Empty files below the home."""
    for name in names:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).touch()


def files_by_agent(home: Path) -> dict[str, list[str]]:
    """The files of each place that has any, below the home."""
    listed = {place.agent: sorted(str(p.relative_to(home)) for p in place.look().files) for place in places()}
    return {agent: files for agent, files in listed.items() if files}


def test_the_agents_own_folders_are_looked_into(home: Path) -> None:
    """Each by what its files are called; a Claude Code sub-agent's file is part of its session, settings are none."""
    there(
        home, ".claude/projects/-home-ada/s1.jsonl", ".claude/projects/-home-ada/agent-7.jsonl", ".claude/settings.json"
    )
    there(home, ".codex/sessions/2026/01/02/rollout-1.jsonl", ".codex/history.jsonl", ".codex/config.toml")
    there(home, ".gemini/tmp/abc/chats/session-1.json", ".gemini/tmp/abc/logs.json")
    there(home, ".pi/agent/sessions/--home--/x.jsonl", ".copilot/session-state/9/events.jsonl")
    there(home, ".local/share/opencode/opencode.db", ".local/share/opencode/auth.json")
    there(home, ".local/share/foldline/sessions/2026-11-20-1.jsonl", ".local/share/foldline/sessions/2026-11-20-1.lock")

    assert files_by_agent(home) == {
        "Claude Code": [".claude/projects/-home-ada/s1.jsonl"],
        "Codex CLI": [".codex/sessions/2026/01/02/rollout-1.jsonl"],
        "Gemini CLI": [".gemini/tmp/abc/chats/session-1.json"],
        "opencode": [".local/share/opencode/opencode.db"],
        "foldline run": [".local/share/foldline/sessions/2026-11-20-1.jsonl"],
        "pi": [".pi/agent/sessions/--home--/x.jsonl"],
        "GitHub Copilot CLI": [".copilot/session-state/9/events.jsonl"],
    }


def test_sessions_that_opencode_has_put_into_its_database_are_not_listed_twice(home: Path) -> None:
    """The files of an older one are looked at only where there is no database."""
    there(home, ".local/share/opencode/storage/session/p/ses_1.json")
    assert files_by_agent(home) == {"opencode": [".local/share/opencode/storage/session/p/ses_1.json"]}
    there(home, ".local/share/opencode/opencode.db")
    assert files_by_agent(home) == {"opencode": [".local/share/opencode/opencode.db"]}


def test_an_agent_that_was_told_to_keep_them_elsewhere_is_followed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variables by which Claude Code and Codex are moved hold here too."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / "c"))
    monkeypatch.setenv("CODEX_HOME", "~/x")
    there(home, "c/projects/p/s.jsonl", "x/sessions/rollout-1.jsonl", ".claude/projects/p/old.jsonl")

    assert files_by_agent(home) == {
        "Claude Code": ["c/projects/p/s.jsonl"],
        "Codex CLI": ["x/sessions/rollout-1.jsonl"],
    }


def test_folders_from_the_environment_are_looked_into(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FOLDLINE_LIBRARY names some, with the system's separator between; they are not the user's to remove."""
    there(home, "a/deep/run.traj", "a/notes.txt", "b/.aider.chat.history.md", "b/log.eval")
    monkeypatch.setenv("FOLDLINE_LIBRARY", os.pathsep.join((str(home / "a"), "", "~/b", str(home / "a"))))

    added = [place for place in places() if not place.agent]
    assert [(str(place.root), place.kept) for place in added] == [(str(home / "a"), False), (str(home / "b"), False)]
    listed = [sorted(p.name for p in place.look().files) for place in added]
    assert listed == [["run.traj"], [".aider.chat.history.md", "log.eval"]]


def test_the_folder_that_foldline_is_started_on_is_looked_into(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever its name holds, and beside those of FOLDLINE_LIBRARY. A single file adds no folder."""
    there(home, "a:b/run.json", "c/run.json")
    monkeypatch.setenv("FOLDLINE_LIBRARY", str(home / "c"))
    monkeypatch.setenv("FOLDLINE_FILE", str(home / "a:b"))
    added = [place for place in places() if not place.agent]
    assert [place.root for place in added] == [home / "a:b", home / "c"]
    assert added[0].look().files == (home / "a:b" / "run.json",)

    monkeypatch.setenv("FOLDLINE_FILE", str(home / "a:b" / "run.json"))
    assert [place.root for place in places() if not place.agent] == [home / "c"]


def test_a_folder_as_large_as_a_home_is_walked_as_it_is_opened(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No hidden folders, none that a tool fills, no links; of very many files the first, which is told."""
    there(home, "runs/a.json", "runs/b.json", ".cache/c.json", "runs/node_modules/d.json", "notes.txt")
    (home / "link.json").symlink_to(home / "runs" / "a.json")
    runs = [home / "runs" / "a.json", home / "runs" / "b.json"]
    assert Place("", home).look() == Looked(tuple(runs))
    monkeypatch.setattr(walking, "MOST_FILES", 2)
    assert Place("", home).look() == Looked((runs[0],), whole=False)
    monkeypatch.setattr(walking, "MOST_FILES", 3)
    assert Place("", home).look() == Looked(tuple(runs))


def test_a_folder_that_is_added_stays_until_it_is_removed(home: Path) -> None:
    """Once, however often it is added; it is remembered in the settings, never in the folder."""
    there(home, "runs/a.json")
    assert add_place("~/runs") == home / "runs"
    add_place(str(home / "runs"))
    assert [(p.root, p.kept) for p in places() if not p.agent] == [(home / "runs", True)]
    assert sorted(p.name for p in (home / "runs").iterdir()) == ["a.json"]

    remove_place(str(home / "runs"))
    assert [p for p in places() if not p.agent] == []


@pytest.mark.parametrize("folder", ["nowhere", "\0", "a.json"])
def test_what_is_no_folder_is_not_added(folder: str, home: Path) -> None:
    """The error says so."""
    there(home, "a.json")
    with pytest.raises(FoldlineError, match="is not a folder"):
        add_place(str(home / folder))
    assert [p for p in places() if not p.agent] == []


def test_a_folder_that_cannot_be_remembered_says_what_to_do_instead(home: Path) -> None:
    """Settings that cannot be written are named, with the variable that does without."""
    (home / ".config").write_text("a file where the folder should be")
    with pytest.raises(FoldlineError) as caught:
        add_place(str(home))
    assert caught.value.hint == "set FOLDLINE_LIBRARY instead"


@pytest.mark.parametrize("text", ["{not json", '{"a": 1}', "[1, null]", "\udcff"])
def test_damaged_settings_hold_no_folders(text: str, home: Path) -> None:
    """They are no reason to fail."""
    path = home / ".config" / "foldline" / "library.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(text.encode("utf-8", "surrogateescape"))

    assert [p for p in places() if not p.agent] == []


def test_a_folder_that_may_not_be_entered_does_not_hide_the_others(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies in it is not listed, nor can it be added; the files before and behind it are."""
    there(
        home,
        ".codex/sessions/a/rollout-1.jsonl",
        ".codex/sessions/b/rollout-2.jsonl",
        ".codex/sessions/c/rollout-3.jsonl",
    )
    there(home, ".local/share/opencode/opencode.db")
    known = os.stat

    def stat(path: object, *args: object, **more: object) -> os.stat_result:
        if str(path).endswith(("rollout-2.jsonl", "opencode.db", "shut")):
            raise PermissionError(13, "Permission denied", str(path))
        return known(path, *args, **more)  # type: ignore[call-overload,no-any-return]

    monkeypatch.setattr(os, "stat", stat)
    assert files_by_agent(home) == {
        "Codex CLI": [".codex/sessions/a/rollout-1.jsonl", ".codex/sessions/c/rollout-3.jsonl"]
    }
    with pytest.raises(FoldlineError, match="is not a folder"):
        add_place(str(home / "shut"))
