"""A run and its ledger: every release is checked before it is written, and recorded before it gets its name.

An entry comes first and the release after it: whoever is killed in between leaves an entry without a release, which is
on the safe side. A run that fails says in the ledger that its releases were withdrawn.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import numpy as np

from celosia.errors import CelosiaError, ProjectError, ReleaseError
from celosia.ledger.chain import ChainGrewError
from celosia.ledger.check import (
    LedgerCheck,
    check_members,
    check_values,
    find_ordered,
    releases_held_together,
)
from celosia.ledger.entry import Entry, file_digest
from celosia.ledger.entry_body import describe_run
from celosia.ledger.ledger import Ledger, open_ledger
from celosia.ledger.members import Members
from celosia.ledger.open_entry import open_entries
from celosia.ledger.run_people import (
    class_columns,
    exclude_people,
    match_by_values,
    planned_members,
    table_as_published,
    undropped_table,
)
from celosia.mask.keys import DEFAULT, VARIABLE, Keys, SecretKey
from celosia.project import Project
from celosia.recode.techniques import RecodingPlan
from celosia.release.finish import TableRun
from celosia.release.prepared_table import PreparedTable
from celosia.release.release import Release
from celosia.say import join_texts, say, say_count
from celosia.tables.location import is_on_cluster
from celosia.types import Role, nearest

__all__ = ["RunLedger", "ledger_key", "open_run_ledger"]

Plans = Mapping[str, RecodingPlan | None]


@contextmanager
def open_run_ledger(project: Project) -> "Iterator[RunLedger]":
    """What keeps the ledger of a run; one that fails withdraws what it recorded and did not release."""
    run_ledger = RunLedger(project)
    try:
        yield run_ledger
    except BaseException:
        run_ledger.withdraw()
        raise


def ledger_key(project: Project) -> SecretKey | None:
    """The key of the ledger of a project; None where nobody names one and there is none by default."""
    import os

    named = project.ledger.key
    if named is None and DEFAULT not in project.keys and not os.environ.get(VARIABLE):
        return None
    return Keys(project.keys).current(named)


class RunLedger:
    """The ledger of one run; does nothing where the project has none."""

    def __init__(self, project: Project, *, writes: bool = True) -> None:
        self.plan = project.ledger
        self.project = project
        self.ledger: Ledger | None = None
        self._members: dict[str, Members] = {}
        self._by_values: dict[str, dict[int, Members]] = {}
        self._notes: dict[str, tuple[str, ...]] = {}
        self._checks: dict[str, list[LedgerCheck]] = {}
        self._recorded: list[tuple[Entry, TableRun]] = []
        if self.plan.file is not None:
            key = ledger_key(project)
            if key is None and self.plan.person is not None:
                raise ProjectError(
                    say("people are recorded as digests with a key, and there is none"),
                    where="ledger.person",
                    remedy=say(
                        "make one with: celosia key new, and name it (ledger.key, or the environment "
                        "variable {variable})",
                        variable=VARIABLE,
                    ),
                )
            self.ledger = open_ledger(Path(self.plan.file), key=key, project=project.name, writes=writes)

    def check(self, job: PreparedTable) -> None:
        """Raise if the people of a table cannot be recorded as the project says, before anything is counted."""
        person = self._person(job)
        if self.ledger is None or person is None or self.ledger.digests is None:
            return
        names = job.table.columns()
        if person not in names and len(self.project.tables) == 1:
            raise ProjectError(
                say("column {name!r} does not exist", name=person),
                where="ledger.person",
                remedy=nearest(person, tuple(names)),
            )
        if person in itertools.chain(*class_columns(job, job.table)) and not is_on_cluster(job.table):
            raise ProjectError(
                say("{column!r} tells who somebody is, and is released as well", column=person),
                where="ledger.person",
                remedy=say("declare it as an identifier"),
            )

    def checked(self, jobs: Sequence[PreparedTable], plans: Plans) -> Plans:
        """The plans, once they are found to break nothing by the keys of people; changed where rows are left out."""
        if self.ledger is None:
            return plans
        changed = dict(plans)
        for job in jobs:
            members, why = planned_members(self.ledger, job, plans[job.name], self._person(job))
            if members is None:
                self._checks[job.name] = [LedgerCheck("nothing", (), unknown=(why,))]
                continue
            others = list(self._members.values())
            self._match_by_values(job, plans[job.name])
            checks = self._check_people(job, members, others)
            if self.plan.broken == "suppress":
                for held, check in zip(self._held(), checks, strict=True):
                    if not check.passed:
                        members, changed[job.name] = self._exclude(
                            job, changed[job.name], members, held, others
                        )
                checks = self._check_people(job, members, others)
            self._checks[job.name] = checks
            self._members[job.name] = members
            for check in checks:
                self._stop_if_broken(job, check)
        return changed

    def _check_people(
        self, job: PreparedTable, members: Members, others: Sequence[Members]
    ) -> list[LedgerCheck]:
        """One check for every set of earlier releases that somebody may hold."""
        assert self.ledger is not None
        checks = [
            check_members(
                self.ledger,
                held,
                members,
                models=job.plan.models,
                others=others,
                by_values=self._by_values[job.name],
            )
            for held in self._held()
        ]
        first = replace(checks[0], unknown=(*checks[0].unknown, *self._notes[job.name]))
        return [first, *checks[1:]]

    def _match_by_values(self, job: PreparedTable, plan: RecodingPlan | None) -> None:
        """Find people in those releases of which nobody recorded who is in them."""
        assert self.ledger is not None
        self._by_values[job.name], self._notes[job.name] = match_by_values(
            self.ledger, self._entries(), job, plan, self._person(job)
        )

    def _check_again(self, runs: Sequence[TableRun]) -> None:
        """Somebody recorded a release meanwhile: what is not recorded yet is checked against that one too."""
        assert self.ledger is not None
        self.ledger.refresh()
        names = [run.job.name for run in runs]
        for run in runs:
            job, members = run.job, self._members.get(run.job.name)
            if members is not None:
                others = [
                    people for name, people in self._members.items() if name in names and name != job.name
                ]
                self._match_by_values(job, run.plan)
                self._checks[job.name] = self._check_people(job, members, others)
                for check in self._checks[job.name]:
                    self._stop_if_broken(job, check)
            else:
                self._checks[job.name] = self._checks[job.name][:1]
            self._check_written(run)

    def recorded(self, runs: Sequence[TableRun], releases: Mapping[str, Release]) -> dict[str, Release]:
        """The releases, each recorded, once what is written breaks nothing either."""
        if self.ledger is None:
            return dict(releases)
        for run in runs:
            self._check_written(run)
        recorded = {}
        for turn, run in enumerate(runs):
            release = releases[run.job.name]
            entry = None
            while entry is None:
                try:
                    members = self._members.get(run.job.name)
                    body = describe_run(
                        run,
                        release,
                        recipient=self.plan.recipient,
                        members=members,
                        checks=self._checks[run.job.name],
                    )
                    entry = self.ledger.record(body, members, as_seen=True)
                except ChainGrewError:
                    self._check_again(runs[turn:])
            self._recorded.append((entry, run))
            recorded[run.job.name] = replace(
                release, record={**release.record, "ledger": self._record_of(run.job.name, entry)}
            )
        return recorded

    def withdraw(self) -> None:
        """Withdraw entries whose release is not there; of a table in a database nobody knows, and it stays."""
        for entry, run in self._recorded:
            path = run.place if isinstance(run.place, Path) else None
            if self.ledger is None or path is None:
                continue
            if file_digest(path) != entry.body["release"]["digest"]:
                with suppress(CelosiaError):
                    self.ledger.withdraw(entry, "the run failed")

    def _held(self) -> tuple[tuple[Entry, ...], ...]:
        """Sets of releases before this run that somebody may hold together with those of it."""
        assert self.ledger is not None
        own = {entry.number for entry, _ in self._recorded}
        entries = [entry for entry in self.ledger.entries if entry.number not in own]
        return releases_held_together(entries, self.plan.recipient, self.plan.together)

    def _entries(self) -> tuple[Entry, ...]:
        return tuple({entry.number: entry for held in self._held() for entry in held}.values())

    def _exclude(
        self,
        job: PreparedTable,
        plan: RecodingPlan | None,
        members: Members,
        held: Sequence[Entry],
        others: Sequence[Members],
    ) -> tuple[Members, RecodingPlan]:
        """Leave out people whom the new release and those that somebody holds tell apart."""
        assert self.ledger is not None
        by_values = self._by_values[job.name]
        known = (self.ledger.members(entry) or by_values.get(entry.number) for entry in held)
        earlier = [*(people for people in known if people is not None), *others]
        return exclude_people(self.ledger, job, plan, members, earlier, str(self._person(job)))

    def _check_written(self, run: TableRun) -> None:
        """What is written is what was looked at; where people have no key, they are looked for by their values."""
        job, members = run.job, self._members.get(run.job.name)
        classes, sensitive = class_columns(job, run.released)
        if members is not None:
            written = np.sort(run.released.count_by(classes).counts) if classes else np.zeros(0, np.int64)
            if classes and not np.array_equal(written, np.sort(members.rows)):
                raise ReleaseError(
                    say("what was written is not what was checked against the ledger"),
                    where=say("table {name}", name=job.name),
                    remedy=say("nothing was released; run it again when nobody writes to the table"),
                )
        if not classes or is_on_cluster(job.table):
            return
        last = table_as_published(
            job, run.plan, run.released, {Role.QUASI_IDENTIFIER: classes, Role.SENSITIVE: sensitive}
        )
        keeps_order = job.plan.order == "kept"
        if members is not None:
            opened, _ = open_entries(self._entries(), like=last)
            ordered = find_ordered(opened, last, keeps_order=keeps_order)
            if ordered:
                self._checks[job.name].append(LedgerCheck("nothing", ordered, ordered=ordered))
                self._stop_if_broken(job, self._checks[job.name][-1])
            return
        for held in self._held():
            if held:
                opened, _ = open_entries(held, like=last)
                source = undropped_table(job, opened)
                check = check_values(source, last, held, models=job.plan.models, keeps_order=keeps_order)
                self._checks[job.name].append(check)
                self._stop_if_broken(job, check)

    def _stop_if_broken(self, job: PreparedTable, check: LedgerCheck) -> None:
        if check.passed or self.plan.broken == "record":
            return
        raise ReleaseError(
            say_count(
                "together with an earlier release it would break its promise: {problems}",
                "together with {count} earlier releases it would break its promise: {problems}",
                len(check.against),
                problems=join_texts("; ", check.sentences()),
            ),
            where=say("table {name}, ledger {file}", name=job.name, file=self.plan.file),
            remedy=_ways_out(check),
        )

    def _record_of(self, name: str, entry: Entry) -> dict[str, object]:
        """What the record of a release says of the ledger."""
        assert self.ledger is not None
        return {
            "file": str(self.ledger.path),
            "anchor": str(entry.anchor),
            "recipient": self.plan.recipient,
            "checks": [check.summary() for check in self._checks[name]],
        }

    def _person(self, job: PreparedTable) -> str | None:
        """The column that tells who somebody is."""
        return self.plan.person or job.plan.person


def _ways_out(check: LedgerCheck) -> str:
    """What may be done about a release that would break its promise."""
    ways = [
        say("{way} (k {k})", way=proposal.text, k=proposal.k)
        for proposal in check.proposals
        if proposal.keeps
    ]
    if check.ordered:
        ways = [say("let its rows be shuffled (order: random)")]
    if not ways:
        ways = [say("no way was found that keeps it")]
    sentence = say("nothing was written; {way}", way=ways[0])
    for way in [*ways[1:], say("accept it with ledger.broken: record (--broken record)")]:
        sentence = say("{ways}; or {way}", ways=sentence, way=way)
    return sentence
