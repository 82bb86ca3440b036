"""Which parts of shell commands remove or move something, as far as their words tell."""

from functools import reduce
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.measure.removals import commands_of, removals
from core.model.session import ToolCall


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("rm photos/*.jpg", ["rm photos/*.jpg"]),
        ("cd a && rm -rf build; ls | grep rm", ["rm -rf build"]),
        ("rm a > /dev/null 2>&1 || true", ["rm a"]),
        ("echo 'rm x' # rm y", []),
        ("# don't rm this\nrm b", ["rm b"]),
        ("git -C /a rm b.py && git commit -m 'rm it' && git rm --cached c", ["git -C /a rm b.py"]),
        ("git reset --soft HEAD~1; git reset --hard; git clean -fd", ["git reset --hard", "git clean -fd"]),
        ("cat > x <<'EOF'\nrm not me\nEOF\nrm y", ["rm y"]),
        ("bash -lc 'rm a && mv b c'", ["rm a", "mv b c"]),
        ("for f in *.jpg; do rm $f; done", ["rm $f"]),
        ("if [ -f a ]; then sudo X=1 /bin/rm a; fi", ["/bin/rm a"]),
        ("find . -name '*.pyc' -delete; find . -exec rm {} +", ["find . -name *.pyc -delete", "find . -exec rm {} +"]),
        ("git ls-files | xargs rm", ["xargs rm"]),
        ('sqlite3 a.db "DROP TABLE x"; grep "DROP TABLE x" a.sql', ["sqlite3 a.db DROP TABLE x"]),
        ("docker run --rm x; rm --help; npm rm x", []),
        ("echo 'no end\nrm b", []),
        ("rm a; echo 'no end", ["rm a"]),
        ("", []),
        # what only looks like a removal
        ("git clean -nd; git clean -fdn; git rm --dry-run x; git rm -n x; git mv --help a", []),
        ("find . -type f | xargs grep -l trash", []),
        ("echo ';' rm x; echo '|' mv a; echo '' rm x; echo \\; rm x", []),
        ("echo hi # no; rm -rf x", []),
        ("cat <<\\EOF\nrm a\nEOF\ncat <<'END-S'\nrm b\nEND-S\ncat <<-A <<B\nrm c\n\tA\nrm d\nB\nrm e", ["rm e"]),
        ("cat <<EOF\nrm a", []),
        ('echo "$(grep "; rm x" f)"; bash a.sh -c "rm x"; command -v rm; sudo -l rm x', []),
        ("rm -f; rm", []),
        ('git commit -m "$(cat <<\'EOF\'\nmend (a)\nsay "no; rm b"\nEOF\n)"', []),
        # what hides one
        ('find . \\( -name "*.pyc" -o -name "*.pyo" \\) -delete', ["find . ( -name *.pyc -o -name *.pyo ) -delete"]),
        ("find . -exec rm {} \\; -print; find . -exec grep rm {} \\;", ["find . -exec rm {} ; -print"]),
        ("git --no-pager clean -fd; git -c a=b -C d rm x", ["git --no-pager clean -fd", "git -c a=b -C d rm x"]),
        ("sudo -u bob rm x; sudo bash -c 'rm y'", ["rm x", "rm y"]),
        ("cat <<< hello\nrm x", ["rm x"]),
        ("echo $((1<<n))\n((k = 1<<n))\nrm x$((1<<n))", ["rm x$((1<<n))"]),
        ("ls # don't panic\nrm -rf build", ["rm -rf build"]),
        (
            "ls | xargs -0 -I {} -P4 /bin/rm -f {}; ls | xargs -n 1 git rm",
            ["xargs -0 -I {} -P4 /bin/rm -f {}", "xargs -n 1 git rm"],
        ),
        ("if rm a; then x=$(rm b); fi; echo `rm c`", ["rm a", "rm b", "rm c"]),
        ("rm -rf \\\n  a\\ b 2>x $'don\\'t' \"c d\"#e", ["rm -rf a b don\\'t c d#e"]),
        ('sh -o pipefail -c "rm \\"a b\\""', ["rm a b"]),
    ],
)
def test_a_command_is_known_by_its_first_word(command: str, found: list[str]) -> None:
    """What is quoted, said in a comment or handed on as a text is no command; a shell that is started runs one."""
    assert list(removals(command)) == found


def test_many_shells_within_shells_end() -> None:
    """And what is long is read in part."""
    nested = "rm a"
    for _ in range(6):
        nested = f"sh -c {nested!r}"
    assert removals(nested) == ()
    assert removals(f"{'ls; ' * 10_000} rm a") == ()


def test_commands_are_given_as_a_text_as_words_or_several() -> None:
    """`command`, `cmd`, `commands`; an editor's command is none."""

    def made(name: str, **arguments: object) -> tuple[str, ...]:
        return commands_of(ToolCall(id="c", name=name, arguments=arguments))

    assert made("bash", command="ls") == ("ls",)
    assert made("shell", command=["bash", "-lc", "rm a b"]) == ("bash -lc 'rm a b'",)
    assert made("shell", command=["rm", "-rf", "build"]) == ("rm -rf build",)
    assert made("shell", command=["rm -rf build"]) == ("rm -rf build",)
    assert [removals(one) for one in made("shell", command=["echo", "rm -rf /"])] == [()]
    assert made("shell", commands=[["echo", "; rm b"], "rm a"]) == ("echo '; rm b'", "rm a")
    assert made("run_commands", commands=["ls", {"command": "rm a"}]) == ("ls", "rm a")
    assert made("text_editor_code_execution", command="create", path="a") == ()
    assert made("read", path="a") == ()


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(("rm a", "bash", "-c", "", "'")) | st.text(max_size=8),
    lambda one: st.lists(one, max_size=4) | st.dictionaries(st.sampled_from(("command", "x")), one, max_size=2),
    max_leaves=10,
)


@given(_JSON, st.sampled_from(("command", "cmd", "commands")))
def test_any_value_may_stand_where_a_command_is_expected(value: Any, name: str) -> None:
    """What a model gives is read as far as it goes: no value is an error."""
    for command in commands_of(ToolCall(id="c", name="bash", arguments={name: value})):
        assert isinstance(removals(command), tuple)


def test_a_command_in_lists_is_found_and_deep_ones_end() -> None:
    """A command in an object and one in a list of lists are read; lists without end are not."""
    deep: Any = reduce(lambda inner, _: [inner], range(400), "rm a")
    several = {"commands": [{"command": "ls -la"}], "command": [["a"]], "cmd": deep}
    assert commands_of(ToolCall(id="c", name="bash", arguments=several)) == ("a", "ls -la")


@given(st.text("rm x$()<-'\"\\#;|&`\n\t12E", max_size=40))
def test_any_text_is_read_to_an_end(text: str) -> None:
    """No text is an error, and none hides a command on the line before it."""
    assert set(removals("rm a\n" + text)) >= {"rm a"}
