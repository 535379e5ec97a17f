/* The Hebrew messages by code, sorted by code. */
import type { HebrewTexts } from './message-types.ts';

export const MESSAGES_HE: HebrewTexts = {
  'account.last_administrator': 'זה החשבון האחרון שיש לו ההרשאה *:*. יש לתת אותה קודם לחשבון אחר.',
  'file.unusable': 'הקובץ הזה אבד או ניזוק בשרת. יש לפנות למפעיל השירות.',
  'identity.invalid_subject': 'ה-subject הוא שמו של האדם אצל הספק: 1 עד 255 תווי ASCII הניתנים להדפסה.',
  'identity.last': 'זו דרך ההתחברות היחידה לחשבון. יש להוסיף תחילה דרך אחרת.',
  'identity.taken': 'זהות זו שייכת לחשבון אחר.',
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
  'sign_in.identity_not_linked':
    'יש חשבון עם כתובת הדוא״ל הזאת, אך דרך ההתחברות הזאת אינה מקושרת אליו. יש להתחבר כמו בעבר, ואז להוסיף אותה בדף החשבון.',
  'sign_in.identity_taken': 'דרך ההתחברות הזאת שייכת לחשבון אחר.',
  'sign_in.no_code': 'ספק הזהויות לא אישר את ההתחברות.',
  'sign_in.no_profile': 'ספק הזהויות לא אישר כתובת דוא״ל שאפשר להשתמש בה.',
  'sign_in.not_recent':
    'ההתחברות האחרונה שלכם הייתה לפני זמן רב מדי. יש להתחבר שוב: הפעולה דורשת התחברות ב־15 הדקות האחרונות. מפתחות API אינם מספיקים.',
  'sign_in.state_mismatch': 'ההתחברות הזאת התחילה בדפדפן אחר, פג תוקפה או שכבר נעשה בה שימוש.',
  'signing.addon_deleted': 'התוספת נמחקה.',
  'signing.addon_disabled': 'מפעיל השירות השבית את התוספת.',
  'signing.uploader_disabled': 'החשבון שהעלה את החבילה מושבת.',
  'source.too_slow':
    'קריאת הארכיון דורשת יותר מ־{seconds} שניות של זמן מעבד. יש לשלוח את קוד המקור כ־.zip או כ־.tar.gz.',
  'token.access_token_expired': 'פג תוקף אסימון הגישה: הוא היה תקף עד {time}. יש להתחבר שוב או ליצור אסימון חדש.',
  'token.account_disabled': 'החשבון מושבת.',
  'token.agreement_not_accepted': 'בעל החשבון לא אישר את הסכם המפתחים.',
  'token.bad_checksum': 'אי אפשר לפענח את החתימה. סכום הביקורת של אסימון הגישה שגוי: חלק ממנו חסר או שונה.',
  'token.bad_signature': 'אי אפשר לפענח את החתימה.',
  'token.bearer_under_jwt':
    'אי אפשר לפענח את החתימה. הסכמה „JWT” מיועדת לאסימונים שמפתח API חותם עליהם. אסימון גישה נשלח עם הסכמה „Bearer”.',
  'token.claim_missing': 'באסימון חסר "{claim}".',
  'token.claim_not_seconds': 'סוג שגוי באסימון: "{claim}" הוא {type} ולא מספר של שניות מאז 1970.',
  'token.claim_not_text': 'סוג שגוי באסימון: "{claim}" הוא {type} ולא מחרוזת (string).',
  'token.claim_out_of_range': 'סוג שגוי באסימון: "{claim}" גדול מדי למספר של שניות מאז 1970.',
  'token.critical_header': 'אי אפשר לפענח את החתימה. בכותרת האסימון יש "crit", והוא אינו נתמך.',
  'token.exp_in_milliseconds': '"exp" נראה כמספר של אלפיות שנייה. יש לשלוח שניות מאז 1970, עכשיו {now}.',
  'token.exp_not_after_iat': '"exp" ({exp}) אינו מאוחר מ-"iat" ({iat}).',
  'token.exp_too_long': '"exp" מאוחר מ-"iat" ב-{lifetime} שניות. המרב הוא {max} שניות.',
  'token.expired': 'פג תוקף האסימון. שעת השרת: {time}, ההפרש: {skew} שניות.',
  'token.has_spaces': 'פרטי ההזדהות בכותרת Authorization אינם יכולים להכיל רווחים.',
  'token.iat_ahead': '"iat" הוא בעתיד. יש לכוון את שעון המחשב. שעת השרת: {time}, ההפרש: {skew} שניות.',
  'token.iat_in_milliseconds': '"iat" נראה כמספר של אלפיות שנייה. יש לשלוח שניות מאז 1970, עכשיו {now}.',
  'token.jwt_under_bearer':
    'אי אפשר לפענח את החתימה. הסכמה „Bearer” מיועדת לאסימוני גישה. אסימון של מפתח API נשלח עם הסכמה „JWT”.',
  'token.key_as_token':
    'אי אפשר לפענח את החתימה. זהו מפתח API ולא אסימון. יש לחתום אסימון JSON Web Token בסוד של המפתח ולשלוח אותו.',
  'token.key_expired': 'פג תוקף מפתח ה-API: הוא היה תקף עד {time}. אפשר ליצור מפתח חדש בעמוד של מפתחות ה-API.',
  'token.no_credentials': 'בכותרת Authorization אין פרטי הזדהות.',
  'token.no_issuer': 'באסימון חסר "iss", מפתח ה-API.',
  'token.no_scheme':
    'החשבון אינו מחובר. בכותרת Authorization יש אסימון בלי סכמה. יש לשלוח „JWT” ואסימון של מפתח API, או „Bearer” ואסימון גישה.',
  'token.nonce_control': '"jti" אינו תקין: יש בו תו בקרה, כגון סוף שורה.',
  'token.nonce_length': '"jti" אינו תקין: מספר התווים שלו הוא {length}. אפשר להשתמש ב-1 עד {max} תווים.',
  'token.nonce_not_text': '"jti" אינו תקין: הוא {type} ולא מחרוזת (string) או מספר (number).',
  'token.not_access_token':
    'אי אפשר לפענח את החתימה. הטקסט אחרי „Bearer” אינו אסימון גישה: אסימוני גישה מתחילים ב-„{prefix}”.',
  'token.not_three_parts':
    'אי אפשר לפענח את החתימה. באסימון JSON Web Token יש 3 חלקים עם נקודות ביניהם. באסימון הזה: {parts}.',
  'token.not_yet_valid': 'האסימון עדיין אינו תקף: "nbf" הוא {nbf}. שעת השרת: {time}, ההפרש: {skew} שניות.',
  'token.refreshable': 'אי אפשר לחדש אסימונים של מפתחות API. אין לכלול בהם "orig_iat".',
  'token.replayed': 'כבר נעשה שימוש ב-"jti" הזה.',
  'token.unknown_access_token': 'פרטי ההתחברות אינם תקפים.',
  'token.unknown_scheme':
    'החשבון אינו מחובר. בכותרת Authorization יש סכמה לא מוכרת: „{scheme}”. יש לשלוח „JWT” ואסימון של מפתח API, או „Bearer” ואסימון גישה.',
  'token.unreadable_claims':
    'אי אפשר לפענח את החתימה. תוכן האסימון, החלק השני שלו, אינו אובייקט JSON בקידוד base64url.',
  'token.unreadable_header':
    'אי אפשר לפענח את החתימה. כותרת האסימון, החלק הראשון שלו, אינה אובייקט JSON בקידוד base64url.',
  'token.wrong_algorithm': 'אי אפשר לפענח את החתימה. בכותרת האסימון חייב להיות "alg": "HS256".',
  'upload.not_valid': 'ההעלאה אינה תקפה או שפג תוקפה. יש להעלות את הקובץ שוב.',
  'upload.warnings_not_read': 'יש לאשר שהאזהרות של הבדיקה האוטומטית נקראו.',
  'validation.broke_down': 'הבדיקה האוטומטית נכשלה.',
  'validation.errors_found#one': 'הבדיקה מצאה שגיאה אחת.',
  'validation.errors_found#other': 'הבדיקה מצאה {count} שגיאות.',
  'validation.errors_found#two': 'הבדיקה מצאה שתי שגיאות.',
};
