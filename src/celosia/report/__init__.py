"""What people look at: charts, as pictures and as pages that need no internet."""

from celosia.report.charts import Chart, Line, draw_chart

__all__ = ["Chart", "Line", "draw_chart"]
