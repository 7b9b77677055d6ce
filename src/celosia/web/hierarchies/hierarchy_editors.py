"""All hierarchies of a table while they are edited: whence they come, what is wrong with them, how they are kept."""

import asyncio
from collections.abc import Mapping

from celosia.errors import CelosiaError
from celosia.server.hierarchies import problems, read_rows, write_rows
from celosia.server.work.results import HierarchyResult
from celosia.server.workspace import HIERARCHIES
from celosia.web.data.columns import plan_of
from celosia.web.hierarchies.hierarchy_names import file_name, own_file, set_hierarchy
from celosia.web.hierarchies.levels import HierarchyEditor
from celosia.web.page_context import PageContext

__all__ = ["HierarchyEditors"]

LIVE = 3_000
"""Values up to which problems are looked for at once, and not in a thread."""


class HierarchyEditors:
    """The hierarchies of the columns that a job found, each as it is edited; ``given`` have one in the document."""

    def __init__(self, context: PageContext, table: str, hierarchies: Mapping[str, HierarchyResult]) -> None:
        self.context, self.table, self.found = context, table, hierarchies
        self.of: dict[str, HierarchyEditor] = {}
        self.wrong: dict[str, list[dict[str, str]]] = {}
        self.given: set[str] = set()
        self.mistakes: list[CelosiaError] = []

    @property
    def changed(self) -> list[str]:
        """Columns whose hierarchy is to be saved."""
        return [column for column, editing in self.of.items() if editing.is_changed]

    def file(self, column: str) -> str:
        """The name of the file for the hierarchy of a column."""
        return file_name(self.context.reread().document, self.table, column)

    async def load(self) -> None:
        """Read all there is."""
        self._reread()
        for column in self.found:
            await self._load(column)

    async def check(self, column: str) -> None:
        """Hold a hierarchy against the values of its column."""
        rows, values = self.of[column].rows, self.found[column]["values"]
        if not self.found[column]["proposed"]:
            self.wrong[column] = []
        elif len(rows) <= LIVE:
            self.wrong[column] = problems(rows, values)
        else:
            self.wrong[column] = await asyncio.to_thread(problems, rows, values)

    async def save(self, column: str) -> None:
        """Write a hierarchy into its file, and name that in the document."""
        context, name, rows = self.context, self.file(column), self.of[column].rows
        await asyncio.to_thread(write_rows, context.service, context.user, context.project.id, name, rows)
        self._name(column, f"{HIERARCHIES}/{name}.csv")
        # What was edited while it was written is still to be saved.
        self.of[column].saved = rows

    async def take(self, column: str, name: str) -> None:
        """Go on with the rows of a file that has come for a column."""
        context = self.context
        rows = await asyncio.to_thread(read_rows, context.service, context.user, context.project.id, name)
        self._name(column, f"{HIERARCHIES}/{name}.csv")
        self.of[column].change(rows)
        self.of[column].keep()
        await self.check(column)

    async def forget(self, column: str) -> None:
        """Leave the hierarchy of a column to be proposed."""
        self._name(column, None)
        self.found[column]["given"] = None
        await self._load(column)

    async def _load(self, column: str) -> None:
        """The rows to edit: those of the file of the project, else what the document says, else the proposal."""
        context, entry = self.context, self.found[column]
        own = own_file(context.reread().document, self.table, column)
        rows = entry["given"]
        if own is not None:
            try:
                rows = await asyncio.to_thread(
                    read_rows, context.service, context.user, context.project.id, own
                )
            except CelosiaError as error:
                self.mistakes.append(error)
        rows = rows or (entry["proposed"] or {"rows": []})["rows"]
        self.of[column] = HierarchyEditor(tuple(tuple(row) for row in rows))
        await self.check(column)

    def _reread(self) -> None:
        plan = plan_of(self.context.reread().document, self.table)
        self.given = {column for column in self.found if plan.get(column, {}).get("hierarchy") is not None}

    def _name(self, column: str, place: str | None) -> None:
        self.context.change(
            lambda document: set_hierarchy(document, self.table, column, place), f"hierarchy of {column}"
        )
        self._reread()
