"""Which files shell commands plainly write."""

import pytest

from core.measure.shellwrites import shell_writes, writes_before_end


@pytest.mark.parametrize(
    ("command", "written"),
    [
        ("echo red >> docs/color.md", ["docs/color.md"]),
        ("echo a >b; echo c > 'd e.md'; echo f 1> g; echo h >| i; make &> j.log", ["b", "d e.md", "g", "i", "j.log"]),
        ("cat > x.py <<'EOF'\nif a > b:\n    print(1) > c\nEOF\necho done >> y", ["x.py", "y"]),
        ("cat <<EOF > x\na > b\nEOF", ["x"]),
        ("echo a | tee -a b.txt c.txt > /dev/null", ["b.txt", "c.txt"]),
        ("echo a | sudo tee /etc/hosts", ["/etc/hosts"]),
        ("bash -lc 'echo a > b'", ["b"]),
        ("(echo a; echo b) > c; for x in 1 2; do echo $x; done >> d", ["c", "d"]),
        ("echo a > b; echo c >> b", ["b"]),
        # what writes no file, or none that its words name
        (r"dir > C:\tmp\a.txt", []),
        ("echo x > " + "a" * 20_000 + "*", []),
        ("echo x > " + "a" * 401, []),
        ("ls > /dev/null 2>&1; ls 2>err.log; ls >&2; ls 2>/dev/null", []),
        ("echo 'a > b' \"c > d\" e\\>f # > g", []),
        ("grep -n 'x->y' a.c; grep => b; f(a)->b; (x) => y", []),
        ("[[ a > b ]] && echo $((1 > 2)); (( c > d ))", []),
        ('echo a > $out; echo b > "$dir/c"; echo > `name`; echo > *.txt; diff <(ls) >(cat)', []),
        ("a > 5", []),
        ("git commit -m \"$(cat <<'EOF'\na > b\nEOF\n)\"", []),
        ("python -c 'print(1 > 0)'; awk '{print > \"f\"}' a", []),
        ("git commit -m 'tee the output'; cat tee.txt; echo no end > 'x", []),
        ("", []),
    ],
)
def test_a_file_is_written_where_the_command_says_so_plainly(command: str, written: list[str]) -> None:
    """Behind `>`, `>>` and `tee`: neither in quotes, comments and here-documents, nor by an arrow, nor where errors go."""
    assert list(shell_writes(command)) == written


@pytest.mark.parametrize(
    ("command", "written"),
    [
        ("cd a && cat > b <<'EOF'\nx; exit 1\nEOF\n\ngh pr edit 3", ["b"]),
        ("echo a > b; echo c | tee d; false > e", ["b", "d"]),
        ("echo a > b && make > c; cd d && echo e > f && echo g > h; false", ["b", "f"]),
        # what may not have run, or may have failed itself
        ("echo a > b && false", []),
        ("test -f a || echo a > b; false", []),
        ("cd a || echo a > b; make && echo c > d\nfalse", []),
        ("make || exit 1\necho a > b\nfalse", []),
        ("set -e\nmake\necho a > b\nfalse", []),
        ("if make; then\necho a > b\nfi\nfalse", []),
        ("(make; echo a > b); false", []),
        ("", []),
    ],
)
def test_what_is_written_before_the_last_statement_does_not_depend_on_it(command: str, written: list[str]) -> None:
    """Its statements are parted by `;` and the ends of lines; of what `&&` joins to the last one nothing is told."""
    assert list(writes_before_end(command)) == written
