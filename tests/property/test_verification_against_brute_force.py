"""The verification of every model against its definition over the rows, on releases of random small tables."""

import polars as pl
import pytest
from goals import GOALS
from hypothesis import given, settings
from hypothesis import strategies as st
from small_tables import all_nodes, hierarchy_objects, label_of, release_at, tables

from celosia.privacy import MODELS
from celosia.release.population_fit import Labels
from celosia.release.verify import verify
from celosia.tables import open_table


def released(table, node, rows):
    """A table of some rows at a node, with the sensitive column as it is."""
    shown = [(*label_of(row, node, table), row[-1]) for row in rows]
    return open_table(pl.DataFrame(shown, schema=dict.fromkeys([*table.names, "s"], pl.String), orient="row"))


def known_in(table, models):
    """Models without what attackers know that the table does not have."""
    narrowed = []
    for model in models:
        known = [name for name in table.names if name in getattr(model, "knows", table.names)]
        if hasattr(model, "knows") and known:
            narrowed.append(model.model_copy(update={"knows": tuple(known)}))
        elif known:
            narrowed.append(model)
    return narrowed


def verified(table, node, rows, goal, *, levels=True):
    columns = dict.fromkeys(table.names, pl.String)
    people = pl.DataFrame([row[:-1] for row in table.population], schema=columns, orient="row")
    hierarchies = hierarchy_objects(table)
    known = dict(zip(table.names, node, strict=True)) if levels else {}
    return verify(
        released(table, node, rows),
        quasi_identifiers=table.names,
        models=known_in(table, GOALS[goal][0]),
        hierarchies=hierarchies,
        labels=Labels(tuple(table.names), hierarchies, open_table(people), known),
    )


def test_every_model_is_verified_here():
    assert {model.name for models, *_ in GOALS.values() for model in models} == set(MODELS)


@pytest.mark.parametrize("goal", GOALS)
@settings(max_examples=25, deadline=None)
@given(table=tables(), data=st.data())
def test_a_release_passes_if_and_only_if_no_class_has_to_leave(goal, table, data):
    node = data.draw(st.sampled_from(all_nodes(table)))
    expected = release_at(node, table, *GOALS[goal][1:])
    assert verified(table, node, table.rows, goal).passed == (not expected.gone)


@pytest.mark.parametrize("goal", GOALS)
@settings(max_examples=15, deadline=None)
@given(table=tables(), data=st.data())
def test_what_is_left_of_a_release_passes(goal, table, data):
    node = data.draw(st.sampled_from(all_nodes(table)))
    left = release_at(node, table, *GOALS[goal][1:])
    rows = [row for members in left.kept.values() for row in members]
    if rows:
        assert verified(table, node, rows, goal).passed


@settings(max_examples=40, deadline=None)
@given(table=tables(), data=st.data())
def test_labels_are_understood_where_nobody_says_on_which_level_they_are(table, data):
    node = data.draw(st.sampled_from(all_nodes(table)))
    told, found_out = (verified(table, node, table.rows, "k-map", levels=known) for known in (True, False))
    assert told == found_out
