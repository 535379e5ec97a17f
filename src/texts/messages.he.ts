/* The Hebrew messages by code, sorted by code. */
import type { HebrewTexts } from './message-types.ts';

export const MESSAGES_HE: HebrewTexts = {
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
  'upload.not_valid': 'ההעלאה אינה תקפה או שפג תוקפה. יש להעלות את הקובץ שוב.',
};
