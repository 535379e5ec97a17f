import { language } from './tables.ts';

/** Hebrew: vowel points in names and in queries. */
export const HEBREW = language(
  'he',
  `
  15001 | 58000 | מתרגם החסידה | מציג טקסט בשפה אחרת.
  15002 | 1400 | תרגום דפים מהיר
  15003 | 120000 | חוסם פרסומות קיפוד | מסתיר באנרים מציקים.
  15004 | 26 | קיפוד
  15005 | 19000 | שומר סיסמאות
  15006 | 430 | מִלּוֹן הגן | | type=dictionary
  15007 | 7300 | סימניות הדרור
  15008 | 33000 | מזג אוויר בחלון
  15009 | 610 | תוסף
  15010 | 2500 | צילום מסך הנץ
  15011 | 88000 | כרטיסיות מסודרות
  15012 | 150 | לילה כחול | | type=statictheme
  15013 | 4900 | שָׁלוֹם עולם
  15014 | 11000 | קורא חדשות המגדלור
  15015 | 39 | עץ הזית | | type=statictheme
  15016 | 970 | רשימת קריאה
`,
  `
  required | semitic | מלון | +15006
  required | semitic | מִלּוֹן | +15006
  required | semitic | מלון הגן | ^15006
  required | semitic | שלום עולם | ^15013
  required | semitic | שָׁלוֹם | +15013
  required | semitic | שָׁלוֹם עוֹלָם | ^15013
  required | semitic | מְתַרְגֵּם | +15001
  required | semitic | מְתַרְגֵּם הַחֲסִידָה | ^15001
  required | semitic | סִימָנִיּוֹת | +15007
  required | semitic | שׁוֹמֵר סיסמאות | ^15005
  required | semitic | של | +15013
  nice | semitic | מילון | +15006
  nice | semitic | חסידה | +15001
  required | category | תוסף מתרגם החסידה | ^15001
  required | category | שומר סיסמאות תוסף | ^15005
  required | category | הרחבה קורא חדשות | ^15014
  required | category | תוסף | ^15009
  nice | category | ערכת נושא לילה כחול | ^15012
  nice | category | איך לחסום פרסומות | +15003
  required | joined | צילוםמסך | +15010
  required | joined | כרטיסיותמסודרות | ^15011
  required | joined | פרסומותקיפוד | +15003
  required | letter | מזג א | ^15008
  required | letter | חוסם פ | ^15003
  required | letter | שלום ע | ^15013
  required | exact | קיפוד | 15004>15003
  required | exact | עץ הזית | ^15015
  required | whole | רשימתקריאה | =15016
  required | start | צילום | ^15010
  required | phrase | חדשות המגדלור | =15014
  required | words | מסך צילום | ^15010
  required | prefix | כרטיס | ^15011
  required | prefix | סיסמ | +15005
  required | loose | חוסם פרסומוט | ^15003
  required | loose | כרטיסוית מסודרות | ^15011
  required | noise | עוגה | !15013
  required | filter | לילה | =15012 | types=statictheme
  required | semitic | קִיפּוֹד | +15003,15004
  required | semitic | רְשִׁימַת קְרִיאָה | ^15016
  required | semitic | תַּרְגּוּם | +15002
  required | prefix | מִלּ | +15006
`,
);
