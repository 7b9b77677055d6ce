"""Clinical notes that nobody wrote, in Spanish and English, with the places of whatever tells who somebody is.

Names are drawn from more words than the product knows: half of the surnames are made up, some stand without a word that
gives them away and some without capitals, so that recall is not that of a list laid over itself.
"""

import random
from dataclasses import dataclass

from celosia.profile.passages.kinds import PassageKind as Kind

LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
SYLLABLES = [
    "ba",
    "be",
    "bo",
    "ca",
    "cue",
    "da",
    "den",
    "dor",
    "fal",
    "gar",
    "gue",
    "la",
    "len",
    "lor",
    "ma",
    "mun",
    "na",
    "nor",
    "or",
    "pa",
    "pel",
    "ra",
    "ren",
    "rol",
    "sal",
    "ta",
    "tur",
    "ur",
    "va",
    "zu",
]
FIRST = {
    "es": [
        "Ana",
        "Lucía",
        "Carmen",
        "Rocío",
        "Javier",
        "Pedro",
        "Íñigo",
        "Gonzalo",
        "Nerea",
        "Leire",
        "Candela",
        "Bruno",
        "Aarón",
        "Yaiza",
        "Zoilo",
        "Eufemia",
    ],
    "en": [
        "Mary",
        "John",
        "Emily",
        "Oliver",
        "Harriet",
        "Jacob",
        "Megan",
        "Duncan",
        "Sophie",
        "Ethan",
        "Ottilie",
        "Barnaby",
        "Priya",
        "Siobhan",
        "Grace",
        "Owen",
    ],
}
LAST = {
    "es": ["García", "Ruiz", "Torres", "Núñez", "Vázquez", "Gil", "Ortega", "Marín", "Iglesias", "Medina"],
    "en": ["Smith", "Johnson", "Taylor", "Walker", "Hughes", "Bennett", "Foster", "Murray", "Hayes", "Owens"],
}
PLACES = {
    "es": ["Soria", "Madrid", "Sevilla", "Bogotá", "Medellín", "Montevideo", "Lima", "Zaragoza"],
    "en": ["Boston", "Chicago", "Leeds", "Bristol", "Houston", "Denver", "Dublin", "Seattle"],
}
MONTHS = {
    "es": [
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ],
    "en": [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
}
SENTENCES = {
    "es": [
        "Paciente {person} refiere dolor torácico desde hace tres días.",
        "Acude con su hermana {person} y trae informe previo.",
        "Se avisa a {person} en el teléfono {phone}.",
        "Llamar al {phone} si empeora.",
        "La Sra. {person} vive en {place} con su marido.",
        "DNI {identity}, nacida el {date}.",
        "Escribir a {email} con el resultado.",
        "Valorado por el Dr. {person} el {date}.",
        "Natural de {place}, jubilado, sin alergias conocidas.",
        "Ingreso en cuenta {account} por error.",
        "NHC {record}, cama 12.",
        "Firma la hija, {person}, con documento {identity}.",
        "Conectado desde {device} a las 10:30.",
        "{person} llegó sola a consulta y no quiso sentarse.",
        "Hoy {person} no ha comido nada.",
        "Dice que {first} le ayuda en casa.",
        "Cuenta que {first} y {first} discuten a menudo.",
        "En casa de {person} hay humedad.",
        "viene a recogerla {lower}, ok.",
    ],
    "en": [
        "Patient {person} complains of chest pain for three days.",
        "She came with her sister {person} and brought a report.",
        "Please call {person} on {phone}.",
        "Call {phone} if it gets worse.",
        "Mrs. {person} lives in {place} with her husband.",
        "SSN {identity}, born on {date}.",
        "Write to {email} with the result.",
        "Seen by Dr. {person} on {date}.",
        "Comes from {place}, retired, no known allergies.",
        "Paid to {account} by mistake.",
        "MRN {record}, bed 12.",
        "Signed by {person}, card number {account}.",
        "Connected from {device} at 10:30.",
        "{person} arrived alone and would not sit down.",
        "Today {person} has not eaten anything.",
        "She says that {first} helps at home.",
        "Reports that {first} and {first} often argue.",
        "According to {person} the house is damp.",
        "{lower} will collect her, ok.",
    ],
}
PLAIN = {
    "es": [
        "TA 120/80, FC 72 lpm, Sat 98%, temperatura 36,5.",
        "Plaquetas 250.000, leucocitos 7.500, creatinina 0,9 mg/dl.",
        "Enfermedad de Crohn en tratamiento, síndrome de Down.",
        "Se pauta paracetamol 1 g cada 8 horas durante 5 días.",
        "Control en Urgencias de Traumatología en 48 horas.",
        "Virus de Epstein-Barr negativo, escala de Glasgow 15.",
    ],
    "en": [
        "BP 120/80, HR 72 bpm, Sat 98%, temperature 36.5.",
        "Platelets 250,000, leucocytes 7,500, creatinine 0.9 mg/dl.",
        "Crohn disease under treatment, Down syndrome.",
        "Paracetamol 1 g every 8 hours for 5 days was prescribed.",
        "Follow-up in Cardiology within 48 hours.",
        "Epstein-Barr virus negative, Parkinson disease in the family.",
    ],
}


@dataclass(frozen=True)
class Note:
    """A text and the passages that were put into it: start, end, kind."""

    text: str
    passages: tuple[tuple[int, int, Kind], ...]


def make_notes(count: int, *, language: str, seed: int = 7) -> list[Note]:
    """So many notes of two to four sentences."""
    chance = random.Random(f"{seed} {language}")
    return [_note(chance, language) for _ in range(count)]


def _note(chance: random.Random, language: str) -> Note:
    text, passages = "", []
    for _ in range(chance.randint(2, 4)):
        template = chance.choice(SENTENCES[language] if chance.random() < 0.75 else PLAIN[language])
        text += " " if text else ""
        while "{" in template:
            before, _, rest = template.partition("{")
            name, _, template = rest.partition("}")
            value = MAKERS[name](chance, language)
            text += before
            passages.append((len(text), len(text) + len(value), KINDS.get(name) or Kind(name)))
            text += value
        text += template
    return Note(text, tuple(passages))


def person(chance: random.Random, language: str) -> str:
    surnames = [
        chance.choice(LAST[language]) if chance.random() < 0.5 else made_up(chance)
        for _ in range(2 if language == "es" and chance.random() < 0.6 else 1)
    ]
    return " ".join([chance.choice(FIRST[language]), *surnames])


def first(chance: random.Random, language: str) -> str:
    return chance.choice(FIRST[language])


def lower(chance: random.Random, language: str) -> str:
    """A name as people type it in a hurry."""
    return person(chance, language).lower()


def made_up(chance: random.Random) -> str:
    return "".join(chance.choice(SYLLABLES) for _ in range(3)).capitalize()


def place(chance: random.Random, language: str) -> str:
    return chance.choice(PLACES[language])


def phone(chance: random.Random, language: str) -> str:
    if language == "en":
        digits = f"{chance.choice([212, 312, 415, 617])}555{chance.randrange(100, 9999):04d}"
        form = chance.choice(["({0}) {1}-{2}", "{0}-{1}-{2}", "+1 {0} {1} {2}", "{0}{1}{2}"])
        return form.format(digits[:3], digits[3:6], digits[6:])
    digits = f"6{chance.randrange(10**8):08d}"
    form = chance.choice(["{0} {1} {2}", "{0}{1}{2}", "+34 {0}{1}{2}", "{0}-{1}-{2}", "0034 {0} {1} {2}"])
    return form.format(digits[:3], digits[3:6], digits[6:])


def identity(chance: random.Random, language: str) -> str:
    if language == "en":
        return f"{chance.randrange(1, 600) or 1:03d}-{chance.randrange(1, 99):02d}-{chance.randrange(1, 9999):04d}"
    number = chance.randrange(10**7, 10**8)
    letter = LETTERS[number % 23]
    if chance.random() < 0.3:
        small = number % 10**7
        return f"X{small:07d}{LETTERS[small % 23]}"
    dotted = f"{number:,}".replace(",", ".")
    return chance.choice(
        [f"{number}{letter}", f"{number}-{letter}", f"{dotted}-{letter}", f"{number} {letter}"]
    )


def account(chance: random.Random, language: str) -> str:
    if chance.random() < 0.5:
        bban = f"{chance.randrange(10**20):020d}"
        check = 98 - int(bban + "142800") % 97
        iban = f"ES{check:02d}{bban}"
        return chance.choice([iban, " ".join(iban[i : i + 4] for i in range(0, 24, 4))])
    digits = f"4{chance.randrange(10**14):014d}"
    doubled = [int(d) * 2 if place % 2 == 0 else int(d) for place, d in enumerate(digits)]
    check = -sum(d // 10 + d % 10 for d in doubled) % 10
    card = digits + str(check)
    return chance.choice([card, " ".join(card[i : i + 4] for i in range(0, 16, 4))])


def date(chance: random.Random, language: str) -> str:
    day, month, year = chance.randint(1, 28), chance.randint(1, 12), chance.randint(1930, 2024)
    name = MONTHS[language][month - 1]
    if language == "es":
        return chance.choice(
            [
                f"{day:02d}/{month:02d}/{year}",
                f"{day} de {name} de {year}",
                f"{year}-{month:02d}-{day:02d}",
                f"{day}-{month}-{year % 100:02d}",
            ]
        )
    return chance.choice(
        [
            f"{name} {day}, {year}",
            f"{day} {name} {year}",
            f"{month:02d}/{day:02d}/{year}",
            f"{year}-{month:02d}-{day:02d}",
        ]
    )


def email(chance: random.Random, language: str) -> str:
    name = f"{made_up(chance)}.{made_up(chance)}{chance.randrange(99)}".lower()
    return f"{name}@example.{chance.choice(['org', 'es', 'com'])}"


def record(chance: random.Random, language: str) -> str:
    return chance.choice(
        [
            f"{chance.randrange(10**5, 10**6)}",
            f"{chance.randrange(10**8):08d}",
            f"H-{chance.randrange(10**5, 10**6)}",
        ]
    )


def device(chance: random.Random, language: str) -> str:
    return ".".join(str(chance.randrange(1, 255)) for _ in range(4))


KINDS = {"first": Kind.PERSON, "lower": Kind.PERSON}
MAKERS = {
    "lower": lower,
    "first": first,
    "person": person,
    "place": place,
    "phone": phone,
    "identity": identity,
    "account": account,
    "date": date,
    "email": email,
    "record": record,
    "device": device,
}


@dataclass(frozen=True)
class Score:
    """How many passages there are, how many were covered whole, and how many characters were taken for nothing."""

    there: int
    covered: int
    found: int
    right: int

    @property
    def recall(self) -> float:
        return self.covered / self.there if self.there else 1.0

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 1.0


def score_notes(notes: list[Note]) -> dict[Kind, Score]:
    """How well passages of each kind are found; one that is covered under another name is covered."""
    import polars as pl

    from celosia.profile.passages import find_passages

    by_row: dict[int, list[tuple[int, int, Kind]]] = {}
    for row, start, end, kind, _ in find_passages(pl.Series([note.text for note in notes])).frame.iter_rows():
        by_row.setdefault(row, []).append((start, end, Kind(kind)))
    scores = {}
    for kind in Kind:
        there = covered = found = right = 0
        for row, note in enumerate(notes):
            got = by_row.get(row, [])
            hidden = {place for low, high, _ in got for place in range(low, high)}
            true = {place for low, high, _ in note.passages for place in range(low, high)}
            for low, high, each in note.passages:
                if each is kind:
                    there += 1
                    covered += all(note.text[p] in " .,-" or p in hidden for p in range(low, high))
            for low, high, each in got:
                if each is kind:
                    found += 1
                    right += any(p in true for p in range(low, high))
        if there or found:
            scores[kind] = Score(there, covered, found, right)
    return scores
