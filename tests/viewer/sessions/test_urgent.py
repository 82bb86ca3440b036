"""What a person waits for goes first, and nothing waits for ever."""

from threading import Event, Thread

from viewer.sessions.urgent import LONGEST, SENDING, Urgent


class Clock:
    """A clock that sleeping moves on, and what was done at which time."""

    def __init__(self) -> None:
        self.now, self.slept = 100.0, 0.0

    def __call__(self) -> float:
        """The time."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Time goes by."""
        self.now += seconds
        self.slept += seconds


def test_nothing_waits_where_no_answer_is_made() -> None:
    """Not at first, and not once the last answer is on its way."""
    clock = Clock()
    urgent = Urgent(clock, clock.sleep)
    urgent.wait()
    with urgent.first():
        clock.now += 0.5
    clock.now += SENDING
    urgent.wait()

    assert clock.slept == 0


def test_long_work_waits_until_the_answer_is_on_its_way() -> None:
    """Sending it takes the interpreter as well."""
    clock = Clock()
    urgent = Urgent(clock, clock.sleep)
    with urgent.first():
        pass
    urgent.wait()

    assert SENDING <= clock.slept < 2 * SENDING


def test_long_work_goes_on_where_the_answer_may_wait_for_it() -> None:
    """Else both would wait for ever."""
    clock = Clock()
    urgent = Urgent(clock, clock.sleep)
    with urgent.first(), urgent.first():
        urgent.wait()
        waited = clock.slept
        urgent.wait()

    assert LONGEST <= waited < LONGEST + SENDING
    assert clock.slept == waited


def test_an_answer_of_another_tab_is_waited_for_as_well() -> None:
    """The first to be made does not let long work go on."""
    clock, waits, over, done = Clock(), Event(), Event(), Event()

    def sleep(seconds: float) -> None:
        waits.set()
        over.wait(20)
        clock.sleep(1)

    def work() -> None:
        urgent.wait()
        done.set()

    urgent = Urgent(clock, sleep)
    with urgent.first():
        with urgent.first():
            pass
        worker = Thread(target=work, daemon=True)
        worker.start()
        assert waits.wait(20)
        assert not done.is_set()
    over.set()
    worker.join(20)

    assert done.is_set()
