"""The texts that an expression of the code may become, with a numbered place wherever it puts a value."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from math import prod

__all__ = ["Assigned", "assigned", "texts_of"]

Assigned = Mapping[str, Sequence[ast.expr]]
"""What is assigned to every name of a function or a module."""

Parts = tuple[str | None, ...]
"""A text in pieces, None for a place."""

MOST = 12
"""Texts that one expression may become before it is given up: more would be none that a person wrote as such."""


DEEPEST = 4
"""Names that stand for names."""

FEW = 4
"""Texts that are written out inside another; more are a place."""


def assigned(body: ast.AST) -> dict[str, list[ast.expr]]:
    """Every value that a name gets in a function or module, functions inside it included."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(body):
        if isinstance(node, ast.arg):  # whatever the caller gives
            found.setdefault(node.arg, []).append(ast.Constant(None))
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                _note(found, target, node.value)
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
            _note(found, node.target, node.value)
    return found


def texts_of(node: ast.expr, names: Assigned) -> Iterator[str]:
    """The texts that an expression may be: a choice between two is two, a sum is both in a row.

    >>> node = ast.parse("f'{n} row' + ('' if n == 1 else 's')", mode="eval").body
    >>> list(texts_of(node, {}))
    ['{0} row', '{0} rows']
    """
    for parts in islice(_forms(node, names, 0), MOST):
        text, count = "", 0
        for part in parts:
            text, count = (f"{text}{{{count}}}", count + 1) if part is None else (text + part, count)
        yield text


def _note(found: dict[str, list[ast.expr]], target: ast.expr, value: ast.expr) -> None:
    if isinstance(target, ast.Name):
        found.setdefault(target.id, []).append(value)
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, its in zip(target.elts, value.elts, strict=False):
            _note(found, one, its)


def _forms(node: ast.expr, names: Assigned, depth: int) -> Iterator[Parts]:
    """All forms of an expression; nothing for one that is no text."""
    if depth > DEEPEST:
        return
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            yield (node.value,)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from _joined([_or_place(side, names, depth) for side in (node.left, node.right)])
    elif isinstance(node, ast.JoinedStr):
        pieces = [_piece(value, names, depth) for value in node.values]
        if prod(map(len, pieces)) > MOST:  # each by itself
            yield from (form for piece in pieces if len(piece) > 1 for form in piece)
            pieces = [piece if len(piece) == 1 else [(None,)] for piece in pieces]
        yield from _joined(pieces)
    elif isinstance(node, ast.Name):
        for value in names.get(node.id, ()):
            yield from _forms(value, names, depth + 1)
    else:
        for each in _choices(node):
            yield from _forms(each, names, depth)


def _choices(node: ast.expr) -> Sequence[ast.expr]:
    """The expressions of which this one may be any, or all."""
    if isinstance(node, ast.IfExp):
        return node.body, node.orelse
    if isinstance(node, ast.BoolOp):
        return node.values
    return node.elts if isinstance(node, ast.Tuple | ast.List) else ()


def _piece(node: ast.expr, names: Assigned, depth: int) -> list[Parts]:
    """A piece of a formatted text: written out where it is one of few texts that are known, else a place."""
    if isinstance(node, ast.FormattedValue):
        if node.conversion != -1 or node.format_spec is not None:
            return [(None,)]
        node = node.value
        if not isinstance(node, ast.IfExp | ast.Name):
            return [(None,)]
    return _or_place(node, names, depth)


def _or_place(node: ast.expr, names: Assigned, depth: int) -> list[Parts]:
    found = list(dict.fromkeys(islice(_forms(node, names, depth), MOST)))
    return found if 0 < len(found) <= FEW and _is_text(node, names, depth) else [(None,)]


def _is_text(node: ast.expr, names: Assigned, depth: int) -> bool:
    """Whether whatever an expression may be is a text that is known."""
    if choices := _choices(node):
        return all(_is_text(each, names, depth) for each in choices)
    if isinstance(node, ast.Name):
        if depth > DEEPEST:
            return False
        return all(_is_text(value, names, depth + 1) for value in names.get(node.id, [node]))
    return any(True for _ in _forms(node, names, depth))


def _joined(pieces: list[list[Parts]]) -> Iterator[Parts]:
    for chosen in islice(product(*pieces), MOST):
        yield _merged([part for piece in chosen for part in piece])


def _merged(parts: list[str | None]) -> Parts:
    merged: list[str | None] = []
    for part in parts:
        last = merged[-1] if merged else None
        if part is not None and last is not None:
            merged[-1] = last + part
        else:
            merged.append(part)
    return tuple(merged)
