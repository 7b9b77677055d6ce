"""The record of processing that laws ask for, from the project and its ledger; and what an impact assessment needs.

GDPR, article 30(1); Ley 1581 of 2012 (Colombia), article 25, with what Decreto 886 of 2014 asks of the register; Ley
18.331 (Uruguay), article 29. The annex follows article 35(7) of the GDPR. What neither the project nor the ledger says
is named as lacking, never guessed. This is no legal advice.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from celosia.ledger.entry import Entry
from celosia.ledger.ledger import Ledger
from celosia.privacy import PrivacyModel
from celosia.project import Project
from celosia.types import Role
from celosia.words import Words, phrase

__all__ = ["ProcessingItem", "ProcessingRecord", "ProcessingSection", "record_of_processing"]

LACKING = phrase("to be filled in")
ROLES = {
    Role.IDENTIFIER: phrase("identifiers, which do not leave as they are"),
    Role.QUASI_IDENTIFIER: phrase("columns that others may know"),
    Role.SENSITIVE: phrase("sensitive columns"),
    Role.COMMON: phrase("other columns"),
}


@dataclass(frozen=True)
class ProcessingItem:
    """One thing that a law asks for: where it does, what it is, and the answer; empty if nobody gave one."""

    article: str
    name: str
    answer: tuple[str, ...]

    @property
    def is_lacking(self) -> bool:
        """Whether a person has to fill it in."""
        return not any(self.answer)


@dataclass(frozen=True)
class ProcessingSection:
    """What one law asks for."""

    title: str
    items: tuple[ProcessingItem, ...]


@dataclass(frozen=True)
class ProcessingRecord:
    """The whole record, in one language."""

    title: str
    language: str
    at: str
    sections: tuple[ProcessingSection, ...]

    @property
    def lacking(self) -> int:
        """How much a person has to fill in."""
        return sum(item.is_lacking for section in self.sections for item in section.items)

    def rows(self) -> list[tuple[str, str, str, str]]:
        """As a table: law, article, what is asked for, answer."""
        blank = Words(self.language)(LACKING)
        return [
            (section.title, item.article, item.name, blank if item.is_lacking else "; ".join(item.answer))
            for section in self.sections
            for item in section.items
        ]

    def document(self) -> dict[str, object]:
        """As JSON."""
        return {
            "title": self.title,
            "language": self.language,
            "at": self.at,
            "lacking": self.lacking,
            "sections": [
                {
                    "title": section.title,
                    "items": [
                        {"article": item.article, "name": item.name, "answer": list(item.answer)}
                        for item in section.items
                    ],
                }
                for section in self.sections
            ],
        }


def record_of_processing(
    project: Project, ledger: Ledger | None = None, *, language: str = "en", annex: bool = False
) -> ProcessingRecord:
    """The record of a project, and with ``annex`` what an impact assessment needs.

    >>> project = Project(name="clinic", owner="Hospital", purpose="research")
    >>> found = record_of_processing(project)
    >>> [section.title for section in found.sections][:1], found.lacking > 0
    (['GDPR, article 30(1)'], True)
    """
    maker = _Maker(project, ledger, Words(language))
    sections = [maker.gdpr(), maker.ley_1581(), maker.ley_18331()]
    if annex:
        sections.append(maker.annex())
    words = Words(language)
    title = words("Record of processing")
    return ProcessingRecord(
        title=f"{title}: {project.name}" if project.name else title,
        language=language,
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        sections=tuple(sections),
    )


class _Maker:
    """What is known of a project, as answers to what laws ask."""

    def __init__(self, project: Project, ledger: Ledger | None, words: Words) -> None:
        self.project, self.words = project, words
        self.said = project.processing
        self.entries: Sequence[Entry] = () if ledger is None else ledger.entries
        self.is_sealed = ledger is not None and ledger.key is not None
        self.plans = {name: project.plan(name) for name in project.tables}

    def gdpr(self) -> ProcessingSection:
        words, said = self.words, self.said
        return ProcessingSection(
            words("GDPR, article 30(1)"),
            (
                ProcessingItem("30(1)(a)", words("controller"), self._controller()),
                ProcessingItem(
                    "30(1)(a)", words("representative and joint controllers"), (said.representative,)
                ),
                ProcessingItem("30(1)(a)", words("data protection officer"), (said.officer,)),
                ProcessingItem("30(1)(b)", words("purposes"), (self.project.purpose,)),
                ProcessingItem("30(1)(c)", words("categories of people"), (said.subjects,)),
                ProcessingItem("30(1)(c)", words("categories of personal data"), tuple(self._data())),
                ProcessingItem("30(1)(d)", words("recipients"), tuple(self._recipients())),
                ProcessingItem(
                    "30(1)(e)", words("transfers to other countries, and safeguards"), (said.transfers,)
                ),
                ProcessingItem("30(1)(f)", words("when data are erased"), (said.retention,)),
                ProcessingItem("30(1)(g)", words("security measures"), tuple(self._security())),
            ),
        )

    def ley_1581(self) -> ProcessingSection:
        words, said = self.words, self.said
        return ProcessingSection(
            words("Ley 1581 of 2012 (Colombia), article 25"),
            (
                ProcessingItem("D. 886, 5.1", words("controller"), self._controller()),
                ProcessingItem("D. 886, 5.2", words("processors"), said.processors),
                ProcessingItem("D. 886, 5.3", words("where people exercise their rights"), (said.rights,)),
                ProcessingItem("D. 886, 5.4", words("name of the database"), tuple(self._names())),
                ProcessingItem("D. 886, 5.4", words("purposes"), (self.project.purpose,)),
                ProcessingItem("D. 886, 5.5", words("manual or automated"), (words("automated"),)),
                ProcessingItem("D. 886, 5.6", words("policy of processing"), (said.policy,)),
            ),
        )

    def ley_18331(self) -> ProcessingSection:
        words, said = self.words, self.said
        return ProcessingSection(
            words("Ley 18.331 (Uruguay), article 29"),
            (
                ProcessingItem("29", words("name of the database"), tuple(self._names())),
                ProcessingItem("29", words("controller"), self._controller()),
                ProcessingItem("29", words("nature of the data"), tuple(self._data())),
                ProcessingItem("29", words("how the data are obtained"), (said.obtained,)),
                ProcessingItem("29", words("how the data are processed"), tuple(self._techniques())),
                ProcessingItem("29", words("security measures"), tuple(self._security())),
                ProcessingItem("29", words("recipients"), tuple(self._recipients())),
                ProcessingItem("29", words("when data are erased"), (said.retention,)),
                ProcessingItem("29", words("where people exercise their rights"), (said.rights,)),
            ),
        )

    def annex(self) -> ProcessingSection:
        words, said = self.words, self.said
        return ProcessingSection(
            words("Annex for an impact assessment (GDPR, article 35(7))"),
            (
                ProcessingItem("35(7)(a)", words("what is done"), tuple(self._techniques())),
                ProcessingItem("35(7)(a)", words("purposes"), (self.project.purpose,)),
                ProcessingItem("35(7)(a)", words("legal basis"), (said.basis,)),
                ProcessingItem("35(7)(b)", words("necessity and proportion"), (said.necessity,)),
                ProcessingItem(
                    "35(7)(c)", words("risks of every release, as measured"), tuple(self._risks())
                ),
                ProcessingItem("35(7)(c)", words("risks of all releases together"), tuple(self._together())),
                ProcessingItem("35(7)(d)", words("measures against them"), tuple(self._security())),
                ProcessingItem("35(7)(d)", words("what was verified"), tuple(self._verified())),
            ),
        )

    def _controller(self) -> tuple[str, ...]:
        controller = (self.said.controller or self.project.owner, self.said.contact)
        return tuple(part for part in controller if part)

    def _names(self) -> Iterator[str]:
        for name in self.plans or ():
            yield f"{self.project.name}: {name}" if self.project.name else name

    def _data(self) -> Iterator[str]:
        """Columns by role: their names, never a value."""
        for role, text in ROLES.items():
            names = dict.fromkeys(
                name
                for plan in self.plans.values()
                for name, column in plan.columns.items()
                if column.role is role
            )
            if names:
                yield f"{self.words(text)}: {', '.join(names)}"

    def _recipients(self) -> Iterator[str]:
        days_of: dict[str, list[str]] = {}
        for entry in self.entries:
            days_of.setdefault(entry.recipient, []).append(str(entry.body["at"])[:10])
        for name, days in days_of.items():
            who = name or self.words("everybody")
            if len(days) == 1:
                yield self.words("{who}: one release, on {day}", who=who, day=days[0])
            else:
                yield self.words(
                    "{who}: {count} releases, the last on {day}", who=who, count=len(days), day=max(days)
                )

    def _techniques(self) -> Iterator[str]:
        for name, plan in self.plans.items():
            models = ", ".join(_spelled(model) for model in plan.models) or self.words("operations only")
            yield f"{name}: {plan.technique.name}; {models}"

    def _security(self) -> Iterator[str]:
        words = self.words
        for name, plan in self.plans.items():
            for model in plan.models:
                yield f"{name}: {_spelled(model)}"
        if self.plans:
            yield words(
                "every release is verified from what was written, by code that shares nothing with the search"
            )
            if all(plan.order != "kept" for plan in self.plans.values()):
                yield words("rows are released in random order")
            yield words("identifiers are left out or replaced")
        if self.entries:
            yield words(
                "every release is recorded in a ledger that shows every change, and checked against the earlier ones"
            )
        if self.is_sealed:
            yield words("the ledger is sealed with a key, and people are known in it by keyed digests only")
        if self.said.security:
            yield self.said.security

    def _risks(self) -> Iterator[str]:
        for entry in self.entries:
            release, risk = entry.body["release"], entry.body.get("evidence", {}).get("risk")
            yield self.words(
                "release {number} ({day}): {rows} rows, k {k}, highest risk {highest}, average risk {average}",
                number=entry.number,
                day=str(entry.body["at"])[:10],
                rows=self.words.number(release["rows"]),
                k=release["k"],
                highest=self._share(risk, "highest"),
                average=self._share(risk, "average"),
            )

    def _share(self, risk: Mapping[str, float | None] | None, name: str) -> str:
        share = risk[name] if risk else None
        return self.words("not measured") if share is None else self.words.percent(share)

    def _together(self) -> Iterator[str]:
        for entry in self.entries:
            for check in entry.body.get("checks", ()):
                if "k" in check:
                    yield self.words(
                        "release {number} with {others}: k {k} remains, where {asked} was asked for",
                        number=entry.number,
                        others=", ".join(map(str, check["against"])),
                        k=check["k"],
                        asked=check["asked"],
                    )
                for text in check.get("unknown", ()):
                    yield self.words(
                        "release {number}: not known: {what}",
                        number=entry.number,
                        what=self.words.render(text),
                    )

    def _verified(self) -> Iterator[str]:
        for entry in self.entries:
            for text in entry.body.get("evidence", {}).get("verified", ()):
                yield f"{entry.number}: {self.words.render(text)}"


def _spelled(model: PrivacyModel) -> str:
    """A model by its name and parameters, which need no translation.

    >>> from celosia.privacy import KAnonymity
    >>> _spelled(KAnonymity(k=5))
    'k-anonymity (k=5)'
    """
    parts = ", ".join(
        f"{name}={value}" for name, value in model.model_dump(mode="json", exclude_none=True).items()
    )
    return f"{model.name} ({parts})" if parts else model.name
