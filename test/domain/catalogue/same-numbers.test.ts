import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { importLines } from '../../support/catalogue/lines.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const PUBLIC = 4;
const REFUSED = 5;

const hash = (digit: string) => `sha256:${digit.repeat(64)}`;
const version = (status: number, digit: string, facts: object = {}) => ({
  ...{ version: '1.0', channel: 'listed', files: [{ hash: hash(digit), status }], ...facts },
});
const line = (guid: string, ...versions: object[]) => ({
  ...{ kind: 'addon', guid, slug: guid.split('@')[0], type: 'extension', status: 'public' },
  ...{ name: { 'en-US': 'Numbers' }, versions },
});

/** Versions as they are here, by id: id, stage, status and first digit of the file's hash, and whether it is on offer. */
const versionsOf = async (guid: string) =>
  (
    await app.sql<{ row: unknown[] }>(
      `SELECT json_build_array(v.id, v.stage, f.status, left(f.sha256, 1), v.id IS NOT DISTINCT FROM a.current_version_id) AS row
      FROM addon a JOIN version v ON v.addon_id = a.id JOIN file f ON f.version_id = v.id WHERE a.guid = $1 ORDER BY v.id`,
      [guid],
    )
  ).map(({ row }) => row);

describe('a version without an id', () => {
  it('is the one on offer here that the file has disabled', async () => {
    await importLines([line('disabled@numbers', version(PUBLIC, 'a', { id: 810_100 }))]);
    const disabled = [line('disabled@numbers', version(REFUSED, 'a'))];
    await importLines(disabled);
    expect(await versionsOf('disabled@numbers')).toEqual([[810_100, 'signed', REFUSED, 'a', false]]);
    await importLines(disabled);
    expect(await versionsOf('disabled@numbers')).toEqual([[810_100, 'signed', REFUSED, 'a', false]]);
  });

  it('is the living one or one that was refused, where the file has both', async () => {
    const both = [version(REFUSED, 'b', { id: 810_200 }), version(PUBLIC, 'c', { id: 810_201 })];
    await importLines([line('both@numbers', ...both)]);
    const before = await versionsOf('both@numbers');
    expect(before).toEqual([
      [810_200, 'rejected', REFUSED, 'b', false],
      [810_201, 'signed', PUBLIC, 'c', true],
    ]);
    await importLines([line('both@numbers', version(REFUSED, 'b'), version(PUBLIC, 'c'))]);
    expect(await versionsOf('both@numbers')).toEqual(before);
    await importLines([line('both@numbers', version(PUBLIC, 'c'), version(REFUSED, 'b'))]);
    expect(await versionsOf('both@numbers')).toEqual(before);
    await importLines([line('both@numbers', version(PUBLIC, 'c', { id: 810_201 }), version(REFUSED, 'b'))]);
    expect(await versionsOf('both@numbers')).toEqual(before);
  });
});
