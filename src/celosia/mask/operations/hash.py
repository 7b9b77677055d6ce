"""Values replaced by their hash, with a secret salt or without one."""

from collections.abc import Callable
from enum import StrEnum
from typing import ClassVar

import polars as pl
from pydantic import Field

from celosia.mask.digests import hmac_of, plain_digest_of
from celosia.mask.distinct import PerDistinct
from celosia.mask.operation import ColumnFacts, ColumnOperation, Mask, OperationSubject
from celosia.mask.repeats import frequency_leak, per_distinct_value
from celosia.mask.values import texts_of
from celosia.say import say

__all__ = ["Hash", "HashAlgorithm"]


class HashAlgorithm(StrEnum):
    """The hash functions that there are to choose from."""

    SHA256 = "sha256"
    SHA512 = "sha512"
    BLAKE2B = "blake2b"


class Hash(ColumnOperation):
    """Replace every value by its hash, in hexadecimal digits: without a salt, 7 becomes 7902699be42c8a8e... (SHA-256).

    The salt is a secret key, by its name: with it the hash is an HMAC (of BLAKE2b, its own keyed form). Without a
    salt anybody can hash guesses and compare, so that ids, telephone numbers, names and codes are as good as plain.
    Use it where a receiver expects such hashes; otherwise ``pseudonymize`` does the same in fewer characters.
    BLAKE2b has 32 bytes here, as SHA-256 has.
    """

    name: ClassVar[str] = "hash"
    hides_identity: ClassVar[bool] = True
    leaks: ClassVar[str] = say(
        "which rows have the same value and how common each is; without a salt, every value "
        "that can be guessed"
    )

    salt: str | None = Field(
        default=None, description="the name of the key that is the secret salt; none by default"
    )
    algorithm: HashAlgorithm = Field(default=HashAlgorithm.SHA256, description="sha256, sha512 or blake2b")

    @property
    def key_name(self) -> str | None:
        """The salt it needs."""
        return self.salt

    def describe(self) -> str:
        """Such as: replaced by sha256 hashes with a secret salt."""
        return (
            say("replaced by {algorithm} hashes without a salt", algorithm=self.algorithm)
            if self.salt is None
            else say("replaced by {algorithm} hashes with a secret salt", algorithm=self.algorithm)
        )

    def weaknesses(self, facts: ColumnFacts) -> tuple[str, ...]:
        """Why it is weak: values can be guessed without a salt, or told by how common they are with one."""
        if self.salt is None:
            if facts.is_small:
                few = say(
                    "without a salt whoever hashes all values that are possible finds out which is which, "
                    "and there are but {distinct:,} of them: name a salt, or pseudonymize",
                    distinct=facts.distinct,
                )
                return (few,)
            return (
                say(
                    "without a salt whoever hashes all values that are possible finds out which is which, "
                    "and ids, names and codes can be listed: name a salt, or pseudonymize"
                ),
            )
        return (frequency_leak(facts),) if facts.is_skewed else ()

    def start(self, subject: OperationSubject) -> Mask:
        """Hash the distinct texts of a batch."""
        digest = self._digest(subject)

        def hashed(texts: pl.Series) -> pl.Series:
            digests = [digest(text) for text in texts.cast(pl.Binary).to_list()]
            return pl.Series(digests, dtype=pl.Binary).bin.encode("hex")

        work = PerDistinct(per_distinct_value(hashed), location=subject.where)
        return lambda values, _: work(values)

    def _digest(self, subject: OperationSubject) -> Callable[[bytes], bytes]:
        if self.salt is None:
            return plain_digest_of(self.algorithm)
        key = subject.keys.current(self.salt).derive(f"hash: {self.algorithm}", 32)
        return (
            plain_digest_of(self.algorithm, key)
            if self.algorithm is HashAlgorithm.BLAKE2B
            else hmac_of(key, self.algorithm)
        )

    def broken(self, values: pl.Series) -> int:
        """Values that are no hashes of this algorithm."""
        length = 128 if self.algorithm is HashAlgorithm.SHA512 else 64
        return len(values) - int(texts_of(values).str.contains(f"^[0-9a-f]{{{length}}}$").sum())
