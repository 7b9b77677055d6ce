"""What people look at: charts, as pictures and as pages that need no internet, and the report of a release."""

from celosia.report.bars import BarChart, Bars
from celosia.report.charts import Chart, ChartSeries, draw_chart
from celosia.report.frontier import FrontierChart, Point, dominated
from celosia.report.report import report_page

__all__ = [
    "BarChart",
    "Bars",
    "Chart",
    "ChartSeries",
    "FrontierChart",
    "Point",
    "dominated",
    "draw_chart",
    "report_page",
]
