"""What the name of a column says, in English and in Spanish, however it is spelt."""

import pytest

from celosia.profile.names import match_name, split_name
from celosia.types import Role

IDENTIFIERS = """
    name, nombre, Nombre_Completo, firstName, last-name, apellidos, PRIMER APELLIDO, patient_name, nombreDelPaciente,
    dni, DNI_paciente, nif, NIE, cedula, cédula, Cédula de Identidad, ssn, SSN, passport, pasaporte, PassportNo,
    email, e-mail, E_Mail, correo, correo_electrónico, phone, Phone1, telefono, teléfono móvil, mobilePhone, address,
    dirección, home address, iban, IBAN, card number, cardNumber, tarjeta_credito, patient_id, id, ID, patientid,
    record number, historia clínica, nº historia clínica, national_id, username, ip address, ci, mrn, credit_card
"""
SENSITIVE = """
    disease, diagnosis, diagnoses, Diagnóstico, diagnostico_principal, dolencia, enfermedad, Enfermedades, salary,
    salary-class, capital-gain, income, annual_income, ingresos, sueldo, religion, ethnicity, sexual_orientation,
    orientación sexual, treatment, tratamiento, drug_name, disease name, nombre_enfermedad, HIVStatus,
    bloodType,
    recaída, receptor_estrógeno, grado_tumor, Coste (€), importe, salario_bruto, días mora, limite_credito, religión,
    partido político, intención_voto, pertenencia étnica, vida sexual, antecedentes penales, violencia de género,
    presión arterial, fumador, grado_discapacidad, dosis, union_member
"""
QUASI_IDENTIFIERS = """
    age, Age, AGE, edad, edad_años, patientAge, birth_date, dateOfBirth, DOB, fecha de nacimiento, fechaNacimiento,
    fnac, sex, sexo, gender, género, zip, ZIPCode, zipcode, postcode, codigo_postal, Código Postal, race, raza,
    marital-status, estado civil, nationality, native-country, nacionalidad, education, education-num, estudios,
    occupation, profesión, workclass, admission_date, fecha_ingreso, fecha_diagnostico, city name, municipio,
    departamento, depto, Antigüedad, nivel académico, segmento, hijos, num_hijos, grado, estrato, días de seguimiento,
    follow_up_days, length_of_stay, fecha_matrícula, tipo_contrato, cargo, curso, sucursal, regimen, tipo afiliado,
    latitude, Latitud, coordenada_x, timestamp, vereda, comuna, tipo de vivienda
"""
NOTHING = """
    package, message, image, stage, pages, average, column, product_name, file name, nombre_producto, hospital_name,
    category_id, asexual, zipper, idle, identity, cardinal, sextant, tipo documento, hours-per-week,
    sin_datos, niño, value, x, 42, _, ci_lower, run_number, emailed, unnamed, streetwise, ñ
"""


def names(text: str) -> list[str]:
    return [name.strip() for name in text.replace("\n", " ").split(",")]


@pytest.mark.parametrize("name", names(IDENTIFIERS))
def test_a_name_that_identifies_a_person_is_recognized(name):
    assert match_name(name) is not None
    assert match_name(name).role is Role.IDENTIFIER


@pytest.mark.parametrize("name", names(SENSITIVE))
def test_a_name_of_something_sensitive_is_recognized(name):
    assert match_name(name) is not None
    assert match_name(name).role is Role.SENSITIVE


@pytest.mark.parametrize("name", names(QUASI_IDENTIFIERS))
def test_a_name_of_something_others_know_is_recognized(name):
    assert match_name(name) is not None
    assert match_name(name).role is Role.QUASI_IDENTIFIER


@pytest.mark.parametrize("name", [*names(NOTHING), "", " "])
def test_a_word_within_a_word_or_a_name_of_a_thing_says_nothing(name):
    assert match_name(name) is None


def test_the_stronger_role_wins_when_a_name_says_two_things():
    assert match_name("patient_name_and_age").role is Role.IDENTIFIER
    assert match_name("income_by_sex").role is Role.SENSITIVE


def test_the_reason_has_a_stable_code_the_words_and_their_meaning():
    reason = match_name("Teléfono2").reason
    assert reason.code == "name"
    assert reason.facts == {"words": "telefono", "meaning": "a telephone number"}
    assert str(reason) == "the name says 'telefono', a telephone number"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("camelCaseName", ("camel", "case", "name")),
        ("XMLHttpRequest", ("xml", "http", "request")),
        ("snake_case-and.dots", ("snake", "case", "dots")),
        ("ÁÉÍÓÚ Ñandú", ("aeiou", "nandu")),
        ("phone2", ("phone", "2")),
        ("日本", ()),
    ],
)
def test_names_are_split_at_capitals_digits_and_separators(name, words):
    assert split_name(name) == words
