import { ACTIONS } from '../activity/actions.ts';
import translations from './action-labels.json' with { type: 'json' };

/** The actions of review notes (contract, Enumerations), and that of attached source code. */
export const NOTE_ACTIONS = [
  'approved',
  'rejected',
  'review-requested',
  'more-information-requested',
  'super-review-requested',
  'comment',
  'review-note',
  'source-code-uploaded',
] as const;

export type NoteAction = (typeof NOTE_ACTIONS)[number];

/** The label of an action in the language `locale`, else in English (people.md D114). */
export function actionLabel(action: NoteAction, locale: string): string {
  const byLocale: Partial<Record<string, Record<NoteAction, string>>> = translations;
  return (byLocale[locale] ?? byLocale[locale.split('-')[0] ?? ''])?.[action] ?? ACTIONS[action].label;
}
