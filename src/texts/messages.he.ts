/* The Hebrew messages by code, sorted by code. */
import type { HebrewTexts } from './message-types.ts';

export const MESSAGES_HE: HebrewTexts = {
  'account.last_administrator': 'זה החשבון האחרון שיש לו ההרשאה *:*. יש לתת אותה קודם לחשבון אחר.',
  'file.unusable': 'הקובץ הזה אבד או ניזוק בשרת. יש לפנות למפעיל השירות.',
  'package.lost': 'החבילה השמורה אבדה.',
  'package.names_too_long_to_sign': 'אי אפשר לחתום על החבילה: יש בה יותר מדי שמות קבצים ארוכים.',
  'package.other_applications':
    'קובץ install.rdf מיועד רק ליישומים אחרים: {ids}. יש להוסיף targetApplication של יישום נתמך.',
  'package.replaced': 'החבילה השמורה שונה מזו שהועלתה.',
  'package.trailing_bytes#one':
    'אי אפשר לקרוא את המניפסט: אחרי סוף הארכיון יש בית אחד. יש לכתוב את הארכיון לקובץ ולא לפלט התקני.',
  'package.trailing_bytes#other':
    'אי אפשר לקרוא את המניפסט: אחרי סוף הארכיון יש {count} בתים. יש לכתוב את הארכיון לקובץ ולא לפלט התקני.',
  'package.trailing_bytes#two':
    'אי אפשר לקרוא את המניפסט: אחרי סוף הארכיון יש שני בתים. יש לכתוב את הארכיון לקובץ ולא לפלט התקני.',
  'package.two_names':
    'שם קובץ לא תקין בחבילה: {name} נקרא בה גם {path}. יש לארוז עם שמות ב־UTF-8, למשל עם משתנה הסביבה LC_ALL=C.UTF-8.',
  'package.unusable_target': 'הטווח {min} עד {max} של {app} בקובץ install.rdf אינו כולל גרסה מוכרת.',
  'request.method_not_allowed': 'השיטה „{method}” אינה מותרת כאן.',
  'request.not_found': 'זה לא קיים, או כבר לא קיים.',
  'request.not_permitted': 'אין לך הרשאה לפעולה הזאת.',
  'request.throttled#one': 'יותר מדי בקשות. אפשר לנסות שוב בעוד שנייה אחת.',
  'request.throttled#other': 'יותר מדי בקשות. אפשר לנסות שוב בעוד {count} שניות.',
  'request.throttled#two': 'יותר מדי בקשות. אפשר לנסות שוב בעוד שתי שניות.',
  'request.unauthenticated': 'החשבון אינו מחובר.',
  'service.unavailable': 'השירות אינו זמין כרגע.',
  'sign_in.no_code': 'ספק הזהויות לא אישר את ההתחברות.',
  'sign_in.no_profile': 'ספק הזהויות לא אישר כתובת דוא״ל שאפשר להשתמש בה.',
  'sign_in.state_mismatch': 'ההתחברות הזאת התחילה בדפדפן אחר, פג תוקפה או שכבר נעשה בה שימוש.',
  'signing.addon_deleted': 'התוספת נמחקה.',
  'signing.addon_disabled': 'מפעיל השירות השבית את התוספת.',
  'signing.uploader_disabled': 'החשבון שהעלה את החבילה מושבת.',
  'upload.not_valid': 'ההעלאה אינה תקפה או שפג תוקפה. יש להעלות את הקובץ שוב.',
  'validation.broke_down': 'הבדיקה האוטומטית נכשלה.',
  'validation.errors_found#one': 'הבדיקה מצאה שגיאה אחת.',
  'validation.errors_found#other': 'הבדיקה מצאה {count} שגיאות.',
  'validation.errors_found#two': 'הבדיקה מצאה שתי שגיאות.',
};
