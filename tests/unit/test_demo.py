"""The demo keeps its word: whoever knows any one column of its releases, or any three, finds nobody in a small group.

Nothing of the product is used to look: rows are read by the csv module and counted here.
"""

import csv
import json
import runpy
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

DEMO = Path(__file__).resolve().parents[2] / "examples" / "demo.py"
RELEASES = ("safe", "numbers")
K = 5


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the demo leaves behind."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("demo"))
        patch.setattr(sys, "argv", ["demo.py", "4000"])
        runpy.run_path(str(DEMO), run_name="__main__")
        return Path("demo").absolute()


def read_rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read_record(folder: Path, name: str) -> dict:
    return json.loads((folder / f"{name}.record.json").read_text(encoding="utf-8"))


def accepted_columns(folder: Path, name: str) -> set[str]:
    """The columns that somebody answered for by name."""
    accepted = read_record(folder, name)["verdict"]["accepted"]
    assert all(each["by"] and each["why"] for each in accepted)
    return {each["column"] for each in accepted}


def found_by(rows: list[dict[str, str]], columns: tuple[str, ...]) -> int:
    """Rows that share what they say in these columns with fewer than K rows, themselves included."""
    sizes = Counter(tuple(row[name] for name in columns) for row in rows)
    return sum(size for size in sizes.values() if size < K)


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("known", [1, 2, 3])
def test_whoever_knows_a_few_columns_of_a_release_finds_nobody(
    folder: Path, release: str, known: int
) -> None:
    rows = read_rows(folder / f"{release}.csv")
    # Alone even an accepted column finds nobody; together with others somebody answered for it.
    answered_for = accepted_columns(folder, release) if known > 1 else set()
    columns = [name for name in rows[0] if name not in answered_for]
    assert len(rows) > 3_500
    assert len(columns) >= 4
    found = {chosen: found_by(rows, chosen) for chosen in combinations(columns, known)}
    assert {chosen: count for chosen, count in found.items() if count} == {}


def test_in_the_table_itself_one_column_finds_nearly_everybody(folder: Path) -> None:
    rows = read_rows(folder / "discharges.csv")
    assert found_by(rows, ("cost",)) > 0.9 * len(rows)
    assert found_by(rows, ("age", "postcode", "admission_date")) > 0.9 * len(rows)


@pytest.mark.parametrize("release", RELEASES)
def test_names_notes_and_exact_costs_stay_behind(folder: Path, release: str) -> None:
    before, after = read_rows(folder / "discharges.csv"), read_rows(folder / f"{release}.csv")
    text = (folder / f"{release}.csv").read_text(encoding="utf-8")
    assert not any(row["patient_name"] in text or row["notes"] in text for row in before)
    exact = {row["cost"] for row in before}
    assert not exact & {row.get("cost", "") for row in after}


@pytest.mark.parametrize("release", RELEASES)
def test_the_demo_ends_protected(folder: Path, release: str) -> None:
    assert read_record(folder, release)["verdict"]["kind"] == "protected"


def test_patients_who_come_back_are_counted_once(folder: Path) -> None:
    rows = read_rows(folder / "discharges.csv")
    assert len({row["national_id"] for row in rows}) < len(rows)
    for release in RELEASES:
        (table,) = read_record(folder, release)["project"]["tables"].values()
        assert table["person"] == "national_id"
