import { language } from './tables.ts';

/** Polish: letters typed without their marks. */
export const POLISH = language(
  'pl',
  `
  8001 | 64000 | Tłumacz Bocian | Pokazuje tekst w innym języku.
  8002 | 1700 | Tłumacz Stron Żubr
  8003 | 28000 | Zakładki Jeża
  8004 | 390 | Zakładka na Dziś
  8005 | 140000 | Hasła pod Kluczem | Przechowuje dane logowania.
  8006 | 5100 | Słownik Wiślany | | type=dictionary
  8007 | 83000 | Blokada Reklam Żuk | Zatrzymuje banery i śledzenie.
  8008 | 15 | Zuk Samochodzik
  8009 | 9900 | Zrzut Ekranu Ryś
  8010 | 46000 | Zrzutekranu Szybki
  8011 | 720 | Dodatek
  8012 | 3300 | Nocna Łódka | | type=statictheme
  8013 | 21000 | Pogoda Mazurska
  8014 | 180 | Pogoda
  8015 | 57000 | Karty w Rzędzie
  8016 | 2600 | Źródło Wiadomości
  8017 | 105 | Łącza i Skróty
`,
  `
  required | signs | tlumacz bocian | ^8001
  required | signs | TŁUMACZ BOCIAN | ^8001
  required | signs | tlumacz stron zubr | ^8002
  required | signs | zrodlo wiadomosci | ^8016
  required | signs | lacza i skroty | ^8017
  required | signs | nocna lodka | ^8012
  required | signs | slownik | +8006
  required | joined | zrzut ekranu | +8009,8010
  required | joined | zrzutekranu | +8009,8010
  required | joined | zrzutekranu ryś | ^8009
  required | joined | nocnalodka | ^8012
  required | joined | blokadareklam | +8007
  required | joined | reklam żuk | ^8007
  required | letter | tłumacz b | ^8001 !8002
  required | letter | tlumacz s | ^8002 !8001
  required | letter | zakładki j | ^8003
  required | letter | hasła pod k | ^8005
  required | letter | pogoda m | ^8013 !8014
  required | category | dodatek tłumacz bocian | ^8001
  required | category | pogoda mazurska dodatek | ^8013
  required | category | hasła pod kluczem wtyczka | ^8005
  required | category | rozszerzenie zakładki jeża | ^8003
  required | category | dodatki karty w rzędzie | ^8015
  required | category | dodatek | ^8011
  required | category | motyw nocna łódka | ^8012
  nice | category | jak zatrzymać reklamy | +8007
  nice | inflection | zakładka jeża | ^8003
  nice | inflection | hasło | +8005
  required | inflection | zakładka | ^8004
  required | exact | pogoda | 8014>8013
  required | whole | hasłapodkluczem | =8005
  required | start | karty | ^8015
  required | phrase | na dziś | ^8004
  required | words | bocian tłumacz | =8001
  required | prefix | tłum | +8001,8002
  required | prefix | zakl | +8003,8004
  required | loose | tlumcaz bocian | ^8001
  required | loose | pogdoa mazurska | ^8013
  required | popularity | żuk | 8007>8008
  required | noise | klucz | +8005 !8003
  required | noise | ekran | !8012
  required | filter | łódka | =8012 | types=statictheme
  required | category | wtyczka do tab orchard | ^1029
`,
);
