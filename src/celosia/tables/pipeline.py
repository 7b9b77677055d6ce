"""Two steps of one pass at the same time: the next rows are read, or the last ones put away, in a thread."""

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Any, Self, TypeVar

__all__ = ["BackgroundWorker", "read_ahead"]

Item = TypeVar("Item")
_END = object()


def read_ahead(items: Generator[Item, None, None]) -> Iterator[Item]:
    """The same items; from the second on, the next one is made while the caller works on this one.

    Whoever only has a look at the first item has no other made.

    >>> list(read_ahead(number * number for number in range(4)))
    [0, 1, 4, 9]
    """
    first: Any = next(items, _END)
    if first is _END:
        return
    try:
        yield first
        with ThreadPoolExecutor(max_workers=1) as pool:
            pending: Future[Any] = pool.submit(next, items, _END)
            while (item := pending.result()) is not _END:
                pending = pool.submit(next, items, _END)
                yield item
    finally:
        items.close()


class BackgroundWorker:
    """Does one thing after the other in a thread, while the caller gets the next one ready.

    At most one is being done: whoever hands over another waits for the one before, and gets its error.

    >>> done = []
    >>> with BackgroundWorker() as worker:
    ...     for number in range(3):
    ...         worker.submit(done.append, number)
    >>> done
    [0, 1, 2]
    """

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1)
        self._pending: Future[None] | None = None

    def submit(self, step: Callable[..., None], *given: Any) -> None:
        """Have it done, once the one before is."""
        self.wait()
        self._pending = self._pool.submit(step, *given)

    def wait(self) -> None:
        """Wait until the last one is done."""
        pending, self._pending = self._pending, None
        if pending is not None:
            pending.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:
                self.wait()
        finally:
            self._pool.shutdown()
