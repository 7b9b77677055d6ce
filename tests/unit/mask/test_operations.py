"""What holds for every operation there is."""

from datetime import date

import polars as pl
import pytest
from mask_subjects import OneKey, cities, masked, staying, subject_of

from celosia.errors import ProjectError
from celosia.mask.masking import Masking, mask_table
from celosia.mask.operation import ColumnFacts, ColumnOperation, RowOperation
from celosia.mask.registry import make_operation, operations
from celosia.mask.weaknesses import find_weaknesses
from celosia.tables import open_table

TEXTS = pl.Series("city", ["Soria", None, "Lugo", "Ágreda", "Soria", None, "Lugo"])
NOTES = pl.Series("notes", ["Llamar a Ana Gil", None, "Tel. 612 34 56 78", "sin cambios"] * 2)
NUMBERS = pl.Series("pay", [31, None, 44, -7, 31, 0, 120])
REALS = pl.Series("pay", [31.5, None, 44.0, -7.25, 31.5, 0.0, 120.125])
DAYS = pl.Series("seen", [date(2024, 2, 28), None, date(1999, 12, 31)] * 3)

EXAMPLES = {
    "bin": [({"width": 10}, NUMBERS), ({"width": 0.5}, REALS), ({"cuts": [0, 50]}, NUMBERS)],
    "code": [
        ({"top": 40, "top_label": "40+"}, NUMBERS),
        ({"bottom": 1}, REALS),
        ({"top": 40}, NUMBERS.cast(pl.String)),
    ],
    "drop-rows": [({"where": "city = 'Soria'"}, TEXTS)],
    "encrypt": [({}, TEXTS), ({}, NUMBERS)],
    "fake": [({"kind": "city"}, TEXTS), ({"kind": "number"}, NUMBERS)],
    "generalize": [({"level": 1}, TEXTS)],
    "hash": [({}, TEXTS), ({"salt": "default"}, NUMBERS)],
    "keep": [({}, TEXTS), ({}, REALS)],
    "mask-characters": [({"keep_first": 1}, TEXTS), ({"length": 3}, NUMBERS)],
    "preserve-format": [({}, pl.Series("id", ["12345678", None, "87654321", "12345678"]))],
    "pseudonymize": [({}, TEXTS), ({}, NUMBERS)],
    "redact": [({}, NOTES), ({"tags": "table"}, NOTES)],
    "round": [({"to": 10}, NUMBERS), ({"to": 0.5}, REALS), ({"to": 5}, REALS.cast(pl.String))],
    "sample": [({"share": 0.5}, TEXTS), ({"share": 0.5, "by": "city"}, TEXTS)],
    "shift-dates": [({"person": "person"}, DAYS), ({"person": "person"}, DAYS.cast(pl.String))],
    "shuffle": [({}, TEXTS), ({}, REALS)],
    "substitute": [
        ({"pairs": {"Soria": "x"}, "default": "y"}, TEXTS),
        ({"pairs": {"31": "x"}, "others": "keep"}, NUMBERS),
    ],
    "suppress": [({"where": "city = 'Soria'"}, TEXTS), ({"label": "?"}, NUMBERS)],
    "truncate": [({"first": 2}, TEXTS), ({"last": 1}, NUMBERS)],
    "microaggregate": [({}, NUMBERS)],
    "merge": [({"least": 2}, TEXTS), ({"least": 3, "label": "rare"}, NUMBERS)],
}
CASES = [(name, parameters, values) for name, listed in EXAMPLES.items() for parameters, values in listed]
ON_COLUMNS = [case for case in CASES if issubclass(operations()[case[0]], ColumnOperation)]
ON_ROWS = [case for case in CASES if issubclass(operations()[case[0]], RowOperation)]


def named(case: object) -> str:
    return case if isinstance(case, str) else ""


def whose(values: pl.Series) -> pl.DataFrame:
    return pl.DataFrame([values, pl.Series("person", [place % 3 for place in range(len(values))])])


def release(name, parameters, values, cuts=()):
    return masked(
        name, values, whose(values), batches=cuts, subject={"hierarchies": lambda _: cities()}, **parameters
    )


def test_every_operation_has_an_example_here():
    assert set(EXAMPLES) == set(operations())


@pytest.mark.parametrize("name", operations())
def test_every_operation_has_a_help_page_with_an_example_and_says_when_to_use_it(name):
    operation = operations()[name]
    page = operation.__doc__ or ""
    assert len(page.split()) > 40
    assert any(sign in page for sign in ("becom", "stays", "no minors", "one row in ten", "comes back as"))
    assert "use it" in page.lower()
    assert all(field.description for field in operation.model_fields.values())


@pytest.mark.parametrize("name", operations())
def test_every_operation_says_what_it_leaks_and_who_can_undo_it(name):
    operation = operations()[name]
    assert len(operation.leaks.split()) >= 1
    assert operation.reversible
    assert not operation.leaks.endswith(".")


@pytest.mark.parametrize(("name", "parameters", "values"), CASES, ids=named)
def test_every_operation_describes_itself_in_one_line(name, parameters, values):
    said = make_operation(name, **parameters).describe()
    assert said
    assert "\n" not in said
    assert not said.endswith(".")


@pytest.mark.parametrize(("name", "parameters", "values"), CASES, ids=named)
def test_every_operation_can_be_written_down_and_made_again(name, parameters, values):
    operation = make_operation(name, **parameters)
    again = make_operation(name, **operation.model_dump(mode="json", exclude_none=True))
    assert again == operation


@pytest.mark.parametrize("name", operations())
def test_a_parameter_that_does_not_exist_is_named(name):
    with pytest.raises(ProjectError, match="no parameter 'wrong'"):
        make_operation(name, wrong=1)


@pytest.mark.parametrize(("name", "parameters", "values"), CASES, ids=named)
def test_every_weakness_is_a_sentence(name, parameters, values):
    facts = ColumnFacts(rows=1000, distinct=3, largest=990)
    for reason in make_operation(name, **parameters).weaknesses(facts):
        assert len(reason.split()) > 4


@pytest.mark.parametrize(("name", "parameters", "values"), ON_COLUMNS, ids=named)
def test_missing_values_stay_missing_and_no_row_is_lost(name, parameters, values):
    released = release(name, parameters, values)
    assert len(released) == len(values)
    assert released.is_null().to_list()[1]
    if name != "suppress":
        assert released.is_null().to_list() == values.is_null().to_list()


@pytest.mark.parametrize(("name", "parameters", "values"), ON_COLUMNS, ids=named)
def test_what_becomes_of_a_column_does_not_depend_on_its_batches(name, parameters, values):
    whole = release(name, parameters, values)
    for cuts in [(1,), (2, 3), tuple(range(1, len(values)))]:
        assert release(name, parameters, values, cuts).to_list() == whole.to_list()


@pytest.mark.parametrize(("name", "parameters", "values"), ON_COLUMNS, ids=named)
def test_a_column_of_missing_values_and_an_empty_one_have_the_same_type(name, parameters, values):
    gone = pl.Series(values.name, [None, None], dtype=values.dtype)
    dtype = release(name, parameters, values).dtype
    assert release(name, parameters, gone).dtype == dtype
    assert release(name, parameters, gone).null_count() == 2
    assert release(name, parameters, values.clear()).dtype == dtype


@pytest.mark.parametrize(("name", "parameters", "values"), ON_COLUMNS, ids=named)
def test_a_column_without_a_type_stays_missing(name, parameters, values):
    assert release(name, parameters, pl.Series(values.name, [None, None])).null_count() == 2


@pytest.mark.parametrize(("name", "parameters", "values"), ON_COLUMNS, ids=named)
def test_what_an_operation_releases_passes_its_own_check(name, parameters, values):
    operation = make_operation(name, **parameters)
    mask = operation.start(subject_of(values, hierarchies=lambda _: cities()))
    released = mask(values, whose(values)).drop_nulls()
    assert operation.broken(released) == 0
    assert operation.broken(released.cast(pl.String)) == 0


@pytest.mark.parametrize(
    ("name", "parameters", "wrong"),
    [
        ("bin", {"width": 10}, ["[20-29]", "23"]),
        ("bin", {"width": 10, "label": "lower"}, [20, 23]),
        ("bin", {"cuts": [18, 65]}, ["< 18", "17"]),
        ("code", {"top": 90}, [90, 91]),
        ("code", {"top": 90, "top_label": "90+"}, ["90+", "90"]),
        ("fake", {"kind": "email"}, ["x@example.com", "ana@clinic.es"]),
        ("mask-characters", {"keep_last": 2}, ["**34", "1234"]),
        ("mask-characters", {"keep_last": 2, "keep_separators": True}, ["**-34", "12-34"]),
        ("mask-characters", {"length": 3}, ["***", "****"]),
        ("round", {"to": 10}, [20, 23]),
        ("round", {"to": 0.5}, ["1.5", "1.25"]),
        ("shift-dates", {}, ["2024-05-01", "May 1st"]),
        ("substitute", {"pairs": {"a": "b"}}, ["b", "a"]),
        ("substitute", {"pairs": {"a": "b"}, "others": "keep"}, ["c", "a"]),
        ("suppress", {"label": "?"}, ["?", "Ana"]),
        ("truncate", {"first": 2}, ["28", "28013"]),
    ],
)
def test_a_value_that_an_operation_cannot_have_made_is_found(name, parameters, wrong):
    assert make_operation(name, **parameters).broken(pl.Series(wrong)) == 1


@pytest.mark.parametrize(("name", "parameters", "values"), ON_ROWS, ids=named)
def test_which_rows_stay_does_not_depend_on_their_batches(name, parameters, values):
    rows = values.to_frame()
    whole = staying(name, rows, **parameters)
    assert len(whole) == len(values)
    for cuts in [(1,), (2, 3), tuple(range(1, len(values)))]:
        assert staying(name, rows, batches=cuts, **parameters) == whole


@pytest.mark.parametrize(
    "name", ["encrypt", "fake", "hash", "preserve-format", "pseudonymize", "shift-dates"]
)
def test_operations_with_a_key_release_other_values_under_another_key(name):
    parameters, values = EXAMPLES[name][-1]
    released = [
        make_operation(name, **parameters)
        .start(subject_of(values, keys=OneKey(byte)))(values, whose(values))
        .to_list()
        for byte in (1, 1, 2)
    ]
    assert released[0] == released[1] != released[2]


# Names of columns that are patterns to an engine

NAMES = ["^a$", "*", "^.*$"]


@pytest.mark.parametrize("column", NAMES)
@pytest.mark.parametrize(("name", "parameters", "values"), CASES, ids=named)
def test_a_table_is_masked_whatever_the_names_of_its_columns(name, parameters, values, column, tmp_path):
    released = [
        masked_file(name, parameters, values, called, tmp_path / f"{number}.csv")
        for number, called in enumerate((values.name, column))
    ]
    if name == "shuffle":  # the order follows from the name too
        released = [sorted(map(str, column)) for column in released]
    assert released[0] == released[1]
    assert name == "suppress" or released[0]


def masked_file(name, parameters, values, called, path):
    """What comes out of an operation on a file in which the column has another name."""
    known = {"where": "a = 'x'", "by": called, "person": called}
    operation = make_operation(name, **{key: known.get(key, given) for key, given in parameters.items()})
    rows = ["x" if place % 2 else "y" for place in range(len(values))]
    if name == "shift-dates":
        values = values.fill_null(strategy="forward")
    pl.DataFrame([values.alias(called), pl.Series("a", rows)]).write_csv(path)
    table = open_table(path)
    on_rows = isinstance(operation, RowOperation)
    chains = {} if on_rows else {called: (operation, make_operation("keep"))}
    how = {"rows": (operation,) if on_rows else (), "keys": OneKey(), "hierarchies": lambda _: cities()}
    find_weaknesses(Masking(table, chains, **how))
    masked = mask_table(table, chains, **how, folder=path.parent)
    assert masked.columns() == (called, "a")
    return [value for batch in masked.scan() for value in batch.get_column(called).to_list()]
