"""Ley 1581 de 2012 of Colombia: what is released about people without their authorization."""

from celosia.measure.rules.checks import (
    ask_a_person,
    judge_identity,
    no_identifiers,
    no_minors_under,
    no_special_categories,
)
from celosia.measure.rules.measures import judge_inference
from celosia.measure.rules.rule import Rule, RuleSet
from celosia.measure.rules.said import Said

__all__ = ["RULES"]

RULES = RuleSet(
    name="ley-1581",
    title=Said(
        en="Ley 1581 de 2012 (Colombia): does the release still hold personal data?",
        es="Ley 1581 de 2012 (Colombia): ¿contiene aún la publicación datos personales?",
    ),
    reference="Ley Estatutaria 1581 de 2012, artículos 3, 4, 5, 6, 7, 9, 10 y 26",
    rules=(
        Rule(
            name="identified",
            source="Ley 1581 de 2012, artículo 3, literal c",
            title=Said(en="identified people", es="personas determinadas"),
            question=Said(
                en="Does no column tell which natural person a row is linked to?",
                es="¿No dice ninguna columna a qué persona natural está vinculada una fila?",
            ),
            remedy=Said(en="drop or suppress these columns", es="quite o suprima estas columnas"),
            check=no_identifiers,
        ),
        Rule(
            name="identifiable",
            source="Ley 1581 de 2012, artículo 3, literal c",
            title=Said(en="identifiable people", es="personas determinables"),
            question=Said(
                en="Can rows no longer be associated with people who can be determined?",
                es="¿Ya no pueden asociarse las filas a personas determinables?",
            ),
            remedy=Said(
                en="generalize or suppress until nobody is singled out or linked, then measure again; otherwise"
                " treat the release as personal data",
                es="generalice o suprima hasta que no se señale ni vincule a nadie, y vuelva a medir; si no, trate la"
                " publicación como datos personales",
            ),
            check=judge_identity,
        ),
        Rule(
            name="sensitive-data",
            source="Ley 1581 de 2012, artículos 5 y 6",
            title=Said(en="sensitive data", es="datos sensibles"),
            question=Said(
                en="Are data that affect intimacy or may lead to discrimination left out, or permitted by article 6?",
                es="¿Se omiten los datos que afectan la intimidad o pueden generar discriminación, o los permite el"
                " artículo 6?",
            ),
            remedy=Said(
                en="name the case of article 6 that permits it; for historical, statistical or scientific ends (literal"
                " e) take measures that suppress the identity of the people",
                es="diga qué caso del artículo 6 lo permite; con finalidad histórica, estadística o científica (literal"
                " e) adopte medidas conducentes a la supresión de identidad de los titulares",
            ),
            check=no_special_categories,
        ),
        Rule(
            name="suppression-of-identity",
            source="Ley 1581 de 2012, artículo 6, literal e",
            title=Said(en="suppression of identity", es="supresión de identidad"),
            question=Said(
                en="Can what is sensitive not be deduced about a person from the other columns?",
                es="¿No puede deducirse lo sensible de una persona a partir de las demás columnas?",
            ),
            remedy=Said(
                en="ask for l-diversity or t-closeness of the sensitive columns, then measure again",
                es="pida l-diversidad o t-cercanía de las columnas sensibles, y vuelva a medir",
            ),
            check=judge_inference,
        ),
        Rule(
            name="children",
            source="Ley 1581 de 2012, artículo 7",
            title=Said(en="children and adolescents", es="niños, niñas y adolescentes"),
            question=Said(
                en="Are there no personal data of people under 18, but those of a public nature?",
                es="¿No hay datos personales de menores de 18 años, salvo los de naturaleza pública?",
            ),
            remedy=Said(
                en="leave out the rows of minors, or have a person judge how their prevailing rights are respected",
                es="omita las filas de menores, o que una persona juzgue cómo se respetan sus derechos prevalentes",
            ),
            check=no_minors_under(18),
        ),
        Rule(
            name="authorization",
            source="Ley 1581 de 2012, artículos 9 y 10",
            title=Said(en="authorization", es="autorización"),
            question=Said(
                en="If the data are personal: did the people authorize this, or is it a case of article 10?",
                es="Si los datos son personales: ¿lo autorizaron los titulares, o es un caso del artículo 10?",
            ),
            remedy=Said(
                en="write down the authorization, or the case of article 10 (literal d: historical, statistical or"
                " scientific ends authorized by law)",
                es="anote la autorización, o el caso del artículo 10 (literal d: fines históricos, estadísticos o"
                " científicos autorizados por la ley)",
            ),
            check=ask_a_person(
                Said(en="authorizations are in no table", es="las autorizaciones no están en ninguna tabla")
            ),
        ),
        Rule(
            name="circulation",
            source="Ley 1581 de 2012, artículo 4, literales f y g, y artículo 26",
            title=Said(
                en="restricted circulation and transfer", es="circulación restringida y transferencia"
            ),
            question=Said(
                en="If the data are personal: is access controlled, and does no country without adequate protection"
                " receive them?",
                es="Si los datos son personales: ¿está controlado el acceso y no los recibe ningún país sin protección"
                " adecuada?",
            ),
            remedy=Said(
                en="do not put personal data on the internet without control of access; check where they go",
                es="no ponga datos personales en internet sin control de acceso; compruebe adónde van",
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
