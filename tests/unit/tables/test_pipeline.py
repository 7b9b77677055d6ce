"""Steps of a pass that overlap: nothing is lost, errors arrive, and nobody waits for rows that nobody wants."""

import threading

import pytest

from celosia.tables.pipeline import BackgroundWorker, read_ahead


def numbered(count, made):
    for number in range(count):
        made.append(number)
        yield number


def test_items_come_in_order_and_all_of_them():
    made = []
    assert list(read_ahead(numbered(5, made))) == made == [0, 1, 2, 3, 4]
    assert list(read_ahead(numbered(0, []))) == []


def test_the_next_item_is_made_while_the_caller_works_on_this_one():
    is_made = [threading.Event() for _ in range(3)]

    def items():
        for event in is_made:
            event.set()
            yield event

    ahead = read_ahead(items())
    next(ahead)
    assert not is_made[1].is_set()
    next(ahead)
    assert is_made[2].wait(timeout=60)
    ahead.close()


def test_whoever_stops_early_leaves_nothing_open():
    is_closed = []

    def items():
        try:
            yield from range(100)
        finally:
            is_closed.append(True)

    for count in (1, 2, 3):
        ahead = read_ahead(items())
        for _ in range(count):
            next(ahead)
        ahead.close()
    assert is_closed == [True] * 3


def test_an_error_in_a_later_item_reaches_the_caller():
    def items():
        yield from (1, 2, 3)
        raise ValueError("line 4")

    ahead = read_ahead(items())
    assert [next(ahead) for _ in range(3)] == [1, 2, 3]
    with pytest.raises(ValueError, match="line 4"):
        next(ahead)


def fail(text):
    raise ValueError(text)


def do_all(texts, error=None):
    with BackgroundWorker() as worker:
        for text in texts:
            worker.submit(fail, text)
        if error is not None:
            raise error


def test_an_error_of_a_step_reaches_whoever_hands_over_the_next_or_leaves():
    with pytest.raises(ValueError, match="first"):
        do_all(["first"])
    with pytest.raises(ValueError, match="first"):
        do_all(["first", "second"])


def test_an_error_of_the_caller_is_not_hidden_by_that_of_a_step():
    with pytest.raises(KeyError):
        do_all(["first"], KeyError())
