"""What somebody wrote about a stay: sentences with names, telephones and dates inside, in English or Spanish."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from celosia.sample.drawing import draw, pick
from celosia.sample.lists import FIRST_NAMES, LAST_NAMES

__all__ = ["write_notes"]

WEIGHTS = [4, 3, 3, 2, 2, 2, 4]
"""How often each of the sentences below is written."""

SENTENCES: dict[str, list[tuple[str, ...]]] = {
    # Text, then the names of what stands in its gaps.
    "en": [
        ("{} comes with a relative, {}, telephone {}. No known allergies.", "patient", "relative", "phone"),
        ("Call {} on {} before the discharge on {}.", "relative", "phone", "day"),
        ("Seen by Dr. {} on {}; the next visit is in two weeks.", "doctor", "day"),
        ("{} asks for a copy of the report; it was handed over on {}.", "patient", "day"),
        ("Lives alone. The neighbour, {}, has the keys and answers on {}.", "relative", "phone"),
        ("The family of {} was told about the results by Dr. {}.", "patient", "doctor"),
        ("No incidents during the stay. Treatment goes on at home.",),
    ],
    "es": [
        ("{} acude con un familiar, {}, teléfono {}. Sin alergias conocidas.", "patient", "relative", "phone"),
        ("Llamar a {} al {} antes del alta del {}.", "relative", "phone", "day"),
        ("Valorado por el Dr. {} el {}; próxima revisión en dos semanas.", "doctor", "day"),
        ("{} pide copia del informe; se le entrega el {}.", "patient", "day"),
        ("Vive sin compañía. Tiene las llaves {}, del mismo edificio, y responde al {}.", "relative", "phone"),
        ("Se informa de los resultados a la familia de {}; lo hace el Dr. {}.", "patient", "doctor"),
        ("Sin incidencias durante el ingreso. Sigue el tratamiento en casa.",),
    ],
}  # fmt: skip
DAYS: dict[str, str] = {"en": "%-d %B %Y", "es": "%d/%m/%Y"}


def write_notes(
    patients: pl.Series, days: pl.Series, *, generator: np.random.Generator, language: str
) -> pl.Series:
    """A note about every patient, who left on the day beside; most of them name somebody.

    Telephones are drawn by chance, and so are the relatives and the doctors.

    >>> from datetime import date
    >>> patients, days = pl.Series(["Ana Gil Vega"] * 8), pl.Series([date(2023, 3, 9)] * 8)
    >>> notes = write_notes(patients, days, generator=np.random.default_rng(2), language="en")
    >>> notes.str.contains("Ana Gil Vega").sum() > 0, notes.null_count()
    (True, 0)
    """
    size = len(patients)
    first, last = FIRST_NAMES.split(), LAST_NAMES.split()

    def some(words: Sequence[str]) -> pl.Series:
        return pick(words, generator.integers(0, len(words), size, dtype=np.int32))

    numbers = pl.Series(generator.integers(0, 1_000_000, size, dtype=np.int32)).cast(pl.String).str.zfill(6)
    told = pl.DataFrame(
        {
            "patient": patients,
            "relative": some(first) + " " + some(last),
            "doctor": some(last),
            "phone": "600 " + numbers.str.head(3) + " " + numbers.str.tail(3),
            "day": days.dt.strftime(DAYS[language]),
            "sentence": draw(generator, WEIGHTS, size),
        }
    ).with_row_index("row")
    # Each sentence is filled in for its own rows alone: ten million are written in one pass.
    written = [
        told.filter(pl.col("sentence") == number).select(
            "row", (pl.format(text, *gaps) if gaps else pl.lit(text)).alias("notes")
        )
        for number, (text, *gaps) in enumerate(SENTENCES[language])
    ]
    return pl.concat(written).sort("row").get_column("notes")
