"""What a passage may look like: one expression finds every candidate, and what each is gets decided later.

The expressions are read by Polars, which has no look-around, and by Python: so a candidate may be longer than the
passage in it, with the cue that gives it away at its beginning.
"""

__all__ = [
    "CUED_DAY",
    "CUED_NUMBER",
    "DATES",
    "DEVICE",
    "EMAIL",
    "KIN",
    "NAMED",
    "NAME_CUE",
    "NUMBERED",
    "PARTICLE",
    "PLACE_CUE",
    "POSTCODES",
    "STREETS",
    "TITLES",
    "URL",
    "WEAK_CUE",
    "WORD",
]

UPPER = "A-ZÀ-ÖØ-Þ"
LETTER = f"{UPPER}a-zß-öø-ÿ"

URL = r"(?i:https?|ftp)://[^\s<>\"']+|www\.[^\s<>\"']+"
EMAIL = rf"[{LETTER}0-9_.+%-]+ ?@ ?[{LETTER}0-9-]+(?:\.[{LETTER}0-9-]+)+"
OCTET = r"(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])"
HEX = "[0-9a-fA-F]"
DEVICE = rf"{OCTET}(?:\.{OCTET}){{3}}|(?:{HEX}{{2}}[:-]){{5}}{HEX}{{2}}|(?:{HEX}{{0,4}}:){{4,7}}{HEX}{{1,4}}"

MONTHS = (
    r"(?i:enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre|diciembre|"
    r"january|february|march|april|may|june|july|august|september|october|november|december|"
    r"ene|feb|mar|abr|apr|jun|jul|ago|aug|sept?|oct|nov|dic|dec|jan)\.?"
)
YEAR = r"(?:[12][0-9]{3}|'?[0-9]{2})"
DATES = (
    rf"[0-9]{{1,2}}(?:º|°|st|nd|rd|th)?(?: de | of |[ /.-]){MONTHS}(?:,?(?: del? |[ /.-]){YEAR})?",
    rf"{MONTHS} [0-9]{{1,2}}(?:st|nd|rd|th)?(?:,? [12][0-9]{{3}})?",
    rf"{MONTHS}(?: del? | of | )[12][0-9]{{3}}",
    r"[12][0-9]{3}[-/.][0-9]{1,2}[-/.][0-9]{1,2}(?:[T ][0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)?",
    r"[0-9]{1,2}[-/.][0-9]{1,2}[-/.](?:[12][0-9]{3}|[0-9]{2})",
)
CUED_DAY = r"(?i:el|día|on|fecha|date):? [0-9]{1,2}/[0-9]{1,2}(?:/(?:[12][0-9]{3}|[0-9]{2}))?"

GAP = r"[ ./()–-]{0,3}"
NUMBER = rf"[A-Za-z]{{0,4}}-?[+(]{{0,2}}[0-9](?:{GAP}[0-9]){{5,}}(?:[ -]?[A-Za-z])?"
CODES = (
    r"[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,4})?",  # IBAN
    r"[A-Z]{4}[0-9]{6}[A-Z]{6}[A-Z0-9][0-9]",  # CURP
    r"[A-Z]{6}[0-9]{2}[A-Z][0-9]{2}[A-Z][0-9]{3}[A-Z]",  # codice fiscale
    r"[0-9]{8} ?[0-9] ?[A-Z]{2}[0-9]",  # Portuguese citizen card
    r"[A-Z]{2} ?(?:[0-9]{2} ?){3}[A-D]",  # British national insurance number
)
PHONE_CUE = (
    r"tel[eé]fonos?|tel[eé]?f?|tfno|tlfn?o?|m[oó]vil|celular|cel|telephone|phone|mobile|cell|fax|whatsapp"
)
IDENTITY_CUE = r"d\.?n\.?i|nie|nif|c[eé]dula|curp|cpf|rut|cui[tl]|ssn|nhs|passport|pasaporte|documento"
RECORD_CUE = (
    r"n\.?h\.?c|mrn|historia(?: cl[ií]nica)?|episodio|expediente|p[oó]liza|afiliaci[oó]n|medical record|record|"
    r"case|account|policy|chart|folio|referencia|reference|ref|matr[ií]cula|plate|id"
)
ACCOUNT_CUE = r"iban|cuenta|tarjeta|card|bank account"
CUED_NUMBER = (
    rf"(?i:(?P<phone>{PHONE_CUE})|(?P<account>{ACCOUNT_CUE})|(?P<identity>{IDENTITY_CUE})|(?P<record>{RECORD_CUE}))"
    r"(?: (?i:number|n[uú]mero|no))?[ .:,#nNºª°-]{0,5}"
    rf"(?P<number>{CODES[0]}|"
    rf"(?:[A-Za-z]{{1,4}}[-/]?)?[+(]{{0,2}}[0-9](?:{GAP}[0-9]){{3,}}(?:-?[A-Z0-9]{{1,8}}| [A-Z])?)"
)

TITLES = r"(?:Srta|Sra|Sr|Dra|Dr|Dña|Dn|Mrs|Mr|Ms|Prof|Lic|Ing|St)\."
WORD = rf"(?:{TITLES}|[{UPPER}]\.ª?|Mª|[{UPPER}][{LETTER}'’]+(?:-[{LETTER}]+)*)"
PARTICLE = r"(?:de|del|la|las|los|y|e|da|dos|van|von|der|di|el)"
JOINED = rf"(?:,? (?:{PARTICLE} ){{0,2}})"
RUN = rf"{WORD}(?:{JOINED}{WORD})*"
LOWER_RUN = rf"{WORD}(?: (?:{PARTICLE} ){{0,2}}{WORD})*"

TITLE_CUE = r"(?i:srta|sra|sr|dña|dª|don|doña|d|drs|dra|dr|mrs|mr|ms|miss|prof|lic|ing)\.? "
KIN = (
    r"(?i:señor|señora|doctora?|paciente|patient|nombre|name|named|llamad[oa]|se llama|called|hij[oa]|madre|padre|"
    r"espos[oa]|marido|mujer|herman[oa]|abuel[oa]|t[ií][oa]|prim[oa]|cuñad[oa]|nuera|yerno|niet[oa]|vecin[oa]|cuidadora?|pareja|"
    r"compañer[oa]|husband|wife|mother|father|daughter|son|brother|sister|aunt|uncle|cousin|partner|neighbou?r|carer|"
    r"friend|amig[oa]|nurse|enfermer[oa]|m[eé]dic[oa]|physician|firmado|firma|signed|contacto?|tutora?|call|"
    r"llama(?:r|do)? a|avisar? a|habla(?:r|do)? con|spoke (?:to|with)|"
    r"(?:atendid|valorad|firmad|vist|acompañad)[oa] por|"
    r"(?:seen|signed|written|reviewed|examined|accompanied|referred|brought) by)"
)
NAME_CUE = rf"(?:{TITLE_CUE}|{KIN}(?:[:,] ?| )\(?)"
WEAK_CUE = r"(?:con|a|de|por|para|y|que|su|with|by|to|for|from|and|that|of|,)"
PLACE_CUE = (
    r"(?i:viven? en|reside en|residentes? en|natural de|procedente de|procede de|vecin[oa] de|nacid[oa] en|"
    r"domiciliad[oa] en|empadronad[oa] en|trasladad[oa] a|vuelve a|born in|lives in|living in|resident of|resides in|"
    r"comes from|moved to|moved from|returned to|native of)"
)
STATES = (
    r"(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|"
    r"V[AT]|W[AIVY])"
)
POSTCODES = (
    r"(?i:c\.?p\.?|c[oó]digo postal|cod\. postal|postcode|postal code|zip(?: code)?)[ .:]{1,3}[0-9]{4,5}(?:-[0-9]{4})?",
    r"[A-Z]{1,2}[0-9][A-Z0-9]? [0-9][A-Z]{2}",
    rf"{STATES},? [0-9]{{5}}(?:-[0-9]{{4}})?",
    rf"[0-9]{{5}} (?:{LOWER_RUN})",
)
STREETS = (
    rf"(?:(?i:calle|avenida|avda\.?|plaza|pza\.?|paseo|camino|carrera|cra\.?|calzada|ronda|travesía|urbanización|barrio)|"
    rf"C/|c/|Av\.|av\.) ?(?:(?i:{PARTICLE}) )*(?:{LOWER_RUN}|[0-9]+[A-Za-z]?)"
    r"(?:,? ?(?:n[º°.]|nº|núm\.|#)? ?[0-9]{1,4}(?: ?[-#] ?[0-9]{1,3})*)?",
    rf"[0-9]{{1,5}} (?:{WORD} ){{1,3}}"
    r"(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Way|Court|Square)\.?",
)

NUMBERED = "|".join([URL, EMAIL, DEVICE, *DATES, CUED_DAY, CUED_NUMBER, *CODES, *STREETS, *POSTCODES, NUMBER])
"""Candidates with digits or signs. The first that fits wins, and what begins further left wins over it."""

CUED_NAME = rf"{NAME_CUE}{{1,3}}(?:{PARTICLE} ){{0,2}}{RUN}"
NAMED = "|".join(
    [
        rf"{PLACE_CUE} (?:{PARTICLE} ){{0,2}}{LOWER_RUN}",
        CUED_NAME,
        rf"{WEAK_CUE} {RUN}",
        RUN,
    ]
)
"""Candidates that are capitalized words, with the cue before them."""
