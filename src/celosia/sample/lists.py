"""The words and weights that sample hospital discharges are drawn from."""

__all__ = [
    "AGE_WEIGHTS",
    "CHAPTERS",
    "DIAGNOSES",
    "EDUCATION",
    "EDUCATION_WEIGHTS",
    "FIRST_NAMES",
    "LAST_NAMES",
    "MARITAL",
    "MARITAL_WEIGHTS",
    "NATIONALITIES",
    "NATIONALITY_WEIGHTS",
    "OCCUPATIONS",
    "OUTCOMES",
    "OUTCOME_WEIGHTS",
    "SEVERITIES",
    "SEVERITY_WEIGHTS",
    "WORK_WEIGHTS",
]

FIRST_NAMES = """
    Alba Ana Andrea Beatriz Carla Carmen Clara Cristina Elena Emma Eva Inés Irene Isabel Julia Laura Lucía
    Marta María Nerea Nora Olga Paula Pilar Rocío Rosa Sara Silvia Sofía Teresa

    Adrián Alejandro Andrés Antonio Bruno Carlos Daniel David Diego Eduardo Enrique Francisco Hugo Iván
    Javier Jorge José Juan Luis Manuel Mario Martín Miguel Nicolás Pablo Pedro Rafael Raúl Sergio Tomás"""
"""Thirty names of women, then as many of men."""

LAST_NAMES = """
    García Rodríguez González Fernández López Martínez Sánchez Pérez Gómez Martín Jiménez Hernández Ruiz
    Díaz Moreno Muñoz Alonso Blanco Calvo Castro Delgado Flores Garrido Gil Gutiérrez Iglesias Lozano Marín
    Medina Molina Morales Navarro Núñez Ortega Ortiz Peña Prieto Ramírez Ramos Reyes Romero Rubio Santana
    Sanz Serrano Suárez Torres Vázquez Vega Vidal"""
"""Fifty, the most frequent first."""

MARITAL = {
    "single": "alone",
    "married": "couple",
    "partnership": "couple",
    "divorced": "formerly in a couple",
    "separated": "formerly in a couple",
    "widowed": "formerly in a couple",
}
EDUCATION = {
    "none": "basic",
    "primary": "basic",
    "lower secondary": "basic",
    "upper secondary": "intermediate",
    "vocational": "intermediate",
    "bachelor": "university",
    "master": "university",
    "doctorate": "university",
}
OCCUPATIONS = {
    "not active": ["child", "pupil", "student", "homemaker", "retired", "unemployed"],
    "manual": ["farmer", "builder", "driver", "factory worker", "mechanic", "cleaner"],
    "services": ["shop assistant", "waiter", "cook", "hairdresser", "carer", "police officer"],
    "office": ["clerk", "accountant", "manager", "civil servant"],
    "professional": ["teacher", "nurse", "physician", "engineer", "lawyer", "scientist"],
}
NATIONALITIES = {
    "Europe": ["Spanish", "Romanian", "Italian", "British", "French", "German", "Portuguese", "Ukrainian"],
    "Latin America": ["Colombian", "Venezuelan", "Ecuadorian", "Argentine", "Peruvian", "Cuban"],
    "Africa": ["Moroccan", "Algerian", "Senegalese", "Nigerian"],
    "Asia": ["Chinese", "Pakistani", "Indian", "Filipino"],
}
NATIONALITY_WEIGHTS = [860, 14, 8, 7, 4, 4, 3, 4, 15, 9, 9, 5, 5, 4, 22, 4, 3, 1, 8, 4, 3, 1]

# code, name, department, mean days, weights for girl, boy, then woman, man below 48, below 65, and older
DIAGNOSES: list[tuple[str, str, str, int, tuple[int, ...]]] = [
    ("A09", "gastroenteritis", "internal medicine", 3, (9, 9, 2, 2, 2, 2, 2, 2)),
    ("A41", "sepsis", "intensive care", 11, (1, 1, 1, 1, 1, 1, 4, 5)),
    ("B20", "HIV disease", "internal medicine", 9, (0, 0, 1, 3, 1, 3, 0, 1)),
    ("C18", "colon cancer", "oncology", 10, (0, 0, 0, 0, 4, 4, 4, 6)),
    ("C34", "lung cancer", "oncology", 10, (0, 0, 0, 0, 4, 6, 2, 7)),
    ("C50", "breast cancer", "oncology", 5, (0, 0, 1, 0, 14, 0, 5, 0)),
    ("C61", "prostate cancer", "oncology", 5, (0, 0, 0, 0, 0, 4, 0, 7)),
    ("C91", "lymphoid leukaemia", "oncology", 14, (1, 1, 1, 1, 1, 1, 1, 1)),
    ("E10", "type 1 diabetes", "endocrinology", 5, (4, 4, 2, 2, 2, 2, 1, 1)),
    ("E11", "type 2 diabetes", "endocrinology", 6, (0, 0, 0, 0, 4, 6, 6, 7)),
    ("E66", "obesity", "endocrinology", 4, (1, 1, 3, 2, 3, 2, 1, 1)),
    ("F20", "schizophrenia", "psychiatry", 21, (0, 0, 2, 3, 2, 3, 1, 1)),
    ("F32", "depressive episode", "psychiatry", 14, (1, 1, 5, 3, 5, 3, 2, 1)),
    ("F10", "alcohol dependence", "psychiatry", 9, (0, 0, 1, 3, 1, 3, 0, 1)),
    ("G40", "epilepsy", "neurology", 5, (4, 4, 2, 2, 2, 2, 1, 1)),
    ("G30", "Alzheimer's disease", "neurology", 9, (0, 0, 0, 0, 0, 0, 5, 3)),
    ("I10", "hypertension", "cardiology", 3, (0, 0, 0, 0, 4, 6, 4, 4)),
    ("I21", "myocardial infarction", "cardiology", 7, (0, 0, 0, 1, 4, 14, 6, 10)),
    ("I50", "heart failure", "cardiology", 8, (0, 0, 0, 0, 2, 4, 14, 13)),
    ("I63", "cerebral infarction", "neurology", 10, (0, 0, 0, 0, 4, 6, 9, 9)),
    ("J18", "pneumonia", "pulmonology", 7, (9, 10, 3, 4, 3, 4, 11, 13)),
    ("J21", "acute bronchiolitis", "paediatrics", 5, (14, 17, 0, 0, 0, 0, 0, 0)),
    ("J44", "chronic obstructive pulmonary disease", "pulmonology", 8, (0, 0, 0, 0, 2, 6, 4, 12)),
    ("J45", "asthma", "pulmonology", 4, (9, 11, 3, 2, 3, 2, 2, 1)),
    ("K35", "acute appendicitis", "surgery", 3, (9, 11, 5, 6, 5, 6, 1, 1)),
    ("K40", "inguinal hernia", "surgery", 2, (2, 5, 1, 7, 1, 7, 1, 7)),
    ("K80", "gallstones", "surgery", 5, (0, 0, 8, 5, 8, 5, 6, 6)),
    ("M16", "osteoarthritis of the hip", "traumatology", 6, (0, 0, 0, 0, 2, 4, 6, 5)),
    ("M17", "osteoarthritis of the knee", "traumatology", 5, (0, 0, 0, 0, 4, 4, 9, 5)),
    ("N18", "chronic kidney disease", "nephrology", 8, (1, 1, 1, 2, 1, 2, 4, 5)),
    ("N39", "urinary tract infection", "internal medicine", 5, (5, 2, 3, 1, 3, 1, 10, 6)),
    ("O80", "single delivery", "obstetrics", 3, (0, 0, 34, 0, 0, 0, 0, 0)),
    ("O82", "caesarean delivery", "obstetrics", 5, (0, 0, 11, 0, 0, 0, 0, 0)),
    ("P07", "preterm newborn", "paediatrics", 18, (5, 6, 0, 0, 0, 0, 0, 0)),
    ("S06", "intracranial injury", "intensive care", 8, (3, 5, 1, 3, 1, 3, 3, 4)),
    ("S52", "fracture of the forearm", "traumatology", 2, (7, 11, 2, 3, 2, 3, 4, 2)),
    ("S72", "fracture of the femur", "traumatology", 10, (1, 1, 1, 2, 1, 2, 16, 7)),
]  # fmt: skip
CHAPTERS = {
    "A": "infections",
    "B": "infections",
    "C": "neoplasms",
    "E": "metabolism",
    "F": "mind",
    "G": "nerves",
    "I": "circulation",
    "J": "respiration",
    "K": "digestion",
    "M": "bones and muscles",
    "N": "kidneys and urine",
    "O": "pregnancy and birth",
    "P": "pregnancy and birth",
    "S": "injuries",
}
SEVERITIES = ["minor", "moderate", "major", "extreme"]
OUTCOMES = ["home", "transferred", "left against advice", "died"]

# One row per stage of life (infant, pupil, young, adult, old), one weight per word above.
MARITAL_WEIGHTS: list[list[float]] = [
    [1, 0, 0, 0, 0, 0],
    [1, 0, 0, 0, 0, 0],
    [85, 4, 10, 0.5, 0.5, 0],
    [26, 50, 9, 9, 4, 2],
    [8, 52, 2, 6, 2, 30],
]
EDUCATION_WEIGHTS: list[list[float]] = [
    [1, 0, 0, 0, 0, 0, 0, 0],
    [20, 60, 20, 0, 0, 0, 0, 0],
    [1, 5, 25, 35, 18, 14, 2, 0],
    [2, 10, 22, 18, 18, 19, 9, 2],
    [12, 45, 18, 9, 7, 6, 2, 1],
]
# One row per education (basic, intermediate, university), one weight per occupation above.
WORK_WEIGHTS: list[list[float]] = [
    [0, 0, 0, 14, 0, 16, 9, 12, 9, 12, 6, 12, 10, 9, 7, 4, 9, 1, 3, 1, 1, 1, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 6, 0, 10, 2, 5, 5, 7, 7, 4, 12, 7, 6, 6, 8, 5, 14, 6, 4, 7, 1, 2, 0, 1, 0, 0],
    [0, 0, 0, 3, 0, 6, 0.5, 1, 1, 1, 1, 0.5, 4, 1, 1, 1, 2, 2, 9, 9, 11, 9, 15, 11, 7, 12, 7, 4],
]

# One weight per five years of age.
AGE_WEIGHTS = [9, 2, 2, 2, 3, 4, 6, 6, 5, 5, 6, 7, 8, 9, 10, 10, 8, 5, 2]
# One row per age (below 45, below 75, older), then one row per severity.
SEVERITY_WEIGHTS = [[60, 30, 8, 2], [40, 38, 16, 6], [24, 40, 26, 10]]
OUTCOME_WEIGHTS: list[list[float]] = [[97, 1, 2, 0.1], [93, 4, 2, 1], [83, 9, 2, 6], [62, 14, 1, 23]]
