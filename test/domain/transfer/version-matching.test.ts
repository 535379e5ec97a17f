import { describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { importLines, refusalsOf } from '../../support/catalogue/lines.ts';

const app = setUpApp();

const AWAITING = 1;
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

/** Stored versions by id: id, stage, file status, first digit of the file's hash, and whether it is the current version. */
const versionsOf = async (guid: string) =>
  (
    await app.sql<{ row: unknown[] }>(
      `SELECT json_build_array(v.id, v.stage, f.status, left(f.sha256, 1), v.id IS NOT DISTINCT FROM a.current_version_id) AS row
      FROM addon a JOIN version v ON v.addon_id = a.id JOIN file f ON f.version_id = v.id WHERE a.guid = $1 ORDER BY v.id`,
      [guid],
    )
  ).map(({ row }) => row);

describe('a version without an id', () => {
  it('matches the active version that the file disables', async () => {
    await importLines([line('disabled@numbers', version(PUBLIC, 'a', { id: 810_100 }))]);
    const disabled = [line('disabled@numbers', version(REFUSED, 'a'))];
    await importLines(disabled);
    expect(await versionsOf('disabled@numbers')).toEqual([[810_100, 'signed', REFUSED, 'a', false]]);
    await importLines(disabled);
    expect(await versionsOf('disabled@numbers')).toEqual([[810_100, 'signed', REFUSED, 'a', false]]);
  });

  it('matches the active or a rejected version when the file has both', async () => {
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

  it('matches the same version again among several rejected ones', async () => {
    const notes = (text: string) => ({ release_notes: { 'en-US': text } });
    const read = () =>
      app.sql(`SELECT v.id, v.release_notes->>'en-US' AS notes, left(f.sha256, 1) AS hash
        FROM addon a JOIN version v ON v.addon_id = a.id JOIN file f ON f.version_id = v.id
        WHERE a.guid = 'several@numbers' ORDER BY v.id`);
    const [first, second] = [version(REFUSED, 'a', notes('first')), version(REFUSED, 'b', notes('second'))];
    await importLines([line('several@numbers', first, second)]);
    const before = await read();
    expect(before).toMatchObject([
      { notes: 'first', hash: 'a' },
      { notes: 'second', hash: 'b' },
    ]);
    await importLines([line('several@numbers', first, second)]);
    expect(await read()).toEqual(before);
    const third = version(PUBLIC, 'c', notes('third'));
    for (let time = 0; time < 2; time += 1) {
      await importLines([line('several@numbers', first, second, third)]);
      expect(await read()).toMatchObject([...before, { notes: 'third', hash: 'c' }]);
    }
  });
});

describe('a version number', () => {
  it('moves from a rejected version to the next upload', async () => {
    const first = version(REFUSED, 'd', { id: 810_300 });
    const second = version(PUBLIC, 'e', { id: 810_301 });
    await importLines([line('again@numbers', { ...first, files: [{ hash: hash('d'), status: AWAITING }] })]);
    expect(await versionsOf('again@numbers')).toEqual([[810_300, 'awaiting_review', AWAITING, 'd', true]]);
    await importLines([line('again@numbers', first, second)]);
    const after = [
      [810_300, 'rejected', REFUSED, 'd', false],
      [810_301, 'signed', PUBLIC, 'e', true],
    ];
    expect(await versionsOf('again@numbers')).toEqual(after);
    await importLines([line('again@numbers', second, first)]);
    expect(await versionsOf('again@numbers')).toEqual(after);
  });

  it.each([
    [810_400, 810_401],
    [810_501, 810_500],
  ])('moves between existing versions: from %i to %i', async (from, to) => {
    const guid = `pass-${from}@numbers`;
    const [waiting, refused] = [AWAITING, REFUSED].map((status) => version(status, 'd', { id: from }));
    const [before, after] = [REFUSED, PUBLIC].map((status) => version(status, 'e', { id: to }));
    for (const versions of [
      [waiting, before],
      [after, refused],
    ])
      await importLines([line(guid, ...versions.map((each) => each ?? {}))]);
    const expected = [
      [from, 'rejected', REFUSED, 'd', false],
      [to, 'signed', PUBLIC, 'e', true],
    ];
    expect(await versionsOf(guid)).toEqual(from < to ? expected : expected.toReversed());
  });

  it('cannot move away from a signed version', async () => {
    await importLines([line('signed@numbers', version(PUBLIC, 'a', { id: 810_600 }))]);
    const disabled = version(REFUSED, 'a', { id: 810_600 });
    const problem = 'line 1: addon.versions[1].version: is the version 810600 here';
    for (const facts of [{}, { id: 810_601 }]) {
      const lines = [line('signed@numbers', disabled, version(PUBLIC, 'b', facts))];
      expect(await refusalsOf(lines)).toEqual([problem]);
    }
    expect(await versionsOf('signed@numbers')).toEqual([[810_600, 'signed', PUBLIC, 'a', true]]);
  });

  it('moves to a version without an id', async () => {
    await importLines([line('without@numbers', version(AWAITING, 'a', { id: 810_700 }))]);
    const refused = version(REFUSED, 'a', { id: 810_700 });
    await importLines([line('without@numbers', refused, version(PUBLIC, 'b'))]);
    expect(await versionsOf('without@numbers')).toMatchObject([
      [810_700, 'rejected', REFUSED, 'a', false],
      [expect.any(Number), 'signed', PUBLIC, 'b', true],
    ]);
  });
});
