import { language } from './tables.ts';

/** Italian: plurals in -i and -e, elided articles. */
export const ITALIAN = language(
  'it',
  `
  6001 | 88000 | Traduttore Gabbiano | Mostra il testo in un'altra lingua.
  6002 | 1200 | Traduttori in Fila
  6003 | 34000 | Schede in Ordine
  6004 | 450 | Scheda Lampo
  6005 | 150000 | Segnalibro Volpe | Raccoglie gli articoli da leggere.
  6006 | 3100 | Segna Libro Antico
  6007 | 19000 | Parola d'Ordine Sicura | Conserva le credenziali.
  6008 | 670 | Notizie del Faro
  6009 | 250000 | Blocco Pubblicità Riccio | Ferma i banner e i traccianti.
  6010 | 8 | Riccio Blu
  6011 | 14000 | Immagini a Colori
  6012 | 520 | Estensione
  6013 | 7700 | Orologio a Cucù
  6014 | 44000 | Stella Cadente | | type=statictheme
  6015 | 96 | Città di Notte | | type=statictheme
  6016 | 2600 | Lettura Serena
  6017 | 31000 | Cattura Schermo Lince
  6018 | 4400 | Il Mio Porta Foglio
  6019 | 60 | Vecchio Portafoglio
`,
  `
  required | inflection | traduttori | +6001,6002
  required | inflection | traduttore | +6001,6002
  required | inflection | scheda | +6003,6004
  required | inflection | schede lampo | ^6004
  required | inflection | segnalibri | +6005
  required | inflection | notizia | +6008
  required | inflection | immagine a colori | ^6011
  required | inflection | stelle cadenti | +6014
  required | inflection | orologi | +6013
  nice | inflection | leggendo articoli | +6005
  required | category | estensione segnalibro volpe | ^6005
  required | category | traduttore gabbiano estensione | ^6001
  required | category | estensioni cattura schermo | ^6017
  required | category | lettura serena plugin | ^6016
  required | category | estensione | ^6012
  required | category | tema stella cadente | ^6014
  nice | category | come fermare i banner | +6009
  nice | category | componente aggiuntivo lettura serena | ^6016
  required | joined | segnalibro | +6005,6006
  required | joined | segna libro | +6005,6006
  required | joined | segnalibro antico | ^6006
  required | joined | catturaschermo | +6017
  required | letter | traduttore g | ^6001
  required | letter | segnalibro v | ^6005
  required | letter | orologio a c | ^6013
  required | signs | citta di notte | ^6015
  required | signs | parola d’ordine | ^6007
  required | signs | CUCU | +6013
  required | exact | scheda lampo | ^6004
  required | whole | letturaserena | =6016
  required | start | blocco pubblicita | ^6009
  required | phrase | ordine sicura | =6007
  required | words | riccio blocco | =6009
  required | prefix | immag | +6011
  required | loose | segnalirbo volpe | ^6005
  required | loose | catura schermo | ^6017
  required | popularity | riccio | 6009>6010
  required | noise | sera | !6016
  required | filter | stella | =6014 | types=statictheme
  required | joined | portafoglio | +6018,6019
  required | joined | porta foglio | +6018,6019
  required | joined | vecchio porta foglio | ^6019
  nice | inflection | gabbiani | +6001
  required | inflection | colore | +6011
  required | inflection | volpi | +6005
  required | category | estensione per tab orchard | ^1029
`,
);
