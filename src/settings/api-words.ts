import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The words of the contract that API_WORDS may replace: keys of applications, keys of objects, and a header. */
const REPLACEABLE_WORDS = [
  'desktop_browser',
  'mobile_browser',
  'suite_app',
  'mail_client',
  'is_disabled_by_vendor',
  'is_vendor_signed_extension',
  'idp_id',
  'idp_edit_email_url',
  'X-SVC-Read-Only',
] as const;

/** Words of the contract, each with the word that clients of the installation use. */
type ApiWords = Readonly<Partial<Record<(typeof REPLACEABLE_WORDS)[number], string>>>;

const areDistinct = (words: ApiWords): boolean => {
  const all = [...Object.values(words), ...REPLACEABLE_WORDS].map((word) => word.toLowerCase());
  return new Set(all).size === all.length;
};

const pairs = z
  .partialRecord(
    z.enum(REPLACEABLE_WORDS, `Expected keys out of ${REPLACEABLE_WORDS.join(', ')}`),
    z.string().regex(/^[A-Za-z][\w-]{0,63}$/, 'Expected words of letters, digits, _ and -'),
  )
  .refine(areDistinct, 'Expected different words, none of them one of the contract');

/** Reads the file of pairs that a setting names. */
export const apiWords = z
  .string()
  .optional()
  .transform((file, context): ApiWords | undefined => {
    if (file === undefined) return undefined;
    try {
      const { data, error } = pairs.safeParse(JSON.parse(readFileSync(file, 'utf8')));
      if (data) return data as ApiWords;
      context.addIssue(`${file}: ${error?.issues[0]?.message}`);
    } catch (error) {
      context.addIssue(`${file}: ${(error as Error).message}`);
    }
    return z.NEVER;
  });
