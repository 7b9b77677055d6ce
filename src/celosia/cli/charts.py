"""Charts that commands draw into a folder, each under its own name."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from celosia.api.reporting import check_chart_path, draw_chart
from celosia.cli.destination import spell_file
from celosia.errors import ProjectError, ReleaseError
from celosia.say import say

if TYPE_CHECKING:
    from celosia.api.results import AnyChart

__all__ = ["draw_charts", "prepare_charts"]

FORMATS = ("html", "svg", "png")


def prepare_charts(folder: Path, ending: str) -> None:
    """Have a folder for charts, that nobody else may read; raise before any work if they cannot be drawn.

    >>> prepare_charts(Path("charts"), "pdf")
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: --chart-format: there is no format 'pdf'; choose html, svg or png
    """
    if ending not in FORMATS:
        raise ProjectError(
            say("there is no format {format!r}", format=ending),
            where="--chart-format",
            remedy=say("choose html, svg or png"),
        )
    check_chart_path(Path(f"chart.{ending}"))
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ReleaseError(
            say("the folder could not be made ({reason})", reason=error.strerror),
            where=str(folder),
            remedy=say("choose another one"),
        ) from None


def draw_charts(charts: "Mapping[str, AnyChart]", folder: Path, ending: str) -> Iterator[Path]:
    """Draw every chart, in place of one of that name; yields where each is."""
    for name, chart in charts.items():
        path = folder / f"{spell_file(name)}.{ending}"
        draw_chart(chart, path)
        yield path
