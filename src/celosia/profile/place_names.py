"""Provinces, departments, states, large cities and countries by which a column of places is recognized."""

__all__ = ["PLACES"]

PLACES = """
    a coruna | alava | albacete | alicante | almeria | asturias | avila | badajoz | baleares |
    illes balears | barcelona | bizkaia | vizcaya | burgos | caceres | cadiz | cantabria | castellon |
    ceuta | ciudad real | cordoba | cuenca | gipuzkoa | guipuzcoa | girona | gerona | granada |
    guadalajara | huelva | huesca | jaen | la rioja | las palmas | leon | lleida | lerida | lugo |
    madrid | malaga | melilla | murcia | navarra | ourense | orense | palencia | pontevedra |
    salamanca | santa cruz de tenerife | tenerife | segovia | sevilla | soria | tarragona | teruel |
    toledo | valencia | valladolid | zamora | zaragoza | andalucia | aragon | canarias |
    castilla y leon | castilla-la mancha | castilla la mancha | cataluna | catalunya |
    comunidad valenciana | comunitat valenciana | extremadura | galicia | pais vasco | euskadi | vigo |
    gijon | bilbao | oviedo | vitoria | pamplona | santander | cartagena | elche |
    jerez de la frontera | sabadell | terrassa | bogota | bogota d.c. | bogota dc | medellin | cali |
    barranquilla | bucaramanga | pereira | manizales | cucuta | ibague | pasto | neiva | villavicencio |
    armenia | monteria | sincelejo | popayan | tunja | riohacha | quibdo | valledupar | santa marta |
    amazonas | antioquia | arauca | atlantico | bolivar | boyaca | caldas | caqueta | casanare | cauca |
    cesar | choco | cundinamarca | guainia | guaviare | huila | la guajira | magdalena | meta | narino |
    norte de santander | putumayo | quindio | risaralda | san andres | santander del norte | sucre |
    tolima | valle del cauca | vaupes | vichada | aguascalientes | baja california | campeche |
    chiapas | chihuahua | ciudad de mexico | cdmx | coahuila | colima | durango | guanajuato |
    guerrero | hidalgo | jalisco | michoacan | morelos | nayarit | nuevo leon | oaxaca | puebla |
    queretaro | quintana roo | san luis potosi | sinaloa | sonora | tabasco | tamaulipas | tlaxcala |
    veracruz | yucatan | zacatecas | monterrey | tijuana | merida | buenos aires | caba | catamarca |
    chaco | chubut | corrientes | entre rios | formosa | jujuy | la pampa | mendoza | misiones |
    neuquen | rio negro | salta | san juan | san luis | santa cruz | santa fe | santiago del estero |
    tierra del fuego | tucuman | rosario | la plata | lima | arequipa | cusco | trujillo | piura |
    callao | loreto | puno | tacna | ancash | ayacucho | cajamarca | junin | ica | ucayali | santiago |
    santiago de chile | valparaiso | biobio | araucania | antofagasta | atacama | coquimbo | los lagos |
    los rios | maule | nuble | ohiggins | concepcion | quito | guayaquil | guayas | pichincha | azuay |
    manabi | el oro | loja | caracas | zulia | carabobo | lara | miranda | montevideo | canelones |
    asuncion | la paz | cochabamba | santa cruz de la sierra | san jose | heredia | alajuela |
    guatemala | tegucigalpa | san salvador | managua | panama | la habana | santo domingo | alabama |
    alaska | arizona | arkansas | california | colorado | connecticut | delaware | florida | georgia |
    hawaii | idaho | illinois | indiana | iowa | kansas | kentucky | louisiana | maine | maryland |
    massachusetts | michigan | minnesota | mississippi | missouri | montana | nebraska | nevada |
    new hampshire | new jersey | new mexico | new york | north carolina | north dakota | ohio |
    oklahoma | oregon | pennsylvania | rhode island | south carolina | south dakota | tennessee |
    texas | utah | vermont | virginia | washington | west virginia | wisconsin | wyoming | puerto rico |
    los angeles | chicago | houston | phoenix | philadelphia | dallas | boston | seattle | miami |
    london | manchester | birmingham | liverpool | leeds | glasgow | edinburgh | dublin | cardiff |
    belfast | paris | lyon | marseille | berlin | hamburg | munich | roma | rome | milano | milan |
    lisboa | lisbon | porto | espana | spain | colombia | mexico | argentina | peru | chile | ecuador |
    venezuela | uruguay | paraguay | bolivia | cuba | honduras | nicaragua | el salvador | costa rica |
    republica dominicana | dominican republic | jamaica | haiti | estados unidos | united states |
    united-states | usa | canada | brasil | brazil | portugal | francia | france | italia | italy |
    alemania | germany | reino unido | united kingdom | england | scotland | wales | ireland | irlanda |
    holland | netherlands | paises bajos | belgica | belgium | suiza | switzerland | austria | polonia |
    poland | rumania | romania | bulgaria | hungria | hungary | grecia | greece | rusia | russia |
    ucrania | ukraine | turquia | turkey | marruecos | morocco | argelia | algeria | egipto | egypt |
    senegal | nigeria | ghana | kenia | kenya | sudafrica | south africa | china | japon | japan |
    india | pakistan | bangladesh | filipinas | philippines | vietnam | tailandia | thailand | laos |
    cambodia | taiwan | hong kong | hong | korea | south korea | corea | iran | irak | iraq | siria |
    syria | israel | libano | australia | new zealand | nueva zelanda | suecia | sweden | noruega |
    norway | dinamarca | denmark | finlandia | finland | yugoslavia | croacia | croatia | serbia |
    guinea ecuatorial | trinadad&tobago | holand-netherlands | columbia"""
"""In small letters and without accents, as most tables of Spain, Latin America and the United States write them."""
