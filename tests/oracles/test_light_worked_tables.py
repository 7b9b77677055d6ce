"""The worked tables of the requirements: generalization, top and bottom coding, local suppression and
substitution; where a print contradicts its own rule, the rule holds and the row is named."""

import polars as pl
import pytest
from mask_subjects import masked

from celosia.errors import ProjectError
from celosia.hierarchies import Hierarchy
from celosia.mask.registry import make_operation

# SparkTPTDS, table 2.3
PATIENTS = pl.DataFrame(
    [
        ("M", 20, 12500, "Soltero/a", "Diabetes"),
        ("F", 24, 12700, "Soltero/a", "Infección"),
        ("F", 26, 12600, "Soltero/a", "Infección"),
        ("M", 29, 12900, "Divorciado/a", "Cáncer"),
        ("F", 45, 11100, "Casado/a", "Diabetes"),
        ("F", 40, 11300, "Divorciado/a", "Cáncer"),
        ("M", 50, 11500, "Viudo/a", "Cáncer"),
        ("M", 30, 11800, "Soltero/a", "Diabetes"),
        ("M", 35, 11700, "Casado/a", "Cáncer"),
        ("F", 39, 11200, "Divorciado/a", "Infección"),
    ],
    schema=["Sexo", "Edad", "Código postal", "Estado civil", "Diagnóstico"],
    orient="row",
)
AS_TEXTS = PATIENTS.cast(pl.String)
BOTH = pytest.mark.parametrize("patients", [PATIENTS, AS_TEXTS], ids=["typed", "texts"])


@BOTH
def test_top_and_bottom_coding_at_35_and_12000(patients):
    """Table 2.6. It prints < 35 for row 9, who is 35: by its own label, ≥ 35."""
    printed_ages = ["< 35"] * 4 + ["≥ 35"] * 3 + ["< 35", "< 35", "≥ 35"]
    printed_codes = ["≥ 12000"] * 4 + ["< 12000"] * 6
    ages = masked(
        "code", patients["Edad"], top=35, top_label="≥ 35", bottom=35, bottom_label="< 35"
    ).to_list()
    codes = masked(
        "code",
        patients["Código postal"],
        top=12000,
        top_label="≥ 12000",
        bottom=12000,
        bottom_label="< 12000",
    ).to_list()
    assert codes == printed_codes
    assert [
        row for row, pair in enumerate(zip(ages, printed_ages, strict=True), 1) if pair[0] != pair[1]
    ] == [9]
    assert ages[8] == "≥ 35"


@BOTH
def test_coding_without_labels_keeps_the_numbers_on_the_other_side(patients):
    ages = masked("code", patients["Edad"], top=35).cast(pl.Int64).to_list()
    assert ages == [20, 24, 26, 29, 35, 35, 35, 30, 35, 35]


@BOTH
def test_local_suppression_of_two_values(patients):
    """Table 2.7: Viudo/a and Casado/a become ?."""
    printed = ["Soltero/a"] * 3 + ["Divorciado/a", "?", "Divorciado/a", "?", "Soltero/a", "?", "Divorciado/a"]
    where = "\"Estado civil\" in ('Viudo/a', 'Casado/a')"
    assert masked("suppress", patients["Estado civil"], patients, where=where, label="?").to_list() == printed
    missing = masked("suppress", patients["Estado civil"], patients, where=where).to_list()
    assert missing == [None if value == "?" else value for value in printed]
    pairs = {"Viudo/a": "?", "Casado/a": "?"}
    assert masked("substitute", patients["Estado civil"], pairs=pairs, others="keep").to_list() == printed


@BOTH
def test_generalization_of_marital_status_and_postcode(patients):
    """Table 2.5, the columns whose groups are nested; of ages it prints [40 - 50], which holds eleven years."""
    once = "[Divorciado/a o Viudo/a]"
    status = Hierarchy.from_rows(
        "Estado civil",
        [
            ("Soltero/a", "Soltero/a", "*"),
            ("Casado/a", "Casado/a", "*"),
            ("Divorciado/a", once, "*"),
            ("Viudo/a", once, "*"),
        ],
    )
    found = masked("generalize", patients["Estado civil"], subject={"hierarchies": lambda _: status}, level=1)
    printed = ["Soltero/a"] * 3 + [once, "Casado/a", once, once, "Soltero/a", "Casado/a", once]
    assert found.to_list() == printed
    codes = masked("truncate", patients["Código postal"], first=2, ellipsis="***").to_list()
    assert codes == ["12***"] * 4 + ["11***"] * 6


def test_ages_in_tens():
    """Table 2.5: [20 - 29], [30 - 39]; the last is printed as [40 - 50] and is two intervals of ten here."""
    found = masked("bin", PATIENTS["Edad"], width=10).to_list()
    assert found[:4] == ["[20-29]"] * 4
    assert found[4:] == ["[40-49]", "[40-49]", "[50-59]", "[30-39]", "[30-39]", "[30-39]"]


@pytest.mark.parametrize("origin", ["origin_val", "initial_val"])
def test_substitution_in_both_spellings_of_the_project_language(origin):
    """Anonylitics, figures 17 and 18: a list of pairs, whose origin is called in two ways."""
    pairs = [{origin: "Bogotá", "target_val": "C1"}, {origin: "Cali", "target_val": "C2"}]
    values = pl.Series("ciudad", ["Cali", "Bogotá", None])
    assert masked("substitute", values, pairs=pairs).to_list() == ["C2", "C1", None]


def test_an_origin_with_two_targets_is_refused():
    pairs = [{"origin_val": "Cali", "target_val": "C1"}, {"origin_val": "Cali", "target_val": "C2"}]
    with pytest.raises(ProjectError, match="pair 2 has the origin of pair 1 and another target"):
        make_operation("substitute", pairs=pairs)


def test_suppression_of_a_column_removes_it():
    """Anonylitics, section 2.4: to suppress an attribute is to delete all of its values."""
    assert make_operation("suppress").removes_column
