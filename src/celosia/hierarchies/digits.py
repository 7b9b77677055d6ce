"""Numbers whose digits are replaced by ``*``, one more at each level, from the right."""

import polars as pl

from celosia.hierarchies.building import Values, distinct, reject_values, require_parameter, stack
from celosia.hierarchies.hierarchy import Hierarchy
from celosia.say import say

__all__ = ["NUMBER", "digits"]

NUMBER = r"^-?[0-9]+(\.[0-9]+)?$"


def digits(column: str, values: Values, *, step: int = 1) -> Hierarchy:
    """Mask ``step`` more digits at each level, from the right, until all values are the same.

    ``19**`` stands for the numbers from 1900 to 1999 and ``**`` for those below 100, whatever their length: a
    number with fewer digits than are masked becomes as many ``*`` as its neighbours, never a padded 0*.
    Leading zeros are digits like any other (postcodes). The minus sign stays until all digits are masked.
    Decimals count as having as many places as the longest (3.5 beside 0.25 as 3.50); the point stays.

    >>> digits("born", ["1986", "1996", "1987"]).rows()
    [('1986', '198*', '19**'), ('1987', '198*', '19**'), ('1996', '199*', '19**')]
    >>> digits("born", ["1986", "2001"]).rows()
    [('1986', '****'), ('2001', '****')]
    >>> digits("price", ["3.5", "3.25", "12.0", "-7.5"], step=2).level(1)
    {'-7.5': '-7.**', '3.25': '3.**', '3.5': '3.**', '12.0': '12.**'}
    """
    require_parameter(
        column, step >= 1, what=say("step={step}", step=step), remedy=say("a step is 1 digit or more")
    )
    texts = distinct(column, values)
    reject_values(
        column,
        texts.filter(~texts.str.contains(NUMBER)),
        wanted=say("number"),
        remedy=say("use prefixes for codes"),
    )
    frame = _split(texts)
    places = int(frame["places"][0])
    width = int(frame["size"].max())  # type: ignore[arg-type]
    levels = [_mask(frame, masked, places) for masked in range(step, width, step)]
    # Years of one century need no more than 19**: what comes above would say less and merge nothing.
    root = next((level[0] for level in levels if level.n_unique() == 1), None) if len(texts) > 1 else None
    return stack(
        column, frame["value"], levels=levels, root=root or _point(pl.Series(["*" * width]), places)[0]
    )


def _split(texts: pl.Series) -> pl.DataFrame:
    """Each number's sign, its digits with equally many decimals, and how many digits those are, in order."""
    value = pl.col("value")
    fraction = value.str.extract(r"\.([0-9]+)$").fill_null("")
    places = fraction.str.len_bytes().max()
    frame = texts.to_frame().with_columns(
        sign=pl.when(value.str.starts_with("-")).then(pl.lit("-")).otherwise(pl.lit("")),
        whole=value.str.extract(r"^-?([0-9]+)"),
        places=places,
        number=value.cast(pl.Float64),
    )
    padded = pl.concat_str("whole", fraction.str.pad_end(int(frame["places"][0]), "0"))
    frame = frame.with_columns(digits=padded)
    return frame.with_columns(size=pl.col("digits").str.len_bytes()).sort("number", "value")


def _mask(frame: pl.DataFrame, masked: int, places: int) -> pl.Series:
    kept = pl.col("digits").str.head(pl.max_horizontal(pl.col("size").cast(pl.Int64) - masked, 0))
    stars = frame.select(pl.concat_str(kept, pl.lit("*" * masked))).to_series()
    return frame["sign"] + _point(stars, places)


def _point(digits: pl.Series, places: int) -> pl.Series:
    """The decimal point put back before the last ``places`` digits."""
    if not places:
        return digits
    return digits.str.replace(rf"(.{{{places}}})$", ".$1")
