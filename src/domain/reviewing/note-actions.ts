import { API_TEXTS } from '../../texts/api.ts';
import { translate } from '../../texts/translate.ts';

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

/** The label of an action in the language `locale`, else in English (docs/decisions.md D114). */
export const actionLabel = (action: NoteAction, locale: string): string =>
  translate(API_TEXTS, locale, `action.${action}`);
