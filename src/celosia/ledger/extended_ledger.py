"""The ledger of a release to which rows are added: who is in it already, and who is in it then."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import ReleaseError
from celosia.ledger.check import LedgerCheck, check_members
from celosia.ledger.entry import Entry, file_digest
from celosia.ledger.extend import Extension
from celosia.ledger.join_by_values import PublishedTable
from celosia.ledger.ledger import Ledger, open_ledger
from celosia.ledger.members import Members, label_digests
from celosia.ledger.run_ledger import ledger_key
from celosia.measure.row_order import rows_in_order
from celosia.project import Project
from celosia.release.prepared_table import PreparedTable
from celosia.say import join_texts, say
from celosia.tables.exclude_people import ExcludePeople
from celosia.tables.layer import apply_layer
from celosia.tables.table import Table
from celosia.values.named import named
from celosia.values.same import people_keys

__all__ = ["ExtendedLedger"]


class ExtendedLedger:
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

    def without_known(self, job: PreparedTable) -> tuple[Table, int]:
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

    def members(self, job: PreparedTable, table: Table, extension: Extension) -> Members | None:
        """Everybody of the release and those who are added, in the classes that both have."""
        person = self.plan.person or job.plan.person
        if self.before is None or person is None or self.ledger is None or self.ledger.digests is None:
            return None
        keys = rows_in_order(table, [person]).get_column(person).alias("").filter(pl.Series(extension.added))
        labels = extension.rows.select(named(*self.earlier.quasi_identifiers))
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
                name: self._grown(name, pair, classes, extension.rows)
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
        """What the release and earlier ones reveal together once the new rows are in it; raise if that is too much."""
        if self.ledger is None:
            return None
        if members is None:
            why = say(
                "who is in the release is not recorded: the new rows hide among each other, and what "
                "they reveal together with other releases is not known"
            )
            return LedgerCheck("nothing", (), unknown=(why,))
        check = check_members(self.ledger, self.ledger.entries, members, models=job.plan.models)
        if not check.passed and self.plan.broken != "record":
            raise ReleaseError(
                say(
                    "together with earlier releases it would break its promise: {problems}",
                    problems=join_texts("; ", check.sentences()),
                ),
                where=str(self.ledger.path),
                remedy=say("nothing was written; make a new release of all rows"),
            )
        return check
