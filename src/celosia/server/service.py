"""The service as its parts share it, and what every one of them begins with."""

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from celosia.server.accounts import SignInThrottle, same
from celosia.server.sealed_passwords import Seal
from celosia.server.settings import Settings
from celosia.server.store import Store
from celosia.server.workspace import make_workspace

if TYPE_CHECKING:
    from celosia.server.queue import Queue

__all__ = ["Service", "new_id"]


def new_id() -> str:
    """A name for something new, that nobody guesses.

    >>> len(new_id()), new_id() == new_id()
    (16, False)
    """
    return secrets.token_hex(8)


@dataclass
class Service:
    """Settings, what is kept, and the queue of jobs.

    >>> import tempfile
    >>> from pathlib import Path
    >>> service = Service(Settings(Path(tempfile.mkdtemp())))
    >>> token = service.new_token()
    >>> service.use_token(token), service.use_token(token)
    (True, False)
    """

    settings: Settings
    patience: SignInThrottle = field(default_factory=SignInThrottle)
    on_used: Callable[[], None] = lambda: None
    """Called when a link was used, for whoever shows the next."""
    _tokens: set[str] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @cached_property
    def store(self) -> Store:
        """What the service keeps of itself."""
        make_workspace(self.settings.workspace)
        return Store(self.settings.database_url)

    @cached_property
    def seal(self) -> Seal:
        """Passwords while they are kept."""
        return Seal(self.settings.workspace)

    @cached_property
    def queue(self) -> "Queue":
        """Jobs that wait and run."""
        from celosia.server.queue import Queue

        return Queue(self)

    def new_token(self) -> str:
        """A word that lets whoever has it in, once."""
        token = secrets.token_urlsafe(24)
        with self._lock:
            self._tokens.add(token)
        return token

    def use_token(self, offered: str) -> bool:
        """Whether a word lets somebody in; it does so once."""
        with self._lock:
            known = next((token for token in self._tokens if same(token, offered)), None)
            self._tokens.discard(known or "")
        if known is not None:
            self.on_used()
        return known is not None

    def close(self) -> None:
        """Stop all jobs, which begin again with the next start, and let go of everything."""
        self.queue.stop()
        self.store.close()
