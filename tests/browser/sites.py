"""The web application as people start it: a process of the command line with a folder of its own, gone afterwards."""

import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
from programs import HOST, find_program, free_port

START_SECONDS = 120  # three are enough, on a machine that does nothing else
OPEN = ("queued", "running")


class Site:
    """One workspace, and the process that serves it; it can be killed and started again."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.workspace, self.log = folder / "workspace", folder / "log"
        self.port, self.options = free_port(), options
        self._process: subprocess.Popen[str] | None = None
        self._links: queue.Queue[str] = queue.Queue()
        self._clients: list[Client] = []

    @property
    def address(self) -> str:
        """Where it is."""
        return f"http://{HOST}:{self.port}"

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._links = queue.Queue()
        with self.log.open("a") as log:
            self._process = subprocess.Popen(
                [
                    *dying_with_us(),
                    *COMMAND,
                    "serve",
                    "-w",
                    str(self.workspace),
                    "--port",
                    str(self.port),
                    *self.options,
                ],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
                env={**os.environ, "PYTHONWARNINGS": "default"},
            )
        threading.Thread(target=self._listen, args=(self._process.stdout,), daemon=True).start()
        self._links.put(self.link())

    def link(self) -> str:
        """A link that nobody used yet: it prints another when one was used."""
        try:
            return self._links.get(timeout=START_SECONDS)
        except queue.Empty:
            raise RuntimeError(f"celosia serve does not start:\n{self.told()[-3000:]}") from None

    def told(self) -> str:
        """What it said of mistakes."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def kill(self) -> None:
        """End it as a fall of the machine would: nothing is put in order."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """End it as Ctrl-C does."""
        for client in self._clients:
            client.close()
        if self._process is None:
            return
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(15)
        if self._process.poll() is None:
            self.kill()

    def is_over(self) -> bool:
        """Whether its process has ended."""
        return self._process is None or self._process.poll() is not None

    def signed_in(self, name: str = "", password: str = "") -> "Client":
        """A program that uses REST, by the link or by a name and a password."""
        given = {"name": name, "password": password} if name else {"token": self.link().partition("=")[2]}
        answer = httpx.post(f"{self.address}/api/v1/session", json=given)
        answer.raise_for_status()
        self._clients.append(Client(self, answer.json()["bearer"]))
        return self._clients[-1]

    def _listen(self, output: Any) -> None:
        with output:
            for line in output:
                found = re.search(r"https?://\S+", line)
                if found is not None:
                    self._links.put(found[0])


class Client(httpx.Client):
    """REST for one person."""

    def __init__(self, site: Site, bearer: str) -> None:
        super().__init__(
            base_url=f"{site.address}/api/v1", headers={"Authorization": f"Bearer {bearer}"}, timeout=60
        )
        self.bearer = bearer

    def made(self, answer: httpx.Response) -> Any:
        """What an answer says, which is no mistake."""
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    def project(self, name: str, table: str = "", document: dict[str, Any] | None = None) -> str:
        """A new project, with a table of people if its text is given."""
        project: str = self.made(self.post("/projects", json={"name": name}))["id"]
        if table:
            self.made(self.put(f"/projects/{project}/files/people.csv", content=table.encode()))
            given = {**DOCUMENT, **(document or {})}
            self.made(self.put(f"/projects/{project}", json={"document": given}))
        return project

    def run(self, project: str, kind: str, **parameters: Any) -> str:
        """Queue a job."""
        given = {"kind": kind, "parameters": parameters}
        made: str = self.made(self.post(f"/projects/{project}/runs", json=given))["id"]
        return made

    def wait(self, run: str, *, until: Sequence[str] = (), seconds: float = 120) -> dict[str, Any]:
        """The job when it has ended, or is in one of these states."""
        end = time.monotonic() + seconds
        while True:
            found: dict[str, Any] = self.made(self.get(f"/runs/{run}"))
            if found["state"] in (until or ("done", "failed", "cancelled")):
                return found
            assert time.monotonic() < end, json.dumps(found)
            time.sleep(0.1)


COMMAND = (sys.executable, "-m", "celosia")
# How Chromium is started.
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
    # Whatever a page asks of anybody else fails, and with it the test.
    f"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE {HOST} , EXCLUDE localhost",
]
SECRETS = {"ana": "a rather long secret of ana", "luz": "a rather long secret of luz"}
PEOPLE = "age,sex,ill\n" + "".join(f"{20 + n % 12},{'fm'[n % 2]},{'abc'[n % 3]}\n" for n in range(120))
DOCUMENT: dict[str, Any] = {
    "models": [{"model": "k-anonymity", "k": 3}],
    "tables": {
        "people": {
            "source": "data/people.csv",
            "unlisted": "drop",
            "columns": {"age": "quasi-identifier", "sex": "quasi-identifier", "ill": "sensitive"},
        }
    },
}


def dying_with_us() -> list[str]:
    """What has the system end a process with the one that started it, however suddenly that goes."""
    program = find_program("setpriv")
    return [] if program is None else [str(program), "--pdeathsig", "KILL"]


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[Site]:
    """A site that is stopped at the end of the block."""
    site = Site(folder, *options)
    try:
        site.start()
        yield site
    finally:
        site.stop()


@contextmanager
def shared_serving(folder: Path) -> Iterator[Site]:
    """A site where Ana and Luz sign in, as whoever runs the service lets them."""
    site = Site(folder, "--users")
    for name, secret in SECRETS.items():
        command = [*COMMAND, "users", "add", name, "-w", str(site.workspace)]
        subprocess.run(command, input=f"{secret}\n", text=True, check=True, capture_output=True)
    try:
        site.start()
        yield site
    finally:
        site.stop()


def project_pages(project: str) -> dict[str, str]:
    """All pages of a project that compute nothing heavy, and what programs read of it most."""
    steps = ("data", "hierarchies", "goals", "solutions", "result", "compare", "manage")
    return {
        "list of projects": "/",
        **{f"page {step}": f"/projects/{project}/{step}" for step in steps},
        "help": "/help",
        "REST: projects": "/api/v1/projects",
        "REST: project": f"/api/v1/projects/{project}",
        "REST: runs": f"/api/v1/projects/{project}/runs",
    }
