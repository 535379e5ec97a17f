import { language } from './tables.ts';

/** Persian: words joined by a zero-width non-joiner. */
export const PERSIAN = language(
  'fa',
  `
  18001 | 5200 | کتاب\u200Cخوان سبز
  18002 | 730 | می\u200Cخوانم برایت
`,
  `
  required | signs | کتاب\u200Cخوان | ^18001
  required | signs | کتاب\u200Cخوان سبز | ^18001
  required | signs | می\u200Cخوانم | ^18002
  nice | signs | کتابخوان | +18001
  nice | signs | کتاب خوان | +18001
`,
);

/** Hindi: vowel signs are letters, a joiner inside a word. */
export const HINDI = language(
  'hi-IN',
  `
  18101 | 14000 | शब्दकोश मोर
  18102 | 380 | रक्\u200Dषक टैब
`,
  `
  required | exact | शब्दकोश मोर | ^18101
  required | prefix | शब्द | +18101
  required | signs | रक्\u200Dषक | ^18102
  required | noise | शब | !18102
`,
);

/** Greek: accents, final sigma. */
export const GREEK = language(
  'el',
  `
  18201 | 21000 | Μεταφραστής Γλάρος
  18202 | 610 | Καιρός Σήμερα
`,
  `
  required | signs | μεταφραστης γλαρος | ^18201
  required | signs | ΜΕΤΑΦΡΑΣΤΗΣ | ^18201
  required | letter | καιρός σ | ^18202
  required | loose | μεταφρασττης γλαρος | ^18201
`,
);

/** Ukrainian. */
export const UKRAINIAN = language(
  'uk',
  `
  18301 | 17000 | Перекладач Лелека
  18302 | 240 | Їжачок у Тумані
`,
  `
  required | exact | їжачок у тумані | ^18302
  required | letter | перекладач л | ^18301
  required | joined | перекладачлелека | ^18301
  required | category | розширення перекладач лелека | ^18301
`,
);

/** Czech: letters typed without their marks. */
export const CZECH = language(
  'cs',
  `
  18401 | 26000 | Překladač Čáp
  18402 | 950 | Záložky Ježka
`,
  `
  required | signs | prekladac cap | ^18401
  required | signs | ZALOZKY | ^18402
  required | category | doplněk záložky ježka | ^18402
  required | loose | překaldač čáp | ^18401
`,
);
