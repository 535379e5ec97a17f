import { refusedField } from '../../errors.ts';

/** Maximum length of a note in characters (people.md D116). */
export const MAX_NOTE_LENGTH = 10_000;

/**
 * The text of a note without surrounding white space; "" when absent and `required` is false.
 * @throws {InvalidInputError} on `comments` for a missing or too long text.
 */
export function noteText(text: string | null | undefined, { required }: { required: boolean }): string {
  // PostgreSQL text cannot contain NUL characters or lone surrogates.
  const trimmed = (text ?? '').replaceAll('\0', '').toWellFormed().trim();
  if (required && trimmed === '') throw refusedField('comments', 'This field may not be blank.');
  if ([...trimmed].length > MAX_NOTE_LENGTH) {
    throw refusedField('comments', `Ensure this field has no more than ${MAX_NOTE_LENGTH} characters.`);
  }
  return trimmed;
}
