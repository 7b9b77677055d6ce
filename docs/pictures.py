"""Takes the pictures of the README: the page of a result and a terminal, in English and in Spanish.

    make pictures                                   all of them into docs/figures
    .venv/bin/python docs/pictures.py terminal      some; see PICTURES below

The people in them are made up. The page is the real application in a real Chromium; the terminal shows what the command
prints when somebody types it, colours included.
"""

import argparse
import os
import pty
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FIGURES = ROOT / "docs" / "figures"
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests" / "services"), str(ROOT / "tests" / "browser")]
LOCALES = {"en": "en-GB", "es": "es-ES"}
ROWS = 5_000
COLUMNS = {
    "patient_name": "identifier",
    "age": "quasi-identifier",
    "sex": "quasi-identifier",
    "postcode": {"type": "text", "role": "quasi-identifier"},
    "diagnosis": {
        "role": "sensitive",
        "accepted": {"by": "Ana Gil", "on": "2026-11-18", "why": "only the hospital knows it"},
    },
}
DOCUMENT = {
    "models": [
        {"model": "k-anonymity", "k": 5},
        {"model": "distinct-l-diversity", "l": 2, "column": "diagnosis"},
    ],
    "suppression": 0.05,
    "seed": 1,
    "tables": {"discharges": {"source": "data/discharges.csv", "unlisted": "drop", "columns": COLUMNS}},
}
PROJECTS = {"en": "Discharges for the university", "es": "Altas para la universidad"}
COMMAND = (
    "celosia anonymize discharges.csv --qi age,sex,postcode --sensitive diagnosis --identifier patient_name "
    "--accept 'diagnosis=only the hospital knows it' -k 5 -l diagnosis=2 --suppression 5% --seed 1 --out safe.csv"
)
TYPED = COMMAND
for word in ("--sensitive", "--accept", "-k"):
    TYPED = TYPED.replace(f" {word}", f" \\\n    {word}")
WIDTH = 100


def write_people(path: Path) -> None:
    """The table that both pictures begin with; nobody in it exists."""
    from celosia.sample import discharges

    discharges(ROWS).select(*COLUMNS).write_csv(path)


def picture_result() -> None:
    """A release on the page that says what it is worth."""
    from playwright.sync_api import sync_playwright
    from programs import find_program
    from sites import FLAGS, serving

    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as site:
        table = Path(folder) / "discharges.csv"
        write_people(table)
        client = site.signed_in()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find_program("chromium"), args=FLAGS)
            for language, locale in LOCALES.items():
                project = release(client, PROJECTS[language], table)
                window = browser.new_context(
                    base_url=site.address,
                    locale=locale,
                    viewport={"width": 1180, "height": 1040},
                    device_scale_factor=1.5,
                    reduced_motion="reduce",
                )
                page = window.new_page()
                page.goto(site.link())
                page.goto(f"/projects/{project}/result")
                page.get_by_role("tabpanel").first.wait_for()
                page.wait_for_load_state("networkidle")
                page.screenshot(path=FIGURES / f"result.{language}.png")
                window.close()
            browser.close()


def release(client: Any, name: str, table: Path) -> str:
    """A project with one release of a table; gives its id."""
    project: str = client.made(client.post("/projects", json={"name": name}))["id"]
    client.made(client.put(f"/projects/{project}/files/{table.name}", content=table.read_bytes()))
    client.made(client.put(f"/projects/{project}", json={"document": DOCUMENT}))
    for kind in ("profile", "hierarchy", "candidates", "release"):
        done = client.wait(client.run(project, kind))
        if done["state"] != "done":
            raise SystemExit(f"{kind}: {done}")
    return project


def picture_terminal() -> None:
    """A command and what it prints."""
    from rich.console import Console
    from rich.terminal_theme import MONOKAI
    from rich.text import Text

    for language in LOCALES:
        with tempfile.TemporaryDirectory() as folder:
            write_people(Path(folder) / "discharges.csv")
            printed = typed_at_terminal(COMMAND, Path(folder), language)
        console = Console(record=True, width=WIDTH, file=Path(os.devnull).open("w"), force_terminal=True)  # noqa: SIM115
        console.print(Text.from_ansi(f"$ {TYPED}\n\n{printed.strip()}"))
        FIGURES.joinpath(f"terminal.{language}.svg").write_text(
            console.export_svg(
                title="celosia", theme=MONOKAI, unique_id="terminal", code_format=without_fonts()
            ),
            encoding="utf-8",
        )


def typed_at_terminal(command: str, folder: Path, language: str) -> str:
    """What a command prints in a terminal of its own."""
    ours, theirs = pty.openpty()
    environment = os.environ | {
        "COLUMNS": str(WIDTH),
        "TERM": "xterm-256color",
        "CELOSIA_LANGUAGE": language,
        "LOGNAME": "ana",
        "PYTHONPATH": str(ROOT / "src"),
    }
    words = [sys.executable, "-m", *shlex.split(command)]
    with subprocess.Popen(
        words, cwd=folder, env=environment, stdout=theirs, stderr=subprocess.PIPE
    ) as process:
        os.close(theirs)
        printed = b"".join(iter(lambda: read_some(ours), b""))
        _, trouble = process.communicate()
    os.close(ours)
    if process.returncode:
        raise SystemExit(f"{command}:\n{trouble.decode()}")
    return printed.decode().replace("\r\n", "\n")


def read_some(terminal: int) -> bytes:
    """What is there to read; nothing once the other end is closed, which Linux tells by an error."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""


def without_fonts() -> str:
    """Rich's drawing of a terminal, with the fonts of the reader instead of some from the internet."""
    import re

    from rich._export_format import CONSOLE_SVG_FORMAT

    return re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL).replace(
        "Fira Code", "ui-monospace, DejaVu Sans Mono, Menlo, Consolas"
    )


PICTURES = {"result": picture_result, "terminal": picture_terminal}


def main() -> None:
    """Take the pictures that were asked for, or all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("pictures", nargs="*", choices=[*PICTURES, []], help="Which; all by default.")
    for name in parser.parse_args().pictures or PICTURES:
        PICTURES[name]()


if __name__ == "__main__":
    main()
