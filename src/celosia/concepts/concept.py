"""What an explanation is made of."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType

from celosia.words import Words

__all__ = ["Concept", "ConceptKind"]


class ConceptKind(StrEnum):
    """What a concept is; the same name may stand for a privacy model and for the measure of what is reached."""

    WORD = "word"
    ROLE = "role"
    HIERARCHY = "hierarchy"
    OPERATION = "operation"
    MODEL = "privacy model"
    TECHNIQUE = "technique"
    PERTURBATION = "perturbation"
    LEARNING_MODEL = "learning model"
    MEASURE = "measure"
    ATTACK = "attack"


@dataclass(frozen=True)
class Concept:
    """One concept: its title, a short text, an example ("" if it has none), and what each parameter means.

    >>> noise = Concept(ConceptKind.PERTURBATION, "noise", "Noise", "Numbers move by chance.")
    >>> list(noise.texts())
    ['Noise', 'Numbers move by chance.']
    """

    kind: ConceptKind
    name: str
    title: str
    text: str
    example: str = ""
    parameters: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def texts(self) -> Iterator[str]:
        """Everything in it that a person reads."""
        yield from filter(None, (self.title, self.text, self.example, *self.parameters.values()))

    def told(self, words: Words) -> "Concept":
        """The concept in another language.

        >>> Concept(ConceptKind.WORD, "release", "release", "").told(Words("es")).title
        'publicación'
        """
        return replace(
            self,
            title=words(self.title),
            text=words(self.text),
            example=words(self.example) if self.example else "",
            parameters=MappingProxyType(
                {name: words(text) if text else "" for name, text in self.parameters.items()}
            ),
        )
