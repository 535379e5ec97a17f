import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { addon } from '../support/factories.ts';
import { addons } from '../support/program.ts';

const database = await createTestDatabase();
const { closeDatabase, db } = await import('../../src/infra/db.ts');
const { readRange } = await import('../../src/commands/discovery.ts');

const run = (...words: string[]) => addons(words, { DATABASE_URL: database.url });
const printed = (stdout: string) => ({ code: 0, stdout: `${stdout}\n`, stderr: '' });

beforeAll(() => addon({ guid: 'Shown@cli', slug: 'shown-here' }));
afterAll(async () => {
  await closeDatabase();
  await database.drop();
});

describe('discovery commands', () => {
  it('add entries, with a row in the audit log for each', async () => {
    const outcomes = await Promise.all([
      run('featured', 'add', 'SHOWN-here', '--app', 'desktop_browser', '--locale', 'de'),
      run('replacement', 'old@cli', '--by', 'shown@cli', '--by', 'other@cli'),
      run('override', 'old@cli', '--name', 'Old', '--range', '1.0..1.5 mail_client 40.0..*'),
      run('recommendation-fallback', '--guid', 'SHOWN@cli', '--guid', 'shown@cli'),
    ]);
    expect(outcomes).toEqual([
      printed('SHOWN-here is featured.'),
      printed('old@cli has a replacement.'),
      printed('old@cli has an override.'),
      printed('The curated list has 1 add-ons.'),
    ]);
    expect(await db.featuredEntry.findMany()).toMatchObject([{ app: 'desktop_browser', locale: 'de', category: null }]);
    expect(await db.replacement.findMany()).toMatchObject([{ guid: 'old@cli', guids: ['shown@cli', 'other@cli'] }]);
    expect(await db.compatOverrideRange.findMany()).toMatchObject([{ app: 'mail_client', minVersion: '40.0' }]);
    expect(await db.recommendationFallback.findMany()).toEqual([{ position: 0, guid: 'shown@cli' }]);
    const audit = await db.auditEntry.findMany({ select: { actor: true } });
    expect(audit).toEqual(Array.from({ length: 4 }, () => ({ actor: 'command line' })));
  });

  it('remove entries, and print errors in one line', async () => {
    const outcomes = await Promise.all([
      run('featured', 'remove', 'shown@cli', '--app', 'desktop_browser', '--locale', 'de'),
      run('replacement', 'old@cli'),
      run('featured', 'add', 'nobody@cli', '--app', 'desktop_browser'),
      run('featured', 'add', 'shown@cli', '--app', 'browser'),
    ]);
    expect(outcomes.slice(0, 2)).toEqual([
      printed('shown@cli is no longer featured.'),
      printed('old@cli has no replacement.'),
    ]);
    for (const { code, stdout, stderr } of outcomes.slice(2)) {
      expect([code, stdout, stderr.trim().split('\n')]).toEqual([
        1,
        '',
        [expect.stringMatching(/There is no add-on|unknown application/)],
      ]);
    }
    expect([await db.featuredEntry.count(), await db.replacement.count()]).toEqual([0, 0]);
  });
});

describe('the range of an override', () => {
  it('consists of add-on versions, an application and versions of it', () => {
    const applications = [{ app: 'desktop_browser', minVersion: '40.0', maxVersion: '*' }];
    const range = { addonMinVersion: '1.0', addonMaxVersion: '*', applications };
    expect(readRange('1.0..* desktop_browser 40.0..*')).toEqual(range);
  });

  it.each(['', '1.0 desktop_browser 40.0', '1.0..2.0 browser 40.0..*', '1.0..2.0 desktop_browser'])(
    'cannot be %j',
    (text) => {
      expect(() => readRange(text)).toThrow(expect.objectContaining({ name: 'CommandError' }));
    },
  );
});
