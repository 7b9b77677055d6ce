"""Parts of pages that live in the browser: the upload of a file, tables to edit, groups to drag between.

Each is a file of static/ and shows what it is given; what a person does arrives as an event with its facts. Texts are
given too, in the language of whoever looks.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nicegui.element import Element

__all__ = ["ColumnTable", "FileUpload", "GroupBoard", "LevelTable"]

Handler = Callable[[Any], Any]


class _Part(Element):
    """A part that is given its data as properties."""

    def give(self, **data: Any) -> None:
        """Show these data from now on."""
        for name, value in data.items():
            self._props[name] = value
        self.update()

    def told(self, event: str, handler: Handler) -> None:
        """Call a handler with the facts of an event."""
        self.on(event, lambda arguments: handler(arguments.args))


class FileUpload(_Part, component="static/upload.js"):
    """A file that is sent to the service as it is, with progress; ``done`` gets its name."""

    def __init__(
        self,
        *,
        url: str,
        csrf: str,
        texts: Mapping[str, str],
        done: Handler,
        taken: Sequence[str] = (),
        accept: str = "",
        is_small: bool = False,
        is_primary: bool = True,
    ) -> None:
        super().__init__()
        self.give(url=url, csrf=csrf, texts=dict(texts), taken=list(taken), accept=accept)
        self.give(small=is_small, primary=is_primary)
        self.told("uploaded", done)


class ColumnTable(_Part, component="static/columns.js"):
    """The columns of a table with selects for type and role."""

    def __init__(
        self,
        *,
        texts: Mapping[str, str],
        types: Sequence[Sequence[str]],
        roles: Sequence[Sequence[str]],
        role: Handler,
        type: Handler,
        operation: Handler,
    ) -> None:
        super().__init__()
        self.give(texts=dict(texts), types=list(types), roles=list(roles), columns=[])
        for event, handler in (("role", role), ("type", type), ("operation", operation)):
            self.told(event, handler)


class LevelTable(_Part, component="static/levels.js"):
    """A hierarchy as a table: values by rows, one column per level, labels to edit."""

    def __init__(self, *, texts: Mapping[str, str], edit: Handler, add: Handler, remove: Handler) -> None:
        super().__init__()
        self.give(texts=dict(texts), rows=[], levels=0, labels=[])
        for event, handler in (("edit", edit), ("add", add), ("remove", remove)):
            self.told(event, handler)


class GroupBoard(_Part, component="static/groups.js"):
    """The groups of a level, between which labels are dragged, or moved by choosing them."""

    def __init__(self, *, texts: Mapping[str, str], move: Handler, rename: Handler) -> None:
        super().__init__()
        self.give(texts=dict(texts), groups=[], names=[])
        for event, handler in (("move", move), ("rename", rename)):
            self.told(event, handler)
