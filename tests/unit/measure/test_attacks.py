"""Attacks whose outcome is known: releases that hide nothing, everything, or what they promise."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from celosia import anonymize
from celosia.measure.attacks import Attacker, Knowledge
from celosia.measure.registry import choose_measures, release_measures
from celosia.measure.release_measure import MeasuredValue
from celosia.measure.subject import MeasureSubject
from celosia.sample import discharges
from celosia.tables import open_table

KNOWN = ["age", "sex", "postcode"]
ATTACKS = ["linkage", "linkage-expected", "singling-out", "linkability", "inference", "membership"]


@pytest.fixture(scope="module")
def people() -> list[pl.DataFrame]:
    """Three groups of the same population."""
    everybody = discharges(1500).select(*KNOWN, "diagnosis").with_row_index("id")
    everybody = everybody.with_columns(pl.col("id").cast(pl.String), pl.col("postcode").cast(pl.String))
    return [everybody[start : start + 500] for start in (0, 500, 1000)]


def subject_of(original, release, control=None, **known) -> MeasureSubject:
    return MeasureSubject.of(
        original,
        release,
        control=control,
        quasi_identifiers=known.pop("quasi_identifiers", KNOWN),
        sensitive=["diagnosis"],
        **known,
    )


def ask(subject: MeasureSubject, name: str) -> MeasuredValue:
    (found,) = release_measures()[name].answers(subject)
    return found


def test_an_unchanged_release_betrays_all_who_are_unique(people) -> None:
    original, control, _ = people
    sides = (("age", "sex"), ("postcode", "diagnosis"))
    subject = subject_of(original, original, control, key="id", attacker=Attacker(sides=sides))
    uniques = original.select(pl.struct(KNOWN).is_unique()).to_series().mean()
    assert uniques > 0.5
    assert ask(subject, "linkage").value == pytest.approx(uniques)
    for name in ("singling-out", "linkability", "inference"):
        found = ask(subject, name)
        assert found.interval[0] > 0.02, name
        assert found.details["attack"]["rate"] > found.details["control"]["rate"]
    assert ask(subject, "membership").interval[0] > 0.6


def test_a_release_of_stars_betrays_nobody(people) -> None:
    original, control, _ = people
    release = original.with_columns(pl.lit("*").alias(name) for name in (*KNOWN, "diagnosis")).drop("id")
    subject = subject_of(original, release, control)
    assert ask(subject, "linkage").value == 0.0
    assert ask(subject, "linkage-expected").value == pytest.approx(1 / len(original))
    for name in ("singling-out", "linkability", "inference"):
        assert ask(subject, name).value == pytest.approx(0.0, abs=1e-9), name
    assert ask(subject, "membership").value == 0.5


def test_rows_left_out_may_be_anybodys(people) -> None:
    original, _, _ = people
    found = ask(subject_of(original, original[:100].drop("id")), "linkage-expected")
    own = ask(subject_of(original, original[:100], key="id"), "linkage-expected")
    assert found.details["rows left out"] == 400
    assert found.value == pytest.approx(own.value, abs=0.03)


@pytest.mark.parametrize("technique", ["full-domain", "mondrian", "local"])
def test_in_a_k_anonymous_release_nobody_is_found_for_certain(people, technique: str) -> None:
    original, control, _ = people
    limit = {"suppression": 0.05} if technique == "full-domain" else {}
    release = anonymize(
        original.drop("id"),
        quasi_identifiers=KNOWN,
        sensitive=["diagnosis"],
        k=5,
        technique=technique,
        seed=1,
        **limit,
    ).table
    found = ask(subject_of(original, release, control), "linkage")
    assert found.details["truth"] == "counted"
    assert found.value == 0.0
    assert found.details["expected"] <= 0.2
    assert found.details["mean candidates"] >= 5 * found.details["compatible"]


def test_a_release_about_other_people_of_the_same_kind_is_no_risk(people) -> None:
    original, control, others = people
    subject = subject_of(original, others, control)
    for name in ("singling-out", "linkability", "inference"):
        low, high = ask(subject, name).interval
        assert low == 0.0 < high, name
    low, high = ask(subject, "membership").interval
    assert low <= 0.5 <= high


def test_a_perturbed_release_in_random_order_cannot_be_judged_and_says_so(people) -> None:
    original, _, _ = people
    release = original.with_columns(pl.col("age") + 1, pl.col("sex").shuffle(seed=1)).sample(
        fraction=1.0, seed=2
    )
    found = ask(subject_of(original, release), "linkage")
    assert found.value is None
    assert "neither a key nor the order" in found.why_not
    found = ask(subject_of(original, release), "distance-linkage")
    assert "neither a key nor the order" in found.why_not


def test_values_swapped_among_people_are_not_taken_for_the_truth(people) -> None:
    original, _, _ = people
    release = original.with_columns(pl.col("postcode").shuffle(seed=1))
    assert ask(subject_of(original, release), "linkage").value is None


def test_a_perturbed_release_with_a_key_is_linked_by_distance(people) -> None:
    original, _, _ = people
    noise = np.random.default_rng(3).normal(0, 0.2, (len(original), 2))
    numbers = original.select("id", "diagnosis", x=pl.col("age") * 1.0, y=pl.int_range(pl.len()) * 7.0)
    release = numbers.with_columns(pl.col("x") + noise[:, 0], pl.col("y") + noise[:, 1])
    shuffled = release.sample(fraction=1.0, shuffle=True, seed=1)
    by_key = subject_of(numbers, shuffled, quasi_identifiers=["x", "y"], key="id")
    in_order = subject_of(numbers, release, quasi_identifiers=["x", "y"], same_order=True)
    for subject in (by_key, in_order):
        assert ask(subject, "linkage").value > 0.9
        assert ask(subject, "distance-linkage").value > 0.9
    moved = numbers.with_columns(x=pl.col("x") + 30, y=pl.col("y") * 2 - 5_000)
    by_distance = ask(subject_of(numbers, moved, quasi_identifiers=["x", "y"], key="id"), "distance-linkage")
    assert by_distance.value == 1.0  # shifted and stretched as a whole, a column hides nobody
    assert by_distance.details["scale"] == "its own"
    some = ask(subject_of(numbers, numbers[:9], quasi_identifiers=["x", "y"], key="id"), "distance-linkage")
    assert some.value == pytest.approx(9 / len(numbers))  # and rows left alone are found as they are
    drowned = release.with_columns(y=pl.lit(0.0))
    assert ask(subject_of(numbers, drowned, quasi_identifiers=["x", "y"], key="id"), "linkage").value < 0.2


def test_who_knows_less_finds_fewer(people) -> None:
    original, _, _ = people
    found = []
    for how in (Knowledge(), Knowledge(within=5), Knowledge(within=500), Knowledge(error=0.5)):
        attacker = Attacker(knows={"age": how, "sex": Knowledge(), "postcode": Knowledge()})
        found.append(
            ask(subject_of(original, original, key="id", attacker=attacker), "linkage-expected").value
        )
    exact, near, blind, mistaken = found
    assert exact > near > blind
    assert mistaken < exact


def test_who_believes_wrong_things_is_misled_in_truthful_releases_too(people) -> None:
    original, _, _ = people
    attacker = Attacker(knows={name: Knowledge(error=0.4) for name in KNOWN})
    by_key = ask(subject_of(original, original, key="id", attacker=attacker), "linkage-expected")
    counted = ask(subject_of(original, original, attacker=attacker), "linkage-expected")
    assert counted.details["truth"] == "counted"
    assert counted.value == pytest.approx(by_key.value, abs=0.06)


def test_an_attacker_with_a_table_of_her_own_finds_people_by_the_key(people) -> None:
    original, control, _ = people
    held = pl.concat([original[:50], control[:50]]).select("id", *KNOWN)
    attacker = Attacker(table=open_table(held))
    found = ask(subject_of(original, original, key="id", attacker=attacker), "linkage")
    assert found.details["people"] == 100
    assert 0.2 < found.value <= 0.5
    without_key = ask(subject_of(original, original, attacker=attacker), "linkage")
    assert "key" in without_key.why_not


def test_what_an_attacker_does_not_know_rules_nobody_out() -> None:
    original = pl.DataFrame({"id": ["1", "2"], "age": [30, 40], "sex": ["f", "m"], "diagnosis": ["a", "b"]})
    held = pl.DataFrame({"id": ["1", "2"], "age": [30, 40], "sex": [None, "m"]})
    attacker = Attacker(table=open_table(held))
    names = ["age", "sex"]
    found = ask(
        subject_of(original, original, quasi_identifiers=names, key="id", attacker=attacker), "linkage"
    )
    assert found.value == 1.0


def test_numbers_are_guessed_within_a_tolerance(people) -> None:
    original, control, _ = people
    rng = np.random.default_rng(1)
    paid = [
        table.with_columns(paid=pl.Series(rng.normal(1000, 300, len(table)))) for table in (original, control)
    ]
    subject = MeasureSubject.of(
        *(paid[0], paid[0]), control=paid[1], quasi_identifiers=[*KNOWN, "id"], sensitive=["paid"]
    )
    found = ask(subject, "inference")
    assert found.about == "paid"
    assert found.value > 0.9
    assert 20 < found.details["tolerance"] < 60
    hidden = paid[0].with_columns(paid=pl.lit("[0-2000]"))
    subject = MeasureSubject.of(paid[0], hidden, control=paid[1], quasi_identifiers=KNOWN, sensitive=["paid"])
    assert ask(subject, "inference").value < 0.1


def test_a_column_released_in_sets_is_guessed_among_them() -> None:
    original = pl.DataFrame({"age": [30, 40, 50, 60], "ill": ["a", "b", "c", "d"]})
    release = pl.DataFrame({"age": ["30", "40", "50", "60"], "ill": ["{a, b}", "{a, b}", "{c, d}", "{c, d}"]})
    (found,) = release_measures()["inference"].answers(
        MeasureSubject.of(original, release, quasi_identifiers=["age"], sensitive=["ill"])
    )
    assert found.details["attack"]["rate"] == 0.5
    assert found.details["naive"]["rate"] == 0.25


def test_two_sources_can_be_declared(people) -> None:
    original, control, _ = people
    attacker = Attacker(sides=(("age",), ("postcode", "sex")))
    found = ask(subject_of(original, original, control, attacker=attacker), "linkability")
    assert found.details["sides"] == [["age"], ["postcode", "sex"]]
    same = Attacker(sides=(("age",), ("age", "sex")))
    assert "different columns" in ask(subject_of(original, original, attacker=same), "linkability").why_not


def test_the_same_seed_attacks_the_same_people_and_another_seed_others(people) -> None:
    original, control, _ = people

    def answers(seed: int) -> list:
        subject = subject_of(
            original, original[100:], control, seed=seed, attacker=Attacker(people=60), key="id"
        )
        return [ask(subject, name) for name in ATTACKS]

    assert answers(1) == answers(1)
    assert answers(1) != answers(2)


def test_tables_in_files_and_databases_are_attacked_alike(people, tmp_path: Path) -> None:
    import sqlite3

    original, control, _ = people
    release = anonymize(
        original.drop("id"),
        quasi_identifiers=KNOWN,
        sensitive=["diagnosis"],
        k=3,
        technique="mondrian",
        seed=1,
    ).table
    with sqlite3.connect(tmp_path / "all.db") as database:
        for name, table in (("original", original), ("release", release), ("control", control)):
            table.write_csv(tmp_path / f"{name}.csv")
            columns = ", ".join(f'"{column}"' for column in table.columns)
            kinds = ", ".join(
                f'"{column}" {"integer" if kind.is_integer() else "text"}'
                for column, kind in table.schema.items()
            )
            database.execute(f"create table {name} ({kinds})")
            marks = ", ".join("?" * table.width)
            database.executemany(f"insert into {name} ({columns}) values ({marks})", table.rows())
    database.close()
    found = []
    for opened in (
        lambda name: {"original": original, "release": release, "control": control}[name],
        lambda name: open_table(tmp_path / f"{name}.csv"),
        lambda name: open_table(f"sqlite:///{tmp_path}/all.db", table=name),
    ):
        subject = subject_of(
            opened("original"), opened("release"), opened("control"), attacker=Attacker(people=80)
        )
        found.append([ask(subject, name) for name in ATTACKS])
    assert found[0] == found[1] == found[2]


def test_every_attack_says_why_it_cannot_be_run(people) -> None:
    original, control, _ = people
    attacks = [one for one in choose_measures(["attack"]) if one.name in (*ATTACKS, "distance-linkage")]
    nothing_shown = original.select(other="id")
    for subject in (
        subject_of(original, nothing_shown, control),
        subject_of(None, original, control),
        subject_of(original, original.head(0), control),
        subject_of(original.head(0), original, control),
    ):
        for one in attacks:
            for found in one.answers(subject):
                assert found.value is None, one.name
                assert found.why_not


def test_without_a_control_group_only_membership_cannot_be_told(people) -> None:
    original, _, _ = people
    subject = subject_of(original, original)
    assert "no control group" in ask(subject, "membership").why_not
    for name in ("singling-out", "linkability", "inference"):
        found = ask(subject, name)
        assert found.details["over"] == "naive"
        assert found.value is not None


def test_a_missing_sensitive_column_is_said_of_that_column_only(people) -> None:
    original, control, _ = people
    subject = MeasureSubject.of(
        original,
        original.drop("age"),
        control=control,
        quasi_identifiers=["sex", "postcode"],
        sensitive=["diagnosis", "age"],
    )
    first, second = release_measures()["inference"].answers(subject)
    assert first.value is not None
    assert (second.about, second.value) == ("age", None)


def test_rows_that_cannot_be_aligned_are_told(people) -> None:
    original = people[0]
    found = ask(subject_of(original, original[:-1], same_order=True), "linkage")
    assert "500 and 499" in found.why_not
    twice = pl.concat([original, original])
    assert "does not tell rows apart" in ask(subject_of(original, twice, key="id"), "linkage").why_not
