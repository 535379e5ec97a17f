import { language } from './tables.ts';

/** Spanish: plurals that lose their accent, ñ typed as n. */
export const SPANISH = language(
  'es',
  `
  4001 | 145000 | Traducción Veloz | Muestra el texto en otro idioma.
  4002 | 2300 | Traducciones del Puerto
  4003 | 61000 | Pestañas Ordenadas | Agrupa lo que está abierto.
  4004 | 870 | Pestaña Fugaz
  4005 | 230000 | Guardián de Contraseñas | Guarda tus claves en el equipo.
  4006 | 7400 | Marcador Canario
  4007 | 540 | Marcadores de Lectura
  4008 | 98000 | Bloqueador Colibrí | Bloquea anuncios molestos.
  4009 | 33 | Colibri Azul
  4010 | 18000 | Buscador de Imágenes
  4011 | 4100 | Corrección Amable | Revisa la ortografía.
  4012 | 650 | Árbol de Sesiones
  4013 | 27000 | Pantalla Completa Limón
  4014 | 12000 | Foto Pantalla
  4015 | 90 | Complemento
  4016 | 5600 | Noche Añil | | type=statictheme
  4017 | 380 | Para Qué Sirve
  4018 | 76000 | Jardín de Notas
  4019 | 1500 | Gran Para Brisas
  4020 | 9300 | Viejo Parabrisas
`,
  `
  required | inflection | traduccion veloz | ^4001
  required | inflection | traduccion | +4001,4002
  required | inflection | traducción | +4001,4002
  required | inflection | traducciones | +4001,4002
  required | inflection | pestana | +4003,4004
  required | inflection | pestañas | +4003,4004
  required | inflection | pestañas fugaces | !4003
  required | inflection | contrasena | +4005
  required | inflection | contraseña | +4005
  required | inflection | marcador | +4006,4007
  required | inflection | marcadores canario | ^4006
  required | inflection | imagenes | +4010
  required | inflection | correcciones | +4011
  required | inflection | correccion | +4011
  required | inflection | árboles | +4012
  required | inflection | sesion | +4012
  required | inflection | sesión | +4012
  required | inflection | jardines | +4018
  nice | inflection | imagen | +4010
  nice | inflection | traducir | +4001

  required | category | extensión guardián de contraseñas | ^4005
  required | category | extension traduccion veloz | ^4001
  required | category | marcador canario complemento | ^4006
  required | category | complemento | ^4015
  required | category | tema noche añil | ^4016
  required | category | para qué sirve | ^4017
  nice | category | cómo bloquear anuncios | +4008
  required | category | complementos de lectura | +4007

  required | joined | fotopantalla | ^4014
  required | joined | pantallacompleta | +4013
  required | joined | pantallacompleta limón | ^4013
  required | letter | marcador c | ^4006 !4007
  required | letter | bloqueador c | ^4008
  required | letter | guardian de c | ^4005
  required | letter | foto p | ^4014
  required | signs | GUARDIAN DE CONTRASENAS | ^4005
  required | signs | ¿para que sirve? | ^4017
  required | exact | jardín de notas | ^4018
  required | whole | nocheanil | =4016
  required | start | buscador | ^4010
  required | phrase | de imagenes | +4010
  required | words | anuncios molestos | ^4008
  required | prefix | traducc | 4001>4002
  required | prefix | guardián de contr | ^4005
  required | loose | bloquedaor colibri | ^4008
  required | loose | contraceñas | +4005
  required | popularity | colibrí | 4008>4009
  required | noise | lima | !4013
  required | filter | noche | =4016 | types=statictheme
  required | joined | parabrisas | +4019,4020
  required | joined | para brisas | +4019,4020
  required | joined | viejo para brisas | ^4020
  required | inflection | bloqueadores | +4008
  required | inflection | buscadores de imagenes | ^4010
  required | inflection | notas | +4018
  required | inflection | marcador de lecturas | +4007
  required | category | complemento para traducción | +4001
  required | category | que es traducción | +4001
  required | category | extensión para tab orchard | ^1029
`,
);
