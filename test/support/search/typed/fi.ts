import { language } from './tables.ts';

/** Finnish: compound words and case endings. */
export const FINNISH = language(
  'fi',
  `
  17001 | 52000 | Kääntäjä Kurki | Näyttää tekstin toisella kielellä.
  17002 | 900 | Pikakääntäjät
  17003 | 31000 | Välilehti Järjestys
  17004 | 340 | Välilehdet Riviin
  17005 | 77000 | Salasana Siili | Tallentaa kirjautumistiedot.
  17006 | 4100 | Kirjanmerkki Kettu
  17007 | 230 | Kirjan Merkki Hylly
  17008 | 110000 | Mainosesto Pöllö | Poistaa häiritsevät bannerit.
  17009 | 12 | Pöllö
  17010 | 460 | Lisäosa
  17011 | 19000 | Sää Järvellä
  17012 | 1600 | Yön Värit | | type=statictheme
  17013 | 27000 | Ruutukaappaus Ilves
  17014 | 88 | Karhun Marjat
  17015 | 6500 | Uutiset Satamasta
  17016 | 140 | Sanakirja Koivu | | type=dictionary
`,
  `
  required | inflection | kääntäjät kurki | ^17001
  required | inflection | kaantajat | +17001
  required | inflection | kirjanmerkit | +17006
  required | inflection | väri | +17012
  required | inflection | värit | +17012
  required | inflection | karhut | +17014
  required | inflection | marja | +17014
  required | inflection | sanakirjat | +17016
  nice | inflection | välilehti | +17004
  nice | inflection | salasanat | +17005
  required | joined | kirjanmerkki | +17006,17007
  required | joined | kirjan merkki | +17006,17007
  required | joined | kirjanmerkki hylly | ^17007
  required | joined | väli lehti | +17003
  required | joined | ruutu kaappaus | ^17013
  required | letter | salasana s | ^17005
  required | letter | karhun m | ^17014
  required | letter | sää j | ^17011
  required | category | lisäosa salasana siili | ^17005
  required | category | mainosesto pöllö lisäosa | ^17008
  required | category | lisäosa | ^17010
  required | category | teema yön värit | ^17012
  nice | category | miten poistaa bannerit | +17008
  required | signs | saa jarvella | ^17011
  required | signs | PÖLLÖ | ^17009
  required | exact | pöllö | 17009>17008
  required | whole | karhunmarjat | =17014
  required | start | uutiset | ^17015
  required | phrase | järvellä | +17011
  required | prefix | kään | ^17001
  required | loose | salsana siili | ^17005
  required | noise | kettinki | !17006
`,
);
