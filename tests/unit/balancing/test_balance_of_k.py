"""The balance of k: rules, what they look at, what is left out, and mistakes."""

import polars as pl
import pytest

import celosia
from celosia import DistinctLDiversity, KAnonymity
from celosia.balancing import choose_technique, sweep
from celosia.errors import NoSolutionError, ProjectError
from celosia.recode.mondrian import Split, Width
from celosia.recode.represent import Represent
from celosia.recode.task import RecodingTask
from celosia.recode.techniques import make_technique
from celosia.tables import open_table

# Ten people a decade, and one of 99: from k = 11 on the decades must join.
AGES = [20] * 10 + [30] * 10 + [40] * 10 + [99]
PEOPLE = pl.DataFrame(
    {"age": AGES, "paid": [age * 100 for age in AGES], "town": ["x", "y", "z", "z", "z"] * 6 + ["w"]}
)


def test_calling_it_does_not_take_its_name_away():
    for _ in range(2):
        assert celosia.balance(PEOPLE, quasi_identifiers=["age"], ks=[2]).ks == (2,)


def test_the_distance_of_every_k_is_what_can_be_told_by_hand():
    found = celosia.balance(PEOPLE, quasi_identifiers=["age"], ks=[2, 11, 31])
    assert found.technique.name == "distribution-mondrian"
    distances = [found.points[k].column("age").distance for k in found.ks]
    # 99 joins the forties; then 20 and 30 are one class that shows their median, 25; then all show 30.
    assert distances == pytest.approx([1 / 31, 10 / 31, 11 / 31])


def test_rows_singled_out_and_in_small_classes_before_and_after():
    point = celosia.balance(PEOPLE, quasi_identifiers=["age"], ks=[11]).points[11]
    document = point.to_dict()
    assert document["singled_out"] == {"before": 1, "after": 0}
    assert document["below_k"] == {"before": 31, "after": 0}
    assert document["classes"] == {"before": 4, "after": 2}


def test_both_rules_take_the_largest_k_that_passes_though_a_smaller_one_does_not():
    found = celosia.balance(PEOPLE, quasi_identifiers=["age"], ks=[2, 5, 11, 31], tolerance=0.04)
    assert [k for k in found.ks if found.passes(k, "sound")] == [2, 5]
    assert found.best("sound") == 5
    published = [k for k in found.ks if found.points[k].column("age").significance >= 0.95]
    assert found.best("published") == max(published)


def test_no_k_passes_what_nothing_can_satisfy():
    found = celosia.balance(PEOPLE, quasi_identifiers=["age"], ks=[11, 31], tolerance=0.0, threshold=1.0)
    assert found.best("sound") is None
    assert found.best("published") is None


def test_columns_released_as_labels_are_not_judged_but_their_loss_is_told():
    found = celosia.balance(PEOPLE, quasi_identifiers=["age", "town"], ks=[2, 31])
    assert (found.technique.name, found.technique.represent) == ("mondrian", Represent.MODE)
    assert found.kept == ("age",)
    assert found.judged("published") == found.judged("sound") == ("age",)
    assert found.points[31].losses == {"age": 1.0, "town": 1.0}
    assert found.points[31].measures["loss"] == 1.0


def test_the_sound_rule_judges_categories_that_stay_such_and_the_published_one_does_not():
    found = celosia.balance(PEOPLE, quasi_identifiers=["town"], keep_type=["town"], ks=[2, 31])
    assert found.judged("published") == ()
    assert found.best("published") is None
    assert found.judged("sound") == ("town",)
    assert found.points[2].column("town").variation == pytest.approx(1 / 31)
    assert found.best("sound") == 2


def test_ranges_leave_nothing_to_judge():
    found = celosia.balance(PEOPLE, quasi_identifiers=["age"], represent="range", ks=[2])
    assert found.kept == ()
    assert found.best("sound") is None
    assert {line.name for line in found.chart("sound").lines} == {"all columns", "age"}


def test_correlations_of_what_stays_numeric():
    found = celosia.balance(PEOPLE, quasi_identifiers=["age", "paid", "town"], ks=[2, 31])
    assert found.points[2].correlation_largest == pytest.approx(0.0, abs=1e-9)
    # All show the same: no correlation is left of a perfect one.
    assert found.points[31].correlation_largest == pytest.approx(1.0)
    alone = celosia.balance(PEOPLE, quasi_identifiers=["age", "town"], ks=[2])
    assert alone.points[2].correlation_largest is None


def test_values_of_k_beyond_the_rows_are_left_out():
    found = celosia.balance(PEOPLE, quasi_identifiers=["age"], ks=[40, 2, 31, 32, 2])
    assert found.ks == (2, 31)
    assert found.left_out == (32, 40)


def test_k_anonymity_among_the_models_is_replaced_and_other_models_stay():
    asked = {
        "quasi_identifiers": ["age"],
        "sensitive": ["town"],
        "models": [KAnonymity(k=31), DistinctLDiversity(l=4, column="town")],
    }
    with_model = celosia.balance(PEOPLE, ks=[2], **asked).points[2]
    assert with_model.after.classes == 1
    assert with_model.before.classes == 4
    assert celosia.balance(PEOPLE, quasi_identifiers=["age"], ks=[2]).points[2].after.classes == 3


def test_rows_left_out_for_missing_values_are_not_in_the_classes_after():
    some = PEOPLE.with_columns(pl.Series("age", [None, *AGES[1:]]))
    point = celosia.balance(some, quasi_identifiers=["age"], missing="drop", ks=[2]).points[2]
    assert (point.before.rows, point.after.rows) == (31, 30)
    assert point.column("age").missing_before == pytest.approx(1 / 31)
    assert point.column("age").missing_after == 0


@pytest.mark.parametrize(
    ("columns", "given", "name", "cut"),
    [
        (["age"], {}, "distribution-mondrian", (Split.DISTRIBUTION, Represent.MODE, Width.DEVIATION)),
        (["age", "town"], {}, "mondrian", (Split.LOSS, Represent.MODE, Width.SHARE)),
        (["age"], {"split": "median"}, "mondrian", (Split.MEDIAN, Represent.MODE, Width.SHARE)),
        (["age"], {"represent": "mean"}, "mondrian", (Split.LOSS, Represent.MEAN, Width.SHARE)),
    ],
)
def test_the_technique_that_is_taken_by_default(columns, given, name, cut):
    task = RecodingTask(table=open_table(PEOPLE), quasi_identifiers=tuple(columns), models=())
    chosen = choose_technique(task, make_technique("mondrian", **given))
    assert chosen.name == name
    assert (chosen.split, chosen.represent, chosen.width) == cut


@pytest.mark.parametrize(("more", "shown"), [({}, "mode"), ({"represent": "range"}, "range")])
def test_numbers_stay_numbers_with_mondrian_unless_something_else_is_said(more, shown):
    found = celosia.balance(PEOPLE, quasi_identifiers=["age"], technique="mondrian", ks=[2], **more)
    assert (found.technique.name, found.technique.represent) == ("mondrian", shown)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"ks": []}, "there is no k to try"),
        ({"ks": [1, 5]}, "k = 1 hides nobody"),
        ({"ks": [32]}, "k = 32 is more than the 31 rows"),
        ({"k": 5}, "k is what is looked for"),
        ({"technique": "full-domain"}, "k cannot be balanced for technique full-domain"),
        ({"technique": "mondrian", "memory": 10**9}, "tried in memory"),
        ({"suppression": 0.1}, "suppresses no rows"),
        ({"quasi_identifiers": ["town"], "technique": "distribution-mondrian"}, "is for numbers"),
        ({"split": "gain", "target": "age"}, "the target 'age' is a quasi-identifier"),
        ({"tolerance": 2.0}, "the tolerance cannot be 2"),
    ],
)
def test_mistakes_are_told_in_a_sentence(asked, told):
    with pytest.raises(ProjectError, match=told):
        celosia.balance(PEOPLE, **{"quasi_identifiers": ["age"], **asked})


def test_an_unknown_rule_is_a_mistake():
    with pytest.raises(ProjectError, match="no rule 'strict'"):
        celosia.balance(PEOPLE, quasi_identifiers=["age"], ks=[2]).best("strict")


def test_models_that_no_class_satisfies_are_told_as_such():
    with pytest.raises(NoSolutionError):
        celosia.balance(
            PEOPLE,
            quasi_identifiers=["age"],
            sensitive=["town"],
            models=[DistinctLDiversity(l=5, column="town")],
        )


def test_the_table_is_counted_once():
    asked = []

    class Counting:
        def __init__(self, table):
            self.table = table

        def __getattr__(self, name):
            return getattr(self.table, name)

        def count_by(self, columns, **how):
            asked.append(list(columns))
            return self.table.count_by(columns, **how)

    task = RecodingTask(table=Counting(open_table(PEOPLE)), quasi_identifiers=("age", "paid"), models=())
    sweep(task, choose_technique(task))
    assert asked == [["age", "paid"]]


def test_progress_ends_at_the_end():
    told = []
    celosia.balance(
        PEOPLE,
        quasi_identifiers=["age"],
        split="loss",
        progress=lambda stage, share: told.append((stage, share)),
    )
    assert told[-1] == ("trying values of k", 1.0)


def test_the_curve_as_a_frame_has_a_row_per_k():
    frame = celosia.balance(PEOPLE, quasi_identifiers=["age", "town"], ks=[2, 31]).to_frame()
    assert frame["k"].to_list() == [2, 31]
    assert {"age D", "age p", "age loss", "town loss", "loss", "discernibility", "sound"} <= set(
        frame.columns
    )


@pytest.mark.parametrize(("rule", "limit"), [("published", 0.95), ("sound", 0.05)])
@pytest.mark.parametrize("language", ["en", "es"])
def test_the_chart_has_a_line_per_column_the_limit_and_the_best_k(rule, limit, language):
    found = celosia.balance(PEOPLE, quasi_identifiers=["age", "paid"], ks=[2, 5, 11, 31])
    chart = found.chart(rule, language=language)
    assert [line.name for line in chart.lines] == ["age", "paid"]
    assert chart.x == (2, 5, 11, 31)
    assert chart.limit == limit
    assert chart.mark == found.best(rule)
    shown = "significance" if rule == "published" else "distance"
    assert chart.lines[0].values == tuple(getattr(found.points[k].column("age"), shown) for k in found.ks)
