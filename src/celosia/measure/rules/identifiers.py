"""Which of the eighteen identifiers of HIPAA Safe Harbor the columns of a release fall under, by name and by values."""

from celosia.measure.rules.columns import (
    ShownColumn,
    evidence_of,
    matches_phrases,
    nothing_seen,
    passages,
    phrases,
    sentences,
)
from celosia.measure.rules.rule import Outcome, RuleCase, RuleVerdict
from celosia.say import say
from celosia.types import ColumnType

__all__ = ["letters", "without_identifier", "without_other_numbers", "without_pictures"]

BY_WORDS = {
    "E": phrases("fax"),
    "G": phrases("ssn | social security | social security number | seguridad social"),
    "H": phrases(
        "mrn | medical record | medical record number | record number | numero registro | record id |"
        "historia clinica | numero historia | nhc"
    ),
    "I": phrases(
        "policy number | numero poliza | insurance number | tarjeta sanitaria | cip | member id | member number |"
        "health plan number | health plan id | beneficiary id | beneficiary number | medicare number |"
        "medicaid number | id beneficiario | numero afiliado | numero beneficiario | nhs | nhs number"
    ),
    "J": phrases(
        "account id | customer id | customer number | client id | client number | id cliente | cliente id |"
        "numero cliente"
    ),
    "M": phrases(
        "mac address | imei | imsi | device id | device number | serial number | device serial | numero serie |"
        "id dispositivo"
    ),
    "N": phrases("url | website | web page | pagina web | sitio web"),
    "O": phrases("ip | ip address | direccion ip"),
    "Q": phrases("photo | photograph | foto | fotografia | face image | facial image"),
    "P": phrases(
        "fingerprint | huella | huella dactilar | voice print | voiceprint | iris scan | retina scan |"
        "biometric | biometrico | biometria"
    ),
}
"""Words of names by the letter of the paragraph; where none fits, what the words mean decides."""

BY_MEANING = {
    "a person's name": "A",
    "a telephone number": "D",
    "an e-mail address": "F",
    "a bank account or card": "J",
    "a passport or licence number": "K",
    "a vehicle": "L",
    "a national identity number": "R",
    "a patient's or client's number": "R",
    "an account or device": "R",
    "a picture or print of the body": "R",
}

BY_CONTENT = {
    "e-mail": "F",
    "telephone": "D",
    "mac-address": "M",
    "url": "N",
    "ip-address": "O",
    "uuid": "R",
    "us.ssn": "G",
    "iban": "J",
    "card": "J",
}
"""What values are, by the code of the reason, or by the format of a number; other numbers are R."""

WITHOUT_WORDS = "PQ"
"""Paragraphs about what nobody can write down in a sentence: prints of the body and pictures."""
BY_PASSAGE = {
    "person": "A",
    "phone": "D",
    "email": "F",
    "record": "H",
    "account": "J",
    "device": "O",
    "url": "N",
    "identity": "R",
}
"""What is found inside free text, by the kind of the passage."""

PICTURES = r"(?i)^data:image/|\.(?:jpe?g|png|gif|bmp|tiff?|webp|heic|dcm)$"


def letters(seen: ShownColumn) -> set[str]:
    """The paragraphs that a column falls under, by its values and by its name.

    >>> import polars as pl
    >>> letters(ShownColumn("fax", ColumnType.TEXT, pl.Series(["x"]), words="fax", meaning="a telephone number"))
    {'E'}
    """
    by_name = next(
        (letter for letter, words in BY_WORDS.items() if seen.words and matches_phrases(seen, words)), None
    )
    by_name = by_name or BY_MEANING.get(seen.meaning)
    by_content = None
    if seen.content:
        code = seen.content.facts.get("format") or seen.content.code
        by_content = BY_CONTENT.get(str(code), "R")
    # A fax is a telephone, and a number of some form is what the name says.
    if by_name and by_content in ("D", "R"):
        by_content = None
    return {letter for letter in (by_name, by_content) if letter}


def without_identifier(letter: str, case: RuleCase) -> RuleVerdict:
    """Not met where a column falls under a paragraph; what free text says, a person must read."""
    written = sentences(case.columns)
    columns = [seen for seen in case.columns if letter in letters(seen) and seen not in written]
    columns += [seen for seen in written if letter in map(BY_PASSAGE.get, passages(seen))]
    if columns:
        return RuleVerdict(Outcome.NOT_MET, tuple(map(evidence_of, columns)))
    if written and letter not in WITHOUT_WORDS:
        return RuleVerdict(Outcome.PERSON, tuple(map(evidence_of, written)))
    return RuleVerdict(Outcome.MET, (nothing_seen(case.columns),))


_PICTURES = say("its values name pictures")
_UNREADABLE = say("its values cannot be read as texts: they may be pictures")


def without_pictures(case: RuleCase) -> RuleVerdict:
    """Not met where a name says photograph or values name files of pictures; what cannot be read needs a person."""
    named = without_identifier("Q", case)
    shown = [seen for seen in case.columns if len(seen.values) and seen.values.str.contains(PICTURES).all()]
    if shown:
        return RuleVerdict(Outcome.NOT_MET, tuple(evidence_of(seen, _PICTURES) for seen in shown))
    unread = [seen for seen in case.columns if seen.type is ColumnType.OTHER]
    if named.outcome is Outcome.MET and unread:
        return RuleVerdict(Outcome.PERSON, tuple(evidence_of(seen, _UNREADABLE) for seen in unread))
    return named


def without_other_numbers(case: RuleCase) -> RuleVerdict:
    """Not met for numbers that an authority gave; a code of one's own, free text and what hardly repeats need a person.

    Paragraph (c) allows a code by which the holder finds people again, if it is not derived from anything about them
    and nobody else learns how: which a program cannot see.
    """
    columns = [seen for seen in case.columns if "R" in letters(seen)]
    issued = [
        seen
        for seen in columns
        if seen.meaning == "a national identity number"
        or (seen.content and seen.content.code == "identity-number")
    ]
    if issued:
        return RuleVerdict(Outcome.NOT_MET, tuple(map(evidence_of, issued)))
    known = {seen.name for seen in case.columns if letters(seen) or seen.meaning}
    odd = [
        seen
        for seen in case.columns
        if seen.shape and (seen.shape.code == "free-text" or seen.name not in known) and seen not in columns
    ]
    if columns or odd:
        return RuleVerdict(Outcome.PERSON, tuple(map(evidence_of, (*columns, *odd))))
    return RuleVerdict(Outcome.MET, (nothing_seen(case.columns),))
