"""What operations need of their own machine, lent to passes on others: keys for their purposes, and hierarchies."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from celosia.errors import ProjectError
from celosia.mask.keys import Keys, SecretKey
from celosia.say import say

if TYPE_CHECKING:
    from celosia.hierarchies import Hierarchy

__all__ = ["WorkerHierarchies", "WorkerKey", "WorkerKeys"]


class WorkerKey(SecretKey):
    """What was derived from a key: the secret itself stays where it is, and no other purpose is served.

    >>> import pickle
    >>> key = SecretKey(bytes(range(32)))
    >>> lent = WorkerKey(key)
    >>> derived = lent.derive("hash: sha256", 32)
    >>> elsewhere = pickle.loads(pickle.dumps(lent))
    >>> elsewhere.derive("hash: sha256", 32) == key.derive("hash: sha256", 32)
    True
    >>> elsewhere.derive("encrypt", 32)
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: key: it was not lent for this; report it
    """

    def __init__(self, key: SecretKey | None, derived: Mapping[tuple[str, int], bytes] | None = None) -> None:
        self._key, self._derived = key, dict(derived or {})

    def derive(self, purpose: str, length: int) -> bytes:
        """A key for one purpose, which is noted here and known elsewhere."""
        if (purpose, length) not in self._derived:
            if self._key is None:
                raise ProjectError(say("it was not lent for this"), where="key", remedy=say("report it"))
            self._derived[purpose, length] = self._key.derive(purpose, length)
        return self._derived[purpose, length]

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __reduce__(self) -> tuple[object, ...]:
        return WorkerKey, (None, self._derived)


class WorkerKeys(Keys):
    """Keys by name, each as far as somebody asked it for a purpose here."""

    def __init__(self, keys: Keys | None, lent: Mapping[str | None, WorkerKey] | None = None) -> None:
        super().__init__()
        self._keys, self._lent = keys, dict(lent or {})

    def current(self, name: str | None = None) -> SecretKey:
        """The key that is in use under a name."""
        if name not in self._lent:
            assert self._keys is not None
            self._lent[name] = WorkerKey(self._keys.current(name))
        return self._lent[name]

    def all(self, name: str | None = None) -> tuple[SecretKey, ...]:
        """As :meth:`current`: what was encrypted before is not undone on other machines."""
        return (self.current(name),)

    def __reduce__(self) -> tuple[object, ...]:
        return WorkerKeys, (None, self._lent)


class WorkerHierarchies:
    """Hierarchies by what operations call them, each read where its file is."""

    def __init__(
        self, find: "Callable[[str], Hierarchy] | None", lent: "Mapping[str, Hierarchy] | None" = None
    ) -> None:
        self._find, self._lent = find, dict(lent or {})

    def __call__(self, name: str) -> "Hierarchy":
        """The hierarchy of that name."""
        if name not in self._lent:
            assert self._find is not None
            self._lent[name] = self._find(name)
        return self._lent[name]

    def __reduce__(self) -> tuple[object, ...]:
        return WorkerHierarchies, (None, self._lent)
