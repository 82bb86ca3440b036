"""What shell commands commit, push or send to a code host."""

import pytest

from core.measure.published import published


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("git add -A && git commit -m 'Fix the report'", ["git commit: Fix the report"]),
        ("git commit -am \"One\" -m 'more of it'; git push", ["git commit: One", "git push"]),
        ("git commit -m \"$(cat <<'EOF'\nperf: one pass\n\nIt was two.\nEOF\n)\"", ["git commit: perf: one pass"]),
        (
            "cd /a && git -C b commit --message 'Fix it' && git push -u origin main",
            ["git commit: Fix it", "git push -u origin main"],
        ),
        (
            "git add -A && git commit -q -F - <<'EOF'\nfix: one pass\n\nIt was two.\nEOF\n"
            "git add b && git commit --file=- <<-EOF && git push\n\tdocs: say so (again)\n\tEOF",
            ["git commit: fix: one pass", "git commit: docs: say so (again)", "git push"],
        ),
        ("cat > msg.txt <<'E'\nFix it\nE\ngit commit -aF msg.txt", ["git commit: Fix it"]),
        ("diff /dev/fd/3 3<<A - <<B; git commit -F - <<C\na\nA\nb\nB\nc\nC", ["git commit: c"]),
        (
            "git commit -m 'v0.0.2' && git tag v0.0.2 && git tag -a v0.0.3 -m 'More'",
            ["git commit: v0.0.2", "git tag v0.0.2", "git tag v0.0.3"],
        ),
        ("git commit --amend --no-edit", ["git commit --amend"]),
        ("bash -lc \"git commit -m 'Fix it'\"", ["git commit: Fix it"]),
        ("git commit -F msg.txt; git commit -t form.txt -m 'Fix it'", ["git commit", "git commit: Fix it"]),
        ("gh issue create -t 'It fails'", ["gh issue create: It fails"]),
        ("gh pr create --fill --title 'Document it' --body 'x\ny'", ["gh pr create: Document it"]),
        ("gh pr edit 1533 --body-file /tmp/a.md; gh issue close 7", ["gh pr edit 1533", "gh issue close 7"]),
        ("glab mr merge 4", ["glab mr merge 4"]),
        ("gh api repos/a/b/pulls/3 -X PATCH -f body=x", ["gh api PATCH repos/a/b/pulls/3: body"]),
        ("gh api --method GET repos/a/b -f q=1; gh api -f body=x repos/a/b/issues", ["gh api repos/a/b/issues: body"]),
        ("gh api 'repos/a/b/actions/caches?key=foo' -X DELETE", ["gh api DELETE repos/a/b/actions/caches?key=foo"]),
        ("gh api -H 'Accept: application/json' -X PUT user/x -f a/b=c", ["gh api PUT user/x: a/b"]),
        ("gh api repos/a/b/pulls/3 --method=PATCH -fbody=x", ["gh api PATCH repos/a/b/pulls/3: body"]),
        ("gh api -XDELETE a/b; gh api --method=GET a/b --field=q=1", ["gh api DELETE a/b"]),
        (
            "git commit -m'Fix it'; gh pr create --title='Document it'",
            ["git commit: Fix it", "gh pr create: Document it"],
        ),
        ("git commit --message='Fix it'", ["git commit: Fix it"]),
        ("gh api graphql -F id=1 -f query='\n mutation { a }'", ["gh api graphql: id, query"]),
        ("git commit -m '" + "a" * 200 + "'", ["git commit: " + "a" * 107 + "…"]),
        (
            "git tag; git tag -l 'v*'; git tag -n5; git tag -d v1; git tag --sort=-taggerdate; git tag --contains HEAD",
            [],
        ),
        # what only reads, tries, or says it
        ("git log --grep commit; git status; git stash push", []),
        ("git commit --dry-run -m x; git push --dry-run; git push -n; git commit --help", []),
        ("gh pr view 1533 --json body; gh pr list; gh repo view; gh api repos/a/b/pulls", []),
        ("gh api graphql -f query='query { mutation }' -F owner=a; gh api graphql -F query=@a.graphql", []),
        ("echo 'git commit -m x'; grep 'git push' a.md", []),
        ("cat <<EOF\ngit commit -m x\nEOF", []),
        ("", []),
    ],
)
def test_what_is_committed_and_sent_is_told_by_its_title(command: str, told: list[str]) -> None:
    """Neither what is looked at nor what is only spoken of."""
    assert list(published(command)) == told


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (
            "cd /tmp/clone\ngit add -A && git commit -m 'Try it' && git push",
            ["git commit: Try it (in /tmp/clone)", "git push (in /tmp/clone)"],
        ),
        (
            "git -C /tmp/clone commit -m 'Try it'; git commit -m 'Do it'",
            ["git commit: Try it (in /tmp/clone)", "git commit: Do it"],
        ),
        ("cd /tmp && git -C clone tag v1", ["git tag v1 (in /tmp/clone)"]),
        ("cd ../other && git push", ["git push (in ../other)"]),
        # the project, what is in it or around it, and where it is not known where
        ("cd /w/app && git push; cd docs && git push; cd /w && git push; git -C app push", ["git push"] * 4),
        ("cd ~/other && git push; (cd /tmp/clone && make); git push", ["git push", "git push"]),
        ("cd $DIR && git push; gh pr create -t 'It fails'", ["git push", "gh pr create: It fails"]),
        ("cd /tmp/clone; gh issue close 7", ["gh issue close 7"]),
    ],
)
def test_a_folder_that_is_not_the_projects_is_named(command: str, told: list[str]) -> None:
    """As the command names it."""
    assert list(published(command, "/w/app")) == told


def test_a_folder_of_windows_is_known_in_each_way_of_writing_it() -> None:
    """`D:/App`, `D:\\App` and `/d/App` are the same."""
    for folder in ("D:/App", "'d:\\App\\docs'", "/d/App"):
        assert published(f"cd {folder} && git push", "D:\\App") == ("git push",)
    assert published("cd D:/Other && git push", "D:\\App") == ("git push (in D:/Other)",)
