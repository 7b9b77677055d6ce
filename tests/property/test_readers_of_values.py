"""A promise about sensitive values holds for those who tell them apart, and for those who take some for one."""

import math
from collections import Counter

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from celosia import anonymize
from celosia.errors import NoSolutionError
from celosia.measure.grouping import classes_of
from celosia.measure.risk.closeness import _equal
from celosia.measure.subject import MeasureSubject
from celosia.privacy import AlphaKAnonymity, BetaLikeness, DeltaDisclosure, KAnonymity, TCloseness
from celosia.release.verify import verify
from celosia.tables import open_table
from celosia.values.same import fold, fold_keys

DAYS = ("1999-04-03", "1999-03-04", "3/4/1999", "2001-12-31")
ILLNESSES = ("HIV", "hiv", "HIV ", "flu", "N/A", "n/a")
AMOUNTS = ("1.234", "1234", "1,234", "7 x")

tables = st.sampled_from([DAYS, ILLNESSES, AMOUNTS]).flatmap(
    lambda words: st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(words)), min_size=4, max_size=40)
)


def readers(values):
    """What every value is to somebody: the text, its key, and to the bluntest reader."""
    distinct = sorted(set(values))
    series = pl.Series(distinct)
    blunt, keys = fold(series).codes.tolist(), fold_keys(series).to_list()
    for told in (distinct, keys, blunt):
        names = dict(zip(distinct, told, strict=True))
        yield [names[value] for value in values]


def classes(rows, values):
    found = {}
    for (group, _), value in zip(rows, values, strict=True):
        found.setdefault(group, []).append(value)
    return found


def share(values, one):
    return Counter(values)[one] / len(values)


def distance(mine, whole):
    return sum(abs(share(mine, one) - share(whole, one)) for one in set(whole)) / 2


def gains_too_much(mine, whole, beta):
    for one in set(mine):
        q, p = share(mine, one), share(whole, one)
        if q > p and (q - p) / p > min(beta, -math.log(p)) + 1e-9:
            return True
    return False


def changes_too_much(mine, whole, delta):
    lacks = set(whole) - set(mine)
    return bool(lacks) or any(
        abs(math.log(share(mine, one) / share(whole, one))) > delta - 1e-9 for one in set(mine)
    )


def broken(model, rows):
    """Groups in which somebody finds the promise broken."""
    bad = set()
    for values in readers([value for _, value in rows]):
        for group, mine in classes(rows, values).items():
            if isinstance(model, TCloseness):
                fails = distance(mine, values) > model.t + 1e-9
            elif isinstance(model, BetaLikeness):
                fails = gains_too_much(mine, values, model.beta)
            else:
                fails = changes_too_much(mine, values, model.delta)
            bad |= {group} if fails else set()
    return bad


models = st.sampled_from(
    [
        TCloseness(column="value", t=0.2),
        TCloseness(column="value", t=0.5),
        BetaLikeness(column="value", beta=0.5),
        BetaLikeness(column="value", beta=3),
        DeltaDisclosure(column="value", delta=0.5),
        DeltaDisclosure(column="value", delta=1.5),
    ]
)


@given(rows=tables, model=models)
def test_a_model_is_violated_where_any_reader_finds_it_violated(rows, model):
    frame = pl.DataFrame(rows, schema=["group", "value"], orient="row")
    counts = open_table(frame).count_by(("group", "value"))
    found = model.violations(classes_of(counts, ["group"]))
    assert int(found.sum()) == len(broken(model, rows))


@given(rows=tables, model=models)
def test_the_verification_finds_what_any_reader_finds(rows, model):
    frame = pl.DataFrame(rows, schema=["group", "value"], orient="row")
    result = verify(open_table(frame), quasi_identifiers=["group"], models=[model])
    assert result.findings[0].passed == (not broken(model, rows))


@settings(max_examples=25, deadline=None)
@given(rows=tables, model=models, technique=st.sampled_from(["full-domain", "mondrian", "top-down"]))
def test_a_release_keeps_its_promise_to_every_reader(rows, model, technique):
    frame = pl.DataFrame(
        [("abc".index(group), value) for group, value in rows],
        schema={"group": pl.Int64, "value": pl.String},
        orient="row",
    )
    try:
        released = anonymize(
            frame,
            quasi_identifiers=["group"],
            sensitive=["value"],
            models=[KAnonymity(k=2), model],
            technique=technique,
        ).table
    except NoSolutionError:
        return
    assert not broken(model, released.select("group", "value").rows())


@pytest.mark.parametrize("guarded", ["1999-04-03", "1999-03-04", "3/4/1999"])
def test_a_guarded_value_is_found_under_whatever_it_may_be_read_as(guarded):
    frame = pl.DataFrame({"group": ["a"] * 6, "value": [*DAYS[:3], *DAYS[:2], "2001-12-31"]})
    model = AlphaKAnonymity(column="value", alpha=0.5, k=2, value=guarded)
    counts = open_table(frame).count_by(("group", "value"))
    assert model.violations(classes_of(counts, ["group"])).tolist() == [True]
    assert not verify(open_table(frame), quasi_identifiers=["group"], models=[model]).passed


def test_the_evidence_tells_the_distance_that_the_verification_finds():
    frame = pl.DataFrame({"group": ["a"] * 4 + ["b"] * 4, "value": ["HIV", "flu"] * 2 + ["hiv", "flu"] * 2})
    model = TCloseness(column="value", t=0.2)
    verified = verify(open_table(frame), quasi_identifiers=["group"], models=[model]).findings[0].reached
    subject = MeasureSubject.of(frame, frame, quasi_identifiers=("group",), sensitive=("value",))
    assert _equal(subject, "value").value == verified == 0.25
