"""The guided tour: on the sample table, every page says what it is for and what to do on it."""

from nicegui import ui

from celosia.server.access import MemberRole, User
from celosia.server.projects import StoredProject, create_project, new_document
from celosia.server.samples import add_sample
from celosia.server.service import Service
from celosia.server.workspace import project_folder
from celosia.web.page_context import PageContext
from celosia.words import Words, phrase

__all__ = ["begin_tour", "show_tour"]

MARK = "tour"
STATIONS = {
    "data": phrase(
        "This table holds discharges of a hospital: people who do not exist. Look at the role proposed for every "
        "column with its reason. Notes hold names and telephones, so they stay behind; an exact cost would tell nearly "
        "everybody apart, so it does not leave as it is; patients who came back count once. Accept the proposals, and "
        "go on."
    ),
    "hierarchies": phrase(
        "A hierarchy says what a value becomes when it is told less precisely: a date its month, then its year. The "
        "sample brings some; the others are proposed. Look at one, move a value, and go on."
    ),
    "goals": phrase(
        "Here you promise something to the people in the table: that each hides among others. Move the first slider "
        "and read the sentence. Then go on."
    ),
    "solutions": phrase(
        "The techniques that can keep the promise are tried, and the one that keeps most of the table is taken: make "
        "the release, and it says which. With full-domain among the goals you would see every solution here."
    ),
    "result": phrase(
        "What was released was read back and checked by other code, and every column that leaves was looked at: the "
        "verdict is on top. Compare the rows before and after, measure what an attacker would find, and download the "
        "table and its report."
    ),
    "compare": phrase(
        "Other techniques change values by chance. Here you see for your own table what each of them costs a model "
        "that learns from it, and what it protects."
    ),
    "manage": phrase(
        "All versions of the project are here, and whoever it is shared with. When you are done, erase everything: "
        "it is overwritten, and looked for again."
    ),
}


def begin_tour(service: Service, user: User, words: Words) -> StoredProject:
    """A new project with the sample table, on which the tour goes."""
    held = create_project(service, user, words("Tour: hospital discharges"), new_document(words.language))
    held = add_sample(service, user, held.id, language=words.language)
    (project_folder(service.settings.workspace, held.id) / MARK).touch(mode=0o600)
    return held


def show_tour(context: PageContext, step: str | None) -> None:
    """What the tour says on a page, for whoever is on it."""
    mark = project_folder(context.service.settings.workspace, context.project.id) / MARK
    if step not in STATIONS or not mark.exists() or not context.may(MemberRole.ANALYST):
        return
    words, names = context.words, list(STATIONS)
    with ui.element("aside").classes("tour").props("role=note") as panel:
        station = words("Tour, station {number} of {all}", number=names.index(step) + 1, all=len(names))
        ui.label(station).classes("tour-title")
        ui.label(words(STATIONS[step]))

        def end() -> None:
            mark.unlink(missing_ok=True)
            panel.delete()

        ui.button(words("End the tour"), on_click=end).props("flat dense no-caps color=secondary")
