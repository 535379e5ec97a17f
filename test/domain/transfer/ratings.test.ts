/* Ratings in catalogue files: import and export keep rows and sums, and say what was imported as a sum. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon } from '../../support/factories.ts';
import { changeRating, rate, ratingsOf } from '../../support/ratings.ts';

const app = setUpApp();

async function exported(): Promise<string[]> {
  const { exportCatalogue } = await import('../../../src/domain/transfer/export-catalogue.ts');
  const lines: string[] = [];
  for await (const line of exportCatalogue()) lines.push(line);
  return lines;
}

async function imported(lines: readonly (object | string)[]) {
  const { importCatalogue } = await import('../../../src/domain/transfer/import-catalogue.ts');
  async function* texts() {
    for (const line of lines) yield typeof line === 'string' ? line : JSON.stringify(line);
  }
  return importCatalogue({ lines: texts() });
}

const ROWS = `SELECT id, addon_id, version_id, account_id, reply_to, score, body, is_latest, previous_count, deleted_at IS NOT NULL AS deleted,
  hold_reason, date_trunc('second', created) AS created FROM rating ORDER BY id`;
const SUMS = `SELECT s.addon_id, imported_count, imported_text_count, imported_average, scores, texts, a.rating_count, a.rating_text_count,
  a.rating_average, a.rating_bayesian FROM rating_sums s JOIN addon a ON a.id = s.addon_id ORDER BY 1`;
const state = async () => [await app.sql(ROWS), await app.sql(SUMS)];

describe('ratings in catalogue files', () => {
  let lines: string[];
  let id: number;

  beforeAll(async () => {
    const [author, visitor, other] = [await app.developer(), await app.developer(), await app.developer()];
    const facts = { ratingCount: 3, ratingTextCount: 2, ratingAverage: 4.5 };
    const made = await addon({ guid: 'rated@file', authors: [author.accountId ?? 0], versions: [{}, {}], ...facts });
    id = await rate(visitor, made, 2, 'Slow.');
    await rate(visitor, made, 4, 'Faster.', 1);
    await changeRating(author, 'replyToRating', id, { body: 'Sorry.' });
    await changeRating(other, 'deleteRating', await rate(other, made, 1));
    lines = await exported();
  });

  const ofKind = (kind: string) => lines.map((line) => JSON.parse(line)).filter((line) => line.kind === kind);

  it('are lines of their own, and the add-on says what has none', () => {
    expect(ofKind('rating')).toHaveLength(4);
    expect(ofKind('rating')[0]).toMatchObject({
      addon: 'rated@file',
      version: '1.0',
      score: 2,
      body: 'Slow.',
      deleted: false,
    });
    expect(ofKind('addon')[0].ratings).toMatchObject({ count: 4, imported: { count: 3, text_count: 2, average: 4.5 } });
  });

  it('are the same after an import of the export, also where they were lost', async () => {
    const before = await state();
    await imported(lines);
    expect(await state()).toEqual(before);
    await app.sql('DELETE FROM rating');
    await app.sql('DELETE FROM rating_sums');
    await imported(lines);
    expect(await state()).toEqual(before);
    expect(await exported()).toEqual(lines);
  });

  it('are added to the sums of a catalogue without lines of ratings', async () => {
    const [line] = ofKind('addon');
    await imported([{ ...line, ratings: { count: 9, text_count: 1, average: 3, bayesian_average: 3 } }]);
    const made = { id: line.id } as Parameters<typeof ratingsOf>[1];
    expect((await ratingsOf(app, made)).ratings).toMatchObject({ count: 10, textCount: 2, average: (9 * 3 + 4) / 10 });
  });

  it('are refused with line and key', async () => {
    const rating = ofKind('rating')[0];
    const problem = async (line: object) =>
      imported([line]).then(
        () => '',
        ({ message }: Error) => message,
      );
    expect(await problem({ ...rating, addon: 'unknown@file' })).toContain('rating.addon: there is no add-on');
    expect(await problem({ ...rating, user: 'unknown-user' })).toContain('rating.user');
    expect(await problem({ ...rating, id: rating.id + 1_000 })).toContain(
      `rating.id: the same rating has the id ${rating.id} here`,
    );
    expect(await problem({ ...rating, score: null })).toContain('rating.score: expected either a score or reply_to');
    expect(await problem({ ...rating, id: 9_999, reply_to: 8_888, score: null })).toContain('there is no rating 8888');
  });
});
