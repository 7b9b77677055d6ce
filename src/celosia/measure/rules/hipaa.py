"""HIPAA Safe Harbor: the eighteen identifiers of 45 CFR 164.514(b)(2), looked for in the columns of a release."""

from collections.abc import Callable
from functools import partial

from celosia.measure.rules.checks import ask_a_person
from celosia.measure.rules.dates import no_exact_dates
from celosia.measure.rules.identifiers import without, without_other_numbers, without_pictures
from celosia.measure.rules.places import no_small_places
from celosia.measure.rules.rule import Case, Rule, RuleSet, Verdict
from celosia.measure.rules.said import Said

__all__ = ["RULES"]

_QUESTION = Said(
    en="Does the release leave out {what} of the people, their relatives, employers and household members?",
    es="¿Omite la publicación {what} de las personas, de sus familiares, empleadores y convivientes?",
)
_DROP = Said(
    en="drop the column, or suppress its values; a hash or a code derived from them does not do",
    es="quite la columna o suprima sus valores; no basta un resumen (hash) ni un código derivado de ellos",
)


def _identifier(
    letter: str,
    name: str,
    *,
    en: str,
    es: str,
    check: Callable[[Case], Verdict] | None = None,
    remedy: Said = _DROP,
) -> Rule:
    """One of the eighteen."""
    title = Said(en=en, es=es)
    return Rule(
        name=name,
        source=f"45 CFR 164.514(b)(2)(i)({letter})",
        title=title,
        question=_QUESTION.filled(what=title),
        remedy=remedy,
        check=check or partial(without, letter),
    )


_PLACES = Said(
    en="release the state, or the first three digits of the postcode where more than 20,000 people live in them by the"
    " current Census, and 000 for the others",
    es="publique el estado, o las tres primeras cifras del código postal donde vivan en ellas más de 20.000 personas"
    " según el censo actual, y 000 para las demás",
)
_DATES = Said(
    en="release the year alone, and put all people over 89 into one category of 90 or older",
    es="publique solo el año, y ponga a todas las personas de más de 89 años en una categoría de 90 o más",
)
_OTHER = Said(
    en="drop it; a code may stay only if it is not derived from anything about the person and nobody outside learns how"
    " it was given (45 CFR 164.514(c)); read free text, or drop it",
    es="quítela; un código solo puede quedar si no se deriva de nada de la persona y nadie de fuera sabe cómo se asignó"
    " (45 CFR 164.514(c)); lea el texto libre o quítelo",
)

_KNOWLEDGE = Rule(
    name="actual-knowledge",
    source="45 CFR 164.514(b)(2)(ii)",
    title=Said(en="actual knowledge", es="conocimiento efectivo"),
    question=Said(
        en="Does nobody in the covered entity actually know that what is left could identify a person?",
        es="¿Nadie en la entidad sabe efectivamente que lo que queda podría identificar a una persona?",
    ),
    remedy=Said(
        en="let a person answer who knows the table, the people in it and who will read it; the attacks of the"
        " measures show what an outsider could do",
        es="que conteste una persona que conozca la tabla, a la gente que hay en ella y a quien la leerá; los ataques"
        " de las medidas muestran qué podría hacer alguien de fuera",
    ),
    check=ask_a_person(
        Said(en="what people know is in no table", es="lo que las personas saben no está en ninguna tabla")
    ),
)

RULES = RuleSet(
    name="hipaa",
    title=Said(
        en="HIPAA Safe Harbor: the eighteen identifiers",
        es="HIPAA, puerto seguro (Safe Harbor): los dieciocho identificadores",
    ),
    reference="45 CFR 164.514(b)(2) and (c)",
    rules=(
        _identifier("A", "names", en="names", es="nombres"),
        _identifier(
            "B",
            "places",
            en="geographic subdivisions smaller than a state",
            es="divisiones geográficas menores que un estado",
            check=no_small_places,
            remedy=_PLACES,
        ),
        _identifier(
            "C",
            "dates",
            en="dates more exact than the year, and ages over 89",
            es="fechas más exactas que el año y edades de más de 89",
            check=no_exact_dates,
            remedy=_DATES,
        ),
        _identifier("D", "telephones", en="telephone numbers", es="números de teléfono"),
        _identifier("E", "faxes", en="fax numbers", es="números de fax"),
        _identifier("F", "e-mails", en="e-mail addresses", es="direcciones de correo electrónico"),
        _identifier(
            "G",
            "social-security",
            en="social security numbers",
            es="números de la seguridad social",
        ),
        _identifier("H", "medical-records", en="medical record numbers", es="números de historia clínica"),
        _identifier(
            "I",
            "health-plans",
            en="health plan beneficiary numbers",
            es="números de beneficiario de un seguro de salud",
        ),
        _identifier("J", "accounts", en="account numbers", es="números de cuenta"),
        _identifier(
            "K",
            "licences",
            en="certificate and license numbers",
            es="números de certificados y licencias",
        ),
        _identifier(
            "L",
            "vehicles",
            en="vehicle identifiers, serial numbers and license plates",
            es="identificadores, números de serie y matrículas de vehículos",
        ),
        _identifier(
            "M",
            "devices",
            en="device identifiers and serial numbers",
            es="identificadores y números de serie de dispositivos",
        ),
        _identifier("N", "urls", en="web addresses (URLs)", es="direcciones web (URL)"),
        _identifier("O", "ip-addresses", en="IP addresses", es="direcciones IP"),
        _identifier(
            "P",
            "biometrics",
            en="biometric identifiers, finger and voice prints among them",
            es="identificadores biométricos, como huellas dactilares y de voz",
        ),
        _identifier(
            "Q",
            "photographs",
            en="full-face photographs and comparable images",
            es="fotografías de rostro completo e imágenes comparables",
            check=without_pictures,
        ),
        _identifier(
            "R",
            "other-numbers",
            en="any other unique identifying number, characteristic or code",
            es="cualquier otro número, característica o código único que identifique",
            check=without_other_numbers,
            remedy=_OTHER,
        ),
        _KNOWLEDGE,
    ),
)
