import { language } from './tables.ts';

/** Swedish: definite forms and plurals, å ä ö typed as a and o. */
export const SWEDISH = language(
  'sv-SE',
  `
  16001 | 47000 | Översättare Svan | Visar text på ett annat språk.
  16002 | 1300 | Snabba Översättningar
  16003 | 22000 | Flikar på Rad
  16004 | 260 | Flik Fyren
  16005 | 91000 | Lösenord Bäver | Sparar inloggningar.
  16006 | 3800 | Bokmärken Älg
  16007 | 410 | Bok Märke Lådan
  16008 | 130000 | Reklamspärr Igelkott | Stoppar annonser.
  16009 | 9 | Igelkott
  16010 | 580 | Tillägg
  16011 | 15000 | Väder vid Havet
  16012 | 2700 | Mörka Skogen | | type=statictheme
  16013 | 33000 | Skärmbild Järv
  16014 | 75 | Skärm Bild Enkel
  16015 | 8400 | Nyheter från Ön
  16016 | 190 | Stjärnor i Norr | | type=statictheme
  16017 | 2500 | Min Fot Boll
  16018 | 95 | Gammal Fotboll
`,
  `
  required | inflection | flikar | +16003,16004
  required | inflection | flik | +16003,16004
  required | inflection | flikarna | +16003,16004
  required | inflection | översättning | +16002
  required | inflection | oversattningar | +16002
  required | inflection | lösenorden | +16005
  required | inflection | bokmärke | +16006,16007
  required | inflection | bokmarken | +16006
  required | inflection | nyheterna | +16015
  required | inflection | stjärna | +16016
  required | joined | skärmbild | +16013,16014
  required | joined | skärm bild | +16013,16014
  required | joined | skarmbild enkel | ^16014
  required | joined | reklam spärr | +16008
  required | letter | flik f | ^16004
  required | letter | lösenord b | ^16005
  required | letter | väder vid h | ^16011
  required | category | tillägg översättare svan | ^16001
  required | category | lösenord bäver tillägg | ^16005
  required | category | tillägg | ^16010
  required | category | tema mörka skogen | ^16012
  nice | category | hur stoppar jag annonser | +16008
  required | signs | oversattare svan | ^16001
  required | signs | VADER VID HAVET | ^16011
  required | exact | igelkott | 16009>16008
  required | whole | skärmbildjärv | =16013
  required | start | mörka | ^16012
  required | phrase | vid havet | =16011
  required | prefix | översät | +16001,16002
  required | loose | igelkotr | +16009
  required | loose | översätare svan | ^16001
  required | noise | havre | !16011
  required | joined | fotboll | +16017,16018
  required | joined | fot boll | +16017,16018
`,
);
