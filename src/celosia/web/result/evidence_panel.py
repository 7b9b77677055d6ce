"""Measuring a release: what is asked for, the job that answers, and its answers."""

from typing import Any

from nicegui import ui

from celosia.api.registries import rule_sets
from celosia.api.reporting import release_evidence
from celosia.errors import CelosiaError
from celosia.server.access import MemberRole
from celosia.server.job import Job
from celosia.server.queue import OPEN
from celosia.server.releases import evidence_of
from celosia.web.in_thread import in_thread
from celosia.web.job_progress import show_job
from celosia.web.page_context import PageContext, show_error
from celosia.web.result.measure_cards import measures_asked, show_answers, show_rules
from celosia.words import phrase

__all__ = ["EvidencePanel"]

CHOICES = {
    "risk": phrase("Risk, before and after"),
    "attack": phrase("Attacks, carried out on the release"),
    "utility": phrase("Utility: what the release is still good for"),
}


class EvidencePanel:
    """The part of the page about one release and one of its tables."""

    def __init__(
        self, context: PageContext, release: str, table: str, record: dict[str, Any], *, is_file: bool
    ) -> None:
        self.context, self.release, self.table, self.record = context, release, table, record
        self.is_file = is_file
        self.shown = ui.element("div")
        self.asking = ui.element("div")

    async def show(self) -> None:
        """What was measured, a job that still measures, and the button that starts one."""
        context = self.context
        measured = await in_thread(evidence_of, context.service, context.user, self.release, self.table)
        self.shown.clear()
        with self.shown:
            if measured is None:
                self._show_nothing()
            else:
                evidence = release_evidence(self.record, measured, context.words)
                show_answers(context, evidence, ("risk", "attack", "utility"))
                if measured.get("rules"):
                    show_rules(context, measured["rules"])
        self._show_asking(measured is not None)

    def _show_nothing(self) -> None:
        words = self.context.words
        with ui.element("section").classes("empty"):
            ui.label(words("Nothing was measured of this release yet.")).classes("empty-title")
            ui.label(
                words(
                    "The promises above are verified. Measuring adds what a certain attacker succeeds in, how much the "
                    "release is still good for, and what the rules of data protection ask."
                )
            )

    def _show_asking(self, is_again: bool) -> None:
        context, words = self.context, self.context.words
        self.asking.clear()
        with self.asking:
            running = self._running()
            if running is not None:
                show_job(context, running, self._done, ended=self._ended)
            elif not context.may(MemberRole.ANALYST):
                return
            elif not self.is_file:
                ui.label(words("This release lies in a database. Make one as a file to measure it.")).classes(
                    "quiet"
                )
            elif is_again:
                with ui.expansion(words("Measure again")).classes("more"):
                    self._form()
            else:
                self._form()

    def _form(self) -> None:
        words = self.context.words
        with ui.element("section").classes("panel asking"):
            with ui.element("fieldset").classes("choices"):
                ui.html(f"<legend>{words('What to measure')}</legend>", sanitize=False)
                boxes = {name: ui.checkbox(words(text), value=True) for name, text in CHOICES.items()}
                models = ui.checkbox(words("With models that learn from the release (takes longer)"))
            with ui.element("fieldset").classes("choices"):
                ui.html(f"<legend>{words('Rules to hold it against')}</legend>", sanitize=False)
                laws = {
                    name: ui.checkbox(words.render(rules.title), value=name == "gdpr")
                    for name, rules in rule_sets().items()
                }

            def start() -> None:
                families = [name for name, box in boxes.items() if box.value]
                rules = [name for name, box in laws.items() if box.value]
                self._start(families, rules, with_models=bool(models.value))

            with ui.element("div").classes("panel-end"):
                ui.button(words("Measure risk, attacks and utility"), on_click=start).props("outline no-caps")

    def _start(self, families: list[str], rules: list[str], *, with_models: bool) -> None:
        context, words = self.context, self.context.words
        if not families:
            ui.notify(words("Choose at least one thing to measure."), type="warning")
            return
        measures = measures_asked(families, with_models=with_models)
        try:
            job = context.submit(
                "evidence", release=self.release, table=self.table, measures=measures, rules=rules
            )
        except CelosiaError as error:
            with self.asking:
                show_error(error, words)
            return
        self.asking.clear()
        with self.asking:
            show_job(context, job, self._done, ended=self._ended)

    async def _done(self, _: Job) -> None:
        await self.show()

    def _ended(self, _: Job) -> None:
        with self.asking:
            self._form()

    def _running(self) -> Job | None:
        context = self.context
        for job in context.service.queue.list(context.user, context.project.id, "evidence", last=20):
            asked = job["parameters"]
            is_ours = asked.get("release") == self.release and asked.get("table") in (None, self.table)
            if job["state"] in OPEN and is_ours:
                return job
        return None
