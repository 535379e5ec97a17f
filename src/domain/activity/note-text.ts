import { refusedField } from '../../errors.ts';
import { storableText } from '../../infra/storable-text.ts';
import { message } from '../../texts/messages.ts';

/** Maximum length of a note in characters (docs/decisions.md D116). */
export const MAX_NOTE_LENGTH = 10_000;

/**
 * The text of a note without surrounding white space; "" when absent and `required` is false.
 * @throws {InvalidInputError} on `field` for a missing or too long text.
 */
export function noteText(
  text: string | null | undefined,
  { field = 'comments', required }: { field?: string; required: boolean },
): string {
  const trimmed = storableText(text ?? '').trim();
  if (required && trimmed === '') throw refusedField(field, message('field.blank'));
  if ([...trimmed].length > MAX_NOTE_LENGTH) {
    throw refusedField(field, message('field.too_long', { count: MAX_NOTE_LENGTH }));
  }
  return trimmed;
}
