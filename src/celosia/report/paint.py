"""What pictures of all kinds of charts have alike: colours, titles, the grid."""

from typing import TYPE_CHECKING

from celosia.report.axes import wrapped
from celosia.report.charts import AnyChart

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["DOTS", "FAINT", "SOFT", "TEXT", "titles"]

TEXT, FAINT, SOFT = "#1b1f24", "#d8dce0", "#57606a"
DOTS = "os^DvP"


def titles(axes: "Axes", chart: AnyChart, *, air: float = 8) -> None:
    """Title and names of the axes, lines across, and no box around the field."""
    axes.set_title("\n".join(wrapped(chart.title, 80)), loc="left", pad=air, color=TEXT, parse_math=False)
    axes.set_xlabel("\n".join(wrapped(chart.x_title, 70)), color=TEXT, parse_math=False)
    axes.set_ylabel("\n".join(wrapped(chart.y_title, 45)), color=TEXT, parse_math=False)
    axes.grid(axis="y", color=FAINT, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
