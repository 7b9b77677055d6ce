"""Values replaced by realistic ones of people who do not exist."""

from typing import ClassVar

import polars as pl
from pydantic import Field, PrivateAttr, field_validator, model_validator

from celosia.errors import ProjectError
from celosia.mask.digests import hmac_of
from celosia.mask.distinct import PerDistinct
from celosia.mask.fake_kinds import SHAPED, FakeKind, guess_kind, guess_locale
from celosia.mask.fakes import DOMAINS, Fakes
from celosia.mask.keys import DEFAULT
from celosia.mask.operation import ColumnFacts, ColumnOperation, Mask, OperationSubject
from celosia.mask.repeats import frequency_leak, per_distinct_value
from celosia.say import say

__all__ = ["Fake"]


class Fake(ColumnOperation):
    """Replace values by realistic ones that belong to nobody: Ana Pérez may become Lucía Romero, wherever she appears.

    The same original gets the same fake in every table and run with the same key. What kind of value it is follows from
    the name of the column unless given, and so does the language. Fakes keep the form: ANA PÉREZ becomes LUCÍA ROMERO,
    ``Pérez, Ana`` stays surname first, +34 600 111 222 keeps its prefix and its spaces, and addresses of mail end in
    example.com, which reaches nobody. Numbers keep their length, and letters and digits their places, not their check
    digit; a text that is no telephone number, as a remark in its place, gets one from scratch.

    Use it for tests, training and demonstrations, where data must look real. Different originals can share a fake:
    there are 10,000 of a kind at most, of Spanish cities about fifty, of full names a million. So do not join or count
    by it; ``unique`` adds a tag of 12 characters that tells originals apart, and pseudonymize does that better.
    """

    name: ClassVar[str] = "fake"
    hides_identity: ClassVar[bool] = True
    leaks: ClassVar[str] = say(
        "which rows may have the same value, and so how common each is; case, length and "
        "separators of numbers"
    )

    kind: FakeKind | None = Field(
        default=None,
        description="what the values are, such as name, city or phone; found from the column's name",
    )
    locale: str | None = Field(
        default=None, description="language and country, such as es_MX; found from the column's name"
    )
    unique: bool = Field(
        default=False, description="whether different values always get different fakes, with a tag"
    )
    key: str | None = Field(default=None, description="the name of the key; the default key if there is none")
    _found: FakeKind | None = PrivateAttr(default=None)

    @field_validator("kind", mode="before")
    @classmethod
    def _spelled(cls, kind: object) -> object:
        return kind.replace("-", " ").replace("_", " ") if isinstance(kind, str) else kind

    @model_validator(mode="after")
    def _fits(self) -> "Fake":
        if self.unique and self.kind in SHAPED:
            raise ValueError(
                say(
                    "a {kind} has no room for a tag: use preserve-format to keep numbers apart",
                    kind=self.kind,
                )
            )
        return self

    @property
    def key_name(self) -> str | None:
        """The key it needs."""
        return self.key or DEFAULT

    def describe(self) -> str:
        """Such as: replaced by fake city values."""
        return (
            say("replaced by fake {kind} values", kind=self.kind)
            if self.kind
            else say("replaced by fake values")
        )

    def weaknesses(self, facts: ColumnFacts) -> tuple[str, ...]:
        """Equal values stay equal."""
        return (frequency_leak(facts),) if facts.is_skewed else ()

    def start(self, subject: OperationSubject) -> Mask:
        """Replace the values of a batch."""
        work = PerDistinct(per_distinct_value(self.fakes(subject)), location=subject.where)
        return lambda values, _: work(values)

    def fakes(self, subject: OperationSubject) -> Fakes:
        """The function from texts to fakes."""
        kind = self.kind or guess_kind(subject.column)
        if kind is None:
            raise ProjectError(
                say("the name of column {column!r} does not tell what to fake", column=subject.column),
                where=say("column {column!r}, operation fake", column=subject.column),
                remedy=say("say it with kind: {names}", names=", ".join(FakeKind)),
            )
        if self.unique and kind in SHAPED:
            raise ProjectError(
                say("a {kind} has no room for a tag that makes it unique", kind=kind),
                where=say("column {column!r}, operation fake", column=subject.column),
                remedy=say("use preserve-format to keep numbers apart"),
            )
        self._found = kind
        digest = hmac_of(subject.keys.current(self.key).derive("fake", 32))
        return Fakes(kind, self.locale or guess_locale(subject.column), digest, unique=self.unique)

    def broken(self, values: pl.Series) -> int:
        """Addresses of mail that might reach somebody, and letters that no fake number has."""
        kind, texts = self.kind or self._found, values.cast(pl.String)
        if kind in SHAPED:
            kept = r"\p{L}|\p{M}" if kind is FakeKind.PHONE else r"[[\p{L}\p{M}\p{N}]--[A-Za-z0-9]]"
            return int(texts.str.contains(kept).sum())
        if kind is not FakeKind.EMAIL:
            return 0
        ends = "|".join(domain.replace(".", r"\.") for domain in DOMAINS)
        return int((~texts.str.to_lowercase().str.contains(f"@(?:{ends})$")).sum())
