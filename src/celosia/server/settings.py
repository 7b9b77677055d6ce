"""How the service is set up: where it keeps things, whom it lets in, what it allows."""

from dataclasses import dataclass, field
from pathlib import Path

from celosia.machine import whole_memory

__all__ = ["Mail", "Settings"]

MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Mail:
    """The server that sends mail when a job is done; its password is in the variable CELOSIA_MAIL_PASSWORD."""

    host: str
    sender: str
    port: int = 587
    user: str = ""


@dataclass(frozen=True)
class Settings:
    """Everything that is decided before the service starts.

    >>> Settings(Path("here")).database_url
    'sqlite:///here/celosia.db'
    """

    workspace: Path
    """The folder of all that the service keeps; nothing outside of it is ever opened for anybody."""
    database: str = ""
    """The address of the database for its own data; a file of SQLite in the workspace by default."""
    host: str = "127.0.0.1"
    port: int = 8080
    has_users: bool = False
    """Whether people sign in with a name and a password; otherwise whoever has the link of the start is the owner."""
    runners: int = 2
    """Jobs that run at the same time."""
    job_memory: int = 0
    """Bytes that the process of a job may take; 0: three quarters of what the machine has, -1: all."""
    upload_limit: int = 2048 * MEGABYTE
    """Bytes of one file."""
    body_limit: int = 16 * MEGABYTE
    """Bytes of any other request."""
    session_hours: float = 12.0
    is_https: bool = False
    """Whether people reach it by https, through a proxy: cookies are then sent over nothing else."""
    origins: tuple[str, ...] = ()
    """Further addresses by which browsers reach it, as in https://celosia.example.org."""
    database_hosts: tuple[str, ...] = ()
    """Hosts of databases that may be connected; any if none is named."""
    cluster_places: tuple[str, ...] = ()
    """Beginnings of places on a cluster, in a store or on the web, as in hdfs://namenode/people/ or s3://clinic/."""
    spark: dict[str, str] = field(default_factory=dict)
    """Settings of the Spark sessions of jobs."""
    mail: Mail | None = None
    webhook: str = ""
    """An address that is told by POST when a job is done."""

    @property
    def database_url(self) -> str:
        """Where its own data are."""
        return self.database or f"sqlite:///{self.workspace / 'celosia.db'}"

    @property
    def memory_of_job(self) -> int:
        """Bytes that the process of a job may take; 0 if nobody says how many.

        >>> [Settings(Path("here"), job_memory=given).memory_of_job for given in (1 << 30, -1)]
        [1073741824, 0]
        """
        return max(0, self.job_memory or 3 * (whole_memory() or 0) // 4)

    @property
    def is_local(self) -> bool:
        """Whether nobody on another machine can reach it."""
        return self.host in ("127.0.0.1", "::1", "localhost")
