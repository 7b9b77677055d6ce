"""A chart of lines, and the door for charts of all kinds: as PNG, SVG or a page that answers to mouse and keyboard."""

import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import pairwise
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, Union

from celosia.errors import ReleaseError
from celosia.say import say
from celosia.words import Words

if TYPE_CHECKING:
    from celosia.report.bars import BarChart
    from celosia.report.frontier import FrontierChart

__all__ = [
    "LANGUAGES",
    "AnyChart",
    "Chart",
    "ChartSeries",
    "draw_chart",
    "drawer_of",
    "printable",
    "translate_chart",
]

AnyChart: TypeAlias = Union["Chart", "BarChart", "FrontierChart"]
LANGUAGES = ("en", "es")


@dataclass(frozen=True)
class ChartSeries:
    """One series; None where it has no value. What is not a finite number is no value either.

    >>> ChartSeries("age", (1, float("nan"), None)).values
    (1.0, None, None)
    """

    name: str
    values: tuple[float | None, ...]

    def __post_init__(self) -> None:
        values = (None if value is None or not isfinite(value) else float(value) for value in self.values)
        object.__setattr__(self, "values", tuple(values))


@dataclass(frozen=True)
class Chart:
    """Lines over the same x, with an x worth marking and a limit worth comparing with.

    >>> loss = ChartSeries("loss", (0.1, 0.2, 0.4))
    >>> chart = Chart("Loss", "k", "loss", (2, 3, 5), (loss,), mark=3, mark_label="k = 3")
    >>> chart.lines[0].name
    'loss'
    >>> Chart("Loss", "k", "loss", (2, 3), (ChartSeries("loss", (0.1,)),))
    Traceback (most recent call last):
    ...
    ValueError: line 'loss' has 1 values for 2 x
    """

    title: str
    x_title: str
    y_title: str
    x: tuple[float, ...]
    lines: tuple[ChartSeries, ...]
    mark: float | None = None
    mark_label: str = ""
    limit: float | None = None
    limit_label: str = ""
    language: str = "en"

    def __post_init__(self) -> None:
        """Refuse what cannot be drawn: these are mistakes of programs, not of users."""
        object.__setattr__(self, "x", tuple(float(x) for x in self.x))
        for line in self.lines:
            if len(line.values) != len(self.x):
                raise ValueError(
                    say(
                        "line {name!r} has {count} values for {count_2} x",
                        name=line.name,
                        count=len(line.values),
                        count_2=len(self.x),
                    )
                )
        if not all(a < b for a, b in pairwise(self.x)):
            raise ValueError(say("the x of a chart must increase"))
        numbers = (*self.x, self.mark or 0.0, self.limit or 0.0)
        if not all(isfinite(number) for number in numbers):
            raise ValueError(say("x, mark and limit of a chart must be finite"))
        if self.language not in LANGUAGES:
            raise ValueError(
                say(
                    "a chart speaks {names}, not {language!r}",
                    names=" or ".join(LANGUAGES),
                    language=self.language,
                )
            )


Drawn = TypeVar("Drawn", "Chart", "BarChart", "FrontierChart")


def translate_chart(chart: Drawn, language: str) -> Drawn:
    """A chart with everything that was said in it in a language.

    >>> translate_chart(Chart(say("What is lost (GCP)"), "k", "loss", (), ()), "es").title
    'Lo que se pierde (GCP)'
    """
    words = Words(language)

    def told(part: Any) -> Any:
        if isinstance(part, str):
            return words.render(part)
        if isinstance(part, tuple):
            return tuple(told(element) for element in part)
        if is_dataclass(part) and not isinstance(part, type):
            return replace(part, **{field.name: told(getattr(part, field.name)) for field in fields(part)})
        return part

    translated: Drawn = replace(told(chart), language=language)
    return translated


def draw_chart(chart: AnyChart, path: Path) -> None:
    """Draw ``chart`` into a file, as its ending says: ``.png``, ``.svg`` or ``.html``. A file there is replaced.

    Only its owner can read the file, and it is there whole or not at all. Pages need no other package, pictures need
    matplotlib.

    >>> draw_chart(Chart("Loss", "k", "loss", (), ()), Path("loss.pdf"))
    Traceback (most recent call last):
    ...
    celosia.errors.ReleaseError: loss.pdf: a chart cannot be drawn as '.pdf'; choose .png, .svg or .html
    """
    _write(path, drawer_of(path)(chart))


def printable(text: str) -> str:
    r"""The text without what neither XML nor fonts can show, such as control characters.

    >>> printable("age\x00\tin years")
    'age  in years'
    """
    return "".join(letter if letter.isprintable() else " " for letter in text)


def drawer_of(path: Path) -> Callable[[AnyChart], bytes]:
    """What draws a chart as the ending of a file says; an error if there is no such way."""
    from celosia.report.page import draw_page
    from celosia.report.picture import draw_png, draw_svg

    drawers = {".png": draw_png, ".svg": draw_svg, ".html": draw_page}
    try:
        return drawers[path.suffix.lower()]
    except KeyError:
        raise ReleaseError(
            (
                say("a chart cannot be drawn as {suffix!r}", suffix=path.suffix)
                if path.suffix
                else say("a chart cannot be drawn without an ending")
            ),
            where=str(path),
            remedy=say("choose .png, .svg or .html"),
        ) from None


def _write(path: Path, content: bytes) -> None:
    """Write beside the place, then move there at once."""
    hidden = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with os.fdopen(os.open(hidden, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(content)
        os.replace(hidden, path)
    except OSError as error:
        raise ReleaseError(
            say("the chart could not be written ({value})", value=error.strerror or error),
            where=str(path),
            remedy=say("check the folder, the space and the permissions there"),
        ) from error
    finally:
        hidden.unlink(missing_ok=True)
