"""What the values of a column say about its role, judged on a sample of the distinct ones."""

from functools import partial

import polars as pl

from celosia.hierarchies.dates import days
from celosia.profile.numbers import best_number_format, valid_share
from celosia.profile.reasons import Reason
from celosia.say import say
from celosia.types import ColumnType

__all__ = ["are_dates", "identifier_in_content"]

SAMPLE = 1000
"""Distinct values looked at by patterns."""

CHECKED = 200
"""Distinct values looked at one by one."""

FEWEST = 8
"""With fewer distinct values than this, chance could make them look like numbers of some country."""

SHARE = 0.8
"""This share of the values must fit; the rest may be misspelt."""

OCTET = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
GROUP = "[0-9a-fA-F]{0,4}"

PATTERNS = {
    "e-mail": (say("e-mail addresses"), r"^[^@\s]+@[^@\s]+\.[^@\s.]{2,}$"),
    "mac-address": (say("addresses of devices (MAC)"), r"^(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}$"),
    "ip-address": (say("IP addresses"), rf"^{OCTET}(?:\.{OCTET}){{3}}$|^{GROUP}(?::{GROUP}){{4,7}}$"),
    "url": (say("web addresses"), r"^(?:[a-zA-Z]+://|www\.)[^\s/]+\.\S+$"),
    "uuid": (
        say("universally unique identifiers"),
        r"^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$",
    ),
}

FULL_NAME = (
    r"^(?:\p{Lu}\p{L}*\.? )?(?:\p{Lu}[\p{L}'’-]*\.?,? )(?:(?:de|del|la|las|los|y|da|dos|van|von|der|den) ){0,3}"
    r"(?:\p{Lu}[\p{L}'’-]*\.?,? ?){1,4}$"
)
"""Two to six words with capitals, as people are called."""
NAMED = 0.4
"""The share of values that must have a frequent name: most names of a table are not on any list."""
WHOLE = 0.6
"""How much of a value the name must be: in *Parque María Luisa* it is not all."""

REGIONS = ("ES", "MX", "CO", "AR", "CL", "PE", "UY", "US", "GB", "FR", "IT", "PT", "BR", "DE")
"""Countries whose telephone numbers are recognized without their prefix."""


def identifier_in_content(values: pl.Series, kind: ColumnType) -> Reason | None:
    """Why the distinct ``values`` (text, none missing) name one person each; None if nothing says so.

    >>> values = pl.Series([f"person{i}@example.org" for i in range(20)])
    >>> print(identifier_in_content(values, ColumnType.TEXT))
    100 % of the values are e-mail addresses
    """
    if kind not in (ColumnType.TEXT, ColumnType.INTEGER) or len(values) < FEWEST:
        return None
    values = sample(values, SAMPLE).str.strip_chars()
    some = values.head(CHECKED)
    return pattern(values) or identity_number(some) or telephone(some) or people(some)


def sample(values: pl.Series, size: int) -> pl.Series:
    """At most ``size`` values, chosen by hash: the same ones in whatever order the table counted them."""
    if len(values) <= size:
        return values.sort()
    return values.gather(values.hash().arg_sort().head(size))


def pattern(values: pl.Series) -> Reason | None:
    """Whether the values have the shape of e-mail addresses and the like."""
    for code, (called, expression) in PATTERNS.items():
        share = share_of(values.str.contains(expression))
        if share >= SHARE:
            return content_reason(code, share, called)
    return None


def identity_number(values: pl.Series) -> Reason | None:
    """Whether the values are numbers that some authority issues to people."""
    length = values.str.count_matches("[A-Za-z0-9]")
    digits = values.str.count_matches("[0-9]")
    if share_of(length.is_between(7, 34) & (digits >= 5)) < SHARE:
        return None
    code, called, share = best_number_format(values.to_list())
    return (
        content_reason("identity-number", share, say("valid {numbers}", numbers=called), format=code)
        if share >= SHARE
        else None
    )


def telephone(values: pl.Series) -> Reason | None:
    """Whether the values are telephone numbers, with prefix or of one country.

    Bare digits do not count: four in five random ones could be dialled somewhere.
    """
    digits = values.str.count_matches("[0-9]")
    written = values.str.contains(r"^(?:\+|0|\(|[0-9]+[ ()./-])[0-9 ()./-]+$") & digits.is_between(9, 15)
    if share_of(written) < SHARE:
        return None
    texts = values.to_list()
    regions = (None,) if values.str.starts_with("+").all() else REGIONS
    shares = {region: valid_share(texts, partial(is_telephone, region=region)) for region in regions}
    best = max(shares, key=shares.__getitem__)
    if shares[best] < SHARE:
        return None
    return content_reason("telephone", shares[best], say("telephone numbers"), region=best)


def people(values: pl.Series) -> Reason | None:
    """Whether the values are names of people: most look like one, and in many a frequent name tells it.

    >>> print(people(pl.Series(["Ana Gil", "Eva Ruiz Soto", "Leo Martín", "Sara Moya Gil"])))
    100 % of the values are names of people
    """
    if share_of(values.str.contains(FULL_NAME)) < SHARE:
        return None
    from celosia.profile.passages import PassageKind, find_passages

    found = find_passages(values.alias("text")).frame
    length = values.str.len_chars().gather(found.get_column("row"))
    is_whole = (found.get_column("end") - found.get_column("start")) >= WHOLE * length
    named = found.filter(is_whole & (found.get_column("kind") == str(PassageKind.PERSON)))
    share = named.get_column("row").n_unique() / len(values)
    return content_reason("people", share, say("names of people")) if share >= NAMED else None


def share_of(fits: pl.Series) -> float:
    """The share of rows that are true."""
    return int(fits.sum()) / len(fits)


def is_telephone(text: str, region: str | None) -> bool:
    """Whether ``text`` is a telephone number that may exist, dialled from ``region``.

    >>> is_telephone("+34 612 34 56 78", None), is_telephone("112345678", "ES")
    (True, False)
    """
    import phonenumbers

    try:
        return bool(phonenumbers.is_valid_number(phonenumbers.parse(text, region)))
    except phonenumbers.NumberParseException:
        return False


def are_dates(values: pl.Series) -> bool:
    """Whether all of some distinct texts are dates.

    >>> are_dates(pl.Series(["2021-03-04", "2021-03-05 12:00"])), are_dates(pl.Series(["2021-03-04", "soon"]))
    (True, False)
    """
    return len(values) > 0 and days(sample(values, SAMPLE).str.strip_chars()).null_count() == 0


def content_reason(code: str, share: float, called: str, **facts: object) -> Reason:
    """A reason that says how many of the values are what."""
    return Reason(
        code,
        say("{percent:.0f} % of the values are {kind}", percent=share * 100, kind=called),
        {"share": round(share, 4), **facts},
    )
