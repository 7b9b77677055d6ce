"""The Spanish twin of the sample: the same people, with the columns and the words of a Spanish hospital."""

import polars as pl

from celosia.sample.drawing import LevelTable

__all__ = ["COLUMNS", "hierarchies_in_spanish", "in_spanish"]

COLUMNS = {
    "record_number": "num_historia",
    "patient_name": "nombre",
    "national_id": "dni",
    "birth_date": "fecha_nacimiento",
    "age": "edad",
    "sex": "sexo",
    "postcode": "codigo_postal",
    "marital_status": "estado_civil",
    "education": "estudios",
    "occupation": "ocupacion",
    "nationality": "nacionalidad",
    "admission_date": "fecha_ingreso",
    "discharge_date": "fecha_alta",
    "department": "servicio",
    "length_of_stay": "dias_estancia",
    "cost": "coste",
    "diagnosis_code": "codigo_diagnostico",
    "diagnosis": "diagnostico",
    "severity": "gravedad",
    "outcome": "motivo_alta",
    "notes": "observaciones",
}
"""What every column is called."""

WORDS = {
    "sex": {"F": "M", "M": "H"},  # mujer, hombre
    "marital_status": {
        "single": "soltería",
        "married": "matrimonio",
        "partnership": "pareja de hecho",
        "divorced": "divorcio",
        "separated": "separación",
        "widowed": "viudedad",
        "alone": "sin pareja",
        "couple": "en pareja",
        "formerly in a couple": "antes en pareja",
    },
    "education": {
        "none": "sin estudios",
        "primary": "primaria",
        "lower secondary": "ESO",
        "upper secondary": "bachillerato",
        "vocational": "formación profesional",
        "bachelor": "grado",
        "master": "máster",
        "doctorate": "doctorado",
        "basic": "básicos",
        "intermediate": "medios",
        "university": "universitarios",
    },
    "occupation": {
        "child": "infancia",
        "pupil": "escolar",
        "student": "estudiante",
        "homemaker": "tareas del hogar",
        "retired": "jubilación",
        "unemployed": "desempleo",
        "farmer": "agricultura",
        "builder": "construcción",
        "driver": "conducción",
        "factory worker": "industria",
        "mechanic": "mecánica",
        "cleaner": "limpieza",
        "shop assistant": "comercio",
        "waiter": "hostelería",
        "cook": "cocina",
        "hairdresser": "peluquería",
        "carer": "cuidados",
        "police officer": "policía",
        "clerk": "administración",
        "accountant": "contabilidad",
        "manager": "dirección",
        "civil servant": "función pública",
        "teacher": "docencia",
        "nurse": "enfermería",
        "physician": "medicina",
        "engineer": "ingeniería",
        "lawyer": "abogacía",
        "scientist": "ciencia",
        "not active": "sin actividad",
        "manual": "trabajo manual",
        "services": "servicios",
        "office": "oficina",
        "professional": "profesiones",
    },
    "nationality": {
        "Spanish": "España",
        "Romanian": "Rumanía",
        "Italian": "Italia",
        "British": "Reino Unido",
        "French": "Francia",
        "German": "Alemania",
        "Portuguese": "Portugal",
        "Ukrainian": "Ucrania",
        "Colombian": "Colombia",
        "Venezuelan": "Venezuela",
        "Ecuadorian": "Ecuador",
        "Argentine": "Argentina",
        "Peruvian": "Perú",
        "Cuban": "Cuba",
        "Moroccan": "Marruecos",
        "Algerian": "Argelia",
        "Senegalese": "Senegal",
        "Nigerian": "Nigeria",
        "Chinese": "China",
        "Pakistani": "Pakistán",
        "Indian": "India",
        "Filipino": "Filipinas",
        "Europe": "Europa",
        "Latin America": "América Latina",
        "Africa": "África",
        "Asia": "Asia",
    },
    "department": {
        "internal medicine": "medicina interna",
        "intensive care": "cuidados intensivos",
        "oncology": "oncología",
        "endocrinology": "endocrinología",
        "psychiatry": "psiquiatría",
        "neurology": "neurología",
        "cardiology": "cardiología",
        "pulmonology": "neumología",
        "paediatrics": "pediatría",
        "surgery": "cirugía",
        "traumatology": "traumatología",
        "nephrology": "nefrología",
        "obstetrics": "obstetricia",
    },
    "diagnosis": {
        "gastroenteritis": "gastroenteritis",
        "sepsis": "sepsis",
        "HIV disease": "infección por VIH",
        "colon cancer": "cáncer de colon",
        "lung cancer": "cáncer de pulmón",
        "breast cancer": "cáncer de mama",
        "prostate cancer": "cáncer de próstata",
        "lymphoid leukaemia": "leucemia linfoide",
        "type 1 diabetes": "diabetes tipo 1",
        "type 2 diabetes": "diabetes tipo 2",
        "obesity": "obesidad",
        "schizophrenia": "esquizofrenia",
        "depressive episode": "episodio depresivo",
        "alcohol dependence": "dependencia del alcohol",
        "epilepsy": "epilepsia",
        "Alzheimer's disease": "enfermedad de Alzheimer",
        "hypertension": "hipertensión",
        "myocardial infarction": "infarto de miocardio",
        "heart failure": "insuficiencia cardíaca",
        "cerebral infarction": "infarto cerebral",
        "pneumonia": "neumonía",
        "acute bronchiolitis": "bronquiolitis aguda",
        "chronic obstructive pulmonary disease": "enfermedad pulmonar obstructiva crónica",
        "asthma": "asma",
        "acute appendicitis": "apendicitis aguda",
        "inguinal hernia": "hernia inguinal",
        "gallstones": "colelitiasis",
        "osteoarthritis of the hip": "artrosis de cadera",
        "osteoarthritis of the knee": "artrosis de rodilla",
        "chronic kidney disease": "enfermedad renal crónica",
        "urinary tract infection": "infección urinaria",
        "single delivery": "parto único",
        "caesarean delivery": "parto por cesárea",
        "preterm newborn": "recién nacido prematuro",
        "intracranial injury": "traumatismo intracraneal",
        "fracture of the forearm": "fractura de antebrazo",
        "fracture of the femur": "fractura de fémur",
        "infections": "infecciones",
        "neoplasms": "tumores",
        "metabolism": "metabolismo",
        "mind": "mente",
        "nerves": "sistema nervioso",
        "circulation": "circulación",
        "respiration": "respiración",
        "digestion": "digestión",
        "bones and muscles": "huesos y músculos",
        "kidneys and urine": "riñón y orina",
        "pregnancy and birth": "embarazo y parto",
        "injuries": "lesiones",
    },
    "severity": {"minor": "leve", "moderate": "moderada", "major": "grave", "extreme": "muy grave"},
    "outcome": {
        "home": "domicilio",
        "transferred": "traslado",
        "left against advice": "alta voluntaria",
        "died": "fallecimiento",
    },
}
"""What every word of a column becomes; groups of hierarchies are among them. Codes and numbers stay as they are."""


def in_spanish(discharges: pl.DataFrame) -> pl.DataFrame:
    """Discharges with Spanish words and names of columns; the notes are left as they are.

    >>> in_spanish(pl.DataFrame({"sex": ["F", None], "cost": [1, 2]})).rows(named=True)[0]
    {'sexo': 'M', 'coste': 1}
    """
    told = [
        pl.col(name).replace_strict(words, return_dtype=pl.String)
        for name, words in WORDS.items()
        if name in discharges.columns
    ]
    return discharges.with_columns(told).rename(COLUMNS, strict=False)


def hierarchies_in_spanish(hierarchies: dict[str, LevelTable]) -> dict[str, LevelTable]:
    """Level tables of the same columns, in Spanish.

    >>> hierarchies_in_spanish({"sex": [("F", "*")]})
    {'sexo': [('M', '*')]}
    """
    groups = WORDS["diagnosis"]  # codes of diagnoses have the groups of diagnoses
    return {
        COLUMNS[name]: [tuple(WORDS.get(name, groups).get(word, word) for word in row) for row in rows]
        for name, rows in hierarchies.items()
    }
