"""Pieces of a page: elements, tables, sections. A text is escaped unless it is a piece already."""

from collections.abc import Iterable, Sequence
from html import escape

__all__ = ["Html", "badge", "heading", "join", "points", "table", "tag", "text"]


class Html(str):
    """What is HTML already, and goes into a page as it is."""

    __slots__ = ()


def text(content: str) -> Html:
    """A text as it may stand in a page; what is HTML already stays.

    >>> text("<script>"), text(Html("<br>"))
    ('&lt;script&gt;', '<br>')
    """
    return content if isinstance(content, Html) else Html(escape(_printable(content)))


def _printable(content: str) -> str:
    """Without control characters; spaces that keep a number and its sign together stay."""
    return "".join(
        letter if letter.isprintable() or letter == "\N{NO-BREAK SPACE}" else " " for letter in content
    )


def join(parts: Iterable[str], between: str = "") -> Html:
    """Pieces and texts one after the other.

    >>> join([Html("<b>a</b>"), "<b>"], ", ")
    '<b>a</b>, &lt;b&gt;'
    """
    return Html(between.join(text(part) for part in parts))


def tag(name: str, *inside: str, **attributes: object) -> Html:
    """An element; attributes that are None are left out, ``class_`` and ``aria_label`` are spelt as HTML does.

    >>> tag("p", "a < b", class_="note", id=None)
    '<p class="note">a &lt; b</p>'
    """
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_printable(str(value)))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in ("br", "hr", "meta"):
        return Html(f"<{name}{told}>")
    return Html(f"<{name}{told}>{join(inside)}</{name}>")


def heading(title: str, *, level: int = 3) -> Html:
    """A heading inside a section."""
    return tag(f"h{level}", title)


def badge(title: str, kind: str) -> Html:
    """A verdict: ``good``, ``bad`` or ``open``. It is told by words and a sign, not by colour alone."""
    sign = {"good": "\N{CHECK MARK}", "bad": "\N{MULTIPLICATION SIGN}", "open": "\N{EN DASH}"}[kind]
    return tag("span", tag("span", sign, aria_hidden="true"), " ", title, class_=f"badge {kind}")


def points(items: Iterable[str], class_: str | None = None) -> Html:
    """A list with a point before each item; nothing if there is none."""
    told = [tag("li", item) for item in items]
    return tag("ul", *told, class_=class_) if told else Html("")


def table(
    heads: Sequence[str], rows: Iterable[Sequence[str]], *, title: str, right: Iterable[int] = ()
) -> Html:
    """A table whose first column names the rows; columns of numbers stand on the ``right``.

    >>> page = table(["column", "loss"], [["<age>", "5 %"]], title="Loss", right=[1])
    >>> "<th scope=\\"row\\">&lt;age&gt;</th><td class=\\"number\\">5 %</td>" in page
    True
    """
    numeric = set(right)
    head = join(
        tag("th", name, scope="col", class_="number" if place in numeric else None)
        for place, name in enumerate(heads)
    )
    body = join(
        tag(
            "tr",
            tag("th", row[0], scope="row"),
            *(
                tag("td", cell, class_="number" if place in numeric else None)
                for place, cell in enumerate(row[1:], 1)
            ),
        )
        for row in rows
    )
    inside = tag("table", tag("caption", title), tag("thead", tag("tr", head)), tag("tbody", body))
    # A table that is too wide scrolls, which a keyboard can do only where it can get.
    return tag("div", inside, class_="wide", tabindex="0", role="region", aria_label=title)
