/* The notice on all pages while the demo is being filled: until then, the start page has few add-ons or none. */
import { setSiteNotice } from '../domain/maintenance/site-notice.ts';

const ACTOR = 'demo';

const NOTICE = {
  en: 'The demo is being filled. This takes about a minute.',
  de: 'Die Demo wird gefüllt. Das dauert etwa eine Minute.',
  he: 'ההדגמה מתמלאת. זה נמשך כדקה.',
};

/** Shows the notice unless there is one. Idempotent. */
export const showFillingNotice = (): Promise<void> => setSiteNotice(ACTOR, NOTICE, { replaced: {} });

/** Ends the notice, also that of a process that was killed. A notice of operators stays. Idempotent. */
export const endFillingNotice = (): Promise<void> => setSiteNotice(ACTOR, {}, { replaced: NOTICE });
