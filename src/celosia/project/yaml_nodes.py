"""YAML with the line of every field, by the rules of YAML 1.2: ``no``, ``12:30`` and ``007`` are texts.

PyYAML reads the text; what its values are is decided here, since its own rules are those of YAML 1.1. Nothing in a
document can make an object or run code: there are only mappings, lists, texts, numbers, true, false and null.
"""

import math
import re
from typing import Any

from celosia.errors import ProjectError
from celosia.project.nodes import HALF, FileLine, Node, NodeBuilder
from celosia.say import say

__all__ = ["parse_yaml"]

WORDS = {"": None, "~": None, "true": True, "false": False, "null": None}
INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
REAL = re.compile(r"-?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")

WHOLE = say("write the character itself, not as \\u and a number")
ADVICE = {
    "invalid Unicode character escape": WHOLE,
    "mapping values are not allowed": say("a text with a colon in it needs quotes"),
    "cannot start any token": say(
        "begin lines with spaces, not tabs, and put texts with special signs in quotes"
    ),
    "unexpected end of stream": say("is a quote or a bracket not closed?"),
    "undefined alias": say("name it with & before it is used with *"),
}


def parse_yaml(text: str, file: str) -> Node:
    """The nodes of a YAML text.

    >>> node = parse_yaml("smoker: no\\nzip: 007\\nk: 5", "p.yaml")
    >>> [(key, each.value, each.place.line) for key, each in node.value.items()]
    [('smoker', 'no', 1), ('zip', '007', 2), ('k', 5, 3)]
    """
    import yaml

    builder = _YamlBuilder(file)
    # The compiled parser is some ten times as fast; a wheel has it, a system without the library does not.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        for event in yaml.parse(text, Loader=loader):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else text.count("\n") + 1
        raise _not_yaml(file, line, error.problem or say("it ends too early")) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise ProjectError(
            say("there is a character that no text should hold"),
            where=str(FileLine(file, line)),
            remedy=say("take it out, or is this not a text file?"),
        ) from None
    if builder.root is None:
        return Node(None, builder.place_of_nothing)
    return builder.root


def _not_yaml(file: str, line: int, problem: str) -> ProjectError:
    remedy = next((advice for sign, advice in ADVICE.items() if sign in problem), "")
    return ProjectError(
        say("this is not YAML: {problem}", problem=problem),
        where=str(FileLine(file, line)),
        remedy=remedy or say("look at the indentation, quotes and brackets there"),
    )


class _YamlBuilder(NodeBuilder):
    """Takes the events of PyYAML."""

    def __init__(self, file: str) -> None:
        super().__init__(file)
        self._documents = 0
        self._named: dict[str, Node] = {}
        self._names: list[str | None] = []
        self.place_of_nothing = FileLine(file, 1)

    def take(self, event: Any) -> None:
        """Take in the next event of the parser."""
        line = event.start_mark.line + 1
        kind = type(event).__name__
        self._refuse_tag(event, line)
        if kind == "DocumentStartEvent":
            self._documents += 1
            if self._documents > 1:
                raise self._error(
                    line, say("a second document begins here"), say("put every project in its own file")
                )
        elif kind in ("MappingStartEvent", "SequenceStartEvent"):
            if self.wants_key:
                raise self._error(
                    line, say("a mapping or list cannot be a key"), say("write a text there, or quotes")
                )
            self._names.append(event.anchor)
            self.open({} if kind == "MappingStartEvent" else [], line)
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            self._remember(self._names.pop(), self.close())
        elif kind == "ScalarEvent":
            self._take_scalar(event, line)
        elif kind == "AliasEvent":
            self._take_alias(event.anchor, line)

    def _take_scalar(self, event: Any, line: int) -> None:
        text = event.value
        if HALF.search(text):
            # The compiled parser says so itself.
            raise self._error(line, say("a text holds half a character"), WHOLE)
        is_plain = event.style in (None, "")
        if not self.wants_key:
            value = self._resolve(text, line) if is_plain else text
            self._remember(event.anchor, self.add(value, line))
            return
        # A key is its text as written: 007, 1.50 and no are what a table of substitutions means.
        if is_plain and text == "":
            raise self._error(
                line, say("a key is missing before the colon"), say('write it, or "" if it is empty')
            )
        if is_plain and text == "<<":
            raise self._error(
                line, say("<< does not merge mappings here"), say("put them in a file and use extends")
            )
        self.key(text, line)
        self._remember(event.anchor, Node(text, self.place_of_nothing))

    def _take_alias(self, name: str, line: int) -> None:
        if name not in self._named:
            raise self._error(
                line,
                say("*{name} stands for nothing that ended before", name=name),
                say("name it with &{name}", name=name),
            )
        node = self._named[name]
        if not self.wants_key:
            self.repeat(node, line)
        elif isinstance(node.value, str):
            self.key(node.value, line)
        else:
            raise self._error(
                line, say("*{name} is no text and cannot be a key", name=name), say("write a text there")
            )

    def _remember(self, name: str | None, node: Node) -> None:
        if name is not None:
            self._named[name] = node

    def _resolve(self, text: str, line: int) -> object:
        word = text if text in WORDS else text.lower()
        if word in WORDS and text in (word, word.capitalize(), word.upper()):
            return WORDS[word]
        if not REAL.fullmatch(text):
            return text
        try:
            value: int | float = int(text) if INTEGER.fullmatch(text) else float(text)
        except ValueError:  # Python refuses to read thousands of digits
            value = math.inf
        if isinstance(value, float) and not math.isfinite(value):
            raise self._error(
                line, say("this number is too large"), say("write a smaller one, or a text in quotes")
            )
        return value

    def _refuse_tag(self, event: object, line: int) -> None:
        tag = getattr(event, "tag", None)
        if tag is not None:
            shown = tag.replace("tag:yaml.org,2002:", "!!")
            raise self._error(
                line,
                say("the tag {tag} means nothing here", tag=shown),
                say("leave it out; use quotes for a text"),
            )

    def _error(self, line: int, problem: str, remedy: str) -> ProjectError:
        return ProjectError(problem, where=str(FileLine(self.file, line)), remedy=remedy)
