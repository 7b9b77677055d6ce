"""Charts of a report: bars and small histograms, drawn so that they can be read on paper and by a screen reader."""

from collections.abc import Sequence

from celosia.report.axes import wrapped
from celosia.report.bars import Bars
from celosia.report.elements import Html, join, tag

__all__ = ["bars_figure", "figure", "histogram_figure", "legend", "svg"]

WIDTH, LABELS, VALUES = 720, 258, 130
BAR, GAP, LINE = 15, 12, 14


def figure(title: str, drawing: Html, *, key: Html | None = None) -> Html:
    """A drawing under its title, with what its colours mean."""
    return tag("figure", tag("figcaption", title), key or "", drawing)


def svg(title: str, width: float, height: float, *inside: str) -> Html:
    """A drawing that says what it is."""
    box = f"0 0 {width:.0f} {height:.0f}"
    return tag("svg", tag("title", title), *inside, viewBox=box, role="img", aria_label=title)


def legend(names: Sequence[str]) -> Html:
    """The colours of series with their names; one series needs none."""
    if len(names) < 2:
        return Html("")
    return tag(
        "p",
        *(
            tag("span", tag("i", class_=f"swatch s{number}", aria_hidden="true"), " ", name)
            for number, name in enumerate(names)
        ),
        class_="legend",
    )


def bars_figure(
    title: str, groups: Sequence[str], series: Sequence[Bars], *, texts: Sequence[Sequence[str]]
) -> Html:
    """Bars from left to right, from 0 to 1 or to the largest value; ``texts[series][group]`` stand behind them.

    >>> series = [Bars("before", (1.0,)), Bars("after", (0.2,))]
    >>> page = bars_figure("Risk", ["<highest>"], series, texts=[["100 %"], ["20 %"]])
    >>> page.count('class="bar'), "&lt;highest&gt;" in page
    (2, True)
    """
    shown = [value for bars in series for value in bars.values if value is not None]
    ends = [end for bars in series for interval in bars.intervals if interval for end in interval]
    high = max([1e-12, *shown, *ends])
    high = 1.0 if 0.2 < high <= 1 else high
    drawn: list[Html] = []
    height = GAP / 2
    for place, name in enumerate(groups):
        rows = wrapped(name, 33, rows=3)
        tall = max(len(series) * BAR, len(rows) * LINE)
        middle = height + tall / 2
        for number, row in enumerate(rows):
            y = middle + 4 + (number - (len(rows) - 1) / 2) * LINE
            drawn.append(_words(LABELS - 10, y, row, anchor="end"))
        for number, bars in enumerate(series):
            top = middle + (number - len(series) / 2) * BAR
            look = number if len(series) > 1 else 1
            drawn.append(_bar(bars, look, place, top=top, high=high, told=texts[number][place]))
        height += tall + GAP
    height -= GAP / 2
    axis = tag("path", d=f"M{LABELS} 0V{height}", class_="axis")
    return figure(title, svg(title, WIDTH, height, *drawn, axis), key=legend([bars.name for bars in series]))


def _bar(bars: Bars, look: int, place: int, *, top: float, high: float, told: str) -> Html:
    value, interval = bars.values[place], bars.intervals[place]
    scale = (WIDTH - LABELS - VALUES) / high
    length = max(0.0, value or 0.0) * scale
    drawn = [
        tag(
            "rect", x=LABELS, y=f"{top + 1:.1f}", width=f"{length:.1f}", height=BAR - 2, class_=f"bar s{look}"
        )
    ]
    end = LABELS + length
    if interval is not None:
        low, up = (LABELS + max(0.0, bound) * scale for bound in interval)
        middle = top + BAR / 2
        path = f"M{low:.1f} {middle:.1f}H{up:.1f}M{low:.1f} {middle - 4:.1f}v8M{up:.1f} {middle - 4:.1f}v8"
        drawn.append(tag("path", d=path, class_="interval"))
        end = max(end, up)
    drawn.append(_words(end + 6, top + BAR / 2 + 4, told))
    return join(drawn)


def histogram_figure(title: str, groups: Sequence[str], series: Sequence[Bars]) -> Html:
    """Bars side by side, group by group, small enough for two histograms in a row.

    >>> histogram_figure("age", ["0-4", "5-9"], [Bars("before", (0.4, 0.6)), Bars("after", (0.5, 0.5))]).count("<rect")
    4
    """
    width, high, top = 350.0, 110.0, 6.0
    most = max([1e-12, *(value or 0.0 for bars in series for value in bars.values)])
    step = width / max(1, len(groups))
    bar = min(26.0, step * 0.84 / max(1, len(series)))
    drawn: list[Html] = []
    every, longest = -(-len(groups) // 14), 0
    for place, name in enumerate(groups):
        for number, bars in enumerate(series):
            tall = max(0.0, bars.values[place] or 0.0) / most * high
            x = (place + 0.5) * step + (number - len(series) / 2) * bar
            drawn.append(
                tag(
                    "rect",
                    x=f"{x:.1f}",
                    y=f"{top + high - tall:.1f}",
                    width=f"{bar:.1f}",
                    height=f"{tall:.1f}",
                    class_=f"bar s{number}",
                )
            )
        if place % every == 0 or place == len(groups) - 1:  # the last may be what is hidden
            label = "".join(wrapped(name, 16, rows=1)) or name[:14]
            longest = max(longest, len(label))
            drawn.append(_slanted((place + 0.5) * step + 3, top + high + 8, label))
    axis = tag("path", d=f"M0 {top + high}H{width}", class_="axis")
    return figure(title, svg(title, width, top + high + 14 + longest * 6.6, *drawn, axis))


def _words(x: float, y: float, told: str, *, anchor: str = "start") -> Html:
    return tag("text", told, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor)


def _slanted(x: float, y: float, told: str) -> Html:
    return tag(
        "text", told, transform=f"translate({x:.1f} {y:.1f}) rotate(-90)", text_anchor="end", class_="small"
    )
