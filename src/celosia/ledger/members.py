"""Who is in which class of a release, without names: people as keyed digests, classes as numbers.

A person is 8 bytes of HMAC-SHA256 of what the key column says of her, with a key of this ledger alone: two of a million
people share them once in 40 million ledgers. To whoever has the key and the column this is still personal data (it is
pseudonymous), so it lies in a file that only its owner may read, and is erased with ``celosia ledger forget``. Without
the file later checks go by the released tables, and say what they cannot know.

Sensitive values are kept per class, as the release shows them, and never per person.
"""

import hashlib
import io
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import ReleaseError
from celosia.mask.digests import hmac_of, plain_digest_of
from celosia.mask.keys import SecretKey
from celosia.measure.grouping import number_groups
from celosia.privacy import Histogram, rank_values
from celosia.say import say
from celosia.tables.table import Counts
from celosia.values.same import fold, fold_keys, fold_people, people_keys

__all__ = [
    "Digests",
    "Members",
    "label_digests",
    "members_of",
    "people_classes",
    "read_members",
    "regrouped",
    "write_members",
]

Numbers = npt.NDArray[np.int64]
People = npt.NDArray[np.uint64]


class Digests:
    """Keyed digests of one ledger: of people, of what classes show, of sensitive values.

    Without a key they are plain digests, that may not leave the memory: names can be guessed from them.

    >>> digests = Digests(SecretKey(bytes(range(32))), "a ledger")
    >>> ana, berta = digests.of_people(pl.Series(["Ana", "Berta"]))
    >>> bool(ana == digests.of_people(pl.Series([" ANA"]))[0]), bool(ana == berta)
    (True, False)
    """

    def __init__(self, key: SecretKey | None = None, ledger: str = "") -> None:
        self._key, self._ledger = key, ledger

    def of_people(self, keys: pl.Series) -> People:
        """A number for who is meant, however the key is spelled and whatever its type."""
        return self.of("people", people_keys(keys))

    def of_values(self, column: str, values: pl.Series) -> People:
        """A number for a sensitive value; what is one value to some reader has one."""
        return self.of(f"values of {column}", fold_keys(values))

    def of(self, purpose: str, texts: pl.Series) -> People:
        """A number of 64 bits for every text; a missing one has its own."""
        digest = (
            plain_digest_of("sha256")
            if self._key is None
            else hmac_of(self._key.derive(f"ledger {self._ledger} {purpose}", 32))
        )
        plain = (b"0" if text is None else b"1" + text.encode() for text in texts.cast(pl.String).to_list())
        return np.frombuffer(b"".join(digest(text)[:8] for text in plain), ">u8").astype(np.uint64)


@dataclass(frozen=True)
class Members:
    """The people of a release and their classes.

    ``people[i]``, ascending, is in class ``classes[i]``, of which there are ``count``; somebody with several rows in
    different classes is in a class of all who have the same. ``rows[class]`` are those of the release, with a key or
    without. ``values[column]`` are pairs (class, value) of all sensitive values that a class shows. ``labels[class]``
    is a digest of what the class shows. ``nameless`` rows have no key: they are in nobody's name.

    Known only while the release is being made: the labels themselves (``shown``), the values of everybody by her place
    in ``people`` (``own[column]``), the digests of these values (``coded[column]``), and what the key column says of
    her (``keys``).
    """

    people: People
    classes: npt.NDArray[np.int32]
    count: int
    labels: People
    rows: Numbers = field(default_factory=lambda: np.zeros(0, np.int64))
    values: Mapping[str, tuple[Numbers, People]] = field(default_factory=dict)
    nameless: int = 0
    shown: pl.DataFrame | None = None
    own: Mapping[str, Histogram] = field(default_factory=dict)
    coded: Mapping[str, People] = field(default_factory=dict)
    keys: pl.Series | None = None


def members_of(
    counts: Counts, *, person: str, classes: Sequence[str], sensitive: Sequence[str], digests: Digests
) -> Members:
    """Who is in which class, from the combinations of ``person``, what ``classes`` show, and ``sensitive`` values.

    >>> table = Counts(("id", "age"), (pl.Series(["a", "b", None]), pl.Series(["3*"])),
    ...                (np.array([0, 1, 2], np.int32), np.zeros(3, np.int32)), np.array([1, 1, 1]))
    >>> found = members_of(table, person="id", classes=["age"], sensitive=[], digests=Digests(SecretKey(bytes(32)), ""))
    >>> len(found.people), found.count, found.nameless
    (2, 1, 1)
    """
    places = {name: place for place, name in enumerate(counts.columns)}
    number = number_groups([counts.codes[places[name]] for name in classes])
    if not classes:
        number = np.zeros(len(counts), np.int64)
    size = int(number.max(initial=-1)) + 1
    first = np.zeros(size, np.int64)
    first[number] = np.arange(len(number))
    shown = pl.DataFrame(
        {
            name: counts.texts[places[name]].gather(counts.codes[places[name]][first]).cast(pl.String)
            for name in classes
        }
    )
    folded = {name: fold(counts.values[places[name]]) for name in sensitive}
    coded = {
        name: digests.of_values(name, counts.values[places[name]].gather(values.first))
        for name, values in folded.items()
    }
    told = {name: values.codes[counts.codes[places[name]]] for name, values in folded.items()}
    values = {name: _pairs(number, told[name], coded[name]) for name in sensitive}
    who = fold_people(counts.values[places[person]])
    keys, codes = pl.Series(who.values, dtype=pl.String), who.codes[counts.codes[places[person]]]
    has_key = keys.is_not_null().to_numpy()[codes]
    people, mine = people_classes(codes[has_key], number[has_key], size=size)
    if len(mine) and int(mine.max()) >= size:
        shown, values = _several(mine, people, codes[has_key], number[has_key], size, shown, values)
    digest = digests.of_people(keys)[people]
    order = np.argsort(digest, kind="stable")
    return Members(
        people=digest[order],
        classes=mine[order].astype(np.int32),
        count=max(size, int(mine.max(initial=-1)) + 1),
        labels=label_digests(shown, digests),
        rows=np.bincount(number, counts.counts, size).astype(np.int64),
        values=values,
        nameless=int(counts.counts[~has_key].sum()),
        shown=shown,
        own={
            name: _own(
                values.values, told[name][has_key], codes[has_key], people[order], counts.counts[has_key]
            )
            for name, values in folded.items()
        },
        coded=coded,
        keys=keys.gather(people[order]),
    )


def regrouped(members: Members, people: People, classes: npt.NDArray[np.int32], *, count: int) -> Members:
    """A release with other people or other classes, to try out what it would reveal.

    ``people`` are ascending; values are those that each of them has, and of who is new nobody knows any.

    >>> one = Members(np.array([3, 5], np.uint64), np.array([0, 1], np.int32), 2, np.zeros(2, np.uint64))
    >>> regrouped(one, one.people[:1], np.array([0], np.int32), count=1).people.tolist()
    [3]
    """
    place = np.searchsorted(people, members.people)
    is_there = people[np.minimum(place, len(people) - 1)] == members.people if len(people) else place < 0
    turn = np.where(is_there, place, -1)
    own, values = {}, {}
    for name, histogram in members.own.items():
        owner = turn[histogram.classes]
        kept = owner >= 0
        own[name] = replace(
            histogram, classes=owner[kept], codes=histogram.codes[kept], counts=histogram.counts[kept]
        )
        if name in members.coded:
            values[name] = _pairs(
                classes[owner[kept]].astype(np.int64), histogram.codes[kept], members.coded[name]
            )
    return replace(members, people=people, classes=classes, count=count, own=own, values=values)


def _pairs(classes: Numbers, codes: npt.NDArray[np.integer], coded: People) -> tuple[Numbers, People]:
    """Every class with every value that it shows, once."""
    size = max(1, len(coded))
    pairs = np.unique(classes * size + codes)
    return pairs // size, coded[pairs % size]


def _own(
    values: tuple[object, ...], codes: Numbers, owners: Numbers, people: Numbers, rows: Numbers
) -> Histogram:
    """The values of a column by person, as numbered by her place in ``people``, which are codes of ``owners``."""
    turn = np.zeros(int(people.max(initial=-1)) + 1, np.int64)
    turn[people] = np.arange(len(people))
    histogram = pl.DataFrame({"person": turn[owners], "code": codes, "n": rows})
    histogram = histogram.group_by("person", "code").agg(pl.col("n").sum()).sort("person", "code")
    classes, numbers, counts = (histogram.get_column(name).to_numpy() for name in histogram.columns)
    return Histogram(classes=classes, codes=numbers, counts=counts, values=values, rank=rank_values(values))


def people_classes(codes: npt.NDArray[np.integer], number: Numbers, *, size: int) -> tuple[Numbers, Numbers]:
    """Everybody once, and her class; of several of ``size`` classes a further one, numbered after all others.

    >>> people_classes(np.array([7, 7, 9], np.int32), np.array([0, 1, 1]), size=2)
    (array([7, 9]), array([2, 1]))
    """
    pairs = pl.DataFrame({"person": codes.astype(np.int64), "class": number}).unique().sort("person", "class")
    person, own = (pairs.get_column(name).to_numpy() for name in pairs.columns)
    people, starts, times = np.unique(person, return_index=True, return_counts=True)
    mine = own[starts].copy()
    several = times > 1
    if several.any():
        lists = (
            pairs.filter(pl.Series(several[np.searchsorted(people, person)]))
            .group_by("person", maintain_order=True)
            .agg(pl.col("class").cast(pl.String).str.join(","))
        )
        among = lists.get_column("class").rank("dense").cast(pl.Int64).to_numpy() - 1
        mine[several] = size + among
    return people, mine


def _several(
    mine: Numbers,
    people: Numbers,
    codes: npt.NDArray[np.integer],
    number: Numbers,
    size: int,
    shown: pl.DataFrame,
    values: Mapping[str, tuple[Numbers, People]],
) -> tuple[pl.DataFrame, dict[str, tuple[Numbers, People]]]:
    """Classes of people with several rows show all that each of these does."""
    owner = mine[np.searchsorted(people, codes)]
    is_new = owner >= size
    pairs = np.unique(np.stack([owner[is_new], number[is_new]]), axis=1)
    parts = pl.DataFrame({"owner": pairs[0], "class": pairs[1]})
    labels = shown.with_row_index("class").with_columns(pl.col("class").cast(pl.Int64))
    joined = parts.join(labels, on="class").sort("owner", "class").drop("class")
    further = joined.group_by("owner", maintain_order=True).agg(pl.all().fill_null("").str.join(" and "))
    grown = {}
    for name, (classes, coded) in values.items():
        table = pl.DataFrame({"class": classes, "value": coded})
        more = parts.join(table, on="class").select(pl.col("owner").alias("class"), "value").unique()
        both = pl.concat([table, more]).sort("class", "value")
        grown[name] = (both.get_column("class").to_numpy(), both.get_column("value").to_numpy())
    return pl.concat([shown, further.drop("owner")]), grown


def label_digests(shown: pl.DataFrame, digests: Digests) -> People:
    """A digest of what every class shows, whatever the order of the columns.

    >>> one, two = pl.DataFrame({"a": ["1"], "b": ["2"]}), pl.DataFrame({"b": ["2"], "a": ["1"]})
    >>> bool(label_digests(one, Digests())[0] == label_digests(two, Digests())[0])
    True
    """
    parts = [digests.of(f"labels of {name}", shown.get_column(name)) for name in sorted(shown.columns)]
    if not parts:
        return np.zeros(shown.height, np.uint64)
    rows = np.stack(parts, axis=1).astype(">u8")
    names = hashlib.sha256(repr(sorted(shown.columns)).encode()).digest()
    short = [hashlib.sha256(names + row.tobytes()).digest()[:8] for row in rows]
    return np.frombuffer(b"".join(short), ">u8").astype(np.uint64)


def write_members(members: Members, path: Path) -> str:
    """Write to a new file that only its owner may read; its digest."""
    arrays = {"people": members.people, "classes": members.classes, "labels": members.labels}
    for place, name in enumerate(members.values):
        arrays[f"of_{place}"], arrays[f"value_{place}"] = members.values[name]
    arrays["numbers"] = np.array([members.count, members.nameless], np.int64)
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)  # type: ignore[arg-type]
    content = buffer.getvalue()
    path.parent.mkdir(mode=0o700, exist_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    return hashlib.sha256(content).hexdigest()


def read_members(path: Path, *, digest: str, columns: Sequence[str]) -> Members | None:
    """What was written, None if it is not there any more; raise if it is not what was written.

    ``columns`` are the sensitive ones, in the order in which they were written.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ReleaseError(
            say("the file of people cannot be read ({cause})", cause=error.strerror or error),
            where=str(path),
            remedy=say("check the permissions"),
        ) from None
    if hashlib.sha256(content).hexdigest() != digest:
        raise ReleaseError(
            say("this file is not the one that the ledger knows"),
            where=str(path),
            remedy=say(
                "put back the one that was written with the release, or erase it: checks then go by "
                "the tables"
            ),
        )
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        count, nameless = arrays["numbers"].tolist()
        return Members(
            people=arrays["people"],
            classes=arrays["classes"],
            count=count,
            labels=arrays["labels"],
            values={name: (arrays[f"of_{i}"], arrays[f"value_{i}"]) for i, name in enumerate(columns)},
            nameless=nameless,
        )
