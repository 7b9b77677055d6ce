"""What the columns of a table are: types, the roles they probably have, and a k that keeps their distributions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from celosia.api.arguments import with_progress
from celosia.api.declaring import DeclaredColumns, declare_rest
from celosia.api.opening import FirstRows, first_rows, opened_table
from celosia.api.requests import TableSource
from celosia.types import Role, Schema, TableLike

if TYPE_CHECKING:
    from celosia.api.results import Ask, Balance, Profile, Progress, Project, QuasiIdentifierProposal, Table
    from celosia.profile import Treatment

__all__ = [
    "ProfileRequest",
    "ProfiledTable",
    "declare_undeclared",
    "profile_project",
    "profile_source",
    "profile_table",
]


def profile_table(source: TableLike, *, progress: "Progress | None" = None, **reading: Any) -> "Profile":
    """Types, distinct and missing values of every column, and the role it probably has, with the reason.

    ``reading`` are the fields of :class:`celosia.api.requests.TableSource`.

    >>> import polars as pl
    >>> [column.name for column in profile_table(pl.DataFrame({"age": [31, 32], "sex": ["f", "m"]})).columns]
    ['age', 'sex']
    """
    wanted = ProfileRequest(proposes_quasi_identifiers=False)
    return profile_source(TableSource.of(source, **reading), wanted, progress=progress).profile


@dataclass(frozen=True)
class ProfileRequest:
    """What is looked for besides types and roles.

    ``nominated`` are columns to choose quasi-identifiers from, by default those that look like one; ``tolerance`` is
    the share of combinations that a smaller choice may lack; ``first_rows`` is how many rows are shown.
    """

    nominated: Sequence[str] = ()
    tolerance: float = 0.05
    proposes_quasi_identifiers: bool = True
    proposes_k: bool = False
    proposes_treatments: bool = False
    first_rows: int = 0
    schema: bool = False


@dataclass(frozen=True)
class ProfiledTable:
    """A profile, and what was proposed from it; what was not asked for is None."""

    profile: "Profile"
    nominated: tuple[str, ...] = ()
    quasi_identifiers: "QuasiIdentifierProposal | None" = None
    balance: "Balance | None" = None
    schema: Schema | None = None
    first: FirstRows | None = None
    treatments: "Mapping[str, Treatment]" = field(default_factory=dict)

    @property
    def declared(self) -> DeclaredColumns:
        """Every column, as a release of the nominated ones declares it: what looks like one of them is dropped."""
        rest = declare_rest(
            self.profile,
            self.nominated,
            treatments={name: treatment.operation for name, treatment in self.treatments.items()},
            with_quasi_identifiers=False,
        )
        return replace(rest, roles=replace(rest.roles, quasi_identifiers=self.nominated))

    @property
    def treatment_documents(self) -> dict[str, object]:
        """The treatments as a project writes them, by column."""
        from celosia.mask.parsing import parse_operations
        from celosia.project.registered import operation_documents

        return {
            name: operation_documents(parse_operations(treatment.operation))
            for name, treatment in self.treatments.items()
        }


def profile_source(
    source: TableSource,
    wanted: ProfileRequest,
    *,
    progress: "Progress | None" = None,
    ask: "Ask | None" = None,
) -> ProfiledTable:
    """The profile of a table, and what is proposed from it.

    >>> import polars as pl
    >>> people = pl.DataFrame({"age": [31, 32, 38, 39], "sex": ["f", "m", "f", "m"]})
    >>> profile_source(TableSource(people), ProfileRequest(nominated=["age"])).quasi_identifiers.columns
    ('age',)
    """
    with opened_table(source, ask=ask) as table:
        return _profiled(table, wanted, progress)


def profile_project(
    project: "Project",
    name: str | None,
    wanted: ProfileRequest,
    *,
    progress: "Progress | None" = None,
    ask: "Ask | None" = None,
) -> ProfiledTable:
    """The profile of a table of a project; the quasi-identifiers that it declares are nominated."""
    from celosia.release.open_source import opened_table as opened_in_project

    with opened_in_project(project, name, ask=ask) as prepared:
        nominated = wanted.nominated or prepared.plan.quasi_identifiers
        return _profiled(prepared.source, replace(wanted, nominated=nominated), progress)


def _profiled(table: "Table", wanted: ProfileRequest, progress: "Progress | None") -> ProfiledTable:
    from celosia import profile
    from celosia.balancing import choose_technique, sweep
    from celosia.recode.task import RecodingTask

    told = with_progress(progress)
    first = first_rows(table, wanted.first_rows) if wanted.first_rows else None
    profiled = profile.profile_table(table, **told)
    nominated = tuple(wanted.nominated) or tuple(profiled.with_role(Role.QUASI_IDENTIFIER))
    proposal, balance = None, None
    if nominated and wanted.proposes_quasi_identifiers:
        proposal = profile.propose_quasi_identifiers(table, nominated, tolerance=wanted.tolerance, **told)
    if nominated and wanted.proposes_k:
        task = RecodingTask(table=table, quasi_identifiers=nominated, models=(), **told)
        balance = sweep(task, choose_technique(task))
    schema = table.schema() if wanted.schema else None
    treatments = profile.find_treatments(table, profiled) if wanted.proposes_treatments else {}
    return ProfiledTable(profiled, nominated, proposal, balance, schema, first, treatments)


def declare_undeclared(
    source: TableSource,
    declared: Sequence[str],
    *,
    progress: "Progress | None" = None,
    ask: "Ask | None" = None,
) -> DeclaredColumns:
    """The columns that nobody declared, with the roles proposed for them; further quasi-identifiers are dropped.

    >>> import polars as pl
    >>> people = pl.DataFrame({"age": [31, 32], "sex": ["f", "m"], "disease": ["flu", "gout"]})
    >>> rest = declare_undeclared(TableSource(people), ["age"])
    >>> rest.roles.sensitive, rest.masks
    (('disease',), {'sex': 'drop'})
    """
    wanted = ProfileRequest(proposes_quasi_identifiers=False)
    profiled = profile_source(source, wanted, progress=progress, ask=ask).profile
    return declare_rest(profiled, declared, with_quasi_identifiers=False)
