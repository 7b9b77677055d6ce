"""A run and its ledger: every release is checked before it is written, and recorded before it gets its name.

An entry comes first and the release after it: whoever is killed in between leaves an entry without a release, which is
on the safe side. A run that fails says in the ledger that its releases were withdrawn.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from celosia.errors import CelosiaError, ProjectError, ReleaseError
from celosia.ledger.chain import ChainGrewError
from celosia.ledger.check import (
    LedgerCheck,
    check_members,
    check_values,
    find_ordered,
    open_entries,
    releases_held_together,
)
from celosia.ledger.join import join_members
from celosia.ledger.join_by_values import PublishedTable, people_by_values
from celosia.ledger.ledger import Entry, Ledger, file_digest, open_ledger, project_digest
from celosia.ledger.members import Members, members_of
from celosia.ledger.proposals import suppressed_people
from celosia.mask.keys import DEFAULT, VARIABLE, Keys, SecretKey
from celosia.project import Project
from celosia.recode.techniques import RecodingPlan
from celosia.release.finish import TableRun
from celosia.release.job import PreparedTable
from celosia.release.record import technique_name
from celosia.release.release import Release
from celosia.say import join_texts, say, say_count
from celosia.tables.exclude_people import ExcludePeople
from celosia.tables.layer import apply_layer
from celosia.tables.location import is_on_cluster
from celosia.tables.recoding_layer import RecodingLayer
from celosia.tables.table import Table
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
        self._recorded: list[tuple[Entry, Any]] = []
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
        person = self.plan.person or job.plan.person
        if self.ledger is None or person is None or self.ledger.digests is None:
            return
        names = job.table.columns()
        if person not in names and len(self.project.tables) == 1:
            raise ProjectError(
                say("column {name!r} does not exist", name=person),
                where="ledger.person",
                remedy=nearest(person, tuple(names)),
            )
        if person in itertools.chain(*_columns(job, job.table)) and not is_on_cluster(job.table):
            raise ProjectError(
                say("{column!r} tells who somebody is, and is released as well", column=person),
                where="ledger.person",
                remedy=say("declare it as an identifier"),
            )

    def checked(self, jobs: Sequence[PreparedTable], plans: Plans) -> Plans:
        """The plans, once they are found to break nothing by the keys of people; changed where rows are left out."""
        if self.ledger is None:
            return plans
        found = dict(plans)
        for job in jobs:
            members, why = self._look(job, plans[job.name])
            if members is None:
                self._checks[job.name] = [LedgerCheck("nothing", (), unknown=(why,))]
                continue
            others = list(self._members.values())
            self._look_by_values(job, plans[job.name])
            checks = self._check_people(job, members, others)
            if self.plan.broken == "suppress":
                for held, check in zip(self._held(), checks, strict=True):
                    if not check.passed:
                        members, found[job.name] = self._leave_out(
                            job, found[job.name], members, held, others
                        )
                checks = self._check_people(job, members, others)
            self._checks[job.name] = checks
            self._members[job.name] = members
            for check in checks:
                self._stop_if_broken(job, check)
        return found

    def _check_people(
        self, job: PreparedTable, members: Members, others: Sequence[Members]
    ) -> list[LedgerCheck]:
        """One check for every set of earlier releases that somebody may hold."""
        assert self.ledger is not None
        found = [
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
        first = replace(found[0], unknown=(*found[0].unknown, *self._notes[job.name]))
        return [first, *found[1:]]

    def _look_by_values(self, job: PreparedTable, plan: RecodingPlan | None) -> None:
        """People of the table in those releases of which nobody recorded who is in them, as their values tell."""
        assert self.ledger is not None
        self._by_values[job.name], self._notes[job.name] = {}, ()
        left = [entry for entry in self._entries() if self.ledger.members(entry) is None]
        person = self.plan.person or job.plan.person
        if not left or self.ledger.digests is None or person is None or is_on_cluster(job.table):
            return
        hierarchies = {} if plan is None else plan.hierarchies
        types = {column.name: column.type for column in job.table.schema()}
        opened, unread = open_entries(left, like=PublishedTable(job.table, (), (), hierarchies, types))
        found, notes = people_by_values(
            _before_dropping(job, opened, person),
            [one for _, one in opened],
            person=person,
            digests=self.ledger.digests,
        )
        numbers = [entry.number for entry, _ in opened]
        self._by_values[job.name] = {
            number: one for number, one in zip(numbers, found, strict=False) if one is not None
        }
        self._notes[job.name] = (*unread, *notes)

    def _check_again(self, made: Sequence[TableRun]) -> None:
        """Somebody recorded a release meanwhile: what is not recorded yet is checked against that one too."""
        assert self.ledger is not None
        self.ledger.refresh()
        names = [one.job.name for one in made]
        for one in made:
            job, members = one.job, self._members.get(one.job.name)
            if members is not None:
                others = [each for name, each in self._members.items() if name in names and name != job.name]
                self._look_by_values(job, one.plan)
                self._checks[job.name] = self._check_people(job, members, others)
                for check in self._checks[job.name]:
                    self._stop_if_broken(job, check)
            else:
                self._checks[job.name] = self._checks[job.name][:1]
            self._check_written(one)

    def recorded(self, made: Sequence[TableRun], releases: Mapping[str, Release]) -> dict[str, Release]:
        """The releases, each recorded, once what is written breaks nothing either."""
        if self.ledger is None:
            return dict(releases)
        for one in made:
            self._check_written(one)
        found = {}
        for turn, one in enumerate(made):
            release = releases[one.job.name]
            entry = None
            while entry is None:
                try:
                    entry = self.ledger.record(
                        self._body(one, release), self._members.get(one.job.name), as_seen=True
                    )
                except ChainGrewError:
                    self._check_again(made[turn:])
            self._recorded.append((entry, one))
            found[one.job.name] = replace(
                release, record={**release.record, "ledger": self._told(one.job.name, entry)}
            )
        return found

    def withdraw(self) -> None:
        """Withdraw entries whose release is not there; of a table in a database nobody knows, and it stays."""
        for entry, one in self._recorded:
            path = one.place if isinstance(one.place, Path) else None
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

    def _look(self, job: PreparedTable, plan: RecodingPlan | None) -> tuple[Members | None, str]:
        """Who is in which class of what is planned; None, and why, where that cannot be known."""
        assert self.ledger is not None
        person = self.plan.person or job.plan.person
        table: Any = job.table if plan is None or plan.table is None else plan.table
        if person is None or self.ledger.digests is None:
            return None, say("no column is said to tell who somebody is in every release (ledger.person)")
        if person not in table.columns():
            return None, say(
                "table {table} has no column {column!r}, by which its people would be known",
                table=job.name,
                column=person,
            )
        if is_on_cluster(table):
            return None, say("people of a table on a cluster are not told apart here")
        if plan is not None and plan.recoding.parts is not None:
            return None, say(
                "a table that is recoded part by part for want of memory does not say who is in which class"
            )
        classes, sensitive = _columns(job, table)
        if plan is not None:
            dropped = tuple(name for name in plan.recoding.dropped if name != person)
            table = apply_layer(table, RecodingLayer(table, replace(plan.recoding, dropped=dropped)))
        job.progress(say("looking up people in the ledger"), 0.0)
        counts = table.count_by([person, *classes, *sensitive])
        found = members_of(
            counts, person=person, classes=classes, sensitive=sensitive, digests=self.ledger.digests
        )
        return found, ""

    def _leave_out(
        self,
        job: PreparedTable,
        plan: RecodingPlan | None,
        members: Members,
        entries: Sequence[Entry],
        others: Sequence[Members],
    ) -> tuple[Members, RecodingPlan | None]:
        """Leave out people so that nobody is told apart; a recoding that goes by the order of rows cannot."""
        assert self.ledger is not None
        person = str(self.plan.person or job.plan.person)
        assignment = None if plan is None else plan.recoding.assignment
        if plan is None or plan.counts_people or (assignment is not None and not assignment.is_whole):
            raise ProjectError(
                say("rows cannot be left out of this release"),
                where="ledger.broken",
                remedy=say("use full-domain generalization, or let the run stop and choose another way"),
            )
        values = self._by_values[job.name]
        known = [
            one
            for entry in entries
            if (one := self.ledger.members(entry) or values.get(entry.number)) is not None
        ]
        k = max([model.least_rows for model in job.plan.models], default=1)
        out = suppressed_people(join_members([*known, *others]), members, k=k)
        assert members.keys is not None
        texts = members.keys.filter(pl.Series(out)).cast(pl.String)
        table: Any = job.table if plan.table is None else plan.table
        less = apply_layer(table, ExcludePeople(table, person, texts))
        gone = int(out.sum())
        changed = replace(
            plan, table=less, rows=plan.rows - gone, left_out=plan.left_out + gone, classes=None
        )
        rest = self._look(job, changed)[0]
        assert rest is not None
        return rest, changed

    def _check_written(self, one: TableRun) -> None:
        """What is written is what was looked at; where people have no key, they are looked for by their values."""
        job, members = one.job, self._members.get(one.job.name)
        classes, sensitive = _columns(job, one.released)
        if members is not None:
            written = np.sort(one.released.count_by(classes).counts) if classes else np.zeros(0, np.int64)
            if classes and not np.array_equal(written, np.sort(members.rows)):
                raise ReleaseError(
                    say("what was written is not what was checked against the ledger"),
                    where=say("table {name}", name=job.name),
                    remedy=say("nothing was released; run it again when nobody writes to the table"),
                )
        if not classes or is_on_cluster(job.table):
            return
        hierarchies = {} if one.plan is None else one.plan.hierarchies
        types = {column.name: column.type for column in job.table.schema()}
        last = PublishedTable(one.released, tuple(classes), tuple(sensitive), hierarchies, types)
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
                source = _before_dropping(job, opened)
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

    def _told(self, name: str, entry: Entry) -> dict[str, Any]:
        assert self.ledger is not None
        return {
            "file": str(self.ledger.path),
            "anchor": str(entry.anchor),
            "recipient": self.plan.recipient,
            "checks": [check.summary() for check in self._checks[name]],
        }

    def _body(self, one: TableRun, release: Release) -> dict[str, Any]:
        assert self.ledger is not None
        job, plan, record = one.job, one.plan, release.record
        path = getattr(one.released, "path", None)
        members = self._members.get(job.name)
        return {
            "recipient": self.plan.recipient,
            "project": {"name": self.project.name, "digest": project_digest(record["project"])},
            "table": job.name,
            "type": str(job.plan.kind),
            "roles": {
                name: str(column.role) for name, column in job.plan.columns.items() if column.role is not None
            },
            "recoding": None
            if plan is None
            else {
                "technique": technique_name(job, plan),
                "node": dict(plan.details["node"]) if "node" in plan.details else None,
                "columns": dict(plan.shown),
            },
            "models": [
                {"model": model.name, **model.model_dump(mode="json", exclude_none=True)}
                for model in job.plan.models
            ],
            "release": {
                "place": str(one.place.absolute()) if isinstance(one.place, Path) else str(one.place)[:200],
                "digest": file_digest(Path(path)) if path is not None else None,
                "reading": _reading(one.released),
                "rows": release.written.written,
                "classes": release.verification.classes,
                "k": release.verification.smallest,
            },
            "evidence": {
                "risk": None if release.risk_after is None else _plain(asdict(release.risk_after)),
                "verified": [finding.text for finding in release.verification.findings],
            },
            "signature": None if members is None else _signature(members),
            "checks": [
                {name: value for name, value in check.summary().items() if name != "proposals"}
                for check in self._checks[job.name]
            ],
        }


def _columns(job: PreparedTable, table: Table) -> tuple[list[str], list[str]]:
    """Columns that make classes, and sensitive ones, of those that a table has and that leave."""
    names, gone = table.columns(), set(job.dropped)
    classes = [name for name in job.plan.quasi_identifiers if name in names and name not in gone]
    sensitive = [name for name in job.plan.with_role(Role.SENSITIVE) if name in names and name not in gone]
    return classes, sensitive


def _before_dropping(
    job: PreparedTable, opened: Sequence[tuple[Entry, PublishedTable]], person: str | None = None
) -> Table:
    """The table with what this release leaves out and others show, where rows and columns are as they came."""
    shown = {name for _, one in opened for name in one.quasi_identifiers}
    changed = {*job.chains} & {*shown, *job.plan.quasi_identifiers, *([] if person is None else [person])}
    is_whole = shown <= {*job.table.columns()}
    source: Table = job.table if is_whole or changed or job.plan.rows else job.source
    return source


def _signature(members: Members) -> str:
    """One digest of all classes of a release, by what they show: the same for the same classes."""
    return project_digest([format(one, "016x") for one in np.sort(members.labels).tolist()])


def _reading(released: Any) -> dict[str, Any]:
    """How the file is read again."""
    options = getattr(getattr(released, "reader", None), "options", None)
    return {
        name: getattr(options, name, None)
        for name in ("separator", "encoding", "header")
        if getattr(options, name, None) is not None
    }


def _plain(part: Any) -> Any:
    """Numbers of NumPy as those of Python; what is no number as nothing."""
    if isinstance(part, Mapping):
        return {name: _plain(one) for name, one in part.items()}
    if isinstance(part, list | tuple):
        return [_plain(one) for one in part]
    if isinstance(part, np.generic):
        part = part.item()
    return None if isinstance(part, float) and not np.isfinite(part) else part


def _ways_out(check: LedgerCheck) -> str:
    """What may be done about a release that would break its promise."""
    ways = [say("{way} (k {k})", way=one.text, k=one.k) for one in check.proposals if one.keeps]
    if check.ordered:
        ways = [say("let its rows be shuffled (order: random)")]
    if not ways:
        ways = [say("no way was found that keeps it")]
    found = say("nothing was written; {way}", way=ways[0])
    for way in [*ways[1:], say("accept it with ledger.broken: record (--broken record)")]:
        found = say("{ways}; or {way}", ways=found, way=way)
    return found
