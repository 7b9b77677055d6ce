"""The words that give a column away, English and Spanish, by role and by what they mean.

Phrases are written without accents and articles; a phrase of several words matches them side by side or glued
together, in the order given; one that ends in ``!`` must be the whole name. Adding a word here is all it
takes to have it recognized.
"""

from celosia.say import say
from celosia.types import Role

__all__ = ["OF_A_THING", "VOCABULARY"]

VOCABULARY: dict[Role, dict[str, str]] = {
    Role.IDENTIFIER: {
        say("a person's name"): """
            name | nombre | surname | apellido | forename | nickname | apodo | full name | first name |
            given name | last name | family name | middle name | maiden name | nombre completo |
            primer apellido | segundo apellido | nombre pila | fname | lname | razon social""",
        say("a national identity number"): """
            dni | nif | nie | nit | cif | cedula | rut | run! | cuit | cuil | cpf | cnpj | curp | rfc |
            ssn | nhs | nhs number | nir | bsn | pesel | aadhaar | national id | identity number |
            identity card | id card | social security | social security number | seguridad social |
            documento identidad | numero documento | documento | tax id | tax number | codice fiscale |
            doc number | nro documento | ci! | social insurance number""",
        say("a passport or licence number"): """
            passport | pasaporte | driver license | drivers license | driver licence | driving licence |
            license number | licence number | licencia conducir | carnet conducir | certificate number |
            numero certificado | numero licencia | professional license""",
        say("a patient's or client's number"): """
            id! | identifier! | identificador! | uuid | guid | mrn | medical record |
            medical record number | record number | numero registro | record id | historia clinica |
            numero historia | nhc | patient id | patient number | person id | customer id |
            customer number | client id | client number | employee id | employee number | member id |
            member number | user id | subject id | student id | account id | id paciente | paciente id |
            numero paciente | id cliente | cliente id | numero cliente | id persona | persona id |
            id empleado | id usuario | matricula | legajo | policy number | numero poliza |
            insurance number | tarjeta sanitaria | cip | health plan number | health plan id | beneficiary id |
            beneficiary number | medicare number | medicaid number | id beneficiario | numero afiliado |
            numero beneficiario""",
        say("an e-mail address"): "email | mail | e mail | email address | correo | correo electronico",
        say("a telephone number"): """
            phone | telephone | telefono | tel | mobile | movil | celular | cell phone | mobile number |
            fax | phone number | numero telefono | whatsapp""",
        say("a postal address"): """
            address | street | street address | home address | direccion | domicilio | calle |
            house number""",
        say("a bank account or card"): """
            iban | card | card number | credit card | debit card | tarjeta | tarjeta credito |
            numero tarjeta | account number | bank account | numero cuenta | cuenta bancaria | ccc |
            cbu | clabe""",
        say("an account or device"): """
            username | user name | login | usuario | nombre usuario | password | contrasena | ip |
            ip address | direccion ip | mac address | imei | imsi | device id | device number |
            serial number | device serial | numero serie | id dispositivo | cookie | url | website |
            web page | pagina web | sitio web | twitter | facebook | instagram""",
        say("a vehicle"): "license plate | licence plate | number plate | vin | matricula vehiculo | placa",
        say("a picture or print of the body"): """
            photo | photograph | foto | fotografia | face image | facial image | fingerprint | huella |
            huella dactilar | voice print | voiceprint | iris scan | retina scan | biometric |
            biometrico | biometria | signature | firma""",
    },
    Role.SENSITIVE: {
        say("health"): """
            disease | illness | diagnosis | diagnoses | diagnostic | diagnostico | dolencia | enfermedad |
            patologia | medical condition | health | salud | symptom | sintoma | icd | icd10 | cie |
            cie10 | hiv | vih | cancer | disability | discapacidad | comorbidity | comorbilidad |
            allergy | alergia | blood type | grupo sanguineo | pregnancy | embarazo | addiction |
            adiccion | severity | gravedad | outcome""",
        say("a treatment"): """
            treatment | tratamiento | medication | medicacion | medicine | medicamento | drug | farmaco |
            prescription | receta | therapy | terapia | surgery | cirugia | procedure | procedimiento |
            vaccine | vacuna""",
        say("money"): """
            salary | salario | sueldo | income | ingresos | wage | renta | earnings | pay | debt |
            deuda | account balance | saldo | credit score | net worth | patrimonio | pension | bonus |
            nomina""",
        say("beliefs"): """
            religion | belief | creencia | creed | politics | political party | partido politico |
            ideology | ideologia | union membership | afiliacion sindical | sindicato | vote | voto""",
        say("origin"): "ethnicity | ethnic | ethnic group | etnia | grupo etnico | origen etnico",
        say("sex life"): """
            orientation | sexual orientation | orientacion | orientacion sexual | sexuality | sexualidad""",
        say("crime and justice"): """
            crime | delito | offence | offense | conviction | condena | criminal record | antecedentes |
            antecedentes penales | arrest""",
        say("genes"): "genome | genoma | genotype | genotipo | dna | adn | mutation | mutacion",
    },
    Role.QUASI_IDENTIFIER: {
        say("age"): "age | edad | age group | grupo edad | grupo etario",
        say("a date of birth"): """
            birth | birth date | date birth | dob | birthday | birth year | year birth |
            fecha nacimiento | nacimiento | fnac | ano nacimiento | fec nac | fecha nac""",
        say(
            "a date of death"
        ): "death date | date death | fecha defuncion | fecha muerte | fecha fallecimiento",
        say("sex"): "sex | sexo | gender | genero",
        say("a postcode"): """
            zip | zip code | postcode | postal code | postal | codigo postal | cod postal | cp | plz""",
        say("a place"): """
            city | ciudad | town | municipality | municipio | localidad | county | condado | province |
            provincia | region | state | estado | district | distrito | departamento residencia |
            comuna | barrio | neighborhood | neighbourhood | location | residence | residencia |
            country | pais | birth place | place birth | lugar nacimiento | latitude | longitude |
            latitud | longitud | census tract | seccion censal | comunidad autonoma""",
        say("race"): "race | raza | skin color | color piel",
        say("marital status"): "marital | marital status | civil status | civil state | estado civil",
        say("nationality"): """
            nationality | nacionalidad | citizenship | ciudadania | native country | mother tongue""",
        say("language"): "language | idioma | lengua",
        say("education"): """
            education | educacion | educational | studies | estudios | nivel estudios | school | degree |
            titulacion | escolaridad | nivel educativo""",
        say("occupation"): """
            occupation | ocupacion | profession | profesion | job | job title | trabajo | oficio |
            employer | empleador | work class | workclass | employment | empleo | industry | puesto""",
        say("family"): """
            relationship | household | hogar | children | hijos | family size | dependents | parentesco |
            num children | numero hijos | convivencia""",
        say("a date of care"): """
            admission! | admission date | date admission | admit date | discharge date | date discharge |
            fecha ingreso | fecha alta | fecha admision | visit date | fecha visita | fecha consulta |
            appointment date | encounter date | diagnosis date | date diagnosis | fecha diagnostico |
            treatment date | fecha tratamiento | surgery date | fecha cirugia""",
        say(
            "a measure of the body"
        ): "height | estatura | weight | peso | bmi | imc | eye color | hair color",
        say("military service"): "military | veteran | servicio militar",
    },
}

OF_A_THING = """
    archivo | brand | categoria | category | center | centre | centro | city | ciudad | class | clinic |
    clinica | colegio | column | company | country | course | departamento | department | device |
    diagnosis | diagnostico | disease | display | doctor | domain | drug | employer | empresa |
    enfermedad | escuela | estado | event | evento | farmaco | field | file | food | group | hospital |
    host | image | item | job | kind | marca | medicamento | medication | medicine | medico | metric |
    model | municipality | municipio | page | pais | physician | procedimiento | procedure | product |
    producto | project | province | provincia | region | school | screen | service | servicio | site |
    state | study | table | test | tipo | town | tratamiento | treatment | type | unidad | unit |
    universidad | university | variable | ward"""
"""Words that make ``name``, ``address``, ``card`` and the like speak of something else than the person."""
