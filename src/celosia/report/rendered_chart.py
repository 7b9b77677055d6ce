"""What a page shows of a chart of any kind: the drawing, its series, what is told of each place, a table."""

from dataclasses import dataclass

__all__ = ["RenderedChart", "Row"]


@dataclass(frozen=True)
class Row:
    """A row of the table of values: what it is about, and its cells."""

    head: str
    cells: tuple[str, ...]
    is_marked: bool = False


@dataclass(frozen=True)
class RenderedChart:
    """A chart, ready for a page.

    ``swatches[series]`` and ``names[series]`` make the legend. A reader goes through places, ``x[place]`` from the left
    of the drawing, and where points are meant also ``y[place]`` from its top; ``heads[place]`` and
    ``texts[series][place]`` are told there. ``columns`` and ``rows`` are the table.
    """

    drawing: str
    swatches: tuple[str, ...]
    names: tuple[str, ...]
    x: tuple[float, ...]
    heads: tuple[str, ...]
    texts: tuple[tuple[str | None, ...], ...]
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    y: tuple[float, ...] | None = None
