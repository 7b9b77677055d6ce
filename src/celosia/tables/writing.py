"""From a table to a new one: recode every row, put the rows in random order, write them where nobody else can look."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from celosia.say import say
from celosia.tables.conversion import Conversion
from celosia.tables.format import Sink
from celosia.tables.pipeline import BackgroundWorker
from celosia.tables.shuffle import OrderedRows, RowShuffle, memory_budget
from celosia.tables.table import Progress, Recoding, Written, no_progress
from celosia.tables.target import FileTarget, RowSource, WriteTarget, as_destination

__all__ = ["write_rows"]


LABELS_TAKE = 6
"""Times as much as their values."""


def write_rows(
    source: RowSource,
    recoding: Recoding,
    destination: Any,
    *,
    seed: int | None = None,
    progress: Progress = no_progress,
) -> Written:
    """Write the recoded rows of ``source`` in random order: to a file that only its owner may read, or a new table."""
    target: WriteTarget = (
        destination if hasattr(destination, "opened") else FileTarget(as_destination(destination))
    )
    if recoding.keeps_order and recoding.parts is None and isinstance(target, FileTarget):
        return _write_in_order(source, recoding, target, progress=progress)
    with (
        target.opened() as create,
        _batches(source, recoding, target.folder, progress) as batches,
        _shuffle(source, recoding, target.folder, seed) as shuffle,
    ):
        plan = Conversion(source, recoding, target)
        read, excluded, suppressed = _recode_batches(plan, batches, shuffle, progress=progress)
        if recoding.parts is not None:
            gc.collect()  # what was made of the last part refers to itself in circles
        sink = create(plan.layout)
        try:
            sink.append(plan.empty)
            written = _write_shuffled(shuffle, sink, read - excluded - suppressed, progress=progress)
            sink.close()
        except BaseException:
            sink.abandon()
            raise
    formulas = int(getattr(sink, "formulas", 0))
    return Written(read, written, excluded, suppressed, formulas)


def _write_in_order(
    source: RowSource, recoding: Recoding, target: WriteTarget, *, progress: Progress
) -> Written:
    """Write rows as they come; while a batch is written the next one is read and recoded."""
    plan = Conversion(source, recoding, target)
    recoder = plan.recoder(recoding)
    expected = max(1, plan.reader.size()[0])
    read = written = excluded = suppressed = 0
    sink: Sink | None = None
    with target.opened() as create:
        try:
            with BackgroundWorker() as writing:
                for batch in plan.reader.batches(plan.names):
                    recoded = recoder.apply(batch)
                    frame = plan.prepare(recoded.frame)
                    frame = frame if recoded.kept is None else frame.filter(pl.Series(recoded.kept))
                    sink = create(plan.layout) if sink is None else sink
                    writing.submit(sink.append, frame)
                    read, written = read + batch.height, written + frame.height
                    excluded, suppressed = excluded + recoded.excluded, suppressed + recoded.suppressed
                    progress(say("writing rows"), min(1.0, read / expected))
            if sink is None:
                sink = create(plan.layout)
                sink.append(plan.nothing)
            sink.close()
        except BaseException:
            if sink is not None:
                sink.abandon()
            raise
    formulas = int(getattr(sink, "formulas", 0))
    return Written(read, written, excluded, suppressed, formulas)


def _shuffle(
    source: RowSource, recoding: Recoding, folder: Path, seed: int | None
) -> RowShuffle | OrderedRows:
    size = source.reader.size()[1]
    if recoding.parts is None:
        memory = memory_budget() if source.memory is None else source.memory
        if recoding.keeps_order:
            # A connection to a database does not take rows in while it hands others over.
            return OrderedRows(folder, memory=memory)
        return RowShuffle(folder, size=size, memory=memory, seed=seed)
    # Labels of classes may take several times what their values did, and there is not much room for a bucket.
    return RowShuffle(folder, size=LABELS_TAKE * size, memory=recoding.parts.spare, seed=seed)


@contextmanager
def _batches(
    source: RowSource, recoding: Recoding, folder: Path, progress: Progress
) -> Iterator[Iterator[tuple[Recoding, Iterator[pl.DataFrame]]]]:
    """The rows with the columns that stay, in batches: all of them for one recoding, or part by part for theirs."""
    reader = source.reader
    names = tuple(name for name in reader.names if name not in set(recoding.dropped))
    if recoding.parts is None:
        yield iter([(recoding, reader.batches(names))])
        return
    from celosia.tables.parted_table import parted_rows

    memory = recoding.parts.spare
    # What decides about classes is read even if it does not leave: a recoder takes the columns that do.
    names = (*names, *(name for name in recoding.parts.columns if name not in names))
    with parted_rows(
        reader, names, recoding.parts, folder=folder, memory=memory, where=source.name, progress=progress
    ) as parts:
        yield parts


def _recode_batches(
    plan: Conversion,
    parts: Iterator[tuple[Recoding, Iterator[pl.DataFrame]]],
    shuffle: RowShuffle | OrderedRows,
    *,
    progress: Progress,
) -> tuple[int, int, int]:
    """Throw recoded rows into the shuffle; returns how many were read, excluded and suppressed."""
    expected = max(1, plan.reader.size()[0])
    read = excluded = suppressed = 0
    # While rows are thrown into the shuffle the next ones are recoded: they take about as long.
    with BackgroundWorker() as throwing:
        for recoding, batches in parts:
            recoder = plan.recoder(recoding)
            for batch in batches:
                recoded = recoder.apply(batch)
                frame = plan.prepare(recoded.frame)
                throwing.submit(shuffle.add, frame, recoded.kept)
                plan.empty = frame.clear()
                read, excluded = read + batch.height, excluded + recoded.excluded
                suppressed += recoded.suppressed
                progress(say("recoding rows"), min(1.0, read / expected))
            throwing.wait()
            del recoding, recoder  # a part may take all the memory there is
    return read, excluded, suppressed


def _write_shuffled(shuffle: RowShuffle | OrderedRows, sink: Sink, rows: int, *, progress: Progress) -> int:
    written = 0
    # While one part is written the next is put into order: they take about as long, and neither holds the interpreter.
    with BackgroundWorker() as writing:
        for part in shuffle.parts():
            writing.submit(sink.append, part)
            written += part.height
            progress(say("writing rows"), written / rows)
    return written
