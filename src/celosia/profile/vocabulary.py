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
            primer apellido | segundo apellido | nombre pila | fname | lname | razon social | nombres | ape1 |
            ape2 | apellido paterno | apellido materno | nombre apellidos | apellidos nombre | titular |
            nombre titular | nombre paciente | nombre alumno | nombre empleado | nombre cliente | nombre madre |
            nombre padre | nombre tutor | nombre beneficiario | alias | contact person | persona contacto |
            holder name | account holder | cardholder | next kin | patient initials | iniciales | doctor! |
            requesting doctor | referring doctor | attending doctor | attending physician |
            referring physician | physician name | medico tratante | medico solicitante | medico responsable""",
        say("a national identity number"): """
            dni | nif | nie | nit | cif | cedula | rut | run! | cuit | cuil | cpf | cnpj | curp | rfc |
            ssn | nhs | nhs number | nir | bsn | pesel | aadhaar | national id | identity number |
            identity card | id card | social security | social security number | seguridad social |
            documento identidad | numero documento | documento | tax id | tax number | codice fiscale |
            doc number | nro documento | ci! | social insurance number | documento nacional |
            num documento | numero identificacion | identificacion! | nro identificacion |
            no identificacion | numero identidad | tarjeta identidad | carne extranjeria |
            carnet identidad | cedula ciudadania | cedula extranjeria | registro civil | num doc | nuip |
            numero seguridad social | nss | naf | imss | clave elector | dpi | rnc | ruc | rol tributario |
            tin | vat number | sin number""",
        say("a passport or licence number"): """
            passport | pasaporte | driver license | drivers license | driver licence | driving licence |
            license number | licence number | licencia conducir | carnet conducir | certificate number |
            numero certificado | numero licencia | professional license | num pasaporte | nro pasaporte |
            permiso conducir | numero permiso | residence permit number | numero colegiado | colegiado |
            tarjeta profesional | registro profesional | green card""",
        say("a patient's or client's number"): """
            patient! | paciente! | student! | alumno! | estudiante! | customer! | client! | cliente! |
            employee! | empleado! | person! | persona! | user! | usuario! | subject! | respondent! |
            participant! | encuestado! | id! | identifier! | identificador! | uuid | guid | mrn |
            medical record | medical record number | record number | numero registro | record id |
            historia clinica | numero historia | nhc | patient id | patient number | person id | customer id |
            customer number | client id | client number | employee id | employee number | member id |
            member number | user id | subject id | student id | account id | id paciente | paciente id |
            numero paciente | id cliente | cliente id | numero cliente | id persona | persona id | id empleado |
            id usuario | matricula | legajo | policy number | numero poliza | insurance number |
            tarjeta sanitaria | cip | health plan number | health plan id | beneficiary id |
            beneficiary number | medicare number | medicaid number | id beneficiario | numero afiliado |
            numero beneficiario | num historia | nro historia | hc! | hce! | numero historia clinica |
            codigo paciente | cod paciente | num paciente | id alumno | codigo alumno | codigo estudiante |
            id estudiante | numero matricula | expediente | numero expediente | num expediente |
            codigo cliente | cod cliente | num cliente | id socio | numero socio | codigo empleado |
            cod empleado | num empleado | numero empleado | nro afiliado | num afiliado | id afiliado |
            numero nomina | patient code | patient key | case id | case number | encounter id | visit id |
            admission id | episode id | id episodio | numero episodio | id ingreso | id visita |
            subject number | participant id | participant number | respondent id | household id | id hogar |
            id encuestado | loan number | contract number | numero contrato | numero prestamo | policy id |
            claim number | numero siniestro | payroll number | staff number | staff id | worker id | pupil id |
            pupil number | learner id | enrolment number | enrollment number | sample id | id muestra |
            accession number | invoice number | numero factura | order number | numero pedido | transaction id |
            id transaccion | ticket number | reference number | numero referencia | row id | row number |
            rownum | record no | numero fila | consecutivo! | folio | numero folio | cip autonomico | cipa |
            sip! | nuhsa | chip! | health card | tarjeta salud""",
        say("an e-mail address"): """
            email | mail | e mail | email address | correo | correo electronico | mail address |
            direccion correo | direccion electronica | correo personal | correo institucional |
            email personal""",
        say("a telephone number"): """
            phone | telephone | telefono | tel | mobile | movil | celular | cell phone | mobile number |
            fax | phone number | numero telefono | whatsapp | tel fijo | telefono fijo | telefono movil |
            num telefono | tlf | tfno | telf | cel | numero celular | numero movil | home phone |
            work phone | contact number | telefono contacto""",
        say("a postal address"): """
            address | street | street address | home address | direccion | domicilio | calle |
            house number | address line | postal address | direccion postal | direccion residencia |
            direccion casa | nombre via | tipo via | numero via | numero portal | portal! | piso puerta |
            building number | apartment | apartment number | flat number | catastral reference |
            referencia catastral""",
        say("a bank account or card"): """
            iban | card | card number | credit card | debit card | tarjeta | tarjeta credito |
            numero tarjeta | account number | bank account | numero cuenta | cuenta bancaria | ccc | cbu |
            clabe | numero cuenta bancaria | cuenta corriente | num cuenta | nro cuenta | num tarjeta |
            swift code | bic! | sort code | routing number | pan! | cvv | card holder""",
        say("an account or device"): """
            username | user name | login | usuario | nombre usuario | password | contrasena | ip |
            ip address | direccion ip | mac address | imei | imsi | device id | device number |
            serial number | device serial | numero serie | id dispositivo | cookie | url | website |
            web page | pagina web | sitio web | twitter | facebook | instagram | cuenta usuario |
            clave acceso | nick | nickname usuario | handle | user agent | session id | device! |
            dispositivo! | android id | advertising id | idfa | gaid | msisdn | iccid | hostname |
            linkedin | tiktok | red social | perfil social""",
        say("a vehicle"): """
            license plate | licence plate | number plate | vin | matricula vehiculo | placa | vehicle id |
            vehicle number | numero bastidor | bastidor | numero chasis | numero motor | placa vehiculo |
            registration plate""",
        say("a picture or print of the body"): """
            photo | photograph | foto | fotografia | face image | facial image | fingerprint | huella |
            huella dactilar | voice print | voiceprint | iris scan | retina scan | biometric |
            biometrico | biometria | signature | firma""",
    },
    Role.SENSITIVE: {
        say("health"): """
            disease | illness | diagnosis | diagnoses | diagnostic | diagnostico | dolencia | enfermedad |
            patologia | medical condition | health | salud | symptom | sintoma | icd | icd10 | cie | cie10 |
            hiv | vih | cancer | disability | discapacidad | comorbidity | comorbilidad | allergy | alergia |
            blood type | grupo sanguineo | pregnancy | embarazo | addiction | adiccion | severity | gravedad |
            outcome | diag | dx | dx1 | diagnostico secundario | motivo consulta | motivo ingreso |
            chief complaint | condition! | morbidity | morbilidad | mortality | mortalidad | causa muerte |
            cause death | recaida | relapse | recurrence | recidiva | remission | remision | metastasis |
            tumor | tumour | tumor size | tumor grade | grado tumor | grado histologico | tumor stage |
            estadio | estadio tumoral | estadiaje | ganglios | nodes | receptor | receptores |
            receptor estrogeno | estrogen receptor | progesterone receptor | receptor progesterona | her2 |
            menopausia | menopause | hormonal therapy | complicacion | complication | infection | infeccion |
            covid | positive test | resultado prueba | test result | lab result | resultado laboratorio |
            analitica | hemoglobina | hemoglobin | glucose | glucosa | hba1c | haemoglobin | platelets |
            plaquetas | leukocytes | leucocitos | wbc | rbc | egfr | tsh | psa! | crp! | bilirubin |
            bilirrubina | albumin | albumina | sodium | sodio | potassium | potasio | urea | ferritin |
            ferritina | biopsy | biopsia | blood group | blood grp | iep | mood | stress level | bmi category |
            cholesterol | colesterol | triglicerido | creatinine | creatinina | blood pressure |
            presion arterial | tension arterial | presion sistolica | presion diastolica | systolic |
            diastolic | heart rate | frecuencia cardiaca | saturacion | temperature | temperatura corporal |
            pain | dolor | escala dolor | apgar | glasgow | drg | grd | grupo diagnostico | smoker | smoking |
            fumador | tabaquismo | tabaco | alcohol | alcoholismo | consumo drogas | substance use |
            depression | depresion | anxiety | ansiedad | suicide | suicidio | mental health | salud mental |
            diabetes | diabetic | diabetico | hypertension | hipertension | asthma | asma | epilepsy |
            epilepsia | obesity | obesidad | stroke | ictus | infarto | heart disease | cardiopatia |
            renal failure | insuficiencia renal | transplant | trasplante | donante | organ donor |
            grado discapacidad | grado dependencia | dependencia | minusvalia | incapacidad | invalidez |
            baja medica | sick leave | dias baja | lesion | injury | accidente laboral |
            necesidades especiales | special needs | discharge disposition | tipo alta | motivo alta |
            readmission | reingreso | readmitted | exitus | fallecido | deceased! | survival | supervivencia |
            vital status | estado vital | parity | paridad | abortion | aborto | anticonceptivo |
            contraception | gestacion | gestational age | semanas gestacion | eps! | mutua!""",
        say("a treatment"): """
            treatment | tratamiento | medication | medicacion | medicine | medicamento | drug | farmaco |
            prescription | receta | therapy | terapia | surgery | cirugia | procedure | procedimiento |
            vaccine | vacuna | principio activo | active ingredient | dosis | dose | dosage | posologia |
            quimioterapia | chemotherapy | radioterapia | radiotherapy | hormonoterapia | intervencion |
            intervencion quirurgica | tipo intervencion | operacion quirurgica | anestesia | anaesthesia |
            anesthesia | rehabilitacion | rehabilitation | dialisis | dialysis | insulin | insulina |
            antibiotico | antibiotic | atc | atc code | codigo atc | procedure code | codigo procedimiento |
            cie procedimiento | servicio clinico | unidad clinica | especialidad medica |
            medical specialty | ward! | servicio!""",
        say("money"): """
            salary | salario | sueldo | income | ingresos | wage | renta | earnings | pay | debt | deuda |
            account balance | saldo | credit score | net worth | patrimonio | pension | bonus | nomina | cost |
            coste | costo | coste total | total cost | importe | monto | amount | price! | precio! | fee |
            tarifa | charge | charges | cargo mensual | gasto | gastos | expense | expenditure | presupuesto |
            ingreso anual | ingreso mensual | ingresos anuales | income bracket | household income |
            renta anual | renta familiar | salario base | salario bruto | salario neto | sueldo base |
            sueldo bruto | sueldo neto | devengado | asignacion basica | gross pay | net pay | gross salary |
            net salary | base salary | wages | remuneration | remuneracion | retribucion | compensation |
            compensacion | comision | commission | overtime pay | horas extra | bono! | prima! | premium! |
            aguinaldo | indemnizacion | severance | deduction | deduccion | retencion | irpf | embargo |
            garnishment | loan amount | loan | prestamo | credito | credit | credit limit | limite credito |
            cupo | hipoteca | mortgage | mora | morosidad | dias mora | overdue | arrears | default! | impago |
            delinquent | balance! | saldo medio | saldo cuenta | savings | ahorro | investment | inversion |
            assets | activos | liabilities | pasivos | score credito | scoring | puntaje crediticio |
            calificacion crediticia | credit rating | capital gain | capital loss | tax paid | impuesto |
            tax return | subsidio | subsidy | welfare | ayuda economica | beca | scholarship | monto beca |
            cuantia | pension alimenticia | alimony | rent! | alquiler | renta mensual | poverty | pobreza |
            pago mensual | monthly payment | cuota | installment | transaction amount | valor prestamo |
            valor transaccion | purchase amount | compra | turnover | facturacion | defaulted | in default |
            risk class | risk grade | clase riesgo | refund | reembolso | devolucion! | complemento |
            complemento especifico | complemento destino | productividad | gratificacion | free lunch |
            reduced lunch | free school meals | beca comedor""",
        say("beliefs"): """
            religion | belief | creencia | creed | politics | political party | partido politico |
            ideology | ideologia | union membership | afiliacion sindical | sindicato | vote | voto |
            religioso | religious affiliation | confesion | faith | iglesia | church | denomination |
            culto | filosofia | conviction religious | political affiliation | afiliacion politica |
            political view | political opinion | intencion voto | voting intention | partido |
            party affiliation | militancia | militante | recuerdo voto | trade union | union member |
            union! | afiliado sindical | sindicado | cuota sindical | activism | activismo""",
        say("origin"): """
            ethnicity | ethnic | ethnic group | etnia | grupo etnico | origen etnico | racial origin |
            origen racial | ancestry | ascendencia | pueblo indigena | indigena | indigenous | tribe |
            tribu | caste | casta | afrodescendiente | pertenencia etnica | autorreconocimiento |
            comunidad etnica | resguardo | refugee | refugiado | asylum | asilo | immigration status |
            estatus migratorio | condicion migratoria | minority | minoria""",
        say("sex life"): """
            orientation | sexual orientation | orientacion | orientacion sexual | sexuality | sexualidad |
            sexual life | vida sexual | sexual partners | parejas sexuales | gender identity |
            identidad genero | transgender | trans! | lgbt | lgbti | sexual behaviour | sexual behavior |
            conducta sexual | sti | its! | ets! | std!""",
        say("crime and justice"): """
            crime | delito | offence | offense | conviction | condena | criminal record | antecedentes |
            antecedentes penales | arrest | sentence! | sentencia | prison | prision | carcel | jail |
            inmate | recluso | preso | probation | libertad condicional | parole | victim | victima |
            violencia genero | domestic violence | violencia domestica | denuncia | complaint! | sancion |
            sanction | multa | fine! | infraccion | infringement | recidivism | reincidencia |
            delincuencia | charge description | imputado | procesado | juicio | trial! | conflict victim |
            victima conflicto | desplazado | disciplinary action | falta disciplinaria | expulsion""",
        say("genes"): """
            genome | genoma | genotype | genotipo | dna | adn | mutation | mutacion | gene | gen! | snp |
            variant | variante genetica | allele | alelo | haplotype | haplotipo | karyotype | cariotipo |
            brca | family history | antecedentes familiares""",
    },
    Role.QUASI_IDENTIFIER: {
        say("age"): """
            age | edad | age group | grupo edad | grupo etario | age years | age months | edad anos |
            edad meses | edad ingreso | edad diagnostico | age admission | age diagnosis | age death |
            rango edad | tramo edad | grupo edades | age range | age band | quinquenio | cohort | cohorte |
            generacion""",
        say("a date of birth"): """
            birth | birth date | date birth | dob | birthday | birth year | year birth | fecha nacimiento |
            nacimiento | fnac | ano nacimiento | fec nac | fecha nac | birth month | mes nacimiento |
            dia nacimiento | birth day | born | f nacimiento | f nac | date born | fecha nto | fecha naci |
            nacido | cumpleanos | month birth""",
        say("a date of death"): """
            death date | date death | fecha defuncion | fecha muerte | fecha fallecimiento | death |
            defuncion | fallecimiento | dod | f defuncion | muerte | death year | ano defuncion""",
        say("sex"): """
            sex | sexo | gender | genero | sexo paciente | sex code | cod sexo | male | female | hombre |
            mujer | genero paciente | sexo biologico""",
        say("a postcode"): """
            zip | zip code | postcode | postal code | postal | codigo postal | cod postal | cp | plz |
            cod post | cpostal | zip3 | zip5 | postal district | distrito postal | zona postal | c postal""",
        say("a place"): """
            city | ciudad | town | municipality | municipio | localidad | county | condado | province |
            provincia | region | state | estado | district | distrito | departamento residencia | comuna |
            barrio | neighborhood | neighbourhood | location | residence | residencia | country | pais |
            birth place | place birth | lugar nacimiento | latitude | longitude | latitud | longitud |
            census tract | seccion censal | comunidad autonoma | departamento | depto | dpto | dept! |
            department! | cod departamento | departamento nacimiento | cod municipio | cod provincia |
            codigo municipio | codigo provincia | divipola | ciudad residencia | municipio residencia |
            provincia residencia | poblacion | corregimiento | vereda | parroquia | canton | colonia |
            delegacion | alcaldia | partido judicial | entidad federativa | ccaa | area residencia |
            zona residencia | zona! | zone | area! | zona urbana | urban | rural | urbano rural | ambito |
            habitat | sector censal | manzana | estrato | estrato social | estrato socioeconomico | upz |
            census block | block group | fips | msa | metro area | metropolitan area | territory | territorio |
            borough | parish | prefecture | canton residence | village | aldea | hamlet | settlement | lat |
            lon | lng | long! | coordinates | coordenadas | coordenada x | coordenada y | utm x | utm y |
            geohash | geolocation | geolocalizacion | gps | ubicacion | lugar | lugar residencia |
            lugar trabajo | procedencia | lugar procedencia | place origin | origin! | origen! | destination! |
            destino! | country birth | country residence | pais nacimiento | pais residencia | pais origen |
            ciudad nacimiento | hospital! | centro! | centro salud | health center | clinic! | clinica! |
            branch | sucursal | oficina | sede | agencia | campus | gp surgery | gp practice | practice! |
            consultorio | bus route | bus stop | ruta! | ruta escolar | facility | site! | store | tienda |
            planta | edificio | building""",
        say("race"): """
            race | raza | skin color | color piel | racial | race ethnicity | color! | white | black |
            hispanic | latino""",
        say("marital status"): """
            marital | marital status | civil status | civil state | estado civil | married | casado |
            soltero | civil | ecivil | est civil | marital state | spouse | conyuge | pareja | union libre |
            divorced | divorciado | widow | viudo""",
        say("nationality"): """
            nationality | nacionalidad | citizenship | ciudadania | native country | mother tongue |
            citizen | nacional! | extranjero | foreign born | foreigner | migrant | migrante | inmigrante |
            immigrant | years residence | anos residencia | arrival year""",
        say("language"): """
            language | idioma | lengua | lengua materna | lengua indigena | first language | home language |
            language spoken | spoken language | preferred language""",
        say("education"): """
            education | educacion | educational | studies | estudios | nivel estudios | school | degree |
            titulacion | escolaridad | nivel educativo | nivel academico | academic level | formacion |
            formacion academica | titulo! | titulo academico | nivel formacion | grado! | grado academico |
            grado escolar | grade! | grade level | school grade | curso | course | curso academico | carrera |
            programa academico | facultad | faculty | major! | especialidad | specialty | specialization |
            semestre | semester | school year | school type | tipo colegio | colegio | escuela | instituto |
            institucion educativa | universidad | university | college | high school | bachillerato |
            qualification | qualifications | diploma | years schooling | anos estudio | educ | schooling |
            alfabetismo | literacy | nota media | promedio | gpa | calificacion | homeroom | home room |
            classroom | aula | sat! | sat score | act score | test score | puntaje | asignatura |
            jornada escolar | turno | ciclo | modalidad""",
        say("occupation"): """
            occupation | ocupacion | profession | profesion | job | job title | trabajo | oficio | employer |
            empleador | work class | workclass | employment | empleo | industry | puesto | cargo |
            cargo actual | puesto trabajo | categoria profesional | professional category | categoria laboral |
            grupo profesional | grupo cotizacion | job level | job role | job code | job family | position! |
            rank | rango! | escalafon | nivel salarial | pay grade | salary band | banda salarial | trienios |
            nivel! | grupo! | subgrupo! | antiguedad | antiguedad laboral | seniority | tenure | years service |
            anos servicio | years experience | anos experiencia | experience! | experiencia | hire date |
            date hire | fecha contratacion | fecha incorporacion | fecha alta empresa | fecha vinculacion |
            fecha ingreso empresa | termination date | fecha baja | fecha retiro | fecha cese | contract type |
            tipo contrato | contrato | tipo vinculacion | vinculacion | jornada | jornada laboral | full time |
            part time | employment status | situacion laboral | estado laboral | condicion laboral |
            desempleado | unemployed | employee type | tipo empleado | business unit | unidad negocio |
            unidad organizativa | area trabajo | direccion general | gerencia | cno | ciuo | isco | cnae |
            ciiu | naics | sector | sector economico | actividad economica | economic activity | division |
            team | equipo! | manager | supervisor | jefe | company | empresa | hours week | weekly hours |
            hours worked | horas trabajadas | horas semanales | work location | remote""",
        say("family"): """
            relationship | household | hogar | children | hijos | family size | dependents | parentesco |
            num children | numero hijos | convivencia | num hijos | n hijos | hijo | hija | num hijas |
            child | kids | number children | num dependents | personas cargo | personas hogar |
            household size | tamano hogar | miembros hogar | integrantes hogar | household members |
            household type | tipo hogar | cabeza familia | head household | jefe hogar | siblings |
            hermanos | number siblings | family status | estado familiar | familia numerosa | parents |
            padres | mother age | father age | edad madre | edad padre | mother education |
            father education | educacion madre | educacion padre | mother job | father job |
            ocupacion madre | ocupacion padre | guardian | tutor | living with | pregnancies number |
            num embarazos | birth order | orden nacimiento | twins | gemelos""",
        say("a date of care"): """
            admission! | admission date | date admission | admit date | discharge date | date discharge |
            fecha ingreso | fecha alta | fecha admision | visit date | fecha visita | fecha consulta |
            appointment date | encounter date | diagnosis date | date diagnosis | fecha diagnostico |
            treatment date | fecha tratamiento | surgery date | fecha cirugia | ingreso! | alta! |
            f ingreso | f alta | fec ingreso | fec alta | fecha hora ingreso | discharge! | discharged |
            fecha egreso | egreso! | fecha atencion | fecha urgencia | fecha episodio | fecha intervencion |
            fecha operacion | fecha procedimiento | fecha prueba | fecha muestra | fecha toma muestra |
            fecha resultado | fecha vacunacion | vaccination date | fecha sintoma | symptom onset |
            onset date | fecha inicio sintoma | date visit | date surgery | date test | test date |
            date onset | fecha cita | fecha primera consulta | fecha ultima consulta | last visit |
            first visit | last contact | fecha ultimo contacto | fecha seguimiento | follow up date |
            fecha recaida | date relapse | triage time | hora ingreso | hora alta | admission time |
            arrival time | arrival date | hora llegada""",
        say("a date of an event"): """
            date! | fecha! | datetime! | timestamp | time stamp | fecha hora | date time | event date |
            event time | fecha evento | fecha hecho | incident date | fecha incidente | accident date |
            fecha accidente | fecha matricula | fecha matriculacion | enrolment date | enrollment date |
            fecha inscripcion | registration date | fecha registro | fecha grado | graduation date |
            fecha apertura | account opened | opening date | fecha cierre | fecha compra | purchase date |
            fecha pago | payment date | fecha desembolso | transaction date | transaction time |
            fecha transaccion | fecha operacion bancaria | fecha vencimiento | fecha solicitud |
            application date | fecha contrato | contract date | fecha poliza | fecha siniestro |
            claim date | marriage date | fecha matrimonio | wedding date | fecha divorcio | arrest date |
            fecha detencion | fecha sentencia | fecha denuncia | fecha entrevista | interview date |
            fecha encuesta | survey date | created at | updated at | last login | ultimo acceso""",
        say("a length of time in a person's life"): """
            length stay | los! | stay! | estancia | dias estancia | dias ingreso | dias hospitalizacion |
            dias uci | icu days | days hospital | hospital days | days follow up | follow up |
            follow up days | follow up time | follow up months | dias seguimiento | meses seguimiento |
            tiempo seguimiento | seguimiento | survival time | survival days | tiempo supervivencia |
            dias supervivencia | rectime | censrec | time event | time relapse | tiempo recaida |
            time death | days since | waiting time | tiempo espera | dias espera | loan term | plazo |
            plazo meses | customer since | cliente desde | client since | years customer | meses cliente |
            permanencia | dias permanencia | days absent | ausencias | absences | dias ausencia""",
        say("housing and property"): """
            housing | vivienda | tipo vivienda | tenencia vivienda | home ownership | homeowner | own home |
            casa propia | property | propiedad | property type | rooms | habitaciones | num habitaciones |
            bedrooms | vehicle | vehiculo | car! | coche | auto! | vehicle type | tipo vehiculo |
            modelo vehiculo | car model | number cars | num vehiculos | internet! | seguro medico |
            insurance | insurance type | tipo seguro | aseguradora | insurer | payer | aseguramiento |
            regimen! | regimen salud | tipo afiliacion | tipo afiliado | regimen afiliacion | health plan |
            plan salud | financiador""",
        say("a kind of customer"): """
            segment | segmento | segmento cliente | customer segment | client segment | customer type |
            tipo cliente | tipo paciente | patient type | tipo usuario | client type | membership |
            tipo socio | categoria cliente | customer category | perfil cliente | canal | loyalty tier""",
        say("a measure of the body"): """
            height | estatura | weight | peso | bmi | imc | eye color | hair color | talla | altura |
            body mass index | indice masa corporal | waist | cintura | shoe size | talla zapato |
            peso nacer | birth weight | birthweight | body weight | peso corporal | talla nacer | tattoo |
            tatuaje | scar | cicatriz | handedness | lateralidad | color ojos | color pelo | hair colour |
            eye colour""",
        say("military service"): """
            military | veteran | servicio militar | army | ejercito | rango militar | military rank |
            situacion militar | libreta militar | unidad militar""",
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
