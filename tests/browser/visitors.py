"""Somebody at a browser: what she does, and what went wrong while she did it."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sites import Site

from celosia.words import Words

PATIENCE = 90_000
"""Milliseconds for anything to appear: little on a machine that does nothing else."""
OWN = ("127.0.0.1", "localhost")
LOCALES = {"en": "en-GB", "es": "es-CO"}


class Visitor:
    """A window of a browser at a site; ``say`` gives the words of its language."""

    def __init__(
        self,
        browser: Any,
        site: Site,
        folder: Path,
        *,
        language: str = "en",
        size: tuple[int, int] = (1280, 800),
    ) -> None:
        self.site, self.say, self._folder, self._shots = site, Words(language), folder, 0
        self.mistakes: list[str] = []
        self.is_lenient = False
        """Whether mistakes are to be expected: somebody cut the line, or looks for what is not hers."""
        self.context = browser.new_context(
            locale=LOCALES[language],
            viewport={"width": size[0], "height": size[1]},
            base_url=site.address,
            accept_downloads=True,
            reduced_motion="reduce",
        )
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        self.page.on("console", self._on_console)
        self.page.on("pageerror", lambda error: self._note(f"script: {error}"))
        self.page.on("dialog", self._on_dialog)
        self.context.on("request", self._on_request)
        self.context.on("requestfailed", self._on_failure)
        self.context.on("response", self._on_response)

    def button(self, name: str, **values: Any) -> Any:
        """The button of a name, said in her language."""
        return self.page.get_by_role("button", name=self.say(name, **values), exact=True)

    def text(self, text: str, **values: Any) -> Any:
        """A text, said in her language."""
        return self.page.get_by_text(self.say(text, **values), exact=True)

    def field(self, label: str) -> Any:
        """The field of a label, said in her language."""
        return self.page.get_by_label(self.say(label), exact=True)

    def heading(self, text: str) -> Any:
        """The title of a page, said in her language."""
        return self.page.get_by_role("heading", level=1, name=self.say(text), exact=True)

    def project(self, name: str) -> str:
        """Make a project on the first page; gives its id."""
        self.page.goto("/")
        self.button("New project").click()
        self.field("Name").fill(name)
        self.button("Create").click()
        self.page.wait_for_url("**/projects/*/data")
        return urlsplit(self.page.url).path.split("/")[2]

    def go(self, project: str, step: str) -> None:
        """Open a page of a project."""
        self.page.goto(f"/projects/{project}/{step}")

    def shot(self, name: str) -> None:
        """Keep what is seen."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._shots += 1
        self.page.screenshot(path=self._folder / f"{self._shots:02}-{name}.png", full_page=True)

    def leave(self) -> None:
        """Shut the window."""
        self.is_lenient = True
        self.context.close()

    def _note(self, mistake: str) -> None:
        if not self.is_lenient:
            self.mistakes.append(f"{self.page.url}: {mistake}")

    def _on_console(self, message: Any) -> None:
        if message.type == "error":
            self._note(f"console: {message.text}")

    def _on_dialog(self, dialog: Any) -> None:
        self.mistakes.append(f"{self.page.url}: a script opened a window: {dialog.message}")
        dialog.dismiss()

    def _on_request(self, request: Any) -> None:
        where = urlsplit(request.url)
        if where.scheme not in ("data", "blob", "about") and where.hostname not in OWN:
            self.mistakes.append(f"asked {where.hostname} for {request.url}")

    def _on_failure(self, request: Any) -> None:
        if request.failure != "net::ERR_ABORTED":  # she went on to another page meanwhile
            self._note(f"{request.method} {request.url}: {request.failure}")

    def _on_response(self, response: Any) -> None:
        if response.status >= 500:
            self.mistakes.append(f"{response.request.method} {response.url}: {response.status}")
