"""Charts of alternatives in a report: a curve over k, and candidates by what they risk and lose."""

from collections.abc import Callable, Sequence

from celosia.report.axes import reach, ticks
from celosia.report.drawing import DOTS, DrawingField
from celosia.report.elements import Html, tag
from celosia.report.figures import figure, legend, svg
from celosia.report.frontier import Point

__all__ = ["choices_figure", "curve_figure"]

WIDTH, HEIGHT = 720, 300
Told = Callable[[float], str]


def curve_figure(
    title: str,
    x: Sequence[float],
    lines: Sequence[tuple[str, Sequence[float]]],
    *,
    titles: tuple[str, str],
    told: tuple[Told, Told],
    mark: float | None = None,
) -> Html:
    """Lines over the same x; ``told`` says how numbers on both axes are written, ``mark`` is the x that was chosen.

    >>> page = curve_figure("Loss", [2, 3], [("loss", [0.1, 0.2])], titles=("k", "loss"), told=(str, str), mark=3)
    >>> page.count('class="curve'), page.count('class="mark"')
    (1, 1)
    """
    values = [value for _, line in lines for value in line]
    field = _field(reach(x, air=0.04), (0.0, max([1e-12, *values]) * 1.08))
    drawn = [_axes(field, titles, told, is_whole=all(float(number).is_integer() for number in x))]
    if mark is not None and field.across[0] <= mark <= field.across[1]:
        drawn.append(tag("path", d=f"M{field.x(mark):.1f} {field.top}V{field.bottom}", class_="mark"))
    for number, (_, line) in enumerate(lines):
        path = "".join(
            f"{'L' if place else 'M'}{field.x(at):.1f} {field.y(value):.1f}"
            for place, (at, value) in enumerate(zip(x, line, strict=True))
        )
        dots = "".join(
            f"M{field.x(at):.1f} {field.y(value):.1f}{DOTS[number % len(DOTS)]}"
            for at, value in zip(x, line, strict=True)
        )
        drawn += [
            tag("path", d=path, class_=f"curve s{number + 1}"),
            tag("path", d=dots, class_=f"dot s{number + 1}"),
        ]
    return figure(title, svg(title, WIDTH, HEIGHT, *drawn), key=legend([name for name, _ in lines]))


def choices_figure(
    title: str,
    points: Sequence[Point],
    *,
    chosen: str | None,
    titles: tuple[str, str],
    told: tuple[Told, Told],
    names: tuple[str, str, str],
) -> Html:
    """Choices as dots: those that another beats in both ways faint, the chosen one large; ``names`` tell them apart.

    >>> points = [Point("0,1", 0.2, 0.1), Point("1,1", 0.3, 0.2, is_dominated=True)]
    >>> names = ("beaten", "not beaten", "chosen")
    >>> page = choices_figure("", points, chosen="0,1", titles=("risk", "loss"), told=(str, str), names=names)
    >>> page.count('class="dot')
    2
    """
    across = reach([0.0, *(point.x for point in points)], air=0.06)
    field = _field((0.0, across[1]), (0.0, max([1e-12, *(point.y for point in points)]) * 1.1))
    drawn = [_axes(field, titles, told)]
    for point in sorted(points, key=lambda choice: (choice.name == chosen, not choice.is_dominated)):
        kind, shape = ("s0", DOTS[0]) if point.is_dominated else ("s1", "m-5-5h10v10h-10z")
        if point.name == chosen:
            kind, shape = "s2", "m0-10l10 10l-10 10l-10-10z"
        place = f"M{field.x(point.x):.1f} {field.y(point.y):.1f}{shape}"
        drawn.append(tag("path", tag("title", point.name), d=place, class_=f"dot {kind}"))
    return figure(title, svg(title, WIDTH, HEIGHT, *drawn), key=legend(names))


def _field(across: tuple[float, float], along: tuple[float, float]) -> DrawingField:
    return DrawingField(64, WIDTH - 16, 22, HEIGHT - 46, across, along)


def _axes(
    field: DrawingField, titles: tuple[str, str], told: tuple[Told, Told], *, is_whole: bool = False
) -> Html:
    drawn = [tag("path", d=f"M{field.left} {field.top}V{field.bottom}H{field.right}", class_="axis")]
    for tick in ticks(*field.along, most=5):
        y = field.y(tick)
        drawn += [
            tag("path", d=f"M{field.left} {y:.1f}H{field.right}", class_="grid"),
            tag("text", told[1](tick), x=field.left - 8, y=f"{y + 4:.1f}", text_anchor="end"),
        ]
    for tick in ticks(*field.across, most=10, is_whole=is_whole):
        x = field.x(tick)
        drawn.append(tag("text", told[0](tick), x=f"{x:.1f}", y=field.bottom + 18, text_anchor="middle"))
    middle = (field.left + field.right) / 2
    drawn += [
        tag("text", titles[0], x=f"{middle:.1f}", y=HEIGHT - 8, text_anchor="middle", class_="name"),
        tag("text", titles[1], x=0, y=12, class_="name"),
    ]
    return tag("g", *drawn)
