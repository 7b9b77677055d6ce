"""Texts of which some characters are hidden: ``J45*``, ``19**``, ``****-1234``, ``28…``."""

from collections import defaultdict
from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt

__all__ = ["match_patterns"]

Codes = npt.NDArray[np.int64]
HIDING = "*#•█■▒xX?_"
"""Characters that are written in place of others; the first is what everybody uses."""
CUT_OFF = ("…", "...")
MOST_SHAPES = 1_000
"""Ways to hide characters in one column; each takes a look at all values, and real columns have a few."""


def match_patterns(labels: Iterable[str], texts: list[str | None]) -> dict[str, Codes]:
    """The places in ``texts`` of all that each label may stand for; labels that stand for none are left out.

    One ``*`` at the end stands for all that begins so. Of several each stands for one character, unless all labels
    are equally long and the texts are not: then they stand for any number, as after a masking of fixed length.

    >>> found = match_patterns(["L*", "**-34", "a…"], ["Lugo", "León", "12-34", "ab", None])
    >>> {label: places.tolist() for label, places in found.items()}
    {'L*': [0, 1], '**-34': [2], 'a…': [3]}
    """
    known = [(place, text) for place, text in enumerate(texts) if text is not None]
    wanted = list(labels)
    signs = {label: _sign(label) for label in wanted}
    lengths = {len(label) for label, sign in signs.items() if sign is not None and sign in HIDING}
    is_fixed = len(lengths) == 1 and len({len(text) for _, text in known}) > 1
    by_letter, by_ends = _Index(known, _hide), _Index(known, _ends)
    matches = {}
    for label in wanted:
        sign = signs[label]
        if sign is None:
            continue
        shape = (len(label), tuple(i for i, letter in enumerate(label) if letter == sign))
        is_single = label.count(sign) == 1 and (label.endswith(sign) or label.startswith(sign))
        head, _, rest = label.partition(sign)
        tail = rest.lstrip(sign) if sign in HIDING else rest
        is_run = sign not in tail and (sign == HIDING[0] or sign in CUT_OFF or is_fixed)
        codes = None
        if sign in HIDING and not is_single and not (is_fixed and is_run):
            codes = by_letter.find(shape, _hide(label, shape))
        if codes is None and is_run:
            codes = by_ends.find((len(head), len(tail)), (head, tail))
        if codes is not None:
            matches[label] = codes
    return matches


def _sign(label: str) -> str | None:
    """What hides characters in a label."""
    for sign in (HIDING[0], *CUT_OFF):
        if sign in label:
            return sign
    # Letters hide only where several stand together.
    return next(
        (sign for sign in HIDING[1:] if sign * 2 in label or (sign in "#•█■▒" and sign in label)), None
    )


def _hide(text: str, shape: tuple[int, tuple[int, ...]]) -> str | None:
    """A text with the characters of a shape hidden; None if it is not as long."""
    length, hidden = shape
    if len(text) != length:
        return None
    letters = list(text)
    for place in hidden:
        letters[place] = "\0"
    return "".join(letters)


def _ends(text: str, shape: tuple[int, int]) -> tuple[str, str] | None:
    """The beginning and the end of a text."""
    head, tail = shape
    return (text[:head], text[len(text) - tail :]) if len(text) >= head + tail else None


class _Index:
    """Texts by what they look like in a shape; each shape is looked at once, for all texts."""

    def __init__(self, known: list[tuple[int, str]], look: Callable[..., object]) -> None:
        self._known, self._look = known, look
        self._shapes: dict[object, dict[object, Codes]] = {}

    def find(self, shape: object, wanted: object) -> Codes | None:
        """The places of the texts that look like this."""
        if shape not in self._shapes:
            if len(self._shapes) >= MOST_SHAPES:
                return None
            places: defaultdict[object, list[int]] = defaultdict(list)
            for place, text in self._known:
                places[self._look(text, shape)].append(place)
            self._shapes[shape] = {
                look: np.array(place, np.int64) for look, place in places.items() if look is not None
            }
        return self._shapes[shape].get(wanted)
