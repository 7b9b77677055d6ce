"""The columns of a table on the page of data: proposals, what is declared, and the one thing to do next."""

from collections.abc import Callable, Mapping
from html import escape
from typing import Any
from urllib.parse import quote

from nicegui import ui

from celosia.server.work.results import ProfileResult
from celosia.types import Role
from celosia.web.components import ColumnTable
from celosia.web.concept_help import explain
from celosia.web.data.columns import (
    ROLE_TITLES,
    TYPE_TITLES,
    accept_roles,
    count_roles,
    leave_out,
    person_of,
    plan_of,
    set_person,
    set_role,
    set_type,
    shown_columns,
)
from celosia.web.data.operation_dialog import ask_operation
from celosia.web.data.proposals import accept_proposals
from celosia.web.error_boundary import ErrorBoundary
from celosia.web.page_context import PageContext

__all__ = ["ColumnPage"]


class ColumnPage:
    """What a person sees of the columns of one table, and does about them."""

    def __init__(
        self, context: PageContext, table: str, profile: ProfileResult, *, again: Callable[..., None]
    ) -> None:
        self.context, self.table, self.profile, self.again = context, table, profile, again
        self.words = context.words

    def show(self) -> None:
        """Build it."""
        words = self.words
        self.place = ui.element("div")
        self.bar = ui.element("div").classes("next-bar")
        self.person = ui.element("div")
        self.proposal = ui.element("div")
        with ui.element("section"):
            with ui.element("div").classes("heading"):
                ui.html(f"<h2>{escape(words('Columns and their roles'))}</h2>", sanitize=False)
                explain(self.context, "word", "role")
            with ui.element("div").classes("role-legend"):
                for role in Role:
                    with ui.element("span").classes(f"role-name role-{role.value}"):
                        ui.label(words(ROLE_TITLES[role.value]))
                        explain(self.context, "role", role.value)
            self.grid = ColumnTable(
                texts=self._texts(),
                types=[[name, words(title)] for name, title in TYPE_TITLES.items()],
                roles=[[name, words(title)] for name, title in ROLE_TITLES.items()],
                role=self._role,
                type=self._type,
                operation=self._operation,
            )
        self._show_person()
        if "quasi_identifiers" in self.profile:
            self._show_proposal(self.profile["quasi_identifiers"])
        self._fill()

    def _texts(self) -> dict[str, str]:
        words = self.words
        return {
            "caption": words("Columns of {table}", table=self.table),
            "column": words("Column"),
            "type": words("Type"),
            "values": words("Values"),
            "role": words("Role"),
            "why": words("Proposal and its reason"),
            "fate": words("What happens"),
            "proposed": words("only proposed"),
            "change": words("Change"),
        }

    def _fill(self) -> None:
        """Show what the document says now."""
        plan = plan_of(self.context.reread().document, self.table)
        self.plan = plan
        self.grid.give(columns=shown_columns(self.profile, plan, self.words))
        open_columns = [
            column["name"] for column in self.profile["columns"] if "role" not in plan.get(column["name"], {})
        ]
        self.bar.clear()
        with self.bar:
            self._summary(bool(open_columns))

    def _summary(self, is_open: bool) -> None:
        words, counts = self.words, count_roles(self.profile, self.plan)
        rows, columns = words.number(self.profile["rows"]), len(self.profile["columns"])
        with ui.element("div").classes("next-text").props("role=status"):
            ui.label(words("{rows} rows, {columns} columns", rows=rows, columns=columns)).classes(
                "next-title"
            )
            ui.label(
                words(
                    "Identifiers: {identifiers} · quasi-identifiers: {quasi} · "
                    "sensitive: {sensitive} · common: {common}",
                    identifiers=counts["identifier"],
                    quasi=counts["quasi-identifier"],
                    sensitive=counts["sensitive"],
                    common=counts["common"],
                )
            ).classes("quiet")
        with ui.element("div").classes("next-actions"):
            ui.button(
                words("Propose quasi-identifiers"),
                on_click=lambda: self.again(propose_quasi_identifiers=True),
            ).props("flat no-caps")
            if is_open:
                self.next = ui.button(words("Accept the proposals"), on_click=self._accept)
            else:
                there = f"{self.context.link('hierarchies')}?table={quote(self.table)}"
                self.next = ui.button(words("Next: hierarchies"), on_click=lambda: ui.navigate.to(there))
            self.next.props("unelevated no-caps")

    def _show_person(self) -> None:
        """Which column tells people apart, where one may have several rows: proposed, and confirmed by choosing."""
        words, proposed = self.words, self.profile.get("person")
        declared = person_of(self.context.reread().document, self.table)
        self.person.clear()
        if proposed is None and declared is None:
            return
        choices = {"": words("every row is a person")} | {
            column["name"]: column["name"] for column in self.profile["columns"]
        }
        with self.person, ui.element("section").classes("panel person"):
            ui.label(words("People with several rows")).classes("next-title")
            if proposed is not None:
                ui.label(
                    words(
                        "{several} of {rows} rows are of people with several, by {column}. If people are counted, "
                        "everybody hides among others, and not among rows of their own.",
                        several=words.number(proposed["several"]),
                        rows=words.number(proposed["rows"]),
                        column=proposed["column"],
                    )
                ).classes("quiet")
            select = ui.select(
                choices,
                value=declared or "",
                label=words("The column that tells people apart"),
                on_change=lambda event: self._set_person(event.value or None),
            )
            select.props("outlined dense options-dense").classes("person-column")
            if declared is None and proposed is not None:
                ui.button(
                    words("Count people by {column}", column=proposed["column"]),
                    on_click=lambda: self._set_person(proposed["column"]),
                ).props("outline no-caps")

    def _set_person(self, column: str | None) -> None:
        if column is None or self._has(column):
            self._change(lambda document: set_person(document, self.table, column), "people")
        self._show_person()

    def _show_proposal(self, proposal: Mapping[str, Any]) -> None:
        words = self.words
        chosen = list(proposal["columns"])
        plan = plan_of(self.context.reread().document, self.table)
        others = [
            column["name"]
            for column in self.profile["columns"]
            if (plan.get(column["name"], {}).get("role") or column["role"]) == Role.QUASI_IDENTIFIER
            and column["name"] not in chosen
            and not plan.get(column["name"], {}).get("operation")
        ]
        with self.proposal, ui.element("section").classes("panel proposal"):
            title = words("The fewest columns that tell people apart: {columns}", columns=", ".join(chosen))
            ui.label(title).classes("next-title")
            ui.label(words.render(proposal["reason"]["sentence"])).classes("quiet")
            if not others:
                return
            ui.label(
                words(
                    "The other quasi-identifiers tell hardly more apart, but still have to be generalized if they "
                    "are released. Leaving out what nobody needs loses less: {columns}",
                    columns=", ".join(others),
                )
            )
            ui.button(words("Leave the others out of releases"), on_click=lambda: self._leave(others)).props(
                "outline no-caps"
            )

    def _leave(self, columns: list[str]) -> None:
        self.proposal.clear()
        proposed = {column["name"]: column["role"] for column in self.profile["columns"]}

        def change(document: dict[str, Any]) -> None:
            accept_roles(document, self.table, proposed)
            leave_out(document, self.table, columns)

        self._change(change, "fewer columns")

    def _change(self, change: Callable[[dict[str, Any]], None], remark: str) -> None:
        with ErrorBoundary(self.context, self.place):
            self.context.change(change, remark)
        self._fill()

    def _accept(self) -> None:
        self._change(lambda document: accept_proposals(document, self.table, self.profile), "proposed roles")
        self._show_person()
        with self.place:
            ui.run_javascript(f"getElement({self.next.id})?.$el.focus()")

    def _role(self, facts: dict[str, str]) -> None:
        column, role = facts["column"], facts["role"]
        if self._has(column) and role in ROLE_TITLES:
            self._change(lambda document: set_role(document, self.table, column, role), f"role of {column}")

    def _type(self, facts: dict[str, str]) -> None:
        column, kind = facts["column"], facts["type"]
        if not self._has(column) or kind not in TYPE_TITLES:
            return
        current = next(seen["type"] for seen in self.profile["columns"] if seen["name"] == column)
        said = None if kind == current else kind
        self._change(lambda document: set_type(document, self.table, column, said), f"type of {column}")

    def _operation(self, facts: dict[str, str]) -> None:
        column = facts["column"]
        if self._has(column):
            plan = self.plan.get(column, {})
            role = next(seen["role"] for seen in self.profile["columns"] if seen["name"] == column)
            with self.place:
                ask_operation(self.context, self.table, column, plan, plan.get("role") or role, self._fill)

    def _has(self, column: str) -> bool:
        return any(seen["name"] == column for seen in self.profile["columns"])
