"""Ley 18.331 of Uruguay: whether the data of a release are dissociated from their holders."""

from celosia.measure.rules.checks import (
    ask_a_person,
    judge_identity,
    no_identifiers,
    no_special_categories,
)
from celosia.measure.rules.measures import judge_inference
from celosia.measure.rules.rule import Rule, RuleSet
from celosia.measure.rules.said import Said

__all__ = ["RULES"]

RULES = RuleSet(
    name="ley-18331",
    title=Said(
        en="Ley 18.331 (Uruguay): are the data dissociated from their holders?",
        es="Ley 18.331 (Uruguay): ¿están los datos disociados de sus titulares?",
    ),
    reference=(
        "Ley N.º 18.331 de 11 de agosto de 2008, artículos 4, 8, 10, 17, 18, 19 y 23; URCDP, Criterios de disociación"
        " de datos personales (Resolución 68/017)"
    ),
    rules=(
        Rule(
            name="identified",
            source="Ley 18.331, artículo 4, literal D",
            title=Said(en="identified holders", es="titulares determinados"),
            question=Said(
                en="Does no column tell which natural or legal person a row refers to?",
                es="¿No dice ninguna columna a qué persona física o jurídica se refiere una fila?",
            ),
            remedy=Said(en="drop or suppress these columns", es="quite o suprima estas columnas"),
            check=no_identifiers,
        ),
        Rule(
            name="dissociation",
            source="Ley 18.331, artículo 4, literal G, y artículo 17, literal D",
            title=Said(en="dissociation", es="disociación"),
            question=Said(
                en="Can the information no longer be linked to a person who is or can be determined?",
                es="¿Ya no puede vincularse la información a una persona determinada o determinable?",
            ),
            remedy=Said(
                en="generalize or suppress until nobody is singled out or linked, then measure again; otherwise the"
                " communication needs consent or another exception of article 17",
                es="generalice o suprima hasta que no se señale ni vincule a nadie, y vuelva a medir; si no, la"
                " comunicación necesita consentimiento u otra excepción del artículo 17",
            ),
            check=judge_identity,
        ),
        Rule(
            name="sensitive-data",
            source="Ley 18.331, artículo 4, literal E, y artículo 18",
            title=Said(en="sensitive data", es="datos sensibles"),
            question=Said(
                en="Are sensitive data left out, or is there a reason of article 18 to treat them?",
                es="¿Se omiten los datos sensibles, o hay una razón del artículo 18 para tratarlos?",
            ),
            remedy=Said(
                en="name the law or mandate that permits it; for statistics or science dissociate them from their"
                " holders",
                es="diga qué ley o mandato lo permite; con finalidad estadística o científica, disócielos de sus"
                " titulares",
            ),
            check=no_special_categories,
        ),
        Rule(
            name="health-data",
            source="Ley 18.331, artículo 17, literal C, y artículo 19",
            title=Said(en="data about health", es="datos relativos a la salud"),
            question=Said(
                en="Is what is sensitive preserved from being deduced about a person, by adequate dissociation?",
                es="¿Se evita, con mecanismos de disociación adecuados, que se deduzca lo sensible de una persona?",
            ),
            remedy=Said(
                en="ask for l-diversity or t-closeness of the sensitive columns, then measure again",
                es="pida l-diversidad o t-cercanía de las columnas sensibles, y vuelva a medir",
            ),
            check=judge_inference,
        ),
        Rule(
            name="purpose",
            source="Ley 18.331, artículo 8",
            title=Said(en="purpose", es="finalidad"),
            question=Said(
                en="If the data are personal: is the purpose the one for which they were obtained, or compatible?",
                es="Si los datos son personales: ¿es la finalidad aquella para la que se obtuvieron, o compatible?",
            ),
            remedy=Said(
                en="write the purpose down, and release no more columns than it needs",
                es="anote la finalidad, y no publique más columnas de las que necesita",
            ),
            check=ask_a_person(
                Said(en="purposes are in no table", es="las finalidades no están en ninguna tabla")
            ),
        ),
        Rule(
            name="security-and-transfer",
            source="Ley 18.331, artículos 10 y 23",
            title=Said(
                en="security and international transfer", es="seguridad y transferencia internacional"
            ),
            question=Said(
                en="If the data are personal: are they secured, and do they go only to countries with adequate"
                " protection?",
                es="Si los datos son personales: ¿están protegidos y solo van a países con niveles de protección"
                " adecuados?",
            ),
            remedy=Said(
                en="control who gets the release, and check where it goes",
                es="controle quién recibe la publicación, y compruebe adónde va",
            ),
            check=ask_a_person(
                Said(
                    en="where the release goes is not known here",
                    es="aquí no se sabe adónde va la publicación",
                )
            ),
        ),
    ),
)
