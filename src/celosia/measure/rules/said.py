"""What results say, in both languages in one place."""

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["LANGUAGES", "NOT_LEGAL_ADVICE", "Said"]

LANGUAGES = ("en", "es")


@dataclass(frozen=True)
class Said:
    """A text in English and in Spanish.

    >>> both = Said(en="column {name}", es="columna {name}").filled(name="age")
    >>> both.en, both.text("es")
    ('column age', 'columna age')
    """

    en: str
    es: str

    def text(self, language: str) -> str:
        """The text in one language."""
        return {"en": self.en, "es": self.es}[language]

    def filled(self, **facts: object) -> "Said":
        """The text with facts put in; one that is itself said in two languages goes in as such."""

        def of(language: str) -> Mapping[str, object]:
            return {
                name: fact.text(language) if isinstance(fact, Said) else fact for name, fact in facts.items()
            }

        return Said(en=self.en.format(**of("en")), es=self.es.format(**of("es")))

    def to_dict(self) -> dict[str, str]:
        """As JSON wants it."""
        return {"en": self.en, "es": self.es}


NOT_LEGAL_ADVICE = Said(
    en=(
        "This is not legal advice. It says what a program found in the columns and in the measures of one table;"
        " whether the law is kept is for a person to judge who knows the law and the circumstances."
    ),
    es=(
        "Esto no es asesoramiento jurídico. Dice lo que un programa encontró en las columnas y en las medidas de una"
        " tabla; si se cumple la ley lo ha de juzgar una persona que conozca la ley y las circunstancias."
    ),
)
