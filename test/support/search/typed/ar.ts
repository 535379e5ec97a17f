import { language } from './tables.ts';

/** Arabic: short vowels, lengthened letters, forms of hamza, final letters, articles. */
export const ARABIC = language(
  'ar',
  `
  14001 | 76000 | مترجم اللقلق | يعرض النص بلغة أخرى.
  14002 | 3200 | ترجمة الصفحات السريعة
  14003 | 145000 | مانع الإعلانات القنفذ | يخفي اللافتات المزعجة.
  14004 | 420 | حافظ كلمات السر
  14005 | 29000 | قاموس الواحة | | type=dictionary
  14006 | 810 | مُدَقِّق إملائي
  14007 | 17000 | الطقس اليوم
  14008 | 95 | طقس الجبل
  14009 | 52000 | إضاءة ليلية
  14010 | 640 | أوراق الخريف | | type=statictheme
  14011 | 8800 | مكتبة الصور
  14012 | 230 | إضافة
  14013 | 36000 | لقطة شاشة الصقر
  14014 | 14 | مستشفى القصص
  14015 | 4700 | أخبار الميناء
  14016 | 1300 | علامات مرجعية النورس
  14017 | 61 | كتـــاب الأطفال
`,
  `
  required | semitic | المترجم | +14001
  required | semitic | مُتَرْجِم | +14001
  required | semitic | متـــرجم اللقلق | ^14001
  required | semitic | ترجمه الصفحات | ^14002
  required | semitic | الترجمة | +14002
  required | semitic | مانع الاعلانات | ^14003
  required | semitic | مانع إعلانات | ^14003
  required | semitic | اعلانات | +14003
  required | semitic | القاموس | +14005
  required | semitic | للقاموس | +14005
  required | semitic | والقاموس | +14005
  required | semitic | بالقاموس | +14005
  required | semitic | قاموس واحة | ^14005
  required | semitic | مدقق املائي | ^14006
  required | semitic | مدقق إملائى | ^14006
  required | semitic | طقسُ | +14007,14008
  required | semitic | الطقس | +14007,14008
  required | semitic | طقس اليوم | ^14007
  required | semitic | طقس جبل | ^14008
  required | semitic | اضاءه ليليه | ^14009
  required | semitic | اوراق الخريف | ^14010
  required | semitic | أوراق خريف | ^14010
  required | semitic | مكتبه صور | ^14011
  required | semitic | لقطه شاشه | ^14013
  required | semitic | مستشفي القصص | ^14014
  required | semitic | اخبار ميناء | ^14015
  required | semitic | كتاب الاطفال | ^14017
  required | semitic | نورس | +14016
  required | semitic | لقلق | +14001
  nice | semitic | كلمات سر | +14004
  nice | semitic | كلمة السر | +14004
  required | category | إضافة مترجم اللقلق | ^14001
  required | category | مانع الإعلانات القنفذ اضافة | ^14003
  required | category | اضافة | ^14012
  required | category | أوراق الخريف سمة | ^14010
  nice | category | كيف أمنع الإعلانات | +14003
  required | joined | لقطةشاشة | +14013
  required | letter | الطقس ا | ^14007
  required | letter | مكتبة ا | ^14011
  required | exact | الطقس اليوم | ^14007
  required | whole | مكتبةالصور | =14011
  required | start | لقطة | ^14013
  required | phrase | شاشة الصقر | =14013
  required | words | اللقلق مترجم | =14001
  required | prefix | ترج | +14002
  required | prefix | مدق | +14006
  required | loose | مترجمم اللقلق | ^14001
  required | popularity | طقس | 14007>14008
  required | noise | لقاء | !14001,14013
  required | filter | قاموس | =14005 | types=dictionary
  required | semitic | بالطقس | +14007,14008
  required | semitic | كالصقر | +14013
  required | semitic | والصفحات | +14002
  required | semitic | للأطفال | +14017
  required | semitic | الشاشة | +14013
  required | semitic | المكتبة | +14011
  required | semitic | صور | +14011
  required | semitic | الصُّوَر | +14011
  required | semitic | القنفذ مانع | ^14003
  required | semitic | إعلانات القنفذ | ^14003
  nice | semitic | وقاموس | +14005
  required | category | اضافة للترجمة | +14002
`,
);
