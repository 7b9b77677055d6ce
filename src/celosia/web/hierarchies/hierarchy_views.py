"""Three views of one hierarchy: a table to write in, groups to drag between, and what it does to real values."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from nicegui import ui

from celosia.web.components import GroupBoard, LevelTable
from celosia.web.concept_help import explain
from celosia.web.hierarchies.level_preview import label_table, preview_table
from celosia.web.hierarchies.levels import (
    HierarchyEditor,
    Rows,
    add_level,
    find_rows,
    groups_of,
    move,
    relabel,
    remove_level,
    rename,
)
from celosia.web.page_context import PageContext

__all__ = ["HierarchyViews"]

MOST_ROWS = 200
MOST_GROUPS = 60
MOST_ITEMS = 60
MOST_LABELS = 200


class HierarchyViews:
    """The views of a hierarchy that is being edited; ``changed`` is called when a person changed it."""

    def __init__(
        self,
        context: PageContext,
        editing: HierarchyEditor,
        counts: Mapping[str, int],
        changed: Callable[[], Awaitable[None]],
    ) -> None:
        self.context, self.editing, self.counts, self.changed = context, editing, counts, changed
        self.words, self.level = context.words, 1

    @property
    def height(self) -> int:
        """The last level."""
        return len(self.editing.rows[0]) - 1 if self.editing.rows else 0

    def show(self) -> None:
        """Build them."""
        words = self.words
        with ui.tabs().props("dense no-caps align=left active-color=primary").classes("view-tabs") as tabs:
            table = ui.tab("table", words("Table"))
            groups = ui.tab("groups", words("Groups"))
            preview = ui.tab("preview", words("Preview"))
        self.tabs = tabs
        with ui.tab_panels(tabs, value=table, animated=False).classes("view-panels"):
            with ui.tab_panel(table):
                self._table()
            with ui.tab_panel(groups):
                self._groups()
            with ui.tab_panel(preview):
                self.preview = ui.element("div").classes("wide")
        tabs.on_value_change(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the hierarchy as it is now, in the view that is open."""
        view = self.tabs.value
        if view == "groups":
            self._fill_groups()
        elif view == "preview":
            self._fill_preview()
        else:
            self._fill_table()

    # The table

    def _table(self) -> None:
        words = self.words
        with ui.element("div").classes("view-line"):
            self.search = ui.input(words("Search values and labels")).props(
                "outlined dense clearable debounce=250"
            )
            self.search.on_value_change(self._fill_table)
            self.shown = ui.label("").classes("quiet").props("role=status")
        texts = {
            "caption": words("Values and their labels, level by level"),
            "value": words("Value"),
            "rows": words("Rows"),
            "level": words("Level"),
            "add": words("Add a level before level"),
            "remove": words("Remove level"),
            "empty": words("(empty)"),
        }
        self.grid = LevelTable(texts=texts, edit=self._edit, add=self._add, remove=self._remove)
        ui.label(
            words(
                "Values that share a label at one level stay together: what you write goes for all of them."
            )
        ).classes("quiet hint")

    def _fill_table(self) -> None:
        words, rows = self.words, self.editing.rows
        places, count = find_rows(rows, str(self.search.value or ""), MOST_ROWS)
        told = words("1 value") if count == 1 else words("{count} values", count=words.number(count))
        if count > len(places):
            told = words("The first {shown} of {count} values", shown=len(places), count=words.number(count))
        self.shown.set_text(told)
        shown = [
            {
                "index": place,
                "rows": words.number(self.counts.get(rows[place][0], 0)),
                "cells": list(rows[place]),
            }
            for place in places
        ]
        labels = [_some_labels(rows, level) for level in range(self.height + 1)]
        self.grid.give(rows=shown, levels=self.height, labels=labels)

    async def _edit(self, facts: dict[str, Any]) -> None:
        index, level, label = int(facts["index"]), int(facts["level"]), str(facts["label"]).strip()
        rows = self.editing.rows
        if 0 <= index < len(rows) and 1 <= level <= self.height:
            await self._change(relabel(rows, index, level, label))

    async def _add(self, facts: dict[str, Any]) -> None:
        level = int(facts["level"])
        if 1 <= level <= self.height + 1:
            await self._change(add_level(self.editing.rows, level))

    async def _remove(self, facts: dict[str, Any]) -> None:
        level = int(facts["level"])
        if 1 <= level <= self.height and self.height > 1:
            await self._change(remove_level(self.editing.rows, level))

    # Groups

    def _groups(self) -> None:
        words = self.words
        with ui.element("div").classes("view-line"):
            self.level_select = ui.select([1], value=1, label=words("Level")).props(
                "outlined dense options-dense"
            )
            self.level_select.classes("level-select").on_value_change(self._choose_level)
            self.group_search = ui.input(words("Search values and labels"))
            self.group_search.props("outlined dense clearable debounce=250").on_value_change(
                self._fill_groups
            )
            explain(self.context, "word", "level")
            self.shown_groups = ui.label("").classes("quiet").props("role=status")
        texts = {
            "moving": words("Move chosen values"),
            "chosen": words("values chosen"),
            "target": words("Move to"),
            "fresh": words("a new group"),
            "name": words("Name"),
            "move": words("Move"),
            "rename": words("Name of group"),
            "dropNew": words("Drop here for a new group"),
        }
        self.board = GroupBoard(texts=texts, move=self._move, rename=self._rename)

    def _choose_level(self) -> None:
        if self.level_select.value and self.level_select.value != self.level:
            self.level = int(self.level_select.value)
            self._fill_groups()

    def _fill_groups(self) -> None:
        self.level = min(self.level, self.height) or 1
        levels = list(range(1, self.height + 1)) or [1]
        self.level_select.set_options(levels, value=self.level)
        search = str(self.group_search.value or "")
        groups = groups_of(self.editing.rows, self.level, self.counts, search)
        names = [group["label"] for group in groups][:MOST_LABELS]
        if search.strip():
            groups = [group for group in groups if group["items"]]
        told = ""
        if len(groups) > MOST_GROUPS:
            count = self.words.number(len(groups))
            told = self.words("The first {shown} of {count} groups", shown=MOST_GROUPS, count=count)
        self.shown_groups.set_text(told)
        self.board.give(groups=[self._told(group) for group in groups[:MOST_GROUPS]], names=names)

    def _told(self, group: dict[str, Any]) -> dict[str, Any]:
        words, items = self.words, group["items"]
        count, rows = words.number(group["values"]), words.number(group["rows"])
        told = words("{values} values, {rows} rows", values=count, rows=rows)
        if group["values"] == 1:
            told = words("1 value, {rows} rows", rows=rows)
        more = len(items) - MOST_ITEMS
        return {
            "label": group["label"],
            "told": told,
            "items": [
                {"label": item["label"], "told": words.number(item["rows"])} for item in items[:MOST_ITEMS]
            ],
            "more": words("and {count} more", count=words.number(more)) if more > 0 else "",
        }

    async def _move(self, facts: dict[str, Any]) -> None:
        rows, group = self.editing.rows, str(facts["group"]).strip()
        known = {row[self.level] for row in rows}
        if not group:
            group = self._fresh(known)
        below = {row[self.level - 1] for row in rows}
        labels = [str(label) for label in facts["labels"] if str(label) in below]
        await self._change(move(rows, self.level, labels, group))

    async def _rename(self, facts: dict[str, Any]) -> None:
        await self._change(
            rename(self.editing.rows, self.level, str(facts["old"]), str(facts["new"]).strip())
        )

    def _fresh(self, known: set[str]) -> str:
        number = 1
        while self.words("Group {number}", number=number) in known:
            number += 1
        return self.words("Group {number}", number=number)

    # Preview

    def _fill_preview(self) -> None:
        rows = self.editing.rows
        self.preview.clear()
        with self.preview:
            ui.html(preview_table(rows, self.counts, self.words), sanitize=False)
            for level in range(1, self.height + 1):
                ui.html(label_table(rows, level, self.counts, self.words), sanitize=False)

    async def _change(self, rows: Rows) -> None:
        self.editing.change(rows)
        await self.changed()


def _some_labels(rows: Rows, level: int) -> list[str]:
    return [] if level == 0 else list(dict.fromkeys(row[level] for row in rows))[:MOST_LABELS]
