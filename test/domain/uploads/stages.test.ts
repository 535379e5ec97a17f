import { describe, expect, it } from 'vitest';
import { FAILED_STAGES, FINAL_STAGES, STAGES, showsFiles } from '../../../src/domain/addons/stages.ts';
import { nextStep, reasonText } from '../../../src/domain/uploads/upload.ts';
import { API_EN } from '../../../src/texts/api.en.ts';
import { englishText, message } from '../../../src/texts/messages.ts';

describe('stages', () => {
  it('show files after the package passed validation', () => {
    expect(STAGES.filter(showsFiles)).toEqual(['valid', 'awaiting_review', 'signing', 'signed', 'rejected']);
  });

  it('of failed uploads are final', () => {
    expect(FINAL_STAGES).toEqual(expect.arrayContaining([...FAILED_STAGES]));
  });

  const LANGUAGES = ['en', 'de', 'he'] as const;

  it('have a next step in every language, which depends on the channel in stage valid and on the submission', () => {
    const used = new Set<string>();
    for (const locale of LANGUAGES) {
      for (const [stage, channel, isSubmitted, isBlocked] of STAGES.flatMap((each) =>
        (['listed', 'unlisted'] as const).flatMap((one) =>
          [true, false].flatMap((submitted) => [true, false].map((held) => [each, one, submitted, held] as const)),
        ),
      )) {
        for (const deleted of isSubmitted ? ([null, 'version', 'addon'] as const) : [null]) {
          used.add(nextStep({ stage, channel, deleted, isSubmitted, isBlocked }, locale));
        }
      }
    }
    const steps = Object.entries({ ...API_EN }).filter(([key]) => key.startsWith('next-step.'));
    expect(used.size).toBe(LANGUAGES.length * steps.length);
    expect([...used]).toEqual(expect.arrayContaining(steps.map(([, text]) => text)));
  });

  it.each([
    [
      message('validation.errors_found', { count: 1 }),
      'Die Prüfung hat einen Fehler gefunden.',
      'הבדיקה מצאה שגיאה אחת.',
    ],
    [message('validation.errors_found', { count: 1200 }), /1\.200 Fehler/, /1,200 שגיאות/],
    [message('validation.broke_down', { problem: 'timeout', attempts: 3 }), /ausgefallen/, 'הבדיקה האוטומטית נכשלה.'],
    [message('signing.addon_disabled'), 'Der Betreiber hat das Add-on deaktiviert.', /השבית/],
    [message('signing.uploader_disabled'), /Konto/, /החשבון/],
    // A reviewer wrote these words.
    ['Validation found 2 errors.', 'Validation found 2 errors.', 'Validation found 2 errors.'],
    [null, null, null],
  ] as const)('have the reason %j in other languages', (reason, german, hebrew) => {
    expect(reasonText(reason, 'en-GB')).toBe(
      typeof reason === 'object' && reason !== null ? englishText(reason) : reason,
    );
    const like = (text: string | RegExp | null) => (text instanceof RegExp ? expect.stringMatching(text) : text);
    expect(reasonText(reason, 'de-AT')).toEqual(like(german));
    expect(reasonText(reason, 'he')).toEqual(like(hebrew));
  });
});
