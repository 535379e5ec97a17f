import { language } from './tables.ts';

/** Dutch: compound words and plurals in -en and -s. */
export const DUTCH = language(
  'nl',
  `
  7001 | 72000 | Tabbladen Reiger | Zet alles netjes in rijen.
  7002 | 530 | Tabblad Wissel
  7003 | 38000 | Wachtwoord Egel | Bewaart inloggegevens.
  7004 | 810 | Wacht Woord Boek
  7005 | 125000 | Vertaler Ooievaar | Toont een tekst in een andere taal.
  7006 | 2400 | Snelle Vertaling
  7007 | 16000 | Bladwijzer Das
  7008 | 300 | Blad Wijzer Kast
  7009 | 9400 | Kleuren Kiezer
  7010 | 51000 | Kleurenkiezer Plus
  7011 | 210000 | Reclame Stopper Uil | Blokkeert reclame.
  7012 | 40 | Uil en Maan
  7013 | 640 | Uitbreiding
  7014 | 4700 | Donkere Gracht | | type=statictheme
  7015 | 13000 | Afbeeldingen Opslaan
  7016 | 27000 | Weerbericht Terp
  7017 | 85 | Fietskaart van Morgen
  7018 | 3600 | Mijn Fiets Pad
  7019 | 120 | Groot Fietspad
`,
  `
  required | joined | wachtwoord | +7003,7004
  required | joined | wacht woord | +7003,7004
  required | joined | wachtwoordboek | ^7004
  required | joined | bladwijzer | +7007,7008
  required | joined | blad wijzer | +7007,7008
  required | joined | kleurenkiezer | ^7009
  required | joined | kleuren kiezer | +7009,7010
  required | joined | kleurenkiezer plus | ^7010
  required | joined | reclamestopper | +7011
  required | joined | weer bericht | +7016
  required | joined | weer bericht terp | ^7016
  required | letter | tabblad w | ^7002
  required | letter | vertaler o | ^7005
  required | letter | kleuren k | ^7009
  required | letter | uil en m | ^7012
  required | category | uitbreiding wachtwoord egel | ^7003
  required | category | snelle vertaling uitbreiding | ^7006
  required | category | bladwijzer das add-on | ^7007
  required | category | reclame stopper extensie | ^7011
  required | category | uitbreidingen tabbladen reiger | ^7001
  required | category | uitbreiding | ^7013
  required | category | thema donkere gracht | ^7014
  nice | category | hoe blokkeer ik reclame | +7011
  required | inflection | tabblad | +7001,7002
  required | inflection | tabbladen | +7001,7002
  required | inflection | wachtwoorden | +7003
  required | inflection | vertalingen | +7006
  required | inflection | vertalers | +7005
  required | inflection | afbeelding opslaan | ^7015
  nice | inflection | kleur | +7009
  required | exact | uil en maan | ^7012
  required | whole | snellevertaling | =7006
  required | start | donkere | ^7014
  required | phrase | van morgen | =7017
  required | words | egel wachtwoord | ^7003
  required | prefix | afbeeld | +7015
  required | loose | vertaaler ooievaar | ^7005
  required | loose | wachtwoodr egel | ^7003
  required | popularity | uil | 7011>7012
  required | noise | kaart | !7017
  required | filter | gracht | =7014 | types=statictheme
  required | joined | fietspad | +7018,7019
  required | joined | fiets pad | +7018,7019
  required | joined | groot fiets pad | ^7019
  required | category | uitbreiding voor tab orchard | ^1029
`,
);
