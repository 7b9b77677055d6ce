"""How a release shows itself in a notebook: its verdict, what changed, and a small chart, in one piece of HTML.

Nothing is loaded for it and nothing runs in it; colours suit light pages and dark ones.
"""

import os
from html import escape
from typing import TYPE_CHECKING

from celosia.words import Words, language_of

if TYPE_CHECKING:
    from celosia.measure.risk import ClassRisk
    from celosia.release.release import Release

__all__ = ["show_release"]

_COLOURS = {"protected": "#1a7f4b", "protected-as-declared": "#b26a00", "broken": "#c0362c"}
_BEFORE, _AFTER = "#c0562c", "#2c7fb8"
_SIGNS = {"protected": "✓", "protected-as-declared": "!", "broken": "✗"}
_WIDTH, _LABEL, _BAR = 480, 180, 240
_CELL = "padding:2px 12px 2px 0;text-align:{side};border:none"


def show_release(release: "Release", words: Words | None = None) -> str:
    """A release as HTML, in the language of the environment unless other words are given."""
    words = Words(language_of(os.environ)) if words is None else words
    parts = [_verdict(release, words)]
    if release.risk_before is not None and release.risk_after is not None:
        is_people = "people" in release.record
        parts.append(_risks(release.risk_before, release.risk_after, words, counts_people=is_people))
        parts.append(_chart(release.risk_before, release.risk_after, words))
    parts.append(_rows(release, words))
    look = "font-family:sans-serif;font-size:13px;line-height:1.45;max-width:46em"
    return f'<div style="{look}">{"".join(parts)}</div>'


def _verdict(release: "Release", words: Words) -> str:
    verdict = release.verdict
    colour, sign = _COLOURS[verdict.kind], _SIGNS[verdict.kind]
    text = escape(words.render(verdict.sentence))
    exposed = "".join(
        f"<li><b>{escape(column.column)}</b>: {escape(words.render(column.reason))}</li>"
        for column in verdict.exposed
    )
    return (
        f'<p style="margin:0 0 8px;padding:6px 10px;border-left:4px solid {colour}">'
        f'<b style="color:{colour}">{sign}</b> {text}</p>' + (f"<ul>{exposed}</ul>" if exposed else "")
    )


def _risks(before: "ClassRisk", after: "ClassRisk", words: Words, *, counts_people: bool) -> str:
    unique = words("unique people") if counts_people else words("unique rows")
    under = words("in classes under {size:,}", size=after.threshold)
    lines = [
        (words("smallest class (k)"), *(words.number(risk.k) for risk in (before, after))),
        (words("highest risk"), *(_share(risk.highest, words) for risk in (before, after))),
        (words("average risk"), *(_share(risk.average, words) for risk in (before, after))),
        (unique, *(words.number(risk.uniques) for risk in (before, after))),
        (under, *(words.number(round(risk.at_risk * risk.rows)) for risk in (before, after))),
    ]
    head = "".join(
        f'<th style="{_CELL.format(side=side)}">{escape(text)}</th>'
        for text, side in (("", "left"), (words("before"), "right"), (words("after"), "right"))
    )
    body = "".join(
        "<tr>"
        + "".join(
            f'<td style="{_CELL.format(side="right" if place else "left")}">{escape(text)}</td>'
            for place, text in enumerate(line)
        )
        + "</tr>"
        for line in lines
    )
    # Not everywhere does a table take over letters and colours from what is around it.
    look = "border-collapse:collapse;margin:0 0 8px;color:inherit;font-size:inherit;background:none"
    return f'<table style="{look}"><tr>{head}</tr>{body}</table>'


def _share(share: float, words: Words) -> str:
    """A share, never rounded to nothing."""
    smallest = 0.001
    return f"< {words.percent(smallest)}" if 0 < share < smallest else words.percent(share)


def _chart(before: "ClassRisk", after: "ClassRisk", words: Words) -> str:
    """Bars from 0 to 100 %: the person most at risk, people on average, and the share in small classes."""
    groups = [
        (words("highest risk"), before.highest, after.highest),
        (words("average risk"), before.average, after.average),
        (words("in classes under {size:,}", size=after.threshold), before.at_risk, after.at_risk),
    ]
    drawn, top = [], 4
    for label, *shares in groups:
        drawn.append(f'<text x="{_LABEL - 8}" y="{top + 17}" text-anchor="end">{escape(label)}</text>')
        for share, colour, name in zip(
            shares, (_BEFORE, _AFTER), (words("before"), words("after")), strict=True
        ):
            width = max(1.0, _BAR * share) if share else 0.0
            told = f"{label}, {name}: {_share(share, words)}"
            drawn.append(
                f'<rect x="{_LABEL}" y="{top}" width="{width:.1f}" height="11" fill="{colour}">'
                f"<title>{escape(told)}</title></rect>"
                f'<text x="{_LABEL + width + 4:.1f}" y="{top + 10}">{escape(_share(share, words))}</text>'
            )
            top += 13
        top += 8
    legend = "".join(
        f'<rect x="{x}" y="{top}" width="10" height="10" fill="{colour}"/>'
        f'<text x="{x + 14}" y="{top + 9}">{escape(name)}</text>'
        for x, colour, name in ((_LABEL, _BEFORE, words("before")), (_LABEL + 90, _AFTER, words("after")))
    )
    title = escape(words("Risk of being singled out"))
    return (
        f'<svg role="img" aria-label="{title}" width="{_WIDTH}" height="{top + 16}" '
        f'viewBox="0 0 {_WIDTH} {top + 16}" font-family="sans-serif" font-size="11" fill="currentColor">'
        f"{''.join(drawn)}{legend}</svg>"
    )


def _rows(release: "Release", words: Words) -> str:
    written = release.written
    texts = [words("released") + f": {words.number(written.written)}"]
    if written.suppressed:
        texts.append(words("suppressed, in too small classes") + f": {words.number(written.suppressed)}")
    if written.excluded:
        texts.append(
            words("left out, with missing or unknown values") + f": {words.number(written.excluded)}"
        )
    place = release.record["destination"].get("path")
    shown = f"<br>{escape(str(place))}" if place else ""
    return f'<p style="margin:8px 0 0">{escape(words("Rows"))}: {escape("; ".join(texts))}{shown}</p>'
