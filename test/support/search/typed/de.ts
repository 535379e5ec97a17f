import { language } from './tables.ts';

/** German: umlauts and their spelling with ae, oe, ue; compound words. */
export const GERMAN = language(
  'de',
  `
  2001 | 84000 | Müller Übersetzer | Übersetzt markierten Text.
  2002 | 950 | Mueller Kalender
  2003 | 15000 | Überblick Leiste
  2004 | 410 | Ueberblick Karte
  2005 | 33000 | Wörterbuch Finkenau | | type=dictionary
  2006 | 120000 | Quelle Merker | Notiert Fundstellen für Hausarbeiten.
  2007 | 12 | Qulle Spiel
  2008 | 7600 | Neue Seite Öffner
  2009 | 54000 | Bauer Wetter
  2010 | 20 | Baur Radar
  2011 | 230000 | Grüne Wolke | Speichert Texte auf einem eigenen Rechner.
  2012 | 1800 | Schlüssel Kästchen | Verwahrt Passwörter.
  2013 | 66000 | Lesezeichen Igel
  2014 | 140 | Lese Zeichen Band
  2015 | 5200 | Bildschirm Foto Dachs
  2016 | 48000 | Bildschirmfoto Profi
  2017 | 9100 | Erweiterung
  2018 | 27000 | Straßen Karten Kiste
  2019 | 310000 | Werbung Stopp | Blockiert Werbung und Zähler.
  2020 | 880 | Poesie Album Uhr
  2021 | 61 | Aktuelle Nachrichten Fenster
  2022 | 3900 | Dunkles Gewand | | type=statictheme
  2023 | 8800 | Mein Fahr Rad Helfer
  2024 | 450 | Altes Fahrrad
  2025 | 730 | Fußgänger Ampel
  2026 | 90 | Aerosol Messer
`,
  `
  required | umlaut | mueller uebersetzer | ^2001
  required | umlaut | Mueller | +2001,2002
  required | umlaut | müller | +2001,2002
  required | umlaut | müller kalender | ^2002
  required | umlaut | muller ubersetzer | ^2001
  nice | umlaut | muller kalender | ^2002
  required | umlaut | uebers | +2001
  required | umlaut | ueberbl | +2003,2004
  required | umlaut | überbl | +2003,2004
  required | umlaut | überblick karte | ^2004
  required | umlaut | ueberblick leiste | ^2003
  required | umlaut | woerterbuch | +2005
  nice | umlaut | woerterbuecher | +2005
  required | umlaut | schluessel kaestchen | ^2012
  required | umlaut | schlues | +2012
  required | umlaut | gruene wolke | ^2011
  required | umlaut | gruen | +2011
  required | umlaut | oeffner | +2008
  required | umlaut | quelle | ^2006 !2007
  required | umlaut | qulle | ^2007 !2006
  required | umlaut | bauer | ^2009 !2010
  required | umlaut | baur | ^2010 !2009
  required | umlaut | neue seite | ^2008
  required | umlaut | poesie album | ^2020
  required | umlaut | aktuelle nachrichten | ^2021
  required | umlaut | strassen karten kiste | ^2018
  nice | umlaut | mueller uebersetzer plugin | ^2001 | lang=en-US

  required | joined | bildschirm foto | +2015,2016
  required | joined | bildschirmfoto | +2015,2016
  required | joined | bildschirmfoto dachs | ^2015
  required | joined | lesezeichen | +2013,2014
  required | joined | lese zeichen | +2013,2014
  required | joined | strassenkarten | +2018
  nice | joined | straßenkarte | +2018
  required | letter | grüne w | ^2011
  required | letter | gruene w | +2011
  required | letter | lesezeichen i | ^2013
  required | letter | bauer w | ^2009 !2010

  required | category | lesezeichen igel erweiterung | ^2013
  required | category | erweiterung igel lesezeichen | ^2013
  required | category | grüne wolke erweiterungen | ^2011
  required | category | werbung stopp addon | ^2019
  required | category | werbung stopp add-on | ^2019
  required | category | erweiterung | ^2017
  required | category | was ist werbung | +2019
  nice | category | wie kann ich werbung stoppen | +2019
  nice | category | dunkles design | +2022

  required | inflection | übersetzungen | +2001
  required | inflection | passwort | +2012
  required | inflection | grünes | +2011
  required | inflection | karte | +2018,2004
  required | inflection | seiten öffner | ^2008
  required | exact | Werbung Stopp | ^2019
  required | whole | werbungstopp | ^2019
  required | phrase | zeichen band | ^2014
  required | start | bildschirm | 2015>2016
  required | prefix | bildsch | +2015,2016
  required | prefix | wör | +2005
  required | loose | lesezeihcen igel | ^2013
  required | loose | werbnug stopp | ^2019
  required | noise | schirm | !2016
  required | joined | fahrrad | +2023,2024
  required | joined | fahr rad | +2023,2024
  required | joined | altes fahr rad | ^2024
  required | joined | fahrrad helfer | ^2023
  required | umlaut | uebersetzer mueller | ^2001
  required | umlaut | mueller ueb | ^2001
  required | umlaut | woerterb | +2005
  required | umlaut | oef | +2008
  required | umlaut | zaehler | +2019
  required | umlaut | uebersetzt | +2001
  required | umlaut | kaestchen schluessel | ^2012
  required | umlaut | fussgaenger ampel | ^2025
  required | umlaut | fußgaenger | +2025
  required | umlaut | fussganger | +2025
  required | umlaut | aerosol | ^2026
  required | umlaut | mueller uebersetzer erweiterung | ^2001
  required | umlaut | gruene wolke addon | ^2011
  nice | umlaut | mueller u | ^2001
  required | umlaut | muelleruebersetzer | ^2001
  required | umlaut | muellerueb | ^2001
  required | umlaut | Übersetzer Erweiterung Mueller | ^2001
  required | joined | bildschirm fotos | +2015,2016
  nice | category | wie übersetze ich text | +2001
  required | category | Erweiterung für Weather Pebble | ^1040
`,
);
