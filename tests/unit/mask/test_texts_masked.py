"""Texts cut, masked, replaced, suppressed and generalized, against plain loops."""

from datetime import date

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mask_subjects import cities, masked, subject_of

from celosia.errors import HierarchyError, ProjectError, TableError
from celosia.mask.characters import bytes_of, draw_by_text, texts_from
from celosia.mask.distinct import MOST, PerDistinct
from celosia.mask.registry import make_operation

LETTERS = "aZ09-. ñÁ漢\u0301😀"
TEXTS = st.lists(st.none() | st.text(LETTERS, max_size=8), max_size=10)


def series(texts):
    return pl.Series("t", texts, dtype=pl.String)


# What is worked out once per distinct value


@settings(deadline=None, max_examples=60)
@given(batches=st.lists(TEXTS, max_size=5))
def test_rows_get_what_their_value_gets(batches):
    work = PerDistinct(lambda texts: texts + "!")
    for texts in batches:
        assert work(series(texts)).to_list() == [None if text is None else text + "!" for text in texts]


@pytest.mark.parametrize(
    "values",
    [
        pl.Series([3, None, -7, 3], dtype=pl.Int8),
        pl.Series([3, None, 10**12]),
        pl.Series([True, None, False]),
        pl.Series([date(2024, 5, 1), None]),
        pl.Series([1.5, None]),
        pl.Series(["b", None, "a"], dtype=pl.Enum(["a", "b"])),
        pl.Series(["b", None, "a"], dtype=pl.Categorical()),
        pl.Series([], dtype=pl.Int64),
    ],
    ids=lambda values: str(values.dtype),
)
def test_values_of_every_type_are_worked_on_as_texts(values):
    work = PerDistinct(lambda texts: texts + "!")
    expected = [
        None if text is None else text + "!" for text in masked("keep", values.cast(pl.String)).to_list()
    ]
    assert work(values).to_list() == expected
    assert work(values.reverse()).to_list() == expected[::-1]


def test_each_text_is_worked_on_once_while_they_are_few():
    seen = []
    work = PerDistinct(lambda texts: seen.extend(texts.to_list()) or texts)
    for _ in range(3):
        work(series(["a", "b", None, "a"]))
    assert seen == ["a", "b"]


def test_more_texts_than_are_remembered_are_worked_on_all_the_same():
    values = series([str(number) for number in range(MOST + 5)] + [None])
    work = PerDistinct(lambda texts: texts.str.head(2))
    for _ in range(2):
        found = work(values)
        assert found.null_count() == 1
        assert found.head(MOST + 5).to_list() == [str(number)[:2] for number in range(MOST + 5)]


# Bytes


@settings(deadline=None, max_examples=60)
@given(texts=st.lists(st.text(LETTERS, max_size=8), max_size=10), start=st.integers(0, 3))
def test_texts_come_back_from_their_bytes(texts, start):
    values = series(texts).slice(start)
    assert texts_from(*bytes_of(values)).to_list() == texts[start:]


def test_numbers_drawn_by_text_depend_on_the_text_alone_and_look_even():
    texts = series([f"person {number}" for number in range(20_000)] + ["", "a", "\0", "a\0"])
    drawn = draw_by_text(texts, seed=7)
    assert len(np.unique(drawn)) == len(texts)
    assert draw_by_text(texts.reverse(), seed=7).tolist() == drawn[::-1].tolist()
    assert abs(float((drawn < 2**63).mean()) - 0.5) < 0.02
    assert (draw_by_text(texts, seed=8) != drawn).all()


# Truncate


@settings(deadline=None, max_examples=60)
@given(texts=TEXTS, count=st.integers(0, 5), ellipsis=st.sampled_from(["", "…", "..."]))
def test_texts_are_cut_as_by_a_plain_loop(texts, count, ellipsis):
    def cut(text, short, marked):
        return text if text is None or len(text) <= count else (marked if ellipsis else short)

    first = [cut(text, (text or "")[:count], (text or "")[:count] + ellipsis) for text in texts]
    last = [
        cut(text, (text or "")[-count:] if count else "", ellipsis + (text or "")[-count:]) for text in texts
    ]
    assert masked("truncate", series(texts), first=count, ellipsis=ellipsis).to_list() == first
    if count:
        assert masked("truncate", series(texts), last=count, ellipsis=ellipsis).to_list() == last


def test_dates_and_numbers_are_cut_as_texts():
    assert masked("truncate", pl.Series("d", [date(2024, 5, 1), None]), first=7).to_list() == [
        "2024-05",
        None,
    ]
    assert masked("truncate", pl.Series("n", [28013]), first=2).to_list() == ["28"]


@pytest.mark.parametrize("parameters", [{}, {"first": 1, "last": 1}])
def test_texts_are_cut_at_one_end(parameters):
    with pytest.raises(ProjectError, match="give either first or last"):
        make_operation("truncate", **parameters)


# Mask characters


def hidden(text, first, last, separators):
    """The same with a star for every character between, all of them in a text that would be shown whole."""
    if text is None:
        return None
    if len(text) <= first + last:
        first = last = 0
    end = len(text) - last
    return "".join(
        character if not first <= place < end or (separators and character in "-. 😀") else "*"
        for place, character in enumerate(text)
    )


@settings(deadline=None, max_examples=150)
@given(texts=TEXTS, first=st.integers(0, 3), last=st.integers(0, 3), separators=st.booleans())
def test_characters_are_masked_as_by_a_plain_loop(texts, first, last, separators):
    parameters = {"keep_first": first, "keep_last": last, "keep_separators": separators}
    found = masked("mask-characters", series(texts), **parameters)
    assert found.to_list() == [hidden(text, first, last, separators) for text in texts]
    assert make_operation("mask-characters", **parameters).broken(found.drop_nulls()) == 0


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"keep_last": 4}, "***************1234"),
        ({"keep_last": 4, "keep_separators": True}, "****-****-****-1234"),
        ({"keep_last": 4, "length": 6}, "******1234"),
        ({"keep_first": 1, "character": "•"}, "4••••••••••••••••••"),
        ({"keep_separators": True, "character": "$"}, "$$$$-$$$$-$$$$-$$$$"),
        ({"length": 3}, "***"),
    ],
)
def test_a_card_number_can_be_masked_in_several_ways(parameters, expected):
    card = series(["4111-1111-1111-1234", None])
    assert masked("mask-characters", card, **parameters).to_list() == [expected, None]


def test_a_short_text_does_not_show_through():
    values = series(["123", "1234", "12345", ""])
    assert masked("mask-characters", values, keep_last=4).to_list() == ["***", "****", "*2345", ""]
    assert masked("mask-characters", values, keep_last=4, length=2).to_list() == ["**", "**", "**2345", "**"]


# Suppress


def test_a_column_without_a_rule_is_removed():
    assert make_operation("suppress").removes_column
    assert make_operation("suppress").describe() == "removed"
    assert not make_operation("suppress", label="?").removes_column
    assert not make_operation("suppress", where="age > 90").removes_column


def test_cells_that_match_a_rule_on_other_columns_are_suppressed():
    rows = pl.DataFrame({"pay": [1, 2, None, 4], "age": ["91", "30", "99", None]})
    assert masked("suppress", rows["pay"], rows, where="age > 90").to_list() == [None, 2, None, 4]
    assert masked("suppress", rows["pay"], rows, where="age > 90").dtype == pl.Int64
    assert masked("suppress", rows["pay"], rows, where="age > 90", label="?").to_list() == [
        "?",
        "2",
        None,
        "4",
    ]
    assert make_operation("suppress", where="age > 90").needs() == ("age",)


def test_every_value_can_become_a_label():
    assert masked("suppress", series(["Ana", None]), label="*").to_list() == ["*", None]


def test_a_rule_that_cannot_be_read_is_a_mistake_in_its_field():
    with pytest.raises(ProjectError, match="operation suppress, where: rule 'age >'"):
        make_operation("suppress", where="age >")
    with pytest.raises(ProjectError, match=r"operation drop-rows, where: rule 'max\(age\) > 1', character 1"):
        make_operation("drop-rows", where="max(age) > 1")


# Substitute


@pytest.mark.parametrize(
    "pairs",
    [
        {"Soria": "N", 31: "M"},
        [{"origin": "Soria", "target": "N"}, {"origin": "31", "target": "M"}],
        [{"origin_val": "Soria", "target_val": "N"}, {"initial_val": 31, "target_val": "M"}],
        [["Soria", "N"], ["31", "M"]],
    ],
)
def test_pairs_can_be_written_in_several_ways(pairs):
    values = series(["Soria", "31", None, "Soria"])
    assert masked("substitute", values, batches=(1,), pairs=pairs).to_list() == ["N", "M", None, "N"]


def test_editors_know_every_way_to_write_pairs():
    schema = make_operation("substitute", pairs={}).model_json_schema()["properties"]["pairs"]
    kinds = [way["type"] for way in schema["anyOf"]]
    assert kinds == ["object", "array", "null"]


def test_other_values_are_refused_kept_suppressed_or_replaced():
    values = series(["a", "ñ", None])
    pairs = {"a": "b"}
    with pytest.raises(TableError, match="holds 1 values that no pair speaks of") as caught:
        masked("substitute", values, pairs=pairs)
    assert "ñ" not in str(caught.value)
    assert masked("substitute", values, pairs=pairs, others="keep").to_list() == ["b", "ñ", None]
    assert masked("substitute", values, pairs=pairs, others="suppress").to_list() == ["b", None, None]
    assert masked("substitute", values, pairs=pairs, default="?").to_list() == ["b", "?", None]


def test_numbers_are_substituted_by_their_text():
    assert masked("substitute", pl.Series("n", [1, 2, None]), pairs={1: "one"}, default="more").to_list() == [
        "one",
        "more",
        None,
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a,b\nc,d\n", ["b", "d"]),
        ("origin,target\na,b\nc,d\n", ["b", "d"]),
        ("\ufefforigen;destino\na;b\n\nc;d", ["b", "d"]),
        ('a\t"b, and more"\nc\td\n', ["b, and more", "d"]),
    ],
)
def test_pairs_can_stand_in_a_file(tmp_path, text, expected):
    (tmp_path / "pairs.csv").write_text(text, encoding="utf-8")
    found = masked("substitute", series(["a", "c"]), file=tmp_path / "pairs.csv")
    assert found.to_list() == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\nc,d\na,e\n", "pairs.csv, line 3 has the origin of pairs.csv, line 1 and another target"),
        ("a,b\nc,d\na,b\n", "pairs.csv, line 3 has the origin of pairs.csv, line 1 and the same target"),
        ("a,b,c\n", "pairs.csv, line 1: there are 3 fields, and a pair has two"),
        ("a,b\nc\n", "pairs.csv, line 2: there are 1 fields"),
        ('a,"b\n', "the pairs cannot be read"),
    ],
)
def test_a_mistake_in_a_file_of_pairs_is_named_with_its_line(tmp_path, text, message):
    (tmp_path / "pairs.csv").write_text(text, encoding="utf-8")
    with pytest.raises(ProjectError, match=message):
        masked("substitute", series(["a"]), file=tmp_path / "pairs.csv")


def test_a_file_of_pairs_is_looked_for_where_it_is_said_to_be(tmp_path, monkeypatch):
    from celosia import mask_columns

    monkeypatch.chdir(tmp_path)
    for folder in ("pairs", "out"):
        (tmp_path / folder).mkdir()
    (tmp_path / "pairs" / "towns.csv").write_text("Soria,N\nLugo,M\n", encoding="utf-8")
    (tmp_path / "people.csv").write_text("town\nSoria\nLugo\n", encoding="utf-8")
    how = {"town": {"name": "substitute", "file": "pairs/towns.csv"}}
    mask_columns("people.csv", how, out="out/released.csv", seed=1)
    assert sorted((tmp_path / "out" / "released.csv").read_text().split()) == ["M", "N", "town"]
    assert sorted(mask_columns(pl.read_csv("people.csv"), how, seed=1).table["town"].to_list()) == ["M", "N"]


def test_a_file_of_pairs_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ProjectError, match=r"nowhere.csv: the pairs cannot be read \(No such file"):
        masked("substitute", series(["a"]), file=tmp_path / "nowhere.csv")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({}, "give either pairs or a file"),
        ({"pairs": {}, "file": "x.csv"}, "give either pairs or a file"),
        (
            {"pairs": [["a", "b"], ["c", "d"], ["a", "e"]]},
            "pair 3 has the origin of pair 1 and another target",
        ),
        ({"pairs": [["a", "b"], ["a", "b"]]}, "pair 2 has the origin of pair 1 and the same target"),
        ({"pairs": {31: "b", "31": "b"}}, "pair 2 has the origin of pair 1 and the same target"),
        ({"pairs": [["a", "b"], {"origin": "c"}]}, "pair 2 is not of the form"),
        ({"pairs": {"a": None}}, "origins and targets are texts or numbers"),
        ({"pairs": {"a": "b"}, "others": "replace"}, "others: replace and a default go together"),
        (
            {"pairs": {"a": "b"}, "others": "keep", "default": "x"},
            "others: replace and a default go together",
        ),
    ],
)
def test_pairs_that_contradict_each_other_are_refused(parameters, message):
    with pytest.raises(ProjectError, match=message):
        make_operation("substitute", **parameters)


# Generalize


def test_values_become_their_labels():
    subject = {"hierarchies": lambda name: cities() if name == "city" else None}
    values = pl.Series("city", ["Ágreda", None, "Lugo"])
    found = masked("generalize", values, subject=subject, level=1)
    assert found.to_list() == ["Soria", None, "Lugo"]
    assert found.dtype == pl.Enum(["Soria", "Lugo"])
    found = masked("generalize", pl.Series("n", [31]), subject=subject, hierarchy="city", level=2)
    assert found.to_list() == ["*"]


def test_a_value_that_the_hierarchy_does_not_know_is_refused_or_suppressed():
    subject = {"hierarchies": lambda _: cities()}
    values = pl.Series("city", ["Vigo", "Lugo"])
    with pytest.raises(HierarchyError, match="holds 1 values that its hierarchy does not know") as caught:
        masked("generalize", values, subject=subject, level=1)
    assert "Vigo" not in str(caught.value)
    assert masked("generalize", values, subject=subject, level=1, unknown="suppress").to_list() == [
        None,
        "Lugo",
    ]


def test_a_level_that_does_not_exist_is_named():
    with pytest.raises(HierarchyError, match="level 3 does not exist"):
        make_operation("generalize", level=3).start(subject_of(series([]), hierarchies=lambda _: cities()))
    with pytest.raises(
        ProjectError, match="column 't' is to be generalized, and there is no hierarchy 't'; write one"
    ):
        make_operation("generalize", level=1).start(subject_of(series([])))


def test_a_column_without_a_hierarchy_is_told_to_get_one_and_not_that_a_file_is_missing():
    from celosia import mask_columns

    towns = pl.DataFrame({"town": ["Lugo", "Soria"]})
    with pytest.raises(
        ProjectError, match="there is no hierarchy 'town'; write one under hierarchies, or name"
    ):
        mask_columns(towns, {"town": {"name": "generalize", "level": 1}}, seed=1)
    with pytest.raises(HierarchyError, match=r"nowhere.csv: cannot read"):
        mask_columns(towns, {"town": {"name": "generalize", "level": 1, "hierarchy": "nowhere.csv"}}, seed=1)
