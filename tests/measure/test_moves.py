"""What shell commands plainly move, and what the files of a session are called in the end."""

import pytest

from core.measure.moves import Move, moves, names_at_end


@pytest.mark.parametrize(
    ("command", "moved"),
    [
        ("mv a b", [Move("a", "b", False)]),
        ("mkdir -p p/q && mv -f p/old p/q/new; git mv 'c d' ./e", [Move("p/old", "p/q/new", False), Move("c d", "e", False)]),
        ("mv a b src/", [Move("a", "src", True), Move("b", "src", True)]),
        ("cd /repo/src && mv x/a.py .", [Move("/repo/src/x/a.py", "/repo/src", True)]),
        ("cd /repo/src && mv b.py ../c.py", [Move("/repo/src/b.py", "/repo/c.py", False)]),
        ("bash -lc 'sudo mv a b'", [Move("a", "b", False)]),
        # what moves nothing, or nothing that its words name
        ("mv *.txt d/; mv $a b; mv a $b; mv a", []),
        ("mv --backup a b; mv -n a b; mv -t d a; git mv -n a b", []),
        ("cd $dir && mv a b", []),
        ("git -C sub mv a b; mv a ~/b", []),
        ("test -f b || mv a b", []),
        ("if [ -f a ]; then mv a b; fi", []),
        ("for f in a b; do mv x y; done", []),
        ("(cd sub && make); mv a b", []),
        ("echo 'mv a b'; rm a", []),
    ],
)  # fmt: skip
def test_a_move_is_told_where_the_command_says_so_plainly(command: str, moved: list[Move]) -> None:
    """By `mv` and `git mv`, from where `cd` leads: neither by pattern and variable, nor where it may not have run."""
    assert list(moves(command)) == moved


@pytest.mark.parametrize(
    ("move", "written", "last"),
    [
        (Move("a.py", "b.py", False), "a.py", "b.py"),
        (Move("lib/old", "lib/new", False), "lib/old/x/y.py", "lib/new/x/y.py"),
        (Move("lib/old", "lib/new", False), "/repo/lib/old/x.py", "/repo/lib/new/x.py"),
        (Move("lib/a.py", "lib/b.py", False), "/repo/lib/a.py", "/repo/lib/b.py"),
        (Move("/repo/a.py", "/repo/src", True), "/repo/a.py", "/repo/src/a.py"),
        (Move("a.py", "src", False), "a.py", "src/a.py"),  # a folder: src/known.py had been named
        # another file, or nobody can tell
        (Move("lib/old", "lib/new", False), "lib/older/x.py", "lib/older/x.py"),
        (Move("a.py", "b.py", False), "/repo/a.py", "/repo/a.py"),
        (Move("a.py", "somewhere", False), "a.py", "a.py"),
        (Move("../a.py", "b.py", False), "x/a.py", "x/a.py"),
    ],
)
def test_a_written_file_has_the_name_that_a_later_move_gives_it(move: Move, written: str, last: str) -> None:
    """Alone or within a folder that was moved; into a folder by its own name. A file of only the same ending stays."""
    known = [(0, "src/known.py"), (1, written)]
    assert list(names_at_end([(1, written)], [(2, move)], known)) == [(written, last)]
    assert list(names_at_end([(3, written)], [(2, move)], known)) == [(written, written)], (
        "what is written later is new"
    )


def test_moves_are_followed_one_after_another() -> None:
    """A file that was moved twice has the name that the second move gives it."""
    moved = [(2, Move("a.py", "b.py", False)), (4, Move("b.py", "c.py", False))]
    assert list(names_at_end([(1, "a.py"), (3, "b.py")], moved, [])) == [("a.py", "c.py"), ("b.py", "c.py")]
