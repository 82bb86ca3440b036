"""Tasks past one machine: on a Dask cluster. https://distributed.dask.org

Each of its workers has foldline installed, in the same version, and sees the files by the same paths; or they are at URLs.
"""

import re
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING

from core.model.errors import FoldlineError, ParameterError, format_error
from core.tune.extra import extra
from core.tune.files import Failure
from core.tune.task import Result, Task, run_task

if TYPE_CHECKING:
    from distributed import Client, Future

AHEAD = 4
"""So many tasks a thread are on the cluster at once: none waits for its next one, and few are lost when a sweep is stopped."""

WAIT = 10
"""Seconds until a scheduler must have answered."""

_LOCAL = re.compile(r"local:(\d+)")


def sweep_on(address: str, tasks: Iterable[Task]) -> Generator[Result, None, None]:
    """The result of each task as soon as it is there, from the cluster at an address: `tcp://host:8786`, or `local:4`.

    `local:4` is a cluster of four processes on this machine, for as long as the sweep takes. A task whose worker is lost is
    done by another one. Raises FoldlineError where no cluster answers.
    """
    with _client(address) as client:
        yield from _swept(client, iter(tasks))


def _swept(client: "Client", tasks: Iterator[Task]) -> Iterator[Result]:
    from distributed import as_completed

    begun: dict[Future[Result], Task] = {}

    def begin(count: int) -> "list[Future[Result]]":
        futures = {client.submit(run_task, task, pure=False): task for task in islice(tasks, count)}
        begun.update(futures)
        return list(futures)

    threads = sum(client.nthreads().values())
    done = as_completed(begin(AHEAD * max(1, threads)), loop=client.loop)
    for future in done:
        task = begun.pop(future)
        yield _result(future, task)
        future.release()
        for one in begin(1):
            done.add(one)


def _result(future: "Future[Result]", task: Task) -> Result:
    error = future.exception()
    if error is None:
        found: Result = future.result()
        return found
    why = f"the cluster gave it up: {format_error(error)}"
    return Result(
        task, failures=(Failure(task.file.name, why, "do all workers have this foldline, and enough memory?"),)
    )


@contextmanager
def _client(address: str) -> Iterator["Client"]:
    with extra(f"--cluster {address}"):
        from distributed import Client, LocalCluster
    if local := _LOCAL.fullmatch(address):
        with (
            LocalCluster(n_workers=int(local[1]), threads_per_worker=1, dashboard_address=None) as cluster,
            Client(cluster) as client,
        ):
            yield client
        return
    if "://" not in address:
        raise ParameterError(f"{address!r} is no cluster", "give tcp://HOST:PORT of a Dask scheduler, or local:4")
    try:
        client = Client(address, timeout=WAIT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise FoldlineError(f"{address}: {format_error(error)}", "does a Dask scheduler run there?") from None
    with client:
        yield client
