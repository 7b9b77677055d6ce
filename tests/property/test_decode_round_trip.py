"""What techniques and operations write for a value is read back as something that allows this value."""

import datetime
from decimal import Decimal

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from celosia import anonymize
from celosia.hierarchies import Hierarchy, dates, digits, intervals, prefixes
from celosia.mask import make_operation
from celosia.mask.keys import Keys
from celosia.mask.operation import OperationSubject as Masked
from celosia.measure.decode import decode_column
from celosia.tables import open_table
from celosia.tables.frame_table import FrameTable
from celosia.types import ColumnType

wholes = st.lists(st.integers(-120, 1500), min_size=2, max_size=25).map(lambda n: [str(i) for i in n])
reals = st.lists(
    st.decimals(-90, 90, places=2, allow_nan=False, allow_infinity=False), min_size=2, max_size=25
).map(lambda n: [str(float(i)) for i in n])
days = st.lists(st.dates(datetime.date(1930, 1, 1), datetime.date(2029, 1, 1)), min_size=2, max_size=25).map(
    lambda n: [day.isoformat() for day in n]
)
codes = st.lists(st.text("ABJ14.", min_size=1, max_size=6), min_size=2, max_size=25)
BUILDERS = {
    "digits of wholes": (wholes, digits, ColumnType.INTEGER),
    "digits of reals": (reals, digits, ColumnType.REAL),
    "intervals of wholes": (wholes, intervals, ColumnType.INTEGER),
    "intervals of reals": (reals, intervals, ColumnType.REAL),
    "periods": (days, dates, ColumnType.DATE),
    "prefixes": (codes, prefixes, ColumnType.TEXT),
}


def assert_allowed(kind: ColumnType, texts: list, labels: list, hierarchy: Hierarchy | None = None) -> None:
    """Each label allows the value beside it."""
    values = pl.Series(texts, dtype=pl.String).unique(maintain_order=True)
    shown = pl.Series(labels, dtype=pl.String).unique(maintain_order=True)
    found = decode_column("c", kind, values, shown, hierarchy=hierarchy)
    places = [values.to_list().index(text) for text in texts]
    of = [shown.to_list().index(label) for label in labels]
    is_allowed = found.allows(np.array(places), np.array(of))
    wrong = [(text, label) for text, label, right in zip(texts, labels, is_allowed, strict=True) if not right]
    assert not wrong
    assert np.array_equal(found.table(np.array(places))[np.arange(len(of)), of] == 0, is_allowed)


@pytest.mark.parametrize("name", BUILDERS)
@pytest.mark.parametrize("knows_hierarchy", [True, False])
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_labels_of_hierarchies_allow_their_values(
    name: str, knows_hierarchy: bool, data: st.DataObject
) -> None:
    values, build, kind = BUILDERS[name]
    texts = data.draw(values)
    hierarchy = build("c", texts)
    for level in range(1, hierarchy.height + 1):
        becomes = hierarchy.level(level)
        labels = [becomes[text] for text in texts]
        assert_allowed(kind, texts, labels, hierarchy if knows_hierarchy else None)


OPERATIONS = {
    "bin": (wholes, ColumnType.INTEGER, {"width": Decimal(7)}),
    "bin from": (reals, ColumnType.REAL, {"width": Decimal("2.5"), "origin": Decimal("0.5")}),
    "bin between cuts": (wholes, ColumnType.INTEGER, {"cuts": (Decimal(18), Decimal(65))}),
    "bin, lower": (wholes, ColumnType.INTEGER, {"width": Decimal(10), "label": "lower"}),
    "code": (
        wholes,
        ColumnType.INTEGER,
        {"top": Decimal(90), "top_label": "90+", "bottom": Decimal(18), "bottom_label": "< 18"},
    ),
    "mask-characters": (codes, ColumnType.TEXT, {"keep_first": 1}),
    "mask-characters at the end": (codes, ColumnType.TEXT, {"keep_last": 2, "keep_separators": True}),
    "truncate": (codes, ColumnType.TEXT, {"first": 2, "ellipsis": "…"}),
}


@pytest.mark.parametrize("name", OPERATIONS)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_labels_of_operations_allow_their_values(name: str, data: st.DataObject) -> None:
    values, kind, parameters = OPERATIONS[name]
    texts = data.draw(values)
    if "lower" in name:  # a few numbers may be lower bounds by chance; many are not
        texts = [str(number) for number in range(int(texts[0]), int(texts[0]) + 60)]
    operation = make_operation(name.partition(",")[0].partition(" ")[0], **parameters)
    series = pl.Series("c", texts)
    subject = Masked(column="c", dtype=pl.String(), keys=Keys({}), seed=1)
    labels = operation.start(subject)(series, pl.DataFrame()).cast(pl.String).to_list()
    assert_allowed(kind, texts, labels)


def rows_of(table: FrameTable) -> pl.DataFrame:
    """The rows with their values as texts, as they cross the border of a table."""
    counts = table.count_by(table.columns())
    columns = [
        values.gather(codes).alias(name)
        for name, values, codes in zip(counts.columns, counts.texts, counts.codes, strict=True)
    ]
    frame = pl.DataFrame(columns).with_columns(pl.Series("n", counts.counts))
    return frame.select(pl.exclude("n").repeat_by("n").explode())


people = st.lists(
    st.tuples(
        st.integers(-3, 60),
        st.sampled_from([0.5, 1.25, 1e-7, 3.0, 7.75]),
        st.dates(datetime.date(1990, 1, 1), datetime.date(1990, 12, 31)),
        st.sampled_from(["ant", "bee", "cow - calf", "dog", None]),
        st.booleans(),
    ),
    min_size=6,
    max_size=40,
)


@settings(max_examples=10, deadline=None)
@given(people, st.sampled_from(["range", "node"]), st.integers(2, 4))
def test_the_classes_of_mondrian_allow_the_values_of_their_rows(rows: list, shown: str, k: int) -> None:
    names = ["whole", "real", "day", "text", "flag"]
    original = pl.DataFrame(rows, schema=names, orient="row").with_columns(
        pl.col("text").cast(pl.String), id=pl.int_range(pl.len()).cast(pl.String)
    )
    release = anonymize(
        original, quasi_identifiers=names, k=k, technique="mondrian", represent=shown, common=["id"], seed=3
    ).table
    before, after = open_table(original), open_table(release)
    kinds = {column.name: column.type for column in before.schema()}
    both = rows_of(before).join(rows_of(after), on="id", suffix=" released")
    assert len(both) == len(rows)
    for name in names:
        assert_allowed(kinds[name], both[name].to_list(), both[f"{name} released"].to_list())
