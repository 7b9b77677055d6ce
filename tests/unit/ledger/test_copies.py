"""One copy per recipient, each with its mark; a leak is traced by it."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from celosia.errors import CelosiaError, ProjectError, ReleaseError
from celosia.ledger.copies import copy_release, trace_leak
from celosia.ledger.fingerprint import is_marked, suspects
from celosia.ledger.foreign import import_release, join_table_pairs, recipient_subsets
from celosia.ledger.ledger import Ledger, open_ledger
from celosia.mask.keys import SecretKey
from celosia.tables import open_table

KEY = SecretKey(bytes(range(32)))
ROLES = {"age": "quasi-identifier", "disease": "sensitive"}


def people(rows: int = 2000) -> pl.DataFrame:
    drawn = np.random.default_rng(5)
    return pl.DataFrame(
        {
            "id": [f"p{n}" for n in range(rows)],
            "age": drawn.choice(["20-39", "40-59", "60-79"], rows),
            "disease": drawn.choice(["flu", "gout", "rash", "none"], rows),
            "cost": drawn.integers(100, 9999, rows).astype(str),
            "ward": drawn.choice(["a", "b", "c"], rows),
        }
    )


@pytest.fixture
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ledger:
    # Marks depend on what names the ledger: the same every time, so that no test fails by chance.
    names = iter(range(1, 100))
    monkeypatch.setattr("celosia.ledger.ledger.secrets.token_hex", lambda size: f"{next(names):0{2 * size}x}")
    people().drop("id").write_csv(tmp_path / "safe.csv")
    book = open_ledger(tmp_path / "clinic.ledger", key=KEY)
    path = tmp_path / "safe.csv"
    import_release(book, open_table(path), path=path, roles=ROLES, recipient="nobody yet")
    return book


@pytest.fixture
def copies(ledger: Ledger, tmp_path: Path) -> dict[str, Path]:
    found = {}
    for name in ("lab", "press", "city"):
        found[name] = tmp_path / f"{name}.csv"
        copy_release(ledger, ledger.entries[0], found[name], recipient=name, column="ward")
    return found


# Which cells are emptied is drawn: of 1,200 rows about 12 are marked, and fewer than 3 once in 2,000 times.
@pytest.mark.parametrize("rows", [2000, 1200])
def test_some_rows_of_a_leak_in_any_order_tell_whose_it_is(
    ledger: Ledger, copies: dict[str, Path], rows: int
) -> None:
    leak = pl.read_csv(copies["press"], infer_schema=False).sample(rows, shuffle=True, seed=2)
    [(column, found)] = trace_leak(ledger, open_table(leak, missing=("",))).items()
    assert column == "ward"
    assert found[0].recipient == "press"
    assert found[0].p_value < 1e-5
    assert found[0].filled == 0
    assert all(one.p_value > 0.001 for one in found[1:])


def test_a_release_without_a_mark_is_nobodys(ledger: Ledger, tmp_path: Path, copies: dict[str, Path]) -> None:
    leak = open_table(pl.read_csv(tmp_path / "safe.csv", infer_schema=False))
    assert all(one.p_value == 1 for one in trace_leak(ledger, leak)["ward"])


def test_cells_are_emptied_at_the_rate_and_nothing_else_changes(
    copies: dict[str, Path], tmp_path: Path
) -> None:
    before = pl.read_csv(tmp_path / "safe.csv", infer_schema=False)
    after = pl.read_csv(copies["lab"], infer_schema=False)
    assert after.get_column("ward").null_count() == pytest.approx(20, abs=15)
    others = ["age", "disease", "cost"]
    assert after.select(others).sort(others).equals(before.select(others).sort(others))


def test_rows_that_are_much_alike_do_not_lose_their_values_together(tmp_path: Path) -> None:
    path = tmp_path / "safe.csv"
    ages = ["20-39"] * 500 + ["40-59"] * 480 + [f"{n}+" for n in range(60, 80)]
    pl.DataFrame({"age": ages, "ward": ["a", "b"] * 500}).write_csv(path)
    book = open_ledger(tmp_path / "clinic.ledger", key=KEY)
    import_release(book, open_table(path), path=path, roles={"age": "quasi-identifier"})
    made = copy_release(book, book.entries[0], tmp_path / "lab.csv", recipient="lab", rate=0.3)
    after = pl.read_csv(tmp_path / "lab.csv").filter(pl.col("ward").is_null())
    mark = made.body["fingerprint"]
    assert not set(after.get_column("age")) & {"20-39", "40-59"}
    assert (mark["cells"], mark["marks"]) == (after.height, after.height)


def test_a_mark_has_nothing_to_do_with_the_value_it_hides() -> None:
    rows = people(4000).drop("id")
    other = rows.with_columns(ward=pl.lit("z"))
    both = [is_marked(one, "ward", key=KEY, ledger="x", recipient="lab", rate=0.05) for one in (rows, other)]
    assert np.array_equal(*both)


def test_p_values_of_the_innocent_are_as_small_as_chance_has_it() -> None:
    rows = people(1500).drop("id")
    marked = is_marked(rows, "ward", key=KEY, ledger="x", recipient="guilty", rate=0.02)
    leak = rows.with_columns(ward=pl.when(pl.Series(marked)).then(None).otherwise("ward"))
    others = [(f"innocent {n}", 0.02) for n in range(200)]
    found = suspects(leak, "ward", key=KEY, ledger="x", recipients=others)
    assert sum(one.p_value < 0.05 for one in found) <= 20


def test_a_copy_is_recorded_for_whom_it_is(ledger: Ledger, copies: dict[str, Path]) -> None:
    assert [one.recipient for one in ledger.entries] == ["nobody yet", "lab", "press", "city"]
    assert ledger.entries[1].body["copy_of"] == ledger.entries[0].number


def test_a_copy_can_do_without_a_mark(ledger: Ledger, tmp_path: Path) -> None:
    entry = copy_release(ledger, ledger.entries[0], tmp_path / "x.csv", recipient="lab", rate=0)
    assert entry.body["fingerprint"] is None
    assert pl.read_csv(tmp_path / "x.csv").null_count().sum_horizontal().item() == 0


def test_quasi_identifiers_are_not_marked(ledger: Ledger, tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match="'age' is no column of the release that can be marked"):
        copy_release(ledger, ledger.entries[0], tmp_path / "x.csv", recipient="lab", column="age")


def test_a_release_that_was_changed_is_not_copied(ledger: Ledger, tmp_path: Path) -> None:
    people(10).drop("id").write_csv(tmp_path / "safe.csv")
    with pytest.raises(ReleaseError, match="is not the file that was released"):
        copy_release(ledger, ledger.entries[0], tmp_path / "x.csv", recipient="lab")


def test_a_leak_without_the_marked_column_is_told(ledger: Ledger, copies: dict[str, Path]) -> None:
    with pytest.raises(CelosiaError, match="no column that is marked: ward"):
        trace_leak(ledger, open_table(people().select("age", "disease")))


def test_recipients_who_share_what_they_have(tmp_path: Path) -> None:
    """Each of two releases alone leaves twenty people or more together; both leave one alone."""
    book = open_ledger(tmp_path / "clinic.ledger", key=KEY)
    ids = [f"p{n}" for n in range(60)]
    for name, ages in (("lab", ["young"] * 40 + ["old"] * 20), ("press", ["young"] * 39 + ["old"] * 21)):
        frame = pl.DataFrame({"id": ids, "age": ages})
        import_release(
            book,
            open_table(frame),
            path=None,
            roles={"age": "quasi-identifier"},
            recipient=name,
            person="id",
        )
    found = {one.recipients: one.k for one in recipient_subsets(book)}
    assert found == {("lab",): 20, ("press",): 21, ("lab", "press"): 1}
    assert recipient_subsets(book, ["lab"])[0].k == 20
    with pytest.raises(ReleaseError, match="nothing was released for 'lob'"):
        recipient_subsets(book, ["lob"])


def test_tables_made_elsewhere_are_joined_by_what_they_show(tmp_path: Path) -> None:
    book = open_ledger(tmp_path / "foreign.ledger")
    problems = ["flu", "gout", "flu", "rash"]
    for name, codes in (
        ("one", ["0213*", "0213*", "02141", "02141"]),
        ("two", ["02138", "02139", "02141", "02141"]),
    ):
        path = tmp_path / f"{name}.csv"
        pl.DataFrame({"zip": codes, "problem": problems}).write_csv(path)
        roles = {"zip": "quasi-identifier", "problem": "sensitive"}
        table = open_table(path, types={"zip": "text"})
        import_release(book, table, path=path, roles=roles)
    [met] = join_table_pairs(book.entries)
    assert met.k == 1
    assert {one.labels["zip"] for one in met.smallest if one.rows == 1} == {"02138", "02139"}
