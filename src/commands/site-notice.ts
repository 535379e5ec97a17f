import { COMMAND_LINE } from '../domain/activity/record-audit.ts';
import { setSiteNotice } from '../domain/maintenance/site-notice.ts';
import type { OperatorTexts } from '../infra/read-only.ts';
import { storableText } from '../infra/storable-text.ts';
import { LANGUAGES } from '../texts/languages.ts';
import { type Invocation, print, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

/** Characters of a text in one language, as the mutation allows. */
const MAX_TEXT = 500;

/** Replaces the notice that all pages show. */
export async function runSetNotice(invocation: Invocation): Promise<void> {
  const texts: OperatorTexts = Object.fromEntries(
    LANGUAGES.flatMap((language) => {
      const text = storableText(invocation.optionalText(language) ?? '').trim();
      if ([...text].length > MAX_TEXT)
        throw new UsageError(`notice set: --${language} has more than ${MAX_TEXT} characters`);
      return text === '' ? [] : [[language, text] as const];
    }),
  );
  if (Object.keys(texts).length === 0)
    throw new UsageError('notice set: give a text, such as --en TEXT; addons notice clear ends the notice');
  await withDatabase(() => setSiteNotice(COMMAND_LINE, texts));
  print('All pages show the notice within a second.');
}

/** Ends the notice that all pages show. */
export async function runClearNotice(): Promise<void> {
  await withDatabase(() => setSiteNotice(COMMAND_LINE, {}));
  print('No page shows a notice.');
}
