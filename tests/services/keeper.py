"""Runs a server as long as somebody wants it: whoever started the keeper holds the other end of its input.

When that end is closed, or its holder dies however suddenly, the server is stopped and its folder removed.
"""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path


def keep(folder: Path, commands: list[list[str]]) -> int:
    """Runs `commands` one after the other, the last of which is the server, as the owner of `folder`."""
    for command in commands:
        process = start(command, folder)
        if not ends_by_itself(process):
            stop(process)
            shutil.rmtree(folder)
            return 0
        if process.returncode:
            return 1
    return 1


def start(command: list[str], folder: Path) -> subprocess.Popen[bytes]:
    owner = folder.stat()
    other = {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []} if os.getuid() == 0 else {}
    # The machine's own folder for temporary files may be closed to the servers' users.
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "LC_ALL": "C.UTF-8",
    }
    with (folder / "log").open("ab") as log:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=folder,
            env=environment,
            process_group=0,
            **other,
        )


def ends_by_itself(process: subprocess.Popen[bytes]) -> bool:
    """Waits; true when the process has ended, false when nobody wants it any more."""
    while process.poll() is None:
        if select.select([sys.stdin], [], [], 0.05)[0]:
            return False
    return True


def stop(process: subprocess.Popen[bytes]) -> None:
    # To both servers this says: at once, and never mind the data.
    process.send_signal(signal.SIGQUIT)
    with suppress(subprocess.TimeoutExpired):
        process.wait(10)
    # What prepares a server may have children of its own.
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


if __name__ == "__main__":
    sys.exit(keep(Path(sys.argv[1]), json.loads(sys.argv[2])))
