"""From the record of a release and new rows to a release with both, verified, checked and recorded like any other."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import ProjectError, ReleaseError
from celosia.hierarchies import Hierarchy
from celosia.ledger.check import LedgerCheck, check_members
from celosia.ledger.extend import Extension, extend_rows
from celosia.ledger.join_by_values import PublishedTable
from celosia.ledger.ledger import Entry, Ledger, file_digest, open_ledger, project_digest
from celosia.ledger.members import Members, label_digests
from celosia.ledger.run_ledger import ledger_key
from celosia.measure.row_order import rows_in_order
from celosia.project import Project, TablePlan, load_project
from celosia.release.open_source import opened_table
from celosia.release.prepared_table import PreparedTable, as_hierarchy
from celosia.release.publish import ensure_free, publish
from celosia.release.record import WITHHELD
from celosia.release.verify import Verification, verify
from celosia.say import join_texts, say
from celosia.tables import FileDestination, open_table
from celosia.tables.exclude_people import ExcludePeople
from celosia.tables.formats import find_format
from celosia.tables.layer import apply_layer
from celosia.tables.table import Recoding
from celosia.types import Role
from celosia.values.named import named
from celosia.values.same import people_keys

__all__ = ["ExtensionResult", "extend_release"]


@dataclass(frozen=True)
class ExtensionResult:
    """What became of new rows: added to the release, waiting, or of people who are in it already."""

    place: Path
    rows: int
    added: int
    waiting: int
    already: int
    classes: int
    new_classes: int
    verification: Verification
    check: LedgerCheck | None
    record: Mapping[str, Any]


def extend_release(
    record: Path,
    new: Any,
    out: Path,
    *,
    waiting: Path | None = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    overwrite: bool = False,
) -> ExtensionResult:
    """Add ``new`` rows, a table like the one that was released, to the release that a record is about.

    ``waiting`` is a file for the rows that cannot be added yet, as they came: it holds personal data, and only its
    owner may read it. ``hierarchies`` are those that the record withholds, or that were handed over.
    """
    if waiting is not None:
        ensure_free(waiting, overwrite=overwrite)
    before = _read_record(record)
    project = load_project(record)
    plan = project.plan()
    path = _place(plan, record)
    with opened_table(project, source=new) as job:
        earlier = _published(job, path, hierarchies or {})
        keeper = _Keeping(project, path, earlier)
        table, already = keeper.without_known(job)
        found = extend_rows(earlier, table, models=job.plan.models, node=before.get("node"))
        if not found.added.any():
            raise ReleaseError(
                say(
                    "none of {count:,} new rows can be added: too few of them fall into the same class",
                    count=len(found.added),
                ),
                where=str(path),
                remedy=say("nothing was written; wait for more of them"),
            )
        members = keeper.members(job, table, found)
        check = keeper.check(members, job)
        if waiting is not None:
            _write_waiting(job, table, found, waiting)
        return _publish(
            before,
            project,
            job,
            earlier,
            found,
            keeper,
            members,
            check,
            already,
            path,
            out,
            overwrite=overwrite,
        )


def _read_record(record: Path) -> Mapping[str, Any]:
    try:
        found: Mapping[str, Any] = json.loads(record.read_text(encoding="utf-8"))
        _ = found["project"], found["destination"]
    except (OSError, ValueError, LookupError, TypeError):
        raise ProjectError(
            say("this is no record of a release"), where=str(record), remedy=say("it lies beside the release")
        ) from None
    return found


def _place(plan: TablePlan, record: Path) -> Path:
    """The release that a record is about: where it was written, else beside the record."""
    if plan.destination.table is not None or plan.source.is_on_cluster or plan.destination.path is None:
        raise ProjectError(
            say("only a release in a file can be extended"),
            where=str(record),
            remedy=say("export it to a file, or make a new release of all rows"),
        )
    named = Path(plan.destination.path)
    beside = record.parent / named.name
    for path in (beside, named):
        if path.is_file():
            return path
    raise ReleaseError(
        say("the release is not there"), where=str(named), remedy=say("put it beside its record")
    )


def _published(job: PreparedTable, path: Path, given: Mapping[str, Hierarchy]) -> PublishedTable:
    plan = job.plan
    table = open_table(str(path), missing=(), separator=plan.destination.separator)
    names = table.columns()
    hierarchies = dict(given)
    for name, column in plan.columns.items():
        if column.hierarchy is None or name in hierarchies or name not in names:
            continue
        if column.hierarchy == WITHHELD:
            raise ProjectError(
                say("the record does not hold the hierarchy of {column!r}", column=name),
                where=str(path),
                remedy=say("give it: --hierarchy {column}=FILE", column=name),
            )
        hierarchies[name] = as_hierarchy(column.hierarchy, name)
    return PublishedTable(
        table,
        tuple(name for name in plan.quasi_identifiers if name in names),
        tuple(name for name in plan.with_role(Role.SENSITIVE) if name in names),
        hierarchies,
        {column.name: column.type for column in job.table.schema()},
    )


class _Keeping:
    """The ledger of a release that is extended, and who is in it; nothing where there is none."""

    def __init__(self, project: Project, path: Path, earlier: PublishedTable) -> None:
        self.plan = project.ledger
        self.earlier = earlier
        self.ledger: Ledger | None = None
        self.entry: Entry | None = None
        self.before: Members | None = None
        if self.plan.file is None:
            return
        self.ledger = open_ledger(Path(self.plan.file), key=ledger_key(project), project=project.name)
        digest = file_digest(path)
        for entry in self.ledger.entries:
            if entry.body["release"]["digest"] == digest:
                self.entry, self.before = entry, self.ledger.members(entry)

    def without_known(self, job: PreparedTable) -> tuple[Any, int]:
        """The new rows without those of people who are in the release already, and how many these are."""
        person = self.plan.person or job.plan.person
        if self.before is None or person is None or self.ledger is None or self.ledger.digests is None:
            return job.table, 0
        keys = rows_in_order(job.table, [person]).get_column(person).alias("")
        known = np.isin(self.ledger.digests.of_people(keys), self.before.people)
        known &= people_keys(keys).is_not_null().to_numpy()
        if not known.any():
            return job.table, 0
        texts = keys.filter(pl.Series(known)).unique()
        return apply_layer(job.table, ExcludePeople(job.table, person, texts)), int(known.sum())

    def members(self, job: PreparedTable, table: Any, found: Extension) -> Members | None:
        """Everybody of the release and those who are added, in the classes that both have."""
        person = self.plan.person or job.plan.person
        if self.before is None or person is None or self.ledger is None or self.ledger.digests is None:
            return None
        keys = rows_in_order(table, [person]).get_column(person).alias("").filter(pl.Series(found.added))
        labels = found.rows.select(named(*self.earlier.quasi_identifiers))
        mine = label_digests(labels, self.ledger.digests)
        known = np.concatenate([self.before.labels, np.setdiff1d(mine, self.before.labels)])
        order = np.argsort(known, kind="stable")
        classes = order[np.searchsorted(known[order], mine)]
        has_key = people_keys(keys).is_not_null().to_numpy()
        digests = self.ledger.digests.of_people(keys)[has_key]
        own, first = np.unique(digests, return_index=True)
        people = np.concatenate([self.before.people, own])
        both = np.concatenate([self.before.classes, classes[has_key][first].astype(np.int32)])
        turn = np.argsort(people, kind="stable")
        return replace(
            self.before,
            people=people[turn],
            classes=both[turn],
            count=len(known),
            labels=known,
            values={
                name: self._grown(name, pair, classes, found.rows)
                for name, pair in self.before.values.items()
            },
            nameless=self.before.nameless + int((~has_key).sum()),
        )

    def _grown(
        self,
        name: str,
        pair: tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64]],
        classes: npt.NDArray[np.int64],
        rows: pl.DataFrame,
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
        """What classes show of a sensitive column once the new rows are in them."""
        assert self.ledger is not None
        assert self.ledger.digests is not None
        shown = self.ledger.digests.of_values(name, rows.get_column(name))
        both = pl.DataFrame(
            {"class": np.concatenate([pair[0], classes]), "value": np.concatenate([pair[1], shown])}
        )
        pairs = both.unique().sort("class", "value")
        return pairs.get_column("class").to_numpy(), pairs.get_column("value").to_numpy()

    def check(self, members: Members | None, job: PreparedTable) -> LedgerCheck | None:
        if self.ledger is None:
            return None
        if members is None:
            unknown: list[str] = []
            unknown.append(
                say(
                    "who is in the release is not recorded: the new rows hide among each other, and what "
                    "they reveal together with other releases is not known"
                )
            )
            return LedgerCheck("nothing", (), unknown=tuple(unknown))
        found = check_members(
            self.ledger,
            self.ledger.entries,
            members,
            models=job.plan.models,
        )
        if not found.passed and self.plan.broken != "record":
            raise ReleaseError(
                say(
                    "together with earlier releases it would break its promise: {problems}",
                    problems=join_texts("; ", found.sentences()),
                ),
                where=str(self.ledger.path),
                remedy=say("nothing was written; make a new release of all rows"),
            )
        return found


def _write_waiting(job: PreparedTable, table: Any, found: Extension, place: Path) -> None:
    if job.masking is not None:
        raise ProjectError(
            say("operations change the rows on their way, so that those that wait are not as they came"),
            where=str(place),
            remedy=say("leave the file out, and keep the new rows until they are added"),
        )
    rows = pl.concat(list(table.scan())).filter(pl.Series(~found.added))
    if rows.height:
        open_table(rows, missing=()).write(Recoding(keeps_order=True), place)


def _publish(
    before: Mapping[str, Any],
    project: Project,
    job: PreparedTable,
    earlier: PublishedTable,
    found: Extension,
    keeper: _Keeping,
    members: Members | None,
    check: LedgerCheck | None,
    already: int,
    path: Path,
    out: Path,
    *,
    overwrite: bool,
) -> ExtensionResult:
    """Write both together in random order, verify, record, and only then let it go."""
    old = pl.concat(list(earlier.table.scan()))
    added = found.rows.select([named(name).cast(dtype) for name, dtype in old.schema.items()])
    rows = pl.concat([old, added])
    recorded: list[Entry] = []

    def make(hidden: Path) -> ExtensionResult:
        how = FileDestination(
            hidden, format=find_format(out, None).name, separator=job.plan.destination.separator
        )
        open_table(rows, missing=()).write(Recoding(), how)
        written = open_table(hidden, missing=(), format=how.format, separator=how.separator)
        checked = verify(
            written,
            quasi_identifiers=earlier.quasi_identifiers,
            models=job.plan.models,
            hierarchies=earlier.hierarchies,
            identifiers=job.plan.with_role(Role.IDENTIFIER),
        )
        if not checked.passed or checked.rows != rows.height:
            broken: Sequence[str] = [one.text for one in checked.findings if not one.passed]
            broken = broken or [say("rows are missing")]
            raise ReleaseError(
                say(
                    "with the new rows the release would break a promise: {problems}",
                    problems=join_texts("; ", broken),
                ),
                where=str(out),
                remedy=say("nothing was written; make a new release of all rows"),
            )
        told = _record(before, project, job, found, checked, path, out)
        if keeper.ledger is not None:
            entry = keeper.ledger.record(
                _body(told, keeper, job, hidden, out, checked, check), members, as_seen=True
            )
            recorded.append(entry)
            told["ledger"] = {
                "file": str(keeper.ledger.path),
                "anchor": str(entry.anchor),
                "recipient": keeper.plan.recipient,
                "checks": [] if check is None else [check.summary()],
            }
        return ExtensionResult(
            out,
            rows.height,
            added.height,
            found.waiting,
            already,
            found.classes,
            found.new_classes,
            checked,
            check,
            told,
        )

    try:
        return publish(out, make=make, describe=lambda made: made.record, overwrite=overwrite)
    except BaseException:
        for entry in recorded:
            if keeper.ledger is not None and file_digest(out) != entry.body["release"]["digest"]:
                keeper.ledger.withdraw(entry, "it could not be written")
        raise


def _record(
    before: Mapping[str, Any],
    project: Project,
    job: PreparedTable,
    found: Extension,
    checked: Verification,
    path: Path,
    out: Path,
) -> dict[str, Any]:
    """The record of the earlier release, about this one; what was measured of the earlier one alone is left out."""
    told = {
        name: value
        for name, value in before.items()
        if name not in ("distributions", "measures", "risk", "ledger", "rows")
    }
    tables = dict(told["project"]["tables"])
    tables[job.name] = {**tables[job.name], "destination": {"path": str(out)}}
    return told | {
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "project": {**told["project"], "tables": tables},
        "destination": {"path": str(out)},
        "extends": {"release": str(path), "digest": file_digest(path)},
        "rows": {"written": checked.rows, "added": int(found.added.sum()), "waiting": found.waiting},
        "risk": {"before": None, "after": asdict(checked.risk)},
        "verification": asdict(checked),
    }


def _body(
    told: Mapping[str, Any],
    keeper: _Keeping,
    job: PreparedTable,
    hidden: Path,
    out: Path,
    checked: Verification,
    check: LedgerCheck | None,
) -> dict[str, Any]:
    return {
        "recipient": keeper.plan.recipient,
        "project": {"name": job.project.name, "digest": project_digest(told["project"])},
        "table": job.name,
        "type": str(job.plan.kind),
        "extends": None if keeper.entry is None else keeper.entry.number,
        "roles": {name: str(one.role) for name, one in job.plan.columns.items() if one.role is not None},
        "recoding": None if keeper.entry is None else keeper.entry.body["recoding"],
        "models": [
            {"model": model.name, **model.model_dump(mode="json", exclude_none=True)}
            for model in job.plan.models
        ],
        "release": {
            "place": str(out.absolute()),
            "digest": file_digest(hidden),
            "reading": {"separator": job.plan.destination.separator},
            "rows": checked.rows,
            "classes": checked.classes,
            "k": checked.smallest,
        },
        "evidence": {"verified": [finding.text for finding in checked.findings]},
        "checks": [] if check is None else [{**check.summary(), "proposals": []}],
    }
