"""Names of people and places, English and Spanish, and capitalized words that are neither.

The lists are short on purpose: frequent names, so that a cue or a neighbour finds the rare ones beside them. Words are
written without accents and in lower case.
"""

__all__ = ["AMBIGUOUS", "FIRST_NAMES", "LAST_NAMES", "NO_NAMES", "PLACES"]


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def phrase_set(text: str) -> frozenset[str]:
    return frozenset(" ".join(phrase.split()) for phrase in text.split("|"))


FIRST_NAMES = word_set("""
    aaron abel abraham abril ada adam adela adolfo adrian adriana agueda agustin agustina aida ainhoa aitana aitor
    alan alba albert alberto alejandra alejandro alex alexander alexandra alexis alfonso alfred alfredo alice
    alicia alison alma alonso alvaro amalia amanda amaya amber amelia amparo amy ana anabel anais andre andrea
    andres andrew angel angela angeles angelica angelina aniceto anita ann anna anne anselmo anthony antonia
    antonio araceli ariadna ariel armando arnold arthur arturo ashley asier asuncion aurelio aurora austin azucena
    barbara bartolome basilio beatrice beatriz begona belen benito benjamin bernard bernardo berta betty beverly
    bianca billy blanca bob bonnie borja bradley brandon braulio brenda brian brittany bruce bruno bryan camila
    camilo candela candelaria carl carla carlos carlota carmela carmelo carmen carol carolina caroline carolyn
    casandra catalina catherine cayetano cecilia celia cesar charles charlotte cheryl christian christina
    christine christopher cintia claire clara claudia claudio clemente cody concepcion conchita conor consuelo
    coral cristian cristina cristobal cynthia dafne dalia damian daniel daniela danielle dario david dawn debora
    deborah debra delfina denise dennis derek desiree diana diane diego dionisio dolores domingo donald donna
    doris dorothy douglas dulce duncan dylan edgar edgardo edith edmundo eduardo edward edwin efrain elba eleanor
    elena elias elisa elisabeth elizabeth ella ellen eloisa eloy elsa elvira emanuel emilia emiliano emilio emily
    emma encarnacion enrique eric erica erika ernest ernesto esmeralda esperanza esteban estefania estela esther
    ethan eugene eugenia eugenio eulalia eusebio eva evan evelyn ezequiel fabian fabiola fatima federico felicia
    felipe felix fermin fernanda fernando fidel florencia florencio frances francesca francisca francisco frank
    franklin fred gabriel gabriela gabriella gary gema genaro george georgina gerald gerardo german gilberto
    gisela gladys gloria gonzalo grace graciela gregorio gregory greta guadalupe guillermo gustavo haley hannah
    harold harriet harry heather hector helen helena henry heriberto hernan hilda horacio hortensia hugh hugo
    humberto ian ignacio ignatius igor iker inaki ines ingrid inmaculada irene iris irma isaac isabel isabella
    isaias isidoro isidro ismael israel ivan ivette izan jacinto jack jacob jacobo jacqueline jaime james jamie
    jane janet janice jason javier jean jeff jeffrey jennifer jeremy jerry jesse jessica jesus joan joana joanna
    joaquin joel john johnny jonathan jordan jordi jorge jose josefa josefina josep joseph joshua josue joyce juan
    juana juanita judith judy julia julian juliana julie julieta julio justin karen karina karla katherine
    kathleen kathryn keith kelly kenneth kevin kimberly kyle laia lara larry laura lauren laurence lawrence lazaro
    leandro leire leo leonardo leonor leopoldo leslie leticia liam lidia lilia liliana lillian linda lisa lisandro
    logan lola lorena lorenzo lourdes lucas lucia luciano lucila lucy luis luisa luke luz macarena madison
    magdalena maite malena manuel manuela marc marcela marcelino marcelo marcos margaret margarita maria mariana
    mariano maribel maricarmen marie marilyn marina mario marisa marisol mark marlene marta martha martin martina
    mary mateo matias matilde matthew maureen mauricio mauro max maximiliano megan melanie melchor melissa
    mercedes mia micaela michael michelle miguel milagros mildred mireia miriam mirta modesto moises molly monica
    monserrat montserrat nadia nahia nancy naomi natalia natalie nathan natividad nayra nelly nerea nestor
    nicholas nicolas nicole nieves nina noa noah noelia noemi nora norberto norma nuria octavio ofelia oihane olga
    oliver olivia omar oriana oriol orlando oscar osvaldo owen pablo paloma pamela paola pascual patrice patricia
    patricio patrick paul paula paulina pedro peggy penelope peter petra philip phyllis pilar plinio priscila
    priscilla purificacion rachel rafael rafaela ralph ramiro ramon ramona raquel raul raymond rebeca rebecca
    regina reinaldo remedios renata rene ricardo richard rita robert roberta roberto rocio rodolfo rodrigo rogelio
    roger rolando roman romina ronald rosa rosalia rosalinda rosana rosario rosendo roser roxana ruben rufino
    russell ruth ryan sabina sabrina salome salvador samanta samantha samuel sandra santiago santos sara sarah
    saul sean sebastian segundo selena sergi sergio sharon sheila shirley silvestre silvia simon simona sofia
    soledad sonia sophia sophie soraya stephanie stephen steven stuart susan susana sylvia tamara tania teodoro
    teofilo teresa terry thelma theresa thomas tiffany timothy tina todd tomas trinidad tyler unai ursula valentin
    valentina valeria vanesa vanessa vera veronica vicente victor victoria vincent violeta virginia vivian viviana
    walter wanda wendy wilfredo william xavier ximena yago yaiza yesica yolanda zachary zaida zoe zulema
""")

LAST_NAMES = word_set("""
    abad acevedo acosta adams aguado aguilar aguilera aguirre alarcon alba alcaraz alexander allen alonso alvarado
    alvarez amador amaya anderson andrade andreu andrews angulo antunez aparicio aragon aranda arce arenas arevalo
    arias armstrong arnaiz arnold arroyo asensio avila aviles ayala ayuso bailey baker ballesteros banos barba
    barbero barnes barrera barrios barroso bautista becerra bell bello beltran benavente benitez bennett berg
    bermejo bermudez bernal berry betancourt black blanco blasco bosch boyd bradley bravo briones brooks brown
    bryant bueno burgos burns butler caballero cabello cabrera caceres calderon calero calvo camacho camara
    campbell campos canales cano canovas cantero caraballo carballo cardenas cardona carmona caro carpenter
    carrasco carrera carretero carrillo carrion carroll carter carvajal casado casas castaneda castellano
    castellanos castillo castro ceballos cervantes chacon chavez cisneros clark clarke clemente cobo coleman
    collado collins conde contreras cook cooper corbacho cordero cordoba cornejo corral correa cortes costa cox
    crawford crespo cruz cuadrado cuenca cuesta cuevas cunningham davies davila davis delgado diaz diego diez
    dixon dominguez donoso duarte duncan duque duran echeverria edwards elliott ellis enriquez escobar escribano
    escudero espejo espinosa espinoza esteban esteve esteves estevez estrada evans exposito fajardo feijoo felipe
    ferguson fernandez ferreira ferrer ferrero figueroa fisher flores folch fonseca font ford forero foster franco
    freeman fuentes gallardo gallego gallegos galvan galvez gamez garcia garrido gaspar gibson gil gimenez giraldo
    gomez gomis gonzales gonzalez gordillo gordon gracia graham granados grande grant gray green griffin guerra
    guerrero guevara guillen gutierrez guzman hall hamilton hansen harris harrison hart harvey hayes henderson
    henriquez heredia hermosilla hernandez hernando herrera herrero hicks hidalgo higgins holmes howard hudson
    huerta hughes hunt hunter hurtado ibanez ibarra iglesias izquierdo jackson jaramillo jenkins jimenez johnson
    johnston jones jordan jorge juarez jurado kelly kennedy kim king knight lafuente lane lara lawrence lazaro
    leal lee leiva leon lewis linares llorens llorente long lopez lorenzo losada lozano lucas lucero luna luque
    macias madrid maldonado manzano marco marcos marin marquez marshall marti martin martinez martins mason mata
    mateo mateos matthews mcdonald medina mejia mena mendez mendoza menendez merino mesa miguel millan miller
    mills miranda mitchell molina molinero montero montes montoya mora morales moran morcillo moreira moreno
    morgan morris moya muniz munoz murillo murphy murray myers nadal naranjo navarrete navarro navas nelson
    nichols nieto nogueira nunez obrien ocampo ochoa olivares oliver olmos olson ordonez orozco ortega ortiz
    osorio otero oviedo owens pacheco padilla palacios palma palmer palomino pardo paredes parker parra pascual
    pastor patel paz pedraza pelaez pena peralta perea pereira perez perkins perry peters peterson phillips pineda
    pinto pizarro plaza polo pons porras porter posada powell pozo prado prats prieto puente puig pulido quesada
    quintana quintero quiroga ramirez ramos rangel redondo reed rendon requena restrepo rey reyes reynolds ribas
    ribera rice richards richardson rico riera rincon rios rivas rivera rivero roberts robertson robinson robledo
    robles roca rocha rodrigo rodrigues rodriguez roig rojas roldan roman romero rosado rosales rosario rosas rose
    ross rovira rubio rueda ruiz russell ryan saavedra saez salas salazar salcedo saldana salgado salinas salvador
    sanabria sanchez sancho sanders sandoval sanmartin santacruz santamaria santana santiago santos sanz sarmiento
    schmidt segovia segura sepulveda serna serra serrano sevilla shaw sierra silva simmons simon simpson smith
    snyder solano soler solis soriano sosa soto spencer stephens stevens stewart stone suarez sullivan tapia
    taylor tejada tejedor tejera tellez thomas thompson toledo tomas toro torre torrejon torres torrez trejo
    trujillo tucker turner ubeda uribe urrutia valdes valdez valencia valenzuela valero valle vallejo valverde
    varela vargas vasquez vazquez vega velasco velasquez velazquez velez ventura vera verdugo vergara vicente
    vidal vila vilar villa villalba villanueva villar villareal villarreal villegas vives wagner walker wallace
    walsh ward warren washington watkins watson weaver webb wells west wheeler white williams williamson willis
    wilson wong wood woods wright young yuste zabala zamora zapata zarate zuniga
""")

AMBIGUOUS = word_set("""
    alba amparo angel angeles april aurora austin avila azucena black blanca bravo brown bueno burgos caceres
    campos caro casas castillo concepcion consuelo cook coral cordoba cruz cuenca cuesta cuevas delgado dolores
    domingo dulce encarnacion esperanza fuentes gloria grace gracia grande gray green guerra hall hart hunt iris
    jordan king knight lane leal leon long luna luz madrid mark mata mesa milagros montes moreno nieves norma
    olivia palma pastor paz pilar plaza porter pozo prado puente rama remedios rey reyes rico rios roca rosa
    rosario rosas salas salvador santiago santos segovia segundo segura serena sevilla sierra soledad stone toledo
    toro torre torres trinidad valencia valle vega ventura victoria villa violeta virginia washington west white
    wood woods young zamora
""")
"""Names that are also words or places: alone they say nothing, beside another name they do."""

NO_NAMES = word_set("""
    a abril acude admitted advised afebril afebrile after agosto agrees al alergia alergias allergic allergies
    allergy alta alzheimer ambulance analgesia analitica anamnesis and antecedentes antes antibiotic antibiotico
    apendicitis apnea appendicitis appointment april artritis asiste asks asma asthma asymptomatic at atencion
    august awaiting ayer bilateral biopsia biopsy blood born but came cancer cardiologia cardiology center centre
    centro chest chronic cip cirugia cita clinic clinica clinical cm come complains con confirma consulta
    consultation contact contacto control correo covid cp cpf crohn cronico cuadro cuenta cuit curp date december
    deja departamento department desde despues diabetes diabetic diagnosis diagnostico diciembre discharge
    discharged dni doctor doctora dolor domicilio domingo don dona dos down dr dra during el ella email emergency
    en enero enfermedad enfermera enfermero episodio epoc es esta estado estudio evolucion explains exploracion
    familia familiar family father fax febrero february fecha fell fever fiebre found fractura fracture friday fue
    habla has have he her here hija hijo his hospital hoy hta i iban ictus icu il imagen infarto infeccion informa
    informe ingresa ingresado ingreso insulin insulina intervenido ip it january jueves julio july june junio la
    las left lives llama llamar lleva los lunes lupus mac madre mail mala male man mano march marital martes marzo
    masculino may mayo medicine medico meningitis mg miercoles mild mobile monday mother movil mr mri mrn mrs ms
    mujer nefrologia neoplasia neumonia neurologia next nhc nie nif no non normal nota note notes november
    noviembre nurse obesidad observacion october octubre on oncologia oncology ophthalmology or orina otro
    paciente padre pain paracetamol parkinson pathology patient pediatria pediatrics pendiente phone physician
    plan pneumonia por post pre presenta previo primera problema prof profesor prueba psiquiatria psychiatry que
    radiografia radiology reason recibe recomienda referred refiere remite reports resultado reviewed revision
    right rut sabado said san santa saturday says se seen senor senora sepsis september septiembre servicio
    setiembre she si sigue sin sindrome sister social solicita son spoke sr sra srta ssn stable su sunday surgery
    symptoms tac tel telefono test the their there they this thursday today tolera tomorrow trae tras tratamiento
    traumatologia treatment tuesday two uci un una unidad unit urgencias urine urologia usa uvi vaccine vacuna
    valora valoracion varon viernes vino visit visita visited vive vuelve was wednesday wife with woman x-ray xray
    yesterday zip
""")
"""Words that begin sentences or name diseases, days and departments: never a name of a person without one beside it."""

PLACES = phrase_set("""
    a coruna | alabama | albacete | alemania | alicante | almeria | andalucia | antioquia | antofagasta | aragon |
    arequipa | argentina | arizona | asturias | asuncion | atlanta | auckland | avila | badajoz | baltimore |
    barcelona | barranquilla | belfast | berlin | bilbao | birmingham | bogota | bolivia | boston | brasil |
    brazil | brisbane | bristol | bucaramanga | buenos aires | burgos | caceres | cadiz | cali | california |
    canada | cancun | cantabria | caracas | cardiff | cartagena | castellon | castilla | cataluna | cdmx | ceuta |
    chicago | chiclayo | chile | ciudad de guatemala | ciudad de mexico | ciudad de panama | ciudad real |
    cleveland | colombia | colorado | concepcion | connecticut | cordoba | costa rica | cuba | cucuta | cuenca |
    cusco | dallas | denver | detroit | donostia | dublin | ecuador | edinburgh | el salvador | elche | england |
    espana | estados unidos | euskadi | extremadura | florida | france | francia | galicia | germany | gerona |
    getafe | gijon | girona | granada | guadalajara | guatemala | guayaquil | honduras | houston |
    huelva | huesca | ibague | ibiza | illinois | iquitos | ireland | italia | italy | jaen | jerez | kentucky |
    la coruna | la habana | la paz | la plata | la rioja | las palmas | las vegas | leeds | leganes | leon |
    lerida | lima | lisboa | liverpool | lleida | logrono | london | londres | los angeles | louisiana | lugo |
    madrid | malaga | maldonado | mallorca | managua | manchester | manizales | mar del plata | maracaibo |
    marruecos | maryland | massachusetts | medellin | melbourne | melilla | mendoza | menorca | merida | mexico |
    miami | michigan | milwaukee | minneapolis | minnesota | monterrey | montevideo | montreal | morocco |
    mostoles | murcia | navarra | nebraska | new orleans | new york | nicaragua | oaxaca | ohio | oklahoma |
    oporto | oregon | orense | orlando | ourense | oviedo | pais vasco | palencia | palma de mallorca | pamplona |
    panama | paraguay | paris | paysandu | pennsylvania | pereira | peru | philadelphia | phoenix | pittsburgh |
    piura | pontevedra | popayan | portland | portugal | puebla | puerto rico | queretaro | quito | reino unido |
    roma | romania | rosario | rumania | sabadell | salamanca | salto | san antonio | san diego | san francisco |
    san jose | san sebastian | santa cruz de tenerife | santa marta | santander | santiago de chile | santo
    domingo | scotland | seattle | segovia | senegal | sevilla | sheffield | soria | spain | sydney | tarragona |
    tegucigalpa | temuco | tenerife | terrassa | teruel | texas | tijuana | toledo | toronto | trujillo | tucuman
    | ucrania | united kingdom | united states | uruguay | valencia | valladolid | valparaiso | vancouver |
    venezuela | veracruz | vigo | villavicencio | vitoria | wales | wisconsin | zamora | zaragoza
""")
