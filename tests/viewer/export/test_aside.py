"""Work that a copy of a process does, and what becomes of the copy."""

import multiprocessing
import os
import signal
import subprocess
import sys
from threading import Event

import pytest

from core.meters import tokenizer
from core.model.errors import FoldlineError
from tests.serving import ROOT
from viewer.export import aside, blocks
from viewer.export.telling import heard_by, tell

HERE = os.getpid()
LONG = b'"' + b"a" * 60_000 + b'"'

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux copies a process that is at work")


@pytest.fixture(autouse=True)
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the machine has."""
    monkeypatch.setattr(aside, "_can_copy", lambda: True)


def test_a_copy_does_the_work_and_is_gone_then() -> None:
    """It tells nobody how far it is: the process that waits does."""
    heard, told = os.pipe()
    listens = heard_by(lambda what: print(os.write(told, what.encode())))
    with listens, aside.aside(lambda: (tell("Working"), os.getpid())[1]) as found:
        (copy,) = multiprocessing.active_children()
        assert found() == copy.pid != HERE
    os.close(told)
    assert not multiprocessing.active_children()
    assert os.read(heard, 1) == b""
    os.close(heard)


def test_what_is_not_worth_a_copy_is_done_here() -> None:
    """When it is asked for."""
    with aside.aside(os.getpid, worth=False) as found:
        assert not multiprocessing.active_children()
        assert found() == HERE


def test_one_core_has_no_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would only take turns with this process."""
    monkeypatch.undo()
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    with aside.aside(os.getpid) as found:
        assert found() == HERE


def test_an_error_of_the_copy_is_raised_here() -> None:
    """As it would be without a copy."""

    def fail() -> None:
        raise FoldlineError("no such thing")

    with aside.aside(fail) as found, pytest.raises(FoldlineError, match="no such thing"):
        found()


def test_what_a_copy_does_not_finish_is_done_here() -> None:
    """As where the system ends it for want of memory."""

    def work() -> str:
        if os.getpid() != HERE:
            os.kill(os.getpid(), signal.SIGKILL)
        return "done"

    with aside.aside(work) as found:
        assert found() == "done"


def test_a_copy_is_ended_where_nobody_waits_for_it() -> None:
    """Whatever went wrong meanwhile."""
    with pytest.raises(ZeroDivisionError), aside.aside(Event().wait):
        raise ZeroDivisionError
    assert not multiprocessing.active_children()


def test_a_copy_that_does_not_end_when_asked_to_is_ended() -> None:
    """A process that measures coverage handles SIGTERM; a copy that is stuck never comes to its handler."""
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with pytest.raises(ZeroDivisionError), aside.aside(Event().wait):
            raise ZeroDivisionError
    finally:
        signal.signal(signal.SIGTERM, before)
    assert not multiprocessing.active_children()


def test_what_a_stuck_copy_does_not_give_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may wait for a lock that another thread of this process held when it was copied."""
    monkeypatch.setattr(aside, "PATIENCE", 0.01)
    with aside.aside(lambda: os.getpid() == HERE or Event().wait()) as found:
        assert found() is True


def test_a_copy_ends_with_the_process_that_waits_for_it() -> None:
    """Both have the output: it is at its end when both are gone."""
    program = (
        "import os, threading; from viewer.export import aside; aside._can_copy = lambda: True\n"
        "with aside.aside(threading.Event().wait): print('begun', flush=True); os.kill(os.getpid(), 9)"
    )
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, timeout=60, check=False)
    assert (ran.returncode, ran.stdout) == (-9, b"begun\n")


def test_a_copy_has_threads_of_its_own() -> None:
    """Those of the other process are not there: what they are given would never be done."""
    one = blocks.Blocks()
    one.add_json("a", LONG)
    one.texts()
    tokenizer.encoding()
    assert blocks._packer.cache_info().currsize == tokenizer._threads.cache_info().currsize == 1
    with aside.aside(lambda: (blocks._packer.cache_info().currsize, tokenizer._threads.cache_info().currsize)) as found:
        assert found() == (0, 0)
